"""Where on its page a link stands: in which part, in what kind of card, on which path of tags.

Links that a template makes stand in the same place on each of its pages, so a place tells of links not yet followed
what those from the same place turned out to be.
"""

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple
from zlib import crc32

from lxml import etree

_PATH_LENGTH = 3  # ancestors in a place, beside the link itself
_MAX_CLIMB = 6
_MAX_NAME = 200  # characters of a class or id that are looked at
_MAX_LINKS_IN_CARD = 5
_MAX_CARD_CHARACTERS = 600
_MAX_CARD_STEPS = 200  # elements of a card that are looked at
_STEM = re.compile(r"[A-Za-z]+(?:[-_]+[A-Za-z]+)*")
_PAGES = re.compile(r"paginat|pager|paging|page-numbers|page-links", re.IGNORECASE)
_TRAIL = re.compile(r"breadcrumb|bread-crumb|crumbs", re.IGNORECASE)
_MENU = re.compile(
    r"(?:^|(?<!\bno)(?<!\bhas)(?<!\bwith)[-_]| )(?:mega-?)?(?:nav|navbar|navigation|menu|submenu)(?:$|[-_ ])",
    re.IGNORECASE,
)
_FOOT = re.compile(
    r"(?:^| )(?:(?:site|page|main|global|shop|store)[-_]?)?(?:footer|colophon)(?:$|[-_ ])", re.IGNORECASE
)
_SIDE = re.compile(r"(?:^|(?<!\bno)(?<!\bhas)(?<!\bwith)[-_]| )(?:sidebar|side-bar|aside)(?:$|[-_ ])", re.IGNORECASE)
_NAMED = ((_PAGES, "p"), (_TRAIL, "b"), (_MENU, "n"), (_FOOT, "f"), (_SIDE, "a"))
_ANY_NAME = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _ in _NAMED), re.IGNORECASE)
_BY_TAG = {"nav": "n", "aside": "a", "main": "m"}
_OF_PAGE_ALONE = {"header": "h", "footer": "f"}  # elsewhere they head or end an article or a card
_ROLES = {"navigation": "n", "banner": "h", "contentinfo": "f", "complementary": "a", "main": "m"}
_PARTS_OF_CONTENT = frozenset({"main", "article", "section", "li"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_NO_CARDS = frozenset("nfbph")
_MONEY = re.compile(
    r"[$€£¥₹₽₩₺₪฿₫₴]\s?\d|\d\s?(?:[$€£¥₹₽₩₺₪฿₫₴]|(?:kr|zł|Kč|Ft|lei|лв|руб|р)\b)"  # noqa: RUF001  # Cyrillic currencies
    r"|\b(?:USD|EUR|GBP|AUD|CAD|NZD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|JPY|CNY|BRL|MXN|ZAR|Rs\.?|R\$|kr\.?)\s?\d"
    r"|\d\s?(?:USD|EUR|GBP|AUD|CAD|NZD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|JPY|CNY|BRL|MXN|ZAR)\b"
)


class _Spot(NamedTuple):
    """What holds for all that lies in an element: part of the page, whether in its content, the path of tags."""

    part: str
    in_content: bool
    path: tuple[str, ...]


_TOP = _Spot("m", in_content=False, path=())


class Places:
    """The places of one page's links. A place is text: the part of the page, what its card shows, a hash of the path.

    Parts: m(ain), n(avigation), h(eader), f(ooter), a(side), b(readcrumbs), p(agination), l(inked from the head).
    What a card shows: i(mage), c(ost), t (the link is its title). `mic.3f0a` is a link in a card with image and price.
    """

    def __init__(self) -> None:
        self._spots: dict[etree._Element, _Spot] = {}
        self._cards: dict[etree._Element, str] = {}
        self._links_in: dict[etree._Element, int] = {}

    def place_of(self, element: etree._Element) -> str:
        """Return the place of a link element."""
        if element.tag == "link":
            return "l"
        parent = element.getparent()
        spot = self._spot_of(parent) if parent is not None else _TOP
        path = ">".join((*spot.path, _label(element)))
        shown = "" if spot.part in _NO_CARDS else self._shown(element)
        return f"{spot.part}{shown}.{crc32(path.encode()) & 0xFFFF:04x}"

    def _spot_of(self, element: etree._Element) -> _Spot:
        chain = []
        node: etree._Element | None = element
        while node is not None and node not in self._spots:
            chain.append(node)
            node = node.getparent()
        spot = _TOP if node is None else self._spots[node]
        for inner in reversed(chain):
            spot = self._spots[inner] = _step_in(spot, inner)
        return spot

    def _shown(self, element: etree._Element) -> str:
        """Return what the card of a link shows."""
        card = self._card_of(element)
        shown = self._cards.get(card)
        if shown is None:
            shown = self._cards[card] = _shows(card)
        parent = element.getparent()
        is_title = (parent is not None and parent.tag in _HEADINGS) or any(child.tag in _HEADINGS for child in element)
        return f"{shown}t" if is_title else shown

    def _card_of(self, element: etree._Element) -> etree._Element:
        """Return the largest element around a link that stands in a row of its like and holds few links."""
        card = node = element
        for _ in range(_MAX_CLIMB):
            parent = node.getparent()
            if parent is None or parent.tag == "body" or self._count_links(parent) > _MAX_LINKS_IN_CARD:
                return node if _has_like(node) else card
            if _has_like(node):
                card = node
            node = parent
        return card

    def _count_links(self, element: etree._Element) -> int:
        count = self._links_in.get(element)
        if count is None:
            count = self._links_in[element] = sum(1 for _ in islice(element.iter("a"), _MAX_LINKS_IN_CARD + 1))
        return count


def _step_in(outer: _Spot, element: etree._Element) -> _Spot:
    tag = element.tag if isinstance(element.tag, str) else ""
    path = (*outer.path, _label(element))[-_PATH_LENGTH:]
    in_content = outer.in_content or tag in _PARTS_OF_CONTENT
    return _Spot(outer.part if tag in ("html", "body") else _part(outer, element, tag), in_content, path)


def _part(outer: _Spot, element: etree._Element, tag: str) -> str:
    name = f"{element.get('class') or ''} {element.get('id') or ''}"
    named = _part_named(name[:_MAX_NAME]) if len(name) > 1 else None
    if named is not None:
        return named
    if tag in _BY_TAG:
        return _BY_TAG[tag]
    if tag in _OF_PAGE_ALONE and not outer.in_content:
        return _OF_PAGE_ALONE[tag]
    role = element.get("role")
    return _ROLES.get(role, outer.part) if role else outer.part


@lru_cache(maxsize=2_048)
def _part_named(name: str) -> str | None:
    if _ANY_NAME.search(name) is None:
        return None
    return next(part for pattern, part in _NAMED if pattern.search(name))


def _label(element: etree._Element) -> str:
    """Return the tag with the stem of its first class: numbers and hashes in names change from page to page."""
    name = element.get("class")
    return f"{element.tag}{_stem_of(name[:_MAX_NAME])}" if name else str(element.tag)


@lru_cache(maxsize=2_048)
def _stem_of(name: str) -> str:
    stem = _STEM.match(name.lstrip())
    return f".{stem[0]}" if stem else ""


def _has_like(element: etree._Element) -> bool:
    """Whether the element before or after is of the same tag and class."""
    neighbours = (next(element.itersiblings("*", preceding=before), None) for before in (False, True))
    return any(
        other is not None and other.tag == element.tag and _label(other) == _label(element) for other in neighbours
    )


def _shows(card: etree._Element) -> str:
    has_image = any(each.tag in ("img", "picture") for each in islice(card.iter(), _MAX_CARD_STEPS))
    text = " ".join(" ".join(map(str, islice(card.itertext(), _MAX_CARD_STEPS))).split())
    has_price = _MONEY.search(text[:_MAX_CARD_CHARACTERS]) is not None
    return f"{'i' if has_image else ''}{'c' if has_price else ''}"
