"""Text to tree. The tree is parsed once a page and shared by links, text and products.

Cleaning and parser are those of body-v1 (`core.documents.text`), since document roots depend on both.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

MAX_DEPTH = 1_000
_CLOSING_BR = re.compile(r"</br(?=[\t\n\f\r />])", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_IMPLIED_LEVELS = 4  # html, head or body, and p stand in the tree even where no tag does
_NESTS_64_DEEP = etree.XPath(f"boolean({'/'.join('*' * 64)})")


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlTree:
    """A parsed page: every top-level element in document order (libxml2 puts what follows `</html>` beside the root).

    `encoding` is the Python codec that the queries of its links are escaped in. `too_deep` says that an element is
    nested deeper than 1,000 levels: libxml2 reads on to level 2,048 and gives up there, so text and links may be lost.
    """

    roots: tuple[etree._Element, ...]
    encoding: str
    too_deep: bool

    def iter(self, *tags: str) -> Iterator[etree._Element]:
        """Walk all elements (or those of the given tags) in document order."""
        for root in self.roots:
            yield from root.iter(*tags) if tags else root.iter(etree.Element)


def parse_html(text: str, *, encoding: str = "utf-8") -> HtmlTree:
    """Parse decoded text; total. No element at all gives a tree without roots.

    `encoding` is the codec that the bytes were read with. Links of UTF-16 pages are escaped in UTF-8, like those of
    text given as such (Encoding Standard §4.3).
    """
    clean = clean_html(text)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    root = etree.fromstring(clean.encode(), parser) if clean.strip() else None
    if root is None:
        roots: tuple[etree._Element, ...] = ()
    else:
        top_level = (*reversed([*root.itersiblings(preceding=True)]), root, *root.itersiblings())
        roots = tuple(node for node in top_level if isinstance(node.tag, str))
    return HtmlTree(
        roots=roots,
        encoding="utf-8" if encoding.startswith("utf-16") else encoding,
        too_deep=clean.count("<") + _IMPLIED_LEVELS > MAX_DEPTH and any(_is_too_deep(top) for top in roots),
    )


def clean_html(text: str) -> str:
    """Apply body-v1 step 1: surrogates, U+0000, one leading byte order mark, `</br>` read as `<br>`."""
    text = text.replace("\x00", "").removeprefix("\ufeff")
    return _CLOSING_BR.sub("<br", _SURROGATE.sub("\ufffd", text))


def inline_text(element: etree._Element) -> str:
    """Return the text below an element, comments left out, white space folded."""
    return " ".join("".join(map(str, element.itertext(etree.Element))).split())


def _is_too_deep(root: etree._Element) -> bool:
    if not _NESTS_64_DEEP(root):  # all but freak pages are let off by this, which never leaves C
        return False
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            return True
    return False
