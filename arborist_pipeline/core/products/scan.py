"""One walk over the tree of a page that notes all that the tiers, the platforms and the verdict on its kind read.

Places are counted in pieces of visible text: `at` is how many stand before an element, so that differences of
places measure how far apart two things are for a reader, not how many tags lie between them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lxml import etree

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.prices import Locale, parse_locale
from arborist_pipeline.core.web.links import base_url
from arborist_pipeline.core.web.page import Page
from arborist_pipeline.core.web.url import resolve, split_origin

MAX_ELEMENTS = 120_000
MIN_DATA = 40
_NOTED = frozenset(("id", "itemscope", "itemtype", "itemprop", "typeof", "property"))
_UNSEEN = frozenset(("script", "style", "template", "noscript", "head", "title", "textarea", "svg", "iframe"))
_KEPT = frozenset(
    ("form", "select", "table", "dl", "img", "h1", "h2", "h3", "h4", "ol", "ul", "nav", "button", "input", "a", "label")
)


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


@dataclass(frozen=True, slots=True)
class Placed:
    """An element and its place."""

    element: etree._Element
    at: int


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of visible text, white space folded, and the element it belongs to."""

    element: etree._Element
    text: str


@dataclass(slots=True)
class PageScan:
    """What the walk found. `by_tag` holds the elements that tiers ask for, in document order."""

    page: Page
    base: str
    locale: Locale
    language: str
    texts: list[Text] = field(default_factory=list)
    metas: dict[str, list[str]] = field(default_factory=dict)
    scripts: list[etree._Element] = field(default_factory=list)
    items: list[etree._Element] = field(default_factory=list)
    properties: list[etree._Element] = field(default_factory=list)
    typed: list[etree._Element] = field(default_factory=list)
    rdfa_properties: list[etree._Element] = field(default_factory=list)
    data_attributes: list[tuple[etree._Element, str]] = field(default_factory=list)
    named: list[Placed] = field(default_factory=list)
    ids: dict[str, etree._Element] = field(default_factory=dict)
    by_tag: dict[str, list[Placed]] = field(default_factory=dict)
    body_class: str = ""
    _zones: dict[etree._Element, int] = field(default_factory=dict)
    _exempt: frozenset[etree._Element] = frozenset()
    _class_zones: dict[str, int] = field(default_factory=dict)

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
        self._exempt = elements
        self._zones.clear()

    def _own_zone(self, element: etree._Element) -> int:
        tag = element.tag
        if tag in ("body", "html") or element in self._exempt:
            return Zone.MAIN
        zone = _TAG_ZONES.get(tag, Zone.MAIN) if isinstance(tag, str) else Zone.UNSEEN
        name = class_and_id(element)
        if name:
            known = self._class_zones.get(name)
            if known is None:
                known = self._class_zones[name] = _class_zone(name)
            zone |= known
        style = element.get("style")
        if style and ("display:none" in style.replace(" ", "") or "line-through" in style):
            zone |= Zone.STRUCK if "line-through" in style else Zone.HIDDEN
        if tag == "a" and self._leads_away(element):
            zone |= Zone.LINKED
        return zone

    def _leads_away(self, element: etree._Element) -> bool:
        href = (element.get("href") or "").strip()
        return bool(href) and not href.startswith(("#", "javascript:"))


_TAG_ZONES: Mapping[str, int] = {
    "nav": Zone.CHROME, "footer": Zone.CHROME, "select": Zone.UNSEEN, "del": Zone.STRUCK, "s": Zone.STRUCK,
    "strike": Zone.STRUCK,
    "script": Zone.UNSEEN, "style": Zone.UNSEEN, "template": Zone.UNSEEN, "noscript": Zone.UNSEEN,
    "head": Zone.UNSEEN,
}  # fmt: skip


def _class_zone(name: str) -> int:
    zone = Zone.MAIN
    if lexicon.CLASS_RELATED.search(name):
        zone |= Zone.RELATED
    if lexicon.CLASS_CHROME.search(name) and not lexicon.CLASS_PRODUCT.search(name):
        zone |= Zone.CHROME
    if lexicon.CLASS_REVIEW.search(name):
        zone |= Zone.REVIEW
    if lexicon.CARD.search(name):
        zone |= Zone.CARD
    return zone


def class_and_id(element: etree._Element) -> str:
    """Return class and id of an element in lower case, "" where it has neither."""
    name = element.get("class")
    identity = element.get("id")
    if name and identity:
        return f"{name} {identity}".lower()
    return (name or identity or "").lower()


def scan_page(page: Page) -> PageScan:
    """Walk a page once; total. Elements beyond 120,000 are not looked at."""
    root = page.tree.roots[0] if page.tree.roots else None
    language = (root.get("lang") or root.get("xml:lang") or "") if root is not None else ""
    scan = PageScan(page=page, base=base_url(page.tree, page.url), locale=Locale(), language=language.strip())
    for top in page.tree.roots:
        _walk(scan, top)
    locale_tag = scan.language or scan.meta("og:locale") or ""
    scan.locale = parse_locale(locale_tag, split_origin(page.url).host)
    return scan


def _walk(scan: PageScan, top: etree._Element) -> None:
    walk = etree.iterwalk(top, events=("start", "end", "comment", "pi"))
    count = unseen = 0
    for event, element in walk:
        tag = element.tag
        if not isinstance(tag, str):
            if not unseen and event != "start":  # what follows a comment is text of the element around it
                _note_text(scan, element.getparent(), element.tail)
            continue
        if event == "start":
            count += 1
            if count > MAX_ELEMENTS:
                return
            _note_attributes(scan, element, tag)
            unseen += tag in _UNSEEN
            if not unseen:
                _note_seen(scan, element, tag)
                _note_text(scan, element, element.text)
            continue
        unseen -= tag in _UNSEEN
        if not unseen and element is not top:
            _note_text(scan, element.getparent(), element.tail)


def _note_attributes(scan: PageScan, element: etree._Element, tag: str) -> None:
    if tag == "script":
        scan.scripts.append(element)
        return
    if tag == "meta":
        _note_meta(scan, element)
    for name, value in element.items():
        if name in _NOTED:
            _note_named(scan, element, tag, name)
        elif len(value) > MIN_DATA and value[0] in ("{", "["):
            scan.data_attributes.append((element, str(value)))


def _note_named(scan: PageScan, element: etree._Element, tag: str, name: str) -> None:
    value = element.get(name) or ""
    if name == "id" and value:
        scan.ids.setdefault(value, element)
    elif name == "itemscope" or (name == "itemtype" and element.get("itemscope") is None):
        scan.items.append(element)
    elif name == "itemprop":
        scan.properties.append(element)
        if value == "name":
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


def _note_seen(scan: PageScan, element: etree._Element, tag: str) -> None:
    if tag in _KEPT:
        scan.by_tag.setdefault(tag, []).append(Placed(element, len(scan.texts)))
    if tag == "body":
        scan.body_class = class_and_id(element)


def _note_text(scan: PageScan, element: etree._Element | None, text: str | None) -> None:
    if text and element is not None and (folded := " ".join(text.split())):
        scan.texts.append(Text(element, folded))
