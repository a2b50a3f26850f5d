"""Prices in sight: which elements show one, and which of these belong to cards of other goods."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import islice

from lxml import etree

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.prices import (
    MAX_FREE,
    Money,
    has_currency,
    is_count,
    is_free,
    leaves_decimals_open,
    may_have_currency,
    parse_money,
    split_prices,
)
from arborist_pipeline.core.products.scan import MAX_PRICE_TEXT, PageScan, Zone, class_and_id

CODE = frozenset(("code", "samp", "kbd", "var"))
"""Elements of what a computer reads or writes (HTML §4.5): a dollar before a digit names no price there."""
MAX_SIGHTINGS = 400
MAX_BOX_LEVELS = 8
MAX_NAMED_LEVELS = 4
MAX_PARTS = 24  # elements that make up one price; the strokes of its icons are not counted
_STROKES = frozenset(("path", "g", "use", "rect", "circle", "ellipse", "line", "polygon", "polyline"))
_STOPS = frozenset(("body", "form", "table", "ul", "section", "article", "main", "html", "select"))
_CENTS = re.compile(r"cent|fraction|decimal|penn|minor|digit|sup|small|kop", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)(?:$|\?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One price in sight: the element that shows it, its place, what it says, and the zone it stands in.

    `name` is class and id of the element and the two around it. `in_card` says that it prices another good.
    """

    element: etree._Element
    at: int
    text: str
    money: Money
    zone: int
    name: str
    in_card: bool = False

    @property
    def is_struck(self) -> bool:
        """Whether it is crossed out."""
        return bool(self.zone & Zone.STRUCK)

    @property
    def is_plain(self) -> bool:
        """Whether it says hardly more than the price: "$12", not "gifts under $12"."""
        return sum(map(str.isalpha, self.text)) <= 9

    @property
    def is_called_old(self) -> bool:
        """Whether its text or its class names call it an old, list or regular price."""
        if lexicon.OLD_PRICE.search(self.text.lower()):
            return True
        own = class_and_id(self.element)
        name = own if lexicon.CLASS_OLD.search(own) or lexicon.CLASS_NOW.search(own) else self.name
        return bool(lexicon.CLASS_OLD.search(name) and not lexicon.CLASS_NOW.search(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class PricesInSight:
    """All prices of a page in document order, and the boxes of other goods that hold some of them."""

    sightings: tuple[Sighting, ...]
    cards: frozenset[etree._Element]

    def is_in_card(self, element: etree._Element) -> bool:
        """Whether an element stands in a card of another good."""
        return _is_below(element, self.cards)


def find_prices(scan: PageScan, own: Collection[etree._Element]) -> PricesInSight:
    """Find the prices of a page; `own` are the elements that hold its heading: no card holds that."""
    found = _find_sightings(scan)
    cards = _find_cards(found, scan, own)
    marked = tuple(
        replace(each, in_card=True) if each.zone & Zone.LINKED or _is_below(each.element, cards) else each
        for each in found
    )
    return PricesInSight(sightings=marked, cards=cards)


def _is_below(element: etree._Element, boxes: Collection[etree._Element]) -> bool:
    node: etree._Element | None = element
    while boxes and node is not None:
        if node in boxes:
            return True
        node = node.getparent()
    return False


def _find_sightings(scan: PageScan) -> list[Sighting]:
    found: dict[tuple[etree._Element, str], Sighting] = {}
    named: dict[etree._Element, bool] = {}
    free = (at for at, text in enumerate(scan.texts) if len(text) <= MAX_FREE and is_free(text))
    for at in sorted((*scan.numbered, *free)):
        if scan.owners[at].tag in CODE:
            continue
        element, whole = _price_place(scan, at, named)
        for part in split_prices(whole) if element is not None else ():
            if element is None or (element, part) in found:
                continue
            sighting = _sighting(scan, element, part, at)
            if sighting is not None:
                found[element, part] = sighting
        if len(found) >= MAX_SIGHTINGS:
            break
    return list(found.values())


def _price_place(scan: PageScan, at: int, named: dict[etree._Element, bool]) -> tuple[etree._Element | None, str]:
    """Return the element that shows the price a piece of text belongs to, and what it says; (None, "") for no price.

    It is the nearest around the piece that is named for a price; where that holds several prices, the largest element
    within it that holds this one alone: an old price stands in an element of its own beside the new. `named` keeps
    which elements are named for a price: the numbers of a list have most of them in common.
    """
    element, text = scan.owners[at], scan.texts[at]
    path: list[etree._Element] = []
    node: etree._Element | None = element
    while node is not None and len(path) < MAX_NAMED_LEVELS and node.tag not in _STOPS:
        is_named = named.get(node)
        if is_named is None:
            is_named = named[node] = is_named_for_price(node)
        if is_named:
            whole = price_text(node)
            if _is_one_price(whole):
                return node, whole
            singles = [(each, said) for each in path if _is_one_price(said := price_text(each))]
            if singles and has_currency(singles[-1][1]):
                return singles[-1]
            return (element, text) if has_currency(text) else (None, "")
        path.append(node)
        node = node.getparent()
    if has_currency(text):
        whole = price_text(element)
        return element, whole if len(split_prices(whole)) == 1 else text
    parent = element.getparent() if len(text) <= 12 and _has_mark_beside(scan.texts, at) else None
    if parent is not None and len(parent) <= 6 and has_currency(whole := price_text(parent)):
        return (parent, whole) if len(whole) <= 24 else (None, "")
    return None, ""


def _has_mark_beside(texts: Sequence[str], at: int) -> bool:
    """Whether a text that may be a currency stands within three of a piece: a cheap look before a close one."""
    return may_have_currency(" ".join(text for text in texts[max(0, at - 3) : at + 4] if len(text) <= 24))


def _is_one_price(text: str) -> bool:
    return len(text) <= MAX_PRICE_TEXT and len(split_prices(text)) == 1


def is_named_for_price(element: etree._Element) -> bool:
    """Whether class, id or property of an element say that it shows a price."""
    name = class_and_id(element)
    return bool(name and is_price_name(name)) or element.get("itemprop") == "price"


@lru_cache(maxsize=4096)
def is_price_name(name: str) -> bool:
    """Whether class names, in lower case, say that an element shows a price. Pages use the same names many times."""
    return bool(lexicon.CLASS_PRICE.search(name))


def price_text(element: etree._Element) -> str:
    """Return the text of a price, cents that stand in an element of their own joined by a point."""
    if not len(element):
        return " ".join((element.text or "").split())
    pieces: list[str] = []
    drawn = (part for part in islice(element.iter(etree.Element), MAX_PARTS * 20) if part.tag not in _STROKES)
    for part in islice(drawn, MAX_PARTS):
        text = "" if part is not element and part.tag in ("script", "style") else (part.text or "").strip()
        if part is not element and _is_cents(part, text) and pieces and pieces[-1][-1:].isdecimal():
            pieces[-1] += "." + text
        elif text and pieces and pieces[-1][-1:] in ".," and text[:1].isdecimal():
            pieces[-1] += text
        elif text:
            pieces.append(text)
        tail = (part.tail or "").strip() if part is not element else ""
        if tail and tail[:1] in ".," and pieces:
            pieces[-1] += tail
        elif tail:
            pieces.append(tail)
    return " ".join(" ".join(pieces).split())


def _is_cents(part: etree._Element, text: str) -> bool:
    return len(text) == 2 and text.isdecimal() and (part.tag == "sup" or bool(_CENTS.search(part.get("class") or "")))


def _sighting(scan: PageScan, element: etree._Element, text: str, at: int) -> Sighting | None:
    money = _money(scan, element, text)
    if money is None:
        return None
    names = [class_and_id(element)]
    node = element.getparent()
    for _ in range(2):
        if node is not None and node.tag not in ("body", "html"):
            names.append(class_and_id(node))
            node = node.getparent()
    return Sighting(element=element, at=at, text=text, money=money, zone=scan.zone(element), name=" ".join(names))


def _money(scan: PageScan, element: etree._Element, text: str) -> Money | None:
    if is_free(text):
        return Money(amount=Decimal(0)) if is_named_for_price(element) else None
    money = parse_money(text, scan.locale, scan.decimal_mark if leaves_decimals_open(text) else "")
    return money if money is not None and (money.currency is not None or _is_bare_price(text)) else None


def _is_bare_price(text: str) -> bool:
    """Whether a text without a currency can be a price all the same: hardly more than one number."""
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdecimal, text))
    return letters <= 9 and digits * 2 >= len(text.replace(" ", "")) - 9 and not is_count(text)


def make_of(element: etree._Element) -> str:
    """Return how an element and the three around it are made: tags and class names; cards of one list are alike."""
    parts = [str(element.tag), element.get("class") or ""]
    node = element.getparent()
    for _ in range(3):
        if node is None:
            break
        parts += [str(node.tag), node.get("class") or ""]
        node = node.getparent()
    return "|".join(parts)


def _find_cards(
    sightings: Sequence[Sighting], scan: PageScan, own: Collection[etree._Element]
) -> frozenset[etree._Element]:
    """Return the boxes of other goods: boxes of one make that lead to different pages."""
    makes = [make_of(each.element) for each in sightings]
    counts: Counter[tuple[etree._Element, str]] = Counter()
    for each, make in zip(sightings, makes, strict=True):
        counts.update((node, make) for node in islice(each.element.iterancestors(), MAX_BOX_LEVELS))
    boxes = [_box(each.element, make, counts, own) for each, make in zip(sightings, makes, strict=True)]
    targets = [_target(box, scan) for box in boxes]
    different: dict[str, set[str]] = {}
    for make, target in zip(makes, targets, strict=True):
        if target is not None:
            different.setdefault(make, set()).add(target)
    cards: set[etree._Element] = set()
    for each, make, box, target in zip(sightings, makes, boxes, targets, strict=True):
        if target is None or box is each.element:
            continue
        if len(different[make]) >= 2:
            cards.add(box)
        elif each.zone & Zone.CARD and (single := _named_card(each.element, box)) is not None:
            cards.add(single)
    return frozenset(cards)


def _named_card(element: etree._Element, box: etree._Element) -> etree._Element | None:
    """Return the element called a card between a price and its box that shows a good: a list may hold one of them.

    It has a link, and a picture or a heading; a subject's own price may stand in a box called a card as well.
    """
    node: etree._Element | None = element
    while node is not None and node is not box:
        if lexicon.CARD.search(class_and_id(node)) and next(node.iter("a"), None) is not None:
            return node if next(node.iter("img", "picture", "h2", "h3", "h4", "h5"), None) is not None else None
        node = node.getparent()
    return None


def _box(
    element: etree._Element,
    make: str,
    counts: Mapping[tuple[etree._Element, str], int],
    own: Collection[etree._Element],
) -> etree._Element:
    """Return the largest box around a price with no second price of its make that does not hold the heading."""
    box = element
    node = element.getparent()
    for _ in range(MAX_BOX_LEVELS):
        if node is None or node in own or node.tag == "body" or counts.get((node, make), 0) > 1:
            break
        box, node = node, node.getparent()
    return box


def _target(box: etree._Element, scan: PageScan) -> str | None:
    """Return the page that a box leads to first, None where it leads to none but this one, a picture or a script."""
    here = scan.page.url.split("?")[0].rstrip("/")
    for link in [box] if box.tag == "a" else islice(box.iter("a"), 30):
        href = link.get("href") or ""
        if not href or href.startswith(("#", "javascript:")):
            continue
        target = scan.url(href)
        if target is not None and target.split("?")[0].rstrip("/") != here and not _PICTURE.search(target):
            return target
    return None
