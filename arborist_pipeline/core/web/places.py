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
_MAX_CARD_STEPS = 200  # pieces of a card's text that are looked at
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
_HINT = re.compile("pag|crumb|nav|menu|foot|colophon|side")  # one of which each of these patterns has
_BY_TAG = {"nav": "n", "aside": "a", "main": "m"}
_OF_PAGE_ALONE = {"header": "h", "footer": "f"}  # elsewhere they head or end an article or a card
_ROLES = {"navigation": "n", "banner": "h", "contentinfo": "f", "complementary": "a", "main": "m"}
_PARTS_OF_CONTENT = frozenset({"main", "article", "section", "li"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_NO_CARDS = frozenset("nfbph")
_NO_ELEMENTS: frozenset[object] = frozenset({etree.Comment, etree.ProcessingInstruction, etree.Entity})  # their tags
_MONEY = re.compile(
    r"[$€£¥₹₽₩₺₪฿₫₴]\s?\d|\d\s?(?:[$€£¥₹₽₩₺₪฿₫₴]|(?:kr|zł|Kč|Ft|lei|лв|руб|р)\b)"  # noqa: RUF001  # Cyrillic currencies
    r"|\b(?:USD|EUR|GBP|AUD|CAD|NZD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|JPY|CNY|BRL|MXN|ZAR|Rs\.?|R\$|kr\.?)\s?\d"
    r"|\d\s?(?:USD|EUR|GBP|AUD|CAD|NZD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|JPY|CNY|BRL|MXN|ZAR)\b"
)


class _Ground(NamedTuple):
    """What holds for all that lies in an element: part of the page, whether in its content, the path of tags."""

    part: str
    in_content: bool
    path: tuple[str, ...]


_TOP = _Ground("m", in_content=False, path=())


class _Spot:
    """An element that links lie in, with what holds there; `outer` is the one around it."""

    __slots__ = ("_has_few_links", "element", "ground", "outer")

    def __init__(self, element: etree._Element, outer: "_Spot | None") -> None:
        self.element, self.outer = element, outer
        self.ground: _Ground = _step_in(_TOP if outer is None else outer.ground, element)
        self._has_few_links: bool | None = None

    @property
    def may_be_card(self) -> bool:
        """Whether it holds few enough links to be the card of one."""
        if self._has_few_links is None:
            count = sum(1 for _ in islice(self.element.iter("a"), _MAX_LINKS_IN_CARD + 1))
            self._has_few_links = count <= _MAX_LINKS_IN_CARD
        return self._has_few_links and self.element.tag != "body"


class Places:
    """The places of one page's links. A place is text: the part of the page, what its card shows, a hash of the path.

    Parts: m(ain), n(avigation), h(eader), f(ooter), a(side), b(readcrumbs), p(agination), l(inked from the head).
    What a card shows: i(mage), c(ost), t (the link is its title). `mic.3f0a` is a link in a card with image and price.
    """

    def __init__(self) -> None:
        self._spots: dict[etree._Element, _Spot] = {}
        self._cards: dict[etree._Element, str] = {}

    def place_of(self, element: etree._Element) -> str:
        """Return the place of a link element."""
        if element.tag == "link":
            return "l"
        spot = self._spot_of(element.getparent())
        ground = _TOP if spot is None else spot.ground
        label = _label_of(element)
        shown = "" if ground.part in _NO_CARDS else self._shown(element, label, spot)
        return f"{ground.part}{shown}.{_hash_of((*ground.path, label))}"

    def _spot_of(self, element: etree._Element | None) -> _Spot | None:
        chain = []
        while element is not None and element not in self._spots:
            chain.append(element)
            element = element.getparent()
        spot = None if element is None else self._spots[element]
        for inner in reversed(chain):
            spot = self._spots[inner] = _Spot(inner, spot)
        return spot

    def _shown(self, element: etree._Element, label: str, spot: _Spot | None) -> str:
        """Return what the card of a link shows."""
        card = _card_of(element, label, spot)
        shown = self._cards.get(card)
        if shown is None:
            shown = self._cards[card] = _shows(card)
        is_title = (spot is not None and spot.element.tag in _HEADINGS) or not _HEADINGS.isdisjoint(
            [child.tag for child in element]
        )
        return f"{shown}t" if is_title else shown


def _card_of(element: etree._Element, label: str, spot: _Spot | None) -> etree._Element:
    """Return the largest element around a link that stands in a row of its like and holds few links, or the link."""
    around = [(element, label)]
    while len(around) < _MAX_CLIMB and spot is not None and spot.may_be_card:
        around.append((spot.element, spot.ground.path[-1]))
        spot = spot.outer
    return next((each for each, label in reversed(around) if _has_like(each, label)), element)


def _step_in(outer: _Ground, element: etree._Element) -> _Ground:
    tag = element.tag if isinstance(element.tag, str) else ""
    return _ground_in(outer, tag, _short(element.get("class")), _short(element.get("id")), _short(element.get("role")))


@lru_cache(maxsize=4_096)
def _ground_in(outer: _Ground, tag: str, name: str, identity: str, role: str) -> _Ground:
    """Return what holds in an element of a tag, class, id and role: on all pages of a template the same."""
    path = (*outer.path, _label(tag, name))[-_PATH_LENGTH:]
    in_content = outer.in_content or tag in _PARTS_OF_CONTENT
    if tag in ("html", "body"):
        return _Ground(outer.part, in_content, path)
    return _Ground(_part(outer, tag, f"{name} {identity}"[:_MAX_NAME], role), in_content, path)


def _part(outer: _Ground, tag: str, name: str, role: str) -> str:
    if _HINT.search(name.lower()) is not None:  # in few names
        named = next((part for pattern, part in _NAMED if pattern.search(name)), None)
        if named is not None:
            return named
    if tag in _BY_TAG:
        return _BY_TAG[tag]
    if tag in _OF_PAGE_ALONE and not outer.in_content:
        return _OF_PAGE_ALONE[tag]
    return _ROLES.get(role, outer.part)


def _short(name: str | None) -> str:
    return name[:_MAX_NAME] if name else ""


def _label_of(element: etree._Element) -> str:
    return _label(element.tag, _short(element.get("class")))


@lru_cache(maxsize=2_048)
def _label(tag: str, name: str) -> str:
    """Return the tag with the stem of its first class: numbers and hashes in names change from page to page."""
    stem = _STEM.match(name.lstrip())
    return f"{tag}.{stem[0]}" if stem else tag


@lru_cache(maxsize=2_048)
def _hash_of(path: tuple[str, ...]) -> str:
    return f"{crc32('>'.join(path).encode()) & 0xFFFF:04x}"


def _has_like(element: etree._Element, label: str) -> bool:
    """Whether the element before or after is of the same label; comments between are none."""
    other = element.getnext()
    if other is not None and other.tag in _NO_ELEMENTS:
        other = next(element.itersiblings("*"), None)
    if other is not None and _label_of(other) == label:
        return True
    other = element.getprevious()
    if other is not None and other.tag in _NO_ELEMENTS:
        other = next(element.itersiblings("*", preceding=True), None)
    return other is not None and _label_of(other) == label


def _shows(card: etree._Element) -> str:
    has_image = next(card.iter("img", "picture"), None) is not None
    text = " ".join(" ".join(map(str, islice(card.itertext(), _MAX_CARD_STEPS))).split())
    has_price = _MONEY.search(text[:_MAX_CARD_CHARACTERS]) is not None
    return f"{'i' if has_image else ''}{'c' if has_price else ''}"
