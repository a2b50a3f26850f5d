"""Bytes of a sitemap or feed to text that a parser can take: inflated, decoded, repaired, a piece at a time.

Hostile input costs time and memory in proportion to what is read, and no more than `MAX_BYTES` of it is.
"""

import codecs
import re
import zlib
from collections.abc import Callable, Iterator

MAX_BYTES = 52_428_800
"""What one file may have uncompressed (sitemaps.org, Sitemap file requirements)."""

_PIECE_BYTES = 65_536
_LONGEST_PIECE_CHARACTERS = 262_144
_GZIP_MAGIC = b"\x1f\x8b"  # RFC 1952 §2.3.1
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)""")
_CHARACTER_CODECS = re.compile(r"ascii|utf-8|iso8859|latin|cp\d|koi8|mac|euc|shift_jis|gb|big5|hz|johab|tis")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]+")
_CDATA_OR_BARE_AMPERSAND = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#[xX][0-9A-Fa-f]+);)", re.DOTALL
)

Report = Callable[[str, str], None]
"""Takes a fault and an example of it ("" where there is none to show)."""


def iter_text(body: bytes, report: Report) -> Iterator[str]:
    """Yield the decoded text of a body, gzip told by its magic bytes; faults are reported, what is readable is kept.

    A byte order mark outranks the XML declaration, both outrank UTF-8. Bytes that do not fit are replaced.
    """
    pieces = _inflate(body, report) if body.startswith(_GZIP_MAGIC) else _slices(body)
    decoder = None
    left = MAX_BYTES
    for piece in pieces:
        if decoder is None:
            mark, codec = _codec_of(piece)
            decoder = codecs.getincrementaldecoder(codec)("replace")
            piece = piece[mark:]  # noqa: PLW2901  # the mark is no part of the text
        yield decoder.decode(piece[:left])
        if len(piece) > left:
            report("longer than 52,428,800 bytes uncompressed: the rest is not read", "")
            return
        left -= len(piece)


def repair_xml(pieces: Iterator[str], report: Report) -> Iterator[str]:
    """Yield text in which every ampersand outside CDATA begins a reference that XML knows, and no control stands."""
    rest = ""
    for piece in pieces:
        text = rest + piece
        cut = text.rfind("</")  # no reference and no CDATA section of good faith spans this place
        if cut <= 0:
            cut = len(text) if len(text) > _LONGEST_PIECE_CHARACTERS else 0
        rest = text[cut:]
        yield _repair(text[:cut], report)
    yield _repair(rest, report)


def _repair(text: str, report: Report) -> str:
    if "&" in text:
        text = _CDATA_OR_BARE_AMPERSAND.sub(lambda match: _repair_one(match[0], report), text)
    return _CONTROLS.sub("", text)


def _repair_one(found: str, report: Report) -> str:
    if found != "&":
        return found
    report("not well-formed: an ampersand is not escaped", "")
    return "&amp;"


def _slices(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), _PIECE_BYTES):
        yield body[start : start + _PIECE_BYTES]


def _inflate(body: bytes, report: Report) -> Iterator[bytes]:
    """Inflate every member of a gzip file, a bounded piece at a time (RFC 1952 §2.2)."""
    while body.startswith(_GZIP_MAGIC):
        member = zlib.decompressobj(wbits=31)
        try:
            while body and not member.eof:
                yield member.decompress(body, _PIECE_BYTES)
                body = member.unconsumed_tail
        except zlib.error as fault:
            report("broken gzip: read up to the fault", str(fault))
            return
        if not member.eof:
            report("the gzip file breaks off", "")
        body = member.unused_data


def _codec_of(head: bytes) -> tuple[int, str]:
    """Return the length of the byte order mark and the codec."""
    for bom, codec in _BOMS:
        if head.startswith(bom):
            return len(bom), codec
    if head[:4] in (b"<\x00?\x00", b"\x00<\x00?"):
        return 0, "utf-16-le" if head[0] else "utf-16-be"
    declared = _DECLARED.match(head[:1_024])
    if declared is None:
        return 0, "utf-8"
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name
    except LookupError:
        return 0, "utf-8"
    return 0, name if _CHARACTER_CODECS.match(name) else "utf-8"
