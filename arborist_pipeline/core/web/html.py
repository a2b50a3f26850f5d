"""Text to tree. The tree is parsed once a page and shared by links, text and products.

The text comes in UTF-8, as most pages are: what must be looked for in all of it is found several times faster there.

Cleaning and parser are those of body-v1 (`core.documents.text`), since document roots depend on both.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

MAX_DEPTH = 1_000
MAX_TAGS = 1_000_000
"""So many tags, opening and closing, are read of a page; every element costs some work in each reader."""
MAX_ATTRIBUTES = 500
"""So many attributes are read of a tag. libxml2 takes time with their square: 34,000 take seconds."""
MAX_MARKS = 50_000
"""So many elements are kept of each kind that a page's links and its head are read from."""
LINK_TAGS = ("a", "area", "link")
_CLOSING_BR = re.compile(rb"</[bB][rR](?=[\t\n\f\r />])")
_SURROGATE = re.compile("[\ud800-\udfff]")
_IMPLIED_LEVELS = 4  # html, head or body, and p stand in the tree even where no tag does
_ATTRIBUTE = rb"""[\t\n\f\r /]*+[^\t\n\f\r />][^\t\n\f\r />=]*+(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+
    (?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+)?+)?+""".replace(b"\n    ", b"")
_OPENING = rb"<[a-zA-Z][^\t\n\f\r />]*+"
# Looks into scripts and comments too, and half as far: no tag with too many attributes escapes it, and what a page
# made to slow it down can gain is bounded by this number.
_MAY_HAVE_TOO_MANY = re.compile(rb"%b(?:%b){%d}+" % (_OPENING, _ATTRIBUTE, MAX_ATTRIBUTES // 2))
_SURPLUS = re.compile(rb"(%b(?:%b){%d}+)(?:%b)++" % (_OPENING, _ATTRIBUTE, MAX_ATTRIBUTES, _ATTRIBUTE))
_TEXT_BELOW = etree.XPath("string()")
_NESTS_64_DEEP = etree.XPath(f"boolean({'/'.join('*' * 64)})")


class Marks(NamedTuple):
    """The elements that say what a page is called and where it leads, in document order: found in one walk for all.

    `links` are those of a, area and link. Of each there are 50,001 at most: one more than is read.
    """

    titles: list[etree._Element]
    metas: list[etree._Element]
    bases: list[etree._Element]
    links: list[etree._Element]


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlTree:
    """A parsed page: every top-level element in document order (libxml2 puts what follows `</html>` beside the root).

    `encoding` is the Python codec that the queries of its links are escaped in. `too_deep` says that an element is
    nested deeper than 1,000 levels: libxml2 reads on to level 2,048 and gives up there, so text and links may be lost.
    `too_large` says that what stands after a million tags was left, `lost_attributes` that tags of more than 500
    attributes keep the first of them.
    """

    roots: tuple[etree._Element, ...]
    marks: Marks
    encoding: str
    too_deep: bool
    too_large: bool = False
    lost_attributes: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all text of the page is in the tree."""
        return not self.too_deep and not self.too_large

    def iter(self, *tags: str) -> Iterator[etree._Element]:
        """Walk all elements (or those of the given tags) in document order."""
        for root in self.roots:
            yield from root.iter(*tags) if tags else root.iter(etree.Element)


def parse_html(source: str | bytes, *, encoding: str = "utf-8") -> HtmlTree:
    """Parse text, which may be given in UTF-8; total. No element at all gives a tree without roots.

    `encoding` is the codec that the page was written in. Links of UTF-16 pages are escaped in UTF-8, like those of
    text given as such (Encoding Standard §4.3).
    """
    clean = clean_html(source if isinstance(source, bytes) else _SURROGATE.sub("\ufffd", source).encode())
    tags = clean.count(b"<")
    if tags > MAX_TAGS:
        clean = b"<".join(clean.split(b"<", MAX_TAGS + 1)[:-1])
    bounded = bound_attributes(clean)
    # Identifiers are never asked for. A parser of its own: one that threads share lets a single one of them parse.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=False)
    root = etree.fromstring(bounded, parser) if bounded and bounded.strip() else None
    if root is None:
        roots: tuple[etree._Element, ...] = ()
    else:
        top_level = (*reversed([*root.itersiblings(preceding=True)]), root, *root.itersiblings())
        roots = tuple(node for node in top_level if isinstance(node.tag, str))
    return HtmlTree(
        roots=roots,
        marks=_find_marks(roots),
        encoding="utf-8" if encoding.startswith("utf-16") else encoding,
        too_deep=tags + _IMPLIED_LEVELS > MAX_DEPTH and any(_is_too_deep(top) for top in roots),
        too_large=tags > MAX_TAGS or bounded is None,
        lost_attributes=bounded is not clean,
    )


def clean_html(text: bytes) -> bytes:
    """Apply body-v1 step 1 to UTF-8: no U+0000, not one leading byte order mark, `</br>` read as `<br>`."""
    return _CLOSING_BR.sub(b"<br", text.replace(b"\x00", b"").removeprefix(codecs.BOM_UTF8))


def bound_attributes(text: bytes) -> bytes | None:
    """Return cleaned text in which no tag has more than 500 attributes; the text itself where none has.

    Whether a tag has is asked of the parser, so that long scripts and values are left alone. None where quotes that do
    not match hide a tag from the cut: such a page was made to do harm.
    """
    if not _MAY_HAVE_TOO_MANY.search(text) or _most_attributes(text) <= MAX_ATTRIBUTES:
        return text
    cut = _SURPLUS.sub(rb"\1", text)
    return cut if _most_attributes(cut) <= MAX_ATTRIBUTES else None


def _find_marks(roots: tuple[etree._Element, ...]) -> Marks:
    marks = Marks([], [], [], [])
    kinds = {"title": marks.titles, "meta": marks.metas, "base": marks.bases, **dict.fromkeys(LINK_TAGS, marks.links)}
    for root in roots:
        for element in root.iter(*kinds):
            found = kinds[element.tag]
            if len(found) <= MAX_MARKS:
                found.append(element)
    return marks


class _AttributeCount:
    """A parser target that builds nothing: so read, attributes take no more time than they are long."""

    def __init__(self) -> None:
        self.most = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take in a tag."""
        del tag
        self.most = max(self.most, len(attributes))

    def close(self) -> None:
        """Take in the end of the page."""


def _most_attributes(text: bytes) -> int:
    count = _AttributeCount()
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, target=count)  # type: ignore[arg-type]  # stub: all methods
    etree.fromstring(text, parser)
    return count.most


def inline_text(element: etree._Element) -> str:
    """Return the text below an element, comments left out, white space folded."""
    return " ".join(str(_TEXT_BELOW(element)).split())


def _is_too_deep(root: etree._Element) -> bool:
    if not _NESTS_64_DEEP(root):  # all but freak pages are let off by this, which never leaves C
        return False
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            return True
    return False
