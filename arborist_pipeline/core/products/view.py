"""The page as a reader sees it: its heading, the control that buys, the prices in sight, the cards of other goods."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from lxml import etree

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.controls import Controls
from arborist_pipeline.core.products.scan import OUTSIDE, PageScan, Placed, Zone, class_and_id
from arborist_pipeline.core.products.sightings import PricesInSight, Sighting, find_prices
from arborist_pipeline.core.products.text import is_alike, likeness, words_of
from arborist_pipeline.core.web.html import inline_text

MAX_HEADING = 300
MAX_HEADINGS = 60
NEAR_HEADING = 300
"""Within so many pieces of text after the heading the only control that buys is the subject's own."""
_WITHIN_WORDS = frozenset(("b", "i", "em", "strong", "sup", "sub", "u", "mark", "font", "wbr", "a"))
_PARTS = re.compile(r"\s(?:[|\u2013\u2014\u00b7\u00bb:-]|::)\s")


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


def build_view(scan: PageScan, names: Sequence[str], controls: Controls) -> PageView:
    """Build the view of a scanned page; `names` are what its mark-up and title call its subject, best first."""
    heading = _heading(scan, names)
    own: frozenset[etree._Element] = frozenset()
    if heading is not None:
        own = frozenset(heading.element.iterancestors())
        scan.exempt(own)
    inside = [placed for placed in controls.buying if not scan.zone(placed.element) & OUTSIDE]
    inside = inside or [placed for placed in controls.ordering if not scan.zone(placed.element) & OUTSIDE]
    related_at = _related_at(scan, heading.at if heading else 0)
    if heading is not None:
        after = [placed for placed in inside if heading.at <= placed.at < min(related_at, heading.at + NEAR_HEADING)]
        own |= frozenset(after[0].element.iterancestors()) if len(after) == 1 else frozenset()
    prices = find_prices(scan, own)
    in_cards = [prices.is_in_card(placed.element) for placed in inside]
    return PageView(
        heading=heading,
        name=_heading_text(heading.element) if heading else "",
        buy=tuple(placed for placed, in_card in zip(inside, in_cards, strict=True) if not in_card),
        card_buy=tuple(placed for placed, in_card in zip(inside, in_cards, strict=True) if in_card),
        closed=tuple(
            placed
            for placed in controls.closed
            if not scan.zone(placed.element) & OUTSIDE and not prices.is_in_card(placed.element)
        ),
        prices=prices,
        related_at=related_at,
        end=len(scan.texts),
    )


def _heading_text(element: etree._Element) -> str:
    """Return the text of a heading; a space stands between the words of boxes that only their layout holds apart."""
    if not len(element):
        return inline_text(element)[:MAX_HEADING]
    pieces: list[str] = []
    for event, part in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        text = (part.text if event == "start" else part.tail if part is not element else None) or ""
        is_box = isinstance(part.tag, str) and part.tag not in _WITHIN_WORDS
        if is_box and text[:1].isalnum() and pieces and pieces[-1][-1:].isalnum():
            pieces.append(" ")
        if text:
            pieces.append(text)
    return " ".join("".join(pieces).split())[:MAX_HEADING]


def _heading(scan: PageScan, names: Sequence[str]) -> Placed | None:
    """Return the heading that names the subject: the h1 most like the titles, else another element that is."""
    best = _most_like(_headings(scan), scan, names)
    if best is not None and not _is_unlike(best, names):
        return best
    called = _most_like(_called_names(scan), scan, names)
    if called is not None and not _is_unlike(called, names):
        return called
    return _titled(scan, (*names, *(_PARTS.split(name)[0] for name in names))) or best


def _is_unlike(placed: Placed, names: Sequence[str]) -> bool:
    return bool(names) and max(likeness(_heading_text(placed.element), name) for name in names) < 0.25


def _most_like(candidates: Iterable[Placed], scan: PageScan, names: Sequence[str]) -> Placed | None:
    """Return the candidate most like the names, an h1 before others; None where none that is no h1 is like them."""
    best: Placed | None = None
    best_score = 0.0
    words = frozenset(word for name in names for word in words_of(name))
    for placed in candidates:
        is_first = placed.element.tag == "h1"
        text = _heading_text(placed.element)
        if not 2 <= len(text) < MAX_HEADING or not (is_first or not words.isdisjoint(words_of(text))):
            continue
        score = 1.0 if is_first else 0.0
        score += max((likeness(text, name) for name in names), default=0.0) * 2
        score += 0.5 if any(is_alike(text, name) for name in names) else 0.0
        score += 0.2 if any(name.lower().startswith(text.lower()) for name in names) else 0.0
        score -= 0.8 if scan.zone(placed.element) & (OUTSIDE | Zone.LINKED) else 0.0
        if score > best_score + 0.01 and (is_first or score > 1.0):
            best, best_score = placed, score
    return best


def _headings(scan: PageScan) -> Iterator[Placed]:
    yield from [*scan.tagged("h1")][:MAX_HEADINGS]
    yield from scan.named[:MAX_HEADINGS]
    yield from [*scan.tagged("h2", "h3")][:MAX_HEADINGS]


def _called_names(scan: PageScan) -> Iterator[Placed]:
    """Yield the elements with a text of their own whose class or id calls it the name of a product."""
    found = (Placed(owner, at) for at, owner in enumerate(scan.owners) if is_called_name(class_and_id(owner)))
    yield from islice(found, MAX_HEADINGS)


@lru_cache(maxsize=4096)
def is_called_name(name: str) -> bool:
    """Whether class names, in lower case, say that an element has the name of a product."""
    return bool(lexicon.CLASS_NAME.search(name))


def _titled(scan: PageScan, names: Sequence[str]) -> Placed | None:
    """Return the first text that is, word for word, most of a title: pages of old shops have no h1."""
    words = frozenset(word for name in names for word in words_of(name))
    for at, text in enumerate(scan.texts if words else ()):
        if len(text) < 8 or len(text) > MAX_HEADING or words.isdisjoint(words_of(text)):
            continue
        if any(likeness(text, name) >= 0.75 for name in names) and not scan.zone(scan.owners[at]) & OUTSIDE:
            return Placed(scan.owners[at], at)
    return None


def _related_at(scan: PageScan, start: int) -> int:
    for placed in sorted(scan.tagged("h2", "h3", "h4"), key=lambda each: each.at):
        if placed.at > start and lexicon.RELATED.search(inline_text(placed.element)[:120].lower()):
            return placed.at
    return len(scan.texts) + 1
