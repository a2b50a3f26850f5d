"""What a page cannot be, told before it is looked at closely: most pages of a crawl are no products.

Every trait that takes a close look is given the most points it could bring, by what the page has at all: a number with
a currency, a control that sells, pictures. Where product and listing stay below their floors all the same, the other
traits decide alone, and the verdict is the one that `judge_kind` would return.
"""

from collections.abc import Iterator, Sequence

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.kind import has_sorting
from arborist_pipeline.core.products.prices import has_currency, may_have_currency
from arborist_pipeline.core.products.scan import PageScan
from arborist_pipeline.core.products.sightings import CODE
from arborist_pipeline.core.products.traits import find_wall, judge_address, outward_traits
from arborist_pipeline.core.products.verdict import FLOORS, Verdict, sum_points, weigh_traits
from arborist_pipeline.core.web.html import inline_text
from arborist_pipeline.core.web.page import PageKind

_ALWAYS = 3.0  # an article number, a brand, a picture, a trail and a heading that agree
_PRICE = 2.5
_CONTROL = 2.0
_STOCK_NAMED, _STOCK_WORDS = 1.5, 0.5
_CARDS = 4.5
_PICTURES, _MIN_PICTURES = 1.5, 6
_SORTING = 1.5
_MARK = 4  # characters of a text that is only a currency


def rule_out_product(evidence: Evidence) -> Verdict | None:
    """Return the verdict on a page that can be neither product nor listing; None where a close look must tell."""
    if _names_product(evidence) or any(map(find_wall, _headings(evidence))):
        return None
    traits = list(outward_traits(evidence))
    points = sum_points(traits)
    product, listing = points[PageKind.PRODUCT] + _ALWAYS, points[PageKind.LISTING]
    names = " ".join(evidence.scan.names).lower()
    product += _STOCK_NAMED if lexicon.CLASS_STOCK.search(names) else _STOCK_WORDS
    listing += _PICTURES if len(evidence.scan.by_tag.get("img", ())) >= _MIN_PICTURES else 0.0
    listing += _SORTING if has_sorting(evidence.scan) else 0.0
    if lexicon.CLASS_PRICE.search(names) or shows_currency(evidence.scan):
        product += _PRICE
        listing += _CARDS
    if product + _CONTROL >= FLOORS[PageKind.PRODUCT] and _has_controls(evidence):
        product += _CONTROL
    if product >= FLOORS[PageKind.PRODUCT] or listing >= FLOORS[PageKind.LISTING]:
        return None
    return judge_address(evidence) or weigh_traits(traits)


def _names_product(evidence: Evidence) -> bool:
    """Whether mark-up or embedded data may name one product or several."""
    return bool(
        evidence.linked_products
        or evidence.item_products
        or evidence.embedded
        or "product" in (evidence.scan.meta("og:type") or "").lower()
    )


def _headings(evidence: Evidence) -> Iterator[str]:
    yield evidence.page.title or ""
    scan = evidence.scan
    yield from (inline_text(placed.element) for placed in (*scan.tagged("h1", "h2", "h3"), *scan.named))


def _has_controls(evidence: Evidence) -> bool:
    controls = evidence.controls
    return bool(controls.buying or controls.closed or controls.ordering)


def shows_currency(scan: PageScan) -> bool:
    """Whether a number with a currency stands in a short text, or beside one that is only the currency."""
    near = [_with_marks(scan.texts, at) for at in scan.numbered if scan.owners[at].tag not in CODE]
    return may_have_currency("\n".join(near)) and any(map(has_currency, near))


def _with_marks(texts: Sequence[str], at: int) -> str:
    """Return a text with those beside it that are short enough to be its currency."""
    before, after = texts[at - 1] if at else "", texts[at + 1] if at + 1 < len(texts) else ""
    return f"{before if len(before) <= _MARK else ''} {texts[at]} {after if len(after) <= _MARK else ''}"
