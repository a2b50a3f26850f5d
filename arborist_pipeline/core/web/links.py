"""Links of a page, with their anchor text, in document order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice

from lxml import etree

from arborist_pipeline.core.web.fetch import is_html_type
from arborist_pipeline.core.web.html import MAX_MARKS, HtmlTree
from arborist_pipeline.core.web.places import Places
from arborist_pipeline.core.web.url import Base, Url, redact_unreadable, resolve

MAX_ANCHOR_CHARACTERS = 200


class LinkKind(StrEnum):
    """Where in the mark-up a link stands."""

    ANCHOR = "a"
    AREA = "area"
    NEXT = "next"
    PREV = "prev"
    CANONICAL = "canonical"
    ALTERNATE = "alternate"
    REFRESH = "refresh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One link: canonical target, anchor text ("" where there is none), mark-up and nofollow as stated.

    `written` is the target before it was brought to canonical form, None where both have the same path and query. A
    site's robots.txt speaks of its own addresses (`Disallow: /*?sort=`), so it is asked about both. Two links that
    differ in it alone are equal.
    """

    url: Url
    text: str
    kind: LinkKind = LinkKind.ANCHOR
    nofollow: bool = False
    written: str | None = field(default=None, compare=False)


class LinkPlaces:
    """Where the links of one page stand, looked up while its tree is in memory and only for those that are asked for.

    Most links of most pages were met before, and their places tell nothing new.
    """

    def __init__(self, elements: Mapping[tuple[Url, LinkKind], Sequence[etree._Element]]) -> None:
        self._elements = elements
        self._places = Places()

    def place_of(self, link: Link) -> str:
        """Return the place of a link as `core.web.places` has it, "" for one that does not stand in the mark-up.

        Of a link repeated on the page that is its first place in the content: the frame looks the same everywhere.
        """
        first = ""
        for element in self._elements.get((link.url, link.kind), ()):
            place = self._places.place_of(element)
            if place[0] not in FRAME:
                return place
            first = first or place
        return first


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """The distinct links of a page, first occurrence first, and the hrefs that no browser could follow either.

    A link repeated on the page stands once; of its anchor texts the first that is not empty is kept. `has_more` says
    that there were more than 50,000 link elements, repeated ones counted: what follows them was not looked at.
    """

    links: tuple[Link, ...]
    malformed: tuple[str, ...]
    has_more: bool = False
    places: LinkPlaces | None = field(default=None, compare=False)


FRAME = frozenset("nhfbl")
"""Parts of a page (`core.web.places`) that are the same on each page of a site."""
MAX_LINKS = MAX_MARKS
_MAX_PLACES = 4  # of one link on one page
MAX_MALFORMED = 100
_MAX_BASES = 100  # below noscript, where they do not count
_MAX_STEPS = 200  # taken below a link for its name: links may lie in each other, each with most of the page below it
_MAX_PIECE_CHARACTERS = 10_000
_MAX_SHOWN_CHARACTERS = 500

_ANCHOR_KINDS = {"a": LinkKind.ANCHOR, "area": LinkKind.AREA}
_REL_KINDS = {"canonical": LinkKind.CANONICAL, "next": LinkKind.NEXT, "prev": LinkKind.PREV,
              "previous": LinkKind.PREV, "alternate": LinkKind.ALTERNATE}  # fmt: skip
_BLANKS = "".join(map(chr, range(0x21)))  # what the URL parser strips: C0 controls and the space
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")


def base_url(tree: HtmlTree, page_url: Url) -> Url:
    """Return the base that the page's references resolve against (HTML §4.2.3: the first base with an href).

    One inside noscript is not seen by a browser that runs scripts, for whom the page was made.
    """
    for element in tree.marks.bases[:_MAX_BASES]:
        href = element.get("href")
        if href is not None and next(element.iterancestors("noscript"), None) is None:
            return resolve(page_url, href) or page_url
    return page_url


def find_canonical(tree: HtmlTree, page_url: Url) -> Url | None:
    """Return what a page calls its canonical address (RFC 6596), None where it names none that can be read.

    It is the first of the canonical links that `extract_links` gives, without looking at the others.
    """
    base = None
    for element in tree.marks.links[:MAX_LINKS]:
        href = element.get("href") if element.tag == "link" else None
        if href is None or _rel_kind(element) is not LinkKind.CANONICAL:
            continue
        base = base or Base(base_url(tree, page_url), tree.encoding)
        url, _ = _resolve_target(href.partition("#")[0], href, base)
        if url is not None:
            return url
    return None


def extract_links(tree: HtmlTree, page_url: Url) -> PageLinks:
    """Return the http(s) links of a page at a canonical URL.

    Other schemes are no links of ours. Unreadable hrefs that were meant for the web are reported as
    written but for secrets, 100 at most.
    Alternates count where they can be pages: no feeds, no style sheets, no data.
    """
    base = Base(base_url(tree, page_url), tree.encoding)
    resolved: dict[str, tuple[Url | None, str | None]] = {}
    found: dict[tuple[Url, LinkKind], Link] = {}
    malformed: dict[str, None] = {}
    placed: dict[tuple[Url, LinkKind], list[etree._Element]] = {}
    for element in tree.marks.links[:MAX_LINKS]:
        href = element.get("href")
        kind = None if href is None else _ANCHOR_KINDS.get(element.tag) or _rel_kind(element)
        if href is None or kind is None:
            continue
        target = href.partition("#")[0]
        known = resolved.get(target)
        if known is None:
            known = resolved[target] = _resolve_target(target, href, base)
            if known[0] is None and _claims_http(href) and len(malformed) < MAX_MALFORMED:
                malformed.setdefault(redact_unreadable(href)[:_MAX_SHOWN_CHARACTERS])
        url, written = known
        if url is None:
            continue
        key = (url, kind)
        earlier = found.get(key)
        if earlier is None:
            placed[key] = [element]
        elif len(placed[key]) < _MAX_PLACES:
            placed[key].append(element)
        if earlier is None or not earlier.text:
            found[key] = _build_link(element, url, kind, written)
        elif earlier.written is not None and written is None:  # one plain link is enough
            found[key] = replace(earlier, written=None)
    return PageLinks(links=tuple(found.values()), malformed=tuple(malformed),
                     has_more=len(tree.marks.links) > MAX_LINKS, places=LinkPlaces(placed))  # fmt: skip


def _resolve_target(target: str, href: str, base: Base) -> tuple[Url | None, str | None]:
    """Resolve a reference; None for one that only names a place in the page, which is no link to anywhere."""
    if len(target) < len(href) and not target.strip(_BLANKS):
        return None, None
    return base.resolve_both(target)


def _rel_kind(element: etree._Element) -> LinkKind | None:
    relations = (element.get("rel") or "").lower().split()
    kind = next((_REL_KINDS[relation] for relation in relations if relation in _REL_KINDS), None)
    if kind is LinkKind.ALTERNATE and ("stylesheet" in relations or not _may_be_page(element.get("type") or "")):
        return None
    return kind


def _may_be_page(media_type: str) -> bool:
    return is_html_type(media_type.partition(";")[0].strip().lower())


def _build_link(element: etree._Element, url: Url, kind: LinkKind, written: str | None) -> Link:
    relation = element.get("rel")
    is_nofollow = relation is not None and "nofollow" in relation.lower().split()
    return Link(url=url, text=_anchor_text(element), kind=kind, nofollow=is_nofollow, written=written)


def _anchor_text(element: etree._Element) -> str:
    """Return what names the link: its text, else its label, its first image's text, its title."""
    text = _text_below(element) if len(element) else element.text
    text = " ".join(text[:_MAX_PIECE_CHARACTERS].split()) if text else ""
    if not text:
        alternatives = (below.get("alt") for below in islice(element.iter(), _MAX_STEPS) if below.tag == "img")
        names = (element.get("aria-label"), element.get("alt"), *alternatives, element.get("title"))
        text = next(filter(None, (" ".join((name or "").split()) for name in names)), "")
    return text[:MAX_ANCHOR_CHARACTERS]


def _text_below(element: etree._Element) -> str:
    """Return the beginning of the text below an element."""
    pieces: list[str] = []
    for event, node in islice(etree.iterwalk(element, events=("start", "end", "comment", "pi")), _MAX_STEPS):
        piece = node.text if event == "start" else node.tail if node is not element else None
        if piece:
            pieces.append(piece[:_MAX_PIECE_CHARACTERS])
    return "".join(pieces)


def _claims_http(href: str) -> bool:
    """Whether an unreadable href was meant for the web: no scheme of its own, or http(s)."""
    start = href.lstrip(_BLANKS)[:2_000].lower()
    return (
        bool(start)
        and not start.startswith("#")
        and (start.startswith(("http:", "https:")) or _SCHEME.match(start) is None)
    )
