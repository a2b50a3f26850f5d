"""What a page is for, from the page alone: one product, a listing, an article, a home page, or something else."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from lxml import etree

from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.scan import OUTSIDE, PageScan, Zone
from arborist_pipeline.core.products.sightings import Sighting, is_named_for_price, make_of
from arborist_pipeline.core.products.text import is_alike
from arborist_pipeline.core.products.tier import Draft
from arborist_pipeline.core.products.traits import find_wall, judge_address, outward_traits
from arborist_pipeline.core.products.verdict import Trait, Verdict, weigh_traits
from arborist_pipeline.core.web.page import PageKind

NEAR = 12
MAX_BARE = 4_000
_SORTS = re.compile(r"sort|order-?by|items?-?per-?page|results?-?per|pagesize|show-?per")
MAX_CLOSED = 3
_MAX_BOXES = 6  # around a heading, the largest of which may be its card


def judge_kind(evidence: Evidence, drafts: Sequence[Draft]) -> Verdict:
    """Return the kind of a page; total."""
    wall = find_wall(evidence.page.title or "") or find_wall(evidence.view.name)
    if wall:
        return Verdict(kind=PageKind.OTHER, reason=wall)
    return judge_address(evidence) or weigh_traits(
        [*_draft_traits(drafts), *outward_traits(evidence), *_sight_traits(evidence, drafts)]
    )


def _draft_traits(drafts: Sequence[Draft]) -> Iterator[Trait]:
    for draft in drafts:
        if draft.certain and draft.tier != "visible":
            rich = (draft.price and draft.price.value) or draft.variants or draft.low_price
            yield (
                PageKind.PRODUCT,
                4.0 if rich else 2.5 if draft.availability or draft.sku else 1.0,
                f"{draft.tier} names one product",
            )


def _sight_traits(evidence: Evidence, drafts: Sequence[Draft]) -> Iterator[Trait]:
    view = evidence.view
    sorts = has_sorting(evidence.scan)
    if sorts:
        yield PageKind.LISTING, 1.5, "a control that sorts"
    if _is_one_card(evidence):  # its price, stock, number and control are another page's
        yield PageKind.LISTING, 3.0, "a list of one"
        return
    visible = next((draft for draft in drafts if draft.tier == "visible"), None)
    cards = [each.at for each in view.sightings if each.in_card and not each.zone & OUTSIDE and each.is_plain]
    early = [at for at in cards if view.start <= at < view.related_at]
    buy = [placed.at for placed in view.buy if view.start - 40 <= placed.at < min(view.related_at, view.start + 300)]
    own = [each.at for each in view.sightings if not each.in_card and not each.zone & OUTSIDE and each.at >= view.start]
    is_first = bool(own) and (not early or own[0] < early[0])
    if visible is not None:
        yield from _subject_traits(evidence, visible, is_first=is_first)
    closed = [placed.at for placed in view.closed if view.start <= placed.at < min(view.related_at, view.start + 300)]
    if buy:
        yield PageKind.PRODUCT, 2.0, "a control that buys"
    elif 1 <= len(closed) <= MAX_CLOSED:
        yield PageKind.PRODUCT, 2.0, "a control that says it is sold out"
        buy = closed
    if len(early) >= 3:
        worth = 1.0 if is_first and buy and buy[0] < early[0] + 5 else 3.0 + min(len(early) / 12, 1.5)
        yield PageKind.LISTING, worth, f"{len(early)} priced cards of other goods"
    elif len(cards) >= 4:
        yield PageKind.LISTING, 3.0 if len(cards) >= 8 and not buy else 0.5, "priced cards of other goods"
    pictures = _picture_links(evidence)
    if pictures >= 6 and not buy:
        yield PageKind.LISTING, 1.5, f"{pictures} pictures of one make that lead elsewhere"
    repeated = _repeated_controls(evidence)
    if repeated >= 3:
        yield PageKind.LISTING, 3.0, f"{repeated} controls that buy, each with a price"
        yield PageKind.PRODUCT, -3.0, "several goods can be bought"
    if sorts and own and _is_titled_elsewhere(evidence, own[0]):
        yield PageKind.LISTING, 1.5, "a list of one"
        yield PageKind.PRODUCT, -4.0, "the price is under a heading that leads elsewhere"  # nor is the control its own


def has_sorting(scan: PageScan) -> bool:
    """Whether a page has a control that sorts."""
    return any(
        _SORTS.search(f"{each.element.get('name')} {each.element.get('id')}".lower()) for each in scan.tagged("select")
    )


def _is_titled_elsewhere(evidence: Evidence, price: int) -> bool:
    """Whether a lesser heading that is a link stands between the main heading and a price: a list's only card."""
    return any(True for _ in _linked_headings(evidence, price))


def _linked_headings(evidence: Evidence, before: int) -> Iterator[tuple[etree._Element, str]]:
    """Yield the lesser headings between the main one and a place that are links, with where they lead."""
    start = evidence.view.start
    for placed in evidence.scan.tagged("h2", "h3", "h4", "h5"):
        link = placed.element.find(".//a[@href]") if start < placed.at < before else None
        if link is not None:
            yield placed.element, link.get("href") or ""


def _is_one_card(evidence: Evidence) -> bool:
    """Whether all prices of a page stand in one box with a heading and a picture that lead to one other address.

    Such a box is the card of another page's product; the main heading, which names what the page is about, is outside.
    """
    view = evidence.view
    if view.heading is None or not view.own:
        return False
    main = {view.heading.element, *view.heading.element.iterancestors()}
    around = [set(each.element.iterancestors()) for each in view.own]
    for heading, href in _linked_headings(evidence, view.own[0].at):
        box = next((each for each in islice(heading.iterancestors(), _MAX_BOXES) if each in around[0]), None)
        if box is not None and box not in main and all(box in each for each in around):
            return any(link.get("href") == href and link.find(".//img") is not None for link in box.iter("a"))
    return False


def _subject_traits(evidence: Evidence, visible: Draft, *, is_first: bool) -> Iterator[Trait]:
    """Traits of a page that shows one thing for sale: price, stock, article number and brand by its heading."""
    view = evidence.view
    if visible.price is not None and is_first:
        amount = visible.price.value
        near = [each for each in view.sightings if 0 <= each.at - view.start <= NEAR and each.money.amount == amount]
        yield PageKind.PRODUCT, 2.5 if near else 2.0, "a price by the heading"
        if near and _is_alone(near[0], evidence):
            yield PageKind.PRODUCT, 1.0, "hardly more than a name and a price"
    if visible.sku or visible.gtin or visible.mpn:
        yield PageKind.PRODUCT, 1.0, "an article number"
    if visible.availability is not None:
        is_plain = visible.availability.where.startswith("stock")
        says_gone = visible.availability.value == "OutOfStock" and visible.price is None and not view.card_buy
        yield PageKind.PRODUCT, 1.5 if is_plain or says_gone else 0.5, "stock in words"
    if visible.brand is not None and not visible.brand.raw.lower().startswith("by "):
        yield PageKind.PRODUCT, 0.5, "a brand"
    if visible.images is not None and visible.images.where.endswith("[alt=name]"):
        yield PageKind.PRODUCT, 0.5, "a picture of that name"
    if visible.category is not None and visible.category.raw.endswith(view.name):
        yield PageKind.PRODUCT, 0.5, "the trail ends in the name"
    if view.heading is not None and evidence.page.title and is_alike(view.name, evidence.page.title):
        yield PageKind.PRODUCT, 0.5, "heading and title agree"


def _is_alone(price: Sighting, evidence: Evidence) -> bool:
    """Whether a price by the only main heading is all that the page sells: one of its make, named for a price.

    Shops of one person have such pages: no mark-up, no control, no picture; neither have they cards or stories.
    """
    scan, view = evidence.scan, evidence.view
    if view.heading is None or view.heading.element.tag != "h1" or len(scan.by_tag["h1"]) > 1:
        return False
    if any(each.in_card for each in view.sightings) or sum(map(len, scan.texts)) > MAX_BARE:
        return False
    makes = [make_of(each.element) for each in view.own if not each.is_struck]
    return is_named_for_price(price.element) and makes.count(make_of(price.element)) == 1


def _picture_links(evidence: Evidence) -> int:
    """Count the pictures of the largest set of one make in the main part that are links to other pages."""
    scan, view = evidence.scan, evidence.view
    makes: Counter[str] = Counter()
    for placed in scan.tagged("img"):
        zone = scan.zone(placed.element)
        if zone & Zone.LINKED and not zone & OUTSIDE and placed.at >= view.start:
            makes[make_of(placed.element)] += 1
    return max(makes.values(), default=0)


def _repeated_controls(evidence: Evidence) -> int:
    """Count the controls of one make that buy, each with a price of its own before it."""
    view = evidence.view
    places: dict[str, list[int]] = {}
    for placed in (*view.buy, *view.card_buy):
        if view.start <= placed.at < view.related_at:
            places.setdefault(make_of(placed.element), []).append(placed.at)
    prices = [each.at for each in view.sightings if not each.zone & OUTSIDE and each.money.amount]
    best = 0
    for found in places.values():
        steps = pairwise([view.start, *found])
        best = max(best, sum(any(start < at <= stop for at in prices) for start, stop in steps))
    return best
