"""Bytes to text to tree. The tree is parsed once a page and shared by links, text and products.

Charset by the WHATWG order: byte order mark, Content-Type, prescan of the first 1,024 bytes, detection, windows-1252.
Cleaning and parser are those of body-v1 (conformance/normalisation), since document roots depend on both.
"""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

import chardet
from lxml import etree

MAX_DEPTH = 1_000
_CHARSET_PARAMETER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]*?charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:.+-]+)", re.IGNORECASE)
_XML_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([a-zA-Z0-9_:.+-]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_CLOSING_BR = re.compile(r"</br(?=[\t\n\f\r />])", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Labels that browsers read as a superset of what they name (WHATWG Encoding Standard, names and labels).
_AS_BROWSERS_DO = {
    "iso8859-1": "cp1252", "latin-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "tis-620": "cp874", "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932",
    "big5": "big5hkscs",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlTree:
    """A parsed page: every top-level element in document order (libxml2 puts what follows `</html>` beside the root).

    `encoding` is the Python codec that the bytes were read with ("utf-8" for text given as such).
    `too_deep` says that an element is nested deeper than 1,000 levels: text may be lost beyond, links are best effort.
    """

    roots: tuple[etree._Element, ...]
    encoding: str
    too_deep: bool

    def iter(self, *tags: str) -> Iterator[etree._Element]:
        """Walk all elements (or those of the given tags) in document order."""
        for root in self.roots:
            yield from root.iter(*tags) if tags else root.iter(etree.Element)


def decode_html(body: bytes, content_type_header: str = "") -> tuple[str, str]:
    """Return the text of a body and the codec used; total: bytes that do not fit are replaced."""
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return body[len(bom) :].decode(codec, "replace"), codec
    declared = _CHARSET_PARAMETER.search(content_type_header)
    codec = (_codec(declared[1]) if declared else None) or prescan_charset(body) or _detect(body)
    return body.decode(codec, "replace"), codec


def prescan_charset(body: bytes) -> str | None:
    """Return the codec that the first 1,024 bytes declare by meta element or XML declaration, if any."""
    head = _COMMENT.sub(b"", body[:1024])
    match = _META_CHARSET.search(head) or _XML_DECLARATION.search(head)
    codec = _codec(match[1].decode("ascii")) if match else None
    return "utf-8" if codec in ("utf-16", "utf-16-le", "utf-16-be") else codec  # HTML, prescan step 15


def parse_html(text: str, *, encoding: str = "utf-8") -> HtmlTree:
    """Parse decoded text; total. No element at all gives a tree without roots."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    root = etree.fromstring(clean_html(text).encode("utf-8") or b" ", parser) if text.strip() else None
    if root is None:
        return HtmlTree(roots=(), encoding=encoding, too_deep=False)
    roots = tuple(node for node in (*reversed([*root.itersiblings(preceding=True)]), root, *root.itersiblings())
                  if isinstance(node.tag, str))  # fmt: skip
    return HtmlTree(roots=roots, encoding=encoding, too_deep=any(_is_deeper(top, MAX_DEPTH) for top in roots))


def clean_html(text: str) -> str:
    """Apply body-v1 step 1: surrogates, U+0000, one leading byte order mark, `</br>` read as `<br>`."""
    text = text.removeprefix("\ufeff").replace("\x00", "")
    return _CLOSING_BR.sub("<br", _SURROGATE.sub("\ufffd", text))


def inline_text(element: etree._Element) -> str:
    """Return the text below an element, comments left out, white space folded."""
    return " ".join("".join(map(str, element.itertext(etree.Element))).split())


def _is_deeper(root: etree._Element, limit: int) -> bool:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > limit:
            return True
    return False


def _detect(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        guess = chardet.detect(body[:100_000])["encoding"]
        return (_codec(guess) if guess else None) or "cp1252"
    return "utf-8"


def _codec(label: str) -> str | None:
    try:
        name = codecs.lookup(label.strip().lower().replace("x-sjis", "shift_jis")).name
    except (LookupError, ValueError):
        return None
    return _AS_BROWSERS_DO.get(name, name)
