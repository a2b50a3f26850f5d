"""The page as a reader sees it: its heading, the control that buys, the prices in sight, the cards of other goods."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.scan import OUTSIDE, PageScan, Placed, Zone, class_and_id
from arborist_pipeline.core.products.sightings import PricesInSight, Sighting, find_prices
from arborist_pipeline.core.products.text import is_alike, likeness
from arborist_pipeline.core.web.html import inline_text

MAX_HEADING = 300
MAX_HEADINGS = 60
_LINK_BUTTON = re.compile(r"btn|button|cart|basket|buy|add|koszyk|kosik|warenkorb")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """What stands where. From `related_at` on other goods are shown (past the end where there are none).

    `buy` are the controls that put the page's own subject into a basket, `card_buy` those of other goods; `closed`
    are those in the place of a control that buys which say that the subject is sold out, or offer to tell when it is
    back.
    """

    heading: Placed | None
    name: str
    buy: tuple[Placed, ...]
    card_buy: tuple[Placed, ...]
    closed: tuple[Placed, ...]
    prices: PricesInSight
    related_at: int
    end: int

    @property
    def start(self) -> int:
        """The place of the heading, the beginning of the page where there is none."""
        return self.heading.at if self.heading else 0

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """The prices in sight, in document order."""
        return self.prices.sightings

    @property
    def own(self) -> tuple[Sighting, ...]:
        """The prices in the main part of the page that stand in no card and before other goods are shown."""
        return tuple(
            each
            for each in self.sightings
            if not each.in_card and not each.zone & OUTSIDE and each.at < self.related_at
        )


def build_view(scan: PageScan, names: Sequence[str]) -> PageView:
    """Build the view of a scanned page; `names` are what its mark-up and title call its subject, best first."""
    heading = _heading(scan, names)
    own: frozenset[etree._Element] = frozenset()
    if heading is not None:
        own = frozenset(heading.element.iterancestors())
        scan.exempt(own)
    prices = find_prices(scan, own)
    controls = [
        placed
        for placed in scan.tagged("button", "input", "a")
        if _can_buy(placed.element) and not scan.zone(placed.element) & OUTSIDE
    ]
    controls = controls or [
        placed for placed in scan.tagged("form") if _orders(placed.element) and not scan.zone(placed.element) & OUTSIDE
    ]
    in_cards = [prices.is_in_card(placed.element) for placed in controls]
    return PageView(
        heading=heading,
        name=_heading_text(heading.element) if heading else "",
        buy=tuple(placed for placed, in_card in zip(controls, in_cards, strict=True) if not in_card),
        card_buy=tuple(placed for placed, in_card in zip(controls, in_cards, strict=True) if in_card),
        closed=tuple(
            placed
            for placed in scan.tagged("button", "input", "a")
            if _is_closed(placed.element)
            and not scan.zone(placed.element) & OUTSIDE
            and not prices.is_in_card(placed.element)
        ),
        prices=prices,
        related_at=_related_at(scan, heading.at if heading else 0),
        end=len(scan.texts),
    )


def _heading_text(element: etree._Element) -> str:
    return inline_text(element)[:MAX_HEADING]


def _heading(scan: PageScan, names: Sequence[str]) -> Placed | None:
    """Return the heading that names the subject: the h1 most like the titles, else another element that is."""
    best: Placed | None = None
    best_score = 0.0
    for placed in _headings(scan):
        text = inline_text(placed.element)
        if not 2 <= len(text) <= MAX_HEADING:
            continue
        is_first = placed.element.tag == "h1"
        score = 1.0 if is_first else 0.0
        score += max((likeness(text, name) for name in names), default=0.0) * 2
        score += 0.5 if any(is_alike(text, name) for name in names) else 0.0
        score += 0.2 if any(name.lower().startswith(text.lower()) for name in names) else 0.0
        score -= 0.8 if scan.zone(placed.element) & (OUTSIDE | Zone.LINKED) else 0.0
        if score > best_score + 0.01 and (is_first or score > 1.0):
            best, best_score = placed, score
    if best is None or (names and max(likeness(inline_text(best.element), name) for name in names) < 0.25):
        return _titled(scan, names) or best
    return best


def _headings(scan: PageScan) -> Iterator[Placed]:
    yield from [*scan.tagged("h1")][:MAX_HEADINGS]
    yield from scan.named[:MAX_HEADINGS]
    yield from [*scan.tagged("h2", "h3")][:MAX_HEADINGS]


def _titled(scan: PageScan, names: Sequence[str]) -> Placed | None:
    """Return the first text that is, word for word, most of a title: pages of old shops have no h1."""
    for at, piece in enumerate(scan.texts):
        if len(piece.text) < 8 or len(piece.text) > MAX_HEADING:
            continue
        if any(likeness(piece.text, name) >= 0.75 for name in names) and not scan.zone(piece.element) & OUTSIDE:
            return Placed(piece.element, at)
    return None


def _related_at(scan: PageScan, start: int) -> int:
    for placed in sorted(scan.tagged("h2", "h3", "h4"), key=lambda each: each.at):
        if placed.at > start and lexicon.RELATED.search(inline_text(placed.element)[:120].lower()):
            return placed.at
    return len(scan.texts) + 1


def _can_buy(element: etree._Element) -> bool:
    """Whether a control says, or is named, that it puts something into a basket."""
    if not _is_control(element):
        return False
    said = _said(element)
    if lexicon.NOT_BUY.search(said):
        return False
    return bool(lexicon.BUY.search(said) or lexicon.BUY_NAMES.search(_names(element)))


def _is_closed(element: etree._Element) -> bool:
    """Whether a control says that what it would sell is sold out, or that it tells a buyer when it is back."""
    return _is_control(element) and any(words.search(_said(element)) for words in (lexicon.SOLD_OUT, lexicon.TELL_ME))


def _is_control(element: etree._Element) -> bool:
    get = element.get
    if element.tag == "input":
        return (get("type") or "").lower() in ("submit", "button", "image")
    return element.tag != "a" or bool(get("onclick") or get("role") == "button" or _LINK_BUTTON.search(_names(element)))


def _said(element: etree._Element) -> str:
    said = inline_text(element) if element.tag != "input" else ""
    return (said or " ".join(filter(None, map(element.get, ("value", "title", "alt", "aria-label")))))[:80].lower()


def _orders(form: etree._Element) -> bool:
    """Whether a form is named for ordering and asks how many."""
    names = " ".join(filter(None, map(form.get, ("action", "id", "name", "class")))).lower()
    return bool(lexicon.FORM_NAMES.search(names)) and any(
        lexicon.QUANTITY.search(f"{field.get('name')} {field.get('id')}".lower())
        for field in form.iter("input", "select")
    )


def _names(element: etree._Element) -> str:
    names = (class_and_id(element), *map(element.get, ("name", "data-action", "href", "src")))
    return " ".join(filter(None, names)).lower()[:400]
