"""The charset of a page, and its text: bytes are read as a browser reads them.

The order is that of HTML §13.2.3.2 and of the Encoding Standard §6: byte order mark, Content-Type, prescan of the first
1,024 bytes, a meta element further on. Where nothing is declared: UTF-8 if the bytes are, else what chardet takes them
for, else windows-1252. Charsets carry the names of the Encoding Standard.
"""

import codecs
import re

from arborist_pipeline.core.web.encodings import charset_for_codec, charset_for_label, codec_for, decode

PRESCAN_BYTES = 1_024
SAMPLE_BYTES = 100_000  # how far a late meta is looked for, and how much is given to detection
DEFAULT_CHARSET = "windows-1252"
_PASS_FOR_UTF_8 = frozenset({"UTF-16BE", "UTF-16LE", "ISO-2022-JP"})

_BOMS = ((codecs.BOM_UTF8, "UTF-8"), (codecs.BOM_UTF16_BE, "UTF-16BE"), (codecs.BOM_UTF16_LE, "UTF-16LE"))
_XML_IN_UTF_16 = ((b"<\x00?\x00x\x00", "UTF-16LE"), (b"\x00<\x00?\x00x", "UTF-16BE"))
_PARAMETER = re.compile(r';[\t\n\r ]*([^;=]*)(?:=(?:"((?:[^"\\]|\\.)*)"?[^;]*|([^;]*)))?', re.DOTALL)
# Tags are read in lower case.
_TOKEN = re.compile(rb"(?P<comment><!--)|<(?P<slash>/?)(?P<tag>[a-z])|<[!/?]")
_TAG_NAME = re.compile(rb"meta(?=[\t\n\f\r /])|[^\t\n\f\r >]*+(?=[\t\n\f\r >])")
# One attribute or the tag's end; no match where the bytes run out first. Possessive, hence linear.
_ATTRIBUTE = re.compile(
    rb"""[\t\n\f\r /]*+(?:>|
        (?P<name>[^\t\n\f\r />][^\t\n\f\r />=]*+)
        (?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?=>)|
                (?P<bare>[^\t\n\f\r >"'][^\t\n\f\r >]*+)(?=[\t\n\f\r >]))
            |[\t\n\f\r ]*+(?=[^\t\n\f\r =])))""",
    re.VERBOSE,
)
_CHARSET_IN_CONTENT = re.compile(rb"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|["']|([^\t\n\f\r ;]*))""")
_XML_ENCODING = re.compile(rb"""encoding[\x00-\x20]*=[\x00-\x20]*(?:"([^\x00-\x20"]*)"|'([^\x00-\x20']*)')""")
_RAW_TEXT = frozenset(b"script style title textarea xmp iframe noembed noframes".split())


def html_in_utf_8(body: bytes, content_type_header: str = "") -> tuple[bytes, str]:
    """Return the text of a body in UTF-8, and the Python codec it was written in.

    Total: bytes that do not fit become U+FFFD. A body that is in UTF-8, as most are, is its own text.
    """
    charset = declared_charset(body, content_type_header) or _detect(body)
    text = body.removeprefix(codecs.BOM_UTF8)
    if charset != "UTF-8" or not _is_utf_8(text, whole=True):
        text = decode(body, charset).encode()
    return text, codec_for(charset)


def declared_charset(body: bytes, content_type_header: str = "") -> str | None:
    """Return the charset that a page is declared to have, by whatever has the most authority, None by nothing."""
    by_mark = next((name for mark, name in _BOMS if body.startswith(mark)), None)
    return by_mark or header_charset(content_type_header) or prescan_charset(body) or _late_charset(body)


def header_charset(content_type: str) -> str | None:
    """Return the first known charset among the parameters of a Content-Type (MIME Sniffing §4.4), None without one.

    What stands before the parameters is not looked at, and of header fields joined by a comma the first counts.
    """
    for name, quoted, token in _PARAMETER.findall(content_type):
        known = charset_for_label(quoted or token.partition(",")[0]) if name.lower() == "charset" else None
        if known is not None:
            return known
    return None


def prescan_charset(body: bytes) -> str | None:
    """Return what the first 1,024 bytes declare by meta element or XML declaration (HTML §13.2.3.2), if anything."""
    head = body[:PRESCAN_BYTES]
    by_xml = next((name for start, name in _XML_IN_UTF_16 if head.startswith(start)), None)
    return by_xml or _scan(head) or _xml_charset(head)


def _late_charset(body: bytes) -> str | None:
    """Return what a meta element beyond the prescan declares (HTML §13.2.3.4); one written in a script is none."""
    sample = body[:SAMPLE_BYTES]
    return _scan(sample, skips_raw_text=True) if b"charset" in sample.lower() else None


def _scan(data: bytes, *, skips_raw_text: bool = False) -> str | None:
    """Read one tag after the other until a meta element names a charset or the bytes run out."""
    data = data.lower()
    position = 0
    while position >= 0 and (token := _TOKEN.search(data, position)):
        if token["comment"]:
            position = data.find(b"-->", token.start() + 2)
        elif not token["tag"]:
            position = data.find(b">", token.end())
        else:
            name, attributes, position = _read_tag(data, token.start("tag"))
            charset = _meta_charset(attributes) if name == b"meta" and not token["slash"] and position >= 0 else None
            if charset is not None:
                return charset
            if skips_raw_text and name in _RAW_TEXT and not token["slash"]:
                position = data.find(b"</" + name, position) if position >= 0 else -1
    return None


def _read_tag(data: bytes, start: int) -> tuple[bytes, dict[bytes, bytes], int]:
    """Return a tag's name, attributes (the first of a name) and the position after it, -1 where the bytes run out."""
    name = _TAG_NAME.match(data, start)
    if name is None:
        return b"", {}, -1
    position = name.end()
    attributes: dict[bytes, bytes] = {}
    while attribute := _ATTRIBUTE.match(data, position):
        position = attribute.end()
        if attribute["name"] is None:
            return name[0], attributes, position
        attributes.setdefault(attribute["name"], attribute["double"] or attribute["single"] or attribute["bare"] or b"")
    return name[0], {}, -1


def _meta_charset(attributes: dict[bytes, bytes]) -> str | None:
    label = attributes.get(b"charset")
    if label is None and attributes.get(b"http-equiv") == b"content-type":
        found = _CHARSET_IN_CONTENT.search(attributes.get(b"content", b""))
        label = found and (found[1] or found[2] or found[3])
    name = charset_for_label(label.decode("latin-1")) if label else None
    if name == "x-user-defined":
        return DEFAULT_CHARSET
    return _as_it_must_be(name)


def _xml_charset(head: bytes) -> str | None:
    declaration = head[: head.find(b">") + 1] if head.startswith(b"<?xml") else b""
    found = _XML_ENCODING.match(declaration, max(declaration.find(b"encoding"), 0))
    return _as_it_must_be(charset_for_label((found[1] or found[2] or b"").decode("latin-1"))) if found else None


def _as_it_must_be(name: str | None) -> str | None:
    """Return UTF-8 for UTF-16: a declaration that could be read byte by byte was not in UTF-16."""
    return "UTF-8" if name in ("UTF-16BE", "UTF-16LE") else name


def _detect(body: bytes) -> str:
    """Return the likeliest charset of bytes that declare none."""
    is_utf_8 = _is_utf_8(body)
    may_be_other = b"\x00" in body[:PRESCAN_BYTES] or b"\x1b" in body  # UTF-16 and ISO-2022-JP may pass for UTF-8
    if is_utf_8 and not may_be_other:
        return "UTF-8"
    import chardet  # noqa: PLC0415  # most pages say what they are written in

    eras = chardet.EncodingEra.MODERN_WEB | chardet.EncodingEra.LEGACY_ISO
    guess = chardet.detect(body[:SAMPLE_BYTES], prefer_superset=True, encoding_era=eras)["encoding"]
    charset = charset_for_codec(guess or "") or DEFAULT_CHARSET
    return "UTF-8" if is_utf_8 and charset not in _PASS_FOR_UTF_8 else charset


def _is_utf_8(body: bytes, *, whole: bool = False) -> bool:
    """Whether the bytes are UTF-8; unless they are said to be whole, a character cut off at the end is forgiven."""
    try:
        codecs.utf_8_decode(body, "strict", whole)
    except UnicodeDecodeError:
        return False
    return True
