"""One walk over the tree of a page that notes all that the tiers, the platforms and the verdict on its kind read.

Places are counted in pieces of visible text: `at` is how many stand before an element, so that differences of
places measure how far apart two things are for a reader, not how many tags lie between them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import NamedTuple, cast

from lxml import etree

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.prices import Locale, has_currency, parse_locale
from arborist_pipeline.core.web.links import base_url
from arborist_pipeline.core.web.page import Page
from arborist_pipeline.core.web.url import resolve, split_origin

MAX_ELEMENTS = 120_000
MIN_DATA = 40
MAX_NAME = 1_000
MAX_PRICE_TEXT = 70
_DIGIT = re.compile(r"\d")
_CENTS = re.compile(r"\d([.,])\d\d(?![\d.,])")
_NOTED = frozenset(("itemscope", "itemtype", "itemprop", "typeof", "property"))
_PLAIN = frozenset(  # never data for scripts, and on most elements the only ones
    """class id href src alt title style type name content rel target width height value for role tabindex lang dir
    srcset sizes loading rowspan colspan align border media action method d fill viewbox xmlns placeholder maxlength
    checked selected disabled required aria-label aria-hidden""".split()
)
_NEVER_DATA = _PLAIN - {"value", "content"}
_NAMES = etree.XPath("//@class | //@id", smart_strings=False)
# Not the head: libxml2 puts a body without its own tag there if it begins with an element younger than HTML 4.
_UNSEEN = frozenset(("script", "style", "template", "noscript", "title", "textarea", "svg", "iframe"))
_KEPT = frozenset(
    ("form", "select", "table", "dl", "img", "h1", "h2", "h3", "h4", "ol", "ul", "nav", "button", "input", "a")
)
_TELLING = _UNSEEN | {"meta", "body", "base"}


class Zone:
    """What kind of region an element stands in, by its own and its ancestors' tags and class names.

    Bits of a plain int: they are joined once for every element of a page, and enum.IntFlag takes ten times as long.
    """

    MAIN = 0
    CHROME = 1
    RELATED = 2
    REVIEW = 4
    STRUCK = 8
    UNSEEN = 16
    LINKED = 32
    CARD = 64
    HIDDEN = 128


OUTSIDE = Zone.CHROME | Zone.RELATED | Zone.REVIEW | Zone.UNSEEN


class Placed(NamedTuple):
    """An element and its place. A tuple: a page has thousands, and a frozen dataclass takes thrice the time."""

    element: etree._Element
    at: int


@dataclass(slots=True)
class PageScan:
    """What the walk found.

    `texts` are the pieces of visible text, white space folded, `owners` the element that each belongs to. `by_tag`
    are the elements that tiers ask for, in document order.
    """

    page: Page
    base: str
    language: str
    texts: list[str] = field(default_factory=list)
    owners: list[etree._Element] = field(default_factory=list)
    metas: dict[str, list[str]] = field(default_factory=dict)
    scripts: list[etree._Element] = field(default_factory=list)
    items: list[etree._Element] = field(default_factory=list)
    properties: list[etree._Element] = field(default_factory=list)
    typed: list[etree._Element] = field(default_factory=list)
    rdfa_properties: list[etree._Element] = field(default_factory=list)
    data_attributes: list[tuple[etree._Element, str]] = field(default_factory=list)
    clickable: set[etree._Element] = field(default_factory=set)
    named: list[Placed] = field(default_factory=list)
    by_tag: defaultdict[str, list[Placed]] = field(default_factory=lambda: defaultdict(list))
    body_class: str = ""
    has_base: bool = False
    _locale: Locale | None = None
    _decimal_mark: str | None = None
    _numbered: tuple[int, ...] | None = None
    _zones: dict[etree._Element, int] = field(default_factory=dict)
    _own_zones: dict[etree._Element, int] = field(default_factory=dict)

    @property
    def numbered(self) -> tuple[int, ...]:
        """The places of the texts that are short enough for a price and have a digit, looked for once."""
        if self._numbered is None:
            has_digit = _DIGIT.search
            self._numbered = tuple(
                at for at, text in enumerate(self.texts) if len(text) <= MAX_PRICE_TEXT and has_digit(text)
            )
        return self._numbered

    @property
    def names(self) -> frozenset[str]:
        """The values of class and id on the page, read anew at each call."""
        roots = self.page.tree.roots[:1]  # those beside it are in the same document
        return frozenset(name for root in roots for name in cast("list[str]", _NAMES(root)))

    def tagged(self, *tags: str) -> Iterator[Placed]:
        """Yield the kept elements of these tags, tag by tag, each in document order."""
        for tag in tags:
            yield from self.by_tag.get(tag, ())

    def meta(self, *names: str) -> str | None:
        """Return the first non-blank content of the first of these meta names that the page has."""
        for name in names:
            for content in self.metas.get(name, ()):
                if content:
                    return content
        return None

    def url(self, reference: str) -> str | None:
        """Resolve a reference of the page; None where it is none."""
        return resolve(self.base, reference.strip()) if reference and reference.strip() else None

    @property
    def locale(self) -> Locale:
        """The locale that the page's language and address speak for."""
        if self._locale is None:
            tag = self.language or self.meta("og:locale") or ""
            self._locale = parse_locale(tag, split_origin(self.page.url).host)
        return self._locale

    @property
    def decimal_mark(self) -> str:
        """The character that divides decimals in the prices of the page, "" where they do not tell.

        Amounts with two digits behind a separator tell; those with three leave it open.
        """
        if self._decimal_mark is None:
            numbered = (self.texts[at] for at in self.numbered)
            telling = [mark[1] for text in numbered if (mark := _CENTS.search(text)) and has_currency(text)]
            points, commas = telling.count("."), telling.count(",")
            self._decimal_mark = "." if points > commas else "," if commas > points else ""
        return self._decimal_mark

    def zone(self, element: etree._Element) -> int:
        """Return the flags of an element's region; each element of the page is judged once."""
        path: list[etree._Element] = []
        node: etree._Element | None = element
        while node is not None and node not in self._zones:
            path.append(node)
            node = node.getparent()
        zone = Zone.MAIN if node is None else self._zones[node]
        for step in reversed(path):
            zone |= self._own_zone(step)
            self._zones[step] = zone
        return zone

    def exempt(self, elements: frozenset[etree._Element]) -> None:
        """Take back what the names of these elements say: they hold the page's subject, whatever they are called."""
        self._own_zones.update(dict.fromkeys(elements, Zone.MAIN))
        self._zones.clear()

    def _own_zone(self, element: etree._Element) -> int:
        """Return the flags that an element adds to those of its ancestors."""
        known = self._own_zones.get(element)
        if known is not None:
            return known
        tag = element.tag
        if tag in ("body", "html"):
            return Zone.MAIN
        zone = _TAG_ZONES.get(tag, Zone.MAIN) if isinstance(tag, str) else Zone.UNSEEN
        name = class_and_id(element)
        if name:
            zone |= _class_zone(name)
        style = element.get("style")
        if style and ("display:none" in style.replace(" ", "") or "line-through" in style):
            zone |= Zone.STRUCK if "line-through" in style else Zone.HIDDEN
        if tag == "a" and self._leads_away(element):
            zone |= Zone.LINKED
        self._own_zones[element] = zone
        return zone

    def _leads_away(self, element: etree._Element) -> bool:
        href = (element.get("href") or "").strip()
        return bool(href) and not href.startswith(("#", "javascript:"))


_TAG_ZONES: Mapping[str, int] = {
    "nav": Zone.CHROME, "footer": Zone.CHROME, "select": Zone.UNSEEN, "del": Zone.STRUCK, "s": Zone.STRUCK,
    "strike": Zone.STRUCK,
    "script": Zone.UNSEEN, "style": Zone.UNSEEN, "template": Zone.UNSEEN, "noscript": Zone.UNSEEN,
}  # fmt: skip


@lru_cache(maxsize=4096)  # a page uses a name many times, a site on all of its pages
def _class_zone(names: str) -> int:
    zone = Zone.MAIN
    for name in names.split():
        zone |= _name_zone(name)
    if zone & Zone.CHROME and lexicon.CLASS_PRODUCT.search(names):
        zone ^= Zone.CHROME
    return zone | (Zone.CARD if "item" in names and lexicon.CARD.search(names) else Zone.MAIN)  # "grid item" is two


@lru_cache(maxsize=4096)  # sites make their many values of class from few names
def _name_zone(name: str) -> int:
    """Return the flags of one class name; no pattern but that of cards reaches over the space between two."""
    zone = Zone.RELATED if lexicon.CLASS_RELATED.search(name) else Zone.MAIN
    zone |= Zone.CHROME if lexicon.CLASS_CHROME.search(name) else Zone.MAIN
    zone |= Zone.REVIEW if lexicon.CLASS_REVIEW.search(name) else Zone.MAIN
    return zone | (Zone.CARD if lexicon.CARD.search(name) else Zone.MAIN)


def class_and_id(element: etree._Element) -> str:
    """Return class and id of an element in lower case, 1,000 characters at most; "" where it has neither."""
    name = element.get("class")
    identity = element.get("id")
    if name and identity:
        return f"{name} {identity}"[:MAX_NAME].lower()
    return (name or identity or "")[:MAX_NAME].lower()


def scan_page(page: Page) -> PageScan:
    """Walk a page once; total. Elements beyond 120,000 are not looked at."""
    root = page.tree.roots[0] if page.tree.roots else None
    language = (root.get("lang") or root.get("xml:lang") or "") if root is not None else ""
    scan = PageScan(page=page, base=page.url, language=language.strip())
    for top in page.tree.roots:
        _walk(scan, top)
    if scan.has_base:  # hardly any: the others are spared another walk
        scan.base = base_url(page.tree, page.url)
    return scan


def _walk(scan: PageScan, top: etree._Element) -> None:  # a call an element is half its time
    """Note the elements and the visible text below a top-level element.

    One loop that calls nothing for what every element has: it runs over every element of every page of a crawl. Values
    are asked for only where a name tells that they matter: to make text of all addresses takes a third of the time.
    What ends before an element begins is told by their parents; end events would double the steps of the walk.
    """
    texts, owners, by_tag = scan.texts, scan.owners, scan.by_tag
    add_text, add_owner, is_plain = texts.append, owners.append, _PLAIN.issuperset
    around: list[etree._Element | None] = []
    last: etree._Element | None = None
    unseen = 0
    for element in islice(top.iter(), MAX_ELEMENTS):
        parent = element.getparent()
        while last is not None and last is not parent:  # what follows it is text of the element around it
            if unseen and last.tag in _UNSEEN:
                unseen -= 1
            owner = around.pop()
            if not unseen and (text := last.tail) and not text.isspace() and owner is not None:
                add_text(" ".join(text.split()))
                add_owner(owner)
            last = owner
        around.append(last)
        last = element
        tag = element.tag
        if (attributes := element.keys()) and not is_plain(attributes) and tag != "script":
            _note_attributes(scan, element, tag, attributes)  # type: ignore[arg-type]  # stub: bytes of Python 2
        if tag in _KEPT:
            if not unseen:
                by_tag[tag].append(Placed(element, len(texts)))
        elif tag in _TELLING:
            unseen += tag in _UNSEEN
            _note_element(scan, element, tag)
        elif tag.__class__ is not str:  # a comment or an instruction
            continue
        if not unseen and (text := element.text) and not text.isspace():
            add_text(" ".join(text.split()))
            add_owner(element)
    _note_tails(scan, [*around[1:], last], unseen)


def _note_tails(scan: PageScan, path: Sequence[etree._Element | None], unseen: int) -> None:
    """Note what follows the elements that are open where the walk ends, innermost first, the top-level one left out."""
    for element in reversed(path[1:]):
        parent = element.getparent() if element is not None else None
        if element is None or parent is None:
            continue
        unseen -= bool(unseen) and element.tag in _UNSEEN
        if not unseen and (text := element.tail) and not text.isspace():
            scan.texts.append(" ".join(text.split()))
            scan.owners.append(parent)


def _note_element(scan: PageScan, element: etree._Element, tag: str) -> None:
    if tag == "script":
        scan.scripts.append(element)
    elif tag == "meta":
        _note_meta(scan, element)
    elif tag == "base":
        scan.has_base = True
    elif tag == "body":
        scan.body_class = class_and_id(element)


def _note_attributes(scan: PageScan, element: etree._Element, tag: str, names: Sequence[str]) -> None:
    for name in names:
        if name == "onclick":
            scan.clickable.add(element)
        elif name in _NOTED:
            _note_attribute(scan, element, tag, name)
        elif name not in _NEVER_DATA and name[0] != "{":  # lxml takes a name in braces for a namespace
            value = element.get(name) or ""
            if len(value) > MIN_DATA and value[0] in "{[":
                scan.data_attributes.append((element, value))


def _note_attribute(scan: PageScan, element: etree._Element, tag: str, name: str) -> None:
    if name == "itemscope" or (name == "itemtype" and element.get("itemscope") is None):
        scan.items.append(element)
    elif name == "itemprop":
        scan.properties.append(element)
        if element.get(name) == "name":
            scan.named.append(Placed(element, len(scan.texts)))
    elif name == "typeof":
        scan.typed.append(element)
    elif name == "property" and tag != "meta":
        scan.rdfa_properties.append(element)


def _note_meta(scan: PageScan, element: etree._Element) -> None:
    for key in ("property", "name"):
        name = element.get(key)
        if name:
            scan.metas.setdefault(name.strip().lower(), []).append((element.get("content") or "").strip())
