"""The controls of a page that sell: those that put something into a basket, and those that say it is sold out."""

from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from lxml import etree

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.scan import PageScan, Placed, class_and_id
from arborist_pipeline.core.web.html import inline_text

MAX_SAID = 80
_LINK_NAMES = ("btn", "button", "cart", "basket", "buy", "add", "koszyk", "kosik", "warenkorb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """Controls in document order, tag by tag, wherever on the page they stand.

    `buying` put something into a basket; where there are none these are the forms that order. `closed` stand in the
    place of one that buys and say that the thing is sold out, or offer to tell when it is back.
    """

    buying: tuple[Placed, ...]
    closed: tuple[Placed, ...]
    ordering: tuple[Placed, ...]


def find_controls(scan: PageScan) -> Controls:
    """Find the controls of a scanned page."""
    buying: list[Placed] = []
    closed: list[Placed] = []
    for placed in _find_candidates(scan):
        says = _meaning(_said(placed.element))
        if says == "closed":
            closed.append(placed)
        elif says == "buy" or (says is None and lexicon.BUY_NAMES.search(_names(placed.element))):
            buying.append(placed)
    ordering = tuple(placed for placed in scan.tagged("form") if _orders(placed.element))
    return Controls(buying=tuple(buying), closed=tuple(closed), ordering=ordering)


def _find_candidates(scan: PageScan) -> Iterator[Placed]:
    """Yield buttons, inputs that are some, and the links that act as some or are called so.

    A page may have thousands of links: their values are searched all at once. No value holds U+0000.
    """
    yield from scan.tagged("button")
    for placed in scan.tagged("input"):
        if (placed.element.get("type") or "").lower() in ("submit", "button", "image"):
            yield placed
    links = [*scan.tagged("a")]
    values = "\0".join(" ".join(map(str, placed.element.values())) for placed in links).lower()
    ends = list(accumulate(len(each) + 1 for each in values.split("\0")))
    called = {bisect(ends, place) for name in _LINK_NAMES for place in _find_all(name, values)}
    for number, placed in enumerate(links):
        if placed.element in scan.clickable or (number in called and _is_called_control(placed.element)):
            yield placed


def _find_all(name: str, text: str) -> Iterator[int]:
    place = text.find(name)
    while place >= 0:
        yield place
        place = text.find(name, place + 1)


def _is_called_control(link: etree._Element) -> bool:
    names = _names(link)
    return link.get("role") == "button" or any(name in names for name in _LINK_NAMES)


def _said(element: etree._Element) -> str:
    said = inline_text(element) if element.tag != "input" else ""
    return (said or " ".join(filter(None, map(element.get, ("value", "title", "alt", "aria-label")))))[
        :MAX_SAID
    ].lower()


@lru_cache(maxsize=2048)  # a page says the same on many buttons, a shop on all of its pages
def _meaning(said: str) -> str | None:
    """Return what a control means by its words: "buy", "closed", "else" (surely not to buy), None where they are mute.

    A control may hold the words of all of its states, of which one is shown: the first are those of its own state.
    """
    closed = lexicon.SOLD_OUT.search(said) or lexicon.TELL_ME.search(said)
    buy = lexicon.BUY.search(said)
    if closed and not (buy and buy.start() < closed.start()):
        return "closed"
    if lexicon.NOT_BUY.search(said[: closed.start()] if closed else said):
        return "else"
    return "buy" if buy else None


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
