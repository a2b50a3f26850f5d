"""The encodings of the web: names, labels and decoders of the Encoding Standard (WHATWG).

Python has a codec for nearly all of them; where one is stricter or poorer than the standard, it is mended here, since a
browser shows such text and a page must not lose it.
"""

import codecs
import re
from collections.abc import Iterator
from functools import cache

# Encoding Standard §4.2. A row: name, Python codec, labels other than the name. No codec reads the last and the one
# before UTF-16: theirs is the one that a link on such a page is escaped with.
_TABLE = """
    UTF-8 utf-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8;
    IBM866 cp866: 866 cp866 csibm866;
    ISO-8859-2 iso8859-2: csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2;
    ISO-8859-3 iso8859-3: csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3;
    ISO-8859-4 iso8859-4: csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4;
    ISO-8859-5 iso8859-5: csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988;
    ISO-8859-6 iso8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e
        iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987;
    ISO-8859-7 iso8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597
        iso_8859-7 iso_8859-7:1987 sun_eu_greek;
    ISO-8859-8 iso8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598
        iso_8859-8 iso_8859-8:1988 visual;
    ISO-8859-8-I iso8859-8: csiso88598i logical;
    ISO-8859-10 iso8859-10: csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6;
    ISO-8859-13 iso8859-13: iso8859-13 iso885913;
    ISO-8859-14 iso8859-14: iso8859-14 iso885914;
    ISO-8859-15 iso8859-15: csisolatin9 iso8859-15 iso885915 iso_8859-15 l9;
    ISO-8859-16 iso8859-16;
    KOI8-R koi8-r: cskoi8r koi koi8 koi8_r;
    KOI8-U koi8-u: koi8-ru;
    macintosh mac-roman: csmacintosh mac x-mac-roman;
    windows-874 cp874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620;
    windows-1250 cp1250: cp1250 x-cp1250;
    windows-1251 cp1251: cp1251 x-cp1251;
    windows-1252 cp1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1
        iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252;
    windows-1253 cp1253: cp1253 x-cp1253;
    windows-1254 cp1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989
        l5 latin5 x-cp1254;
    windows-1255 cp1255: cp1255 x-cp1255;
    windows-1256 cp1256: cp1256 x-cp1256;
    windows-1257 cp1257: cp1257 x-cp1257;
    windows-1258 cp1258: cp1258 x-cp1258;
    x-mac-cyrillic mac-cyrillic: x-mac-ukrainian;
    GBK gb18030: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk;
    gb18030 gb18030;
    Big5 big5hkscs: big5-hkscs cn-big5 csbig5 x-x-big5;
    EUC-JP euc-jp: cseucpkdfmtjapanese x-euc-jp;
    ISO-2022-JP iso2022-jp: csiso2022jp;
    Shift_JIS cp932: csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis;
    EUC-KR cp949: cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601
        windows-949;
    replacement utf-8: csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr;
    UTF-16BE utf-16-be: unicodefffe;
    UTF-16LE utf-16-le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16;
    x-user-defined utf-8
"""


def _read_table() -> Iterator[tuple[str, str, list[str]]]:
    for row in _TABLE.split(";"):
        head, _, labels = row.partition(":")
        name, codec = head.split()
        yield name, codec, [name.lower(), *labels.split()]


_CODECS = {name: codec for name, codec, _ in _read_table()}
_NAMES = {label: name for name, _, labels in _read_table() for label in labels}
_NAMES_BY_CODEC = {codecs.lookup(codec).name: name for name, codec, _ in reversed([*_read_table()])}
_MULTIBYTE = frozenset("utf-8 gb18030 big5hkscs iso2022-jp cp932 cp949 utf-16-be utf-16-le".split())
# Characters of one-byte encodings that Python's tables leave out.
_ADDED = {"cp1255": {0xCA: "\u05ba"}, "koi8-u": {0xAE: "\u045e", 0xBE: "\u040e"}}
_USER_DEFINED = "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256))
_EUC_JP_CHARACTER = re.compile("[\xa1-\xfe]{2}|\x8e[\xa1-\xdf]|\x8f[\xa1-\xfe]{2}|[\x80-\xff]")
_BLANKS = "\t\n\f\r "


def charset_for_label(label: str) -> str | None:
    """Return the name of the encoding that a label stands for, None for an unknown one (§4.2)."""
    return _NAMES.get(label.strip(_BLANKS).lower())


def charset_for_codec(codec: str) -> str | None:
    """Return the name of the encoding that a Python codec reads; None for one unknown to Python or to the web."""
    try:
        return _NAMES_BY_CODEC.get(codecs.lookup(codec).name)
    except LookupError:
        return None


def codec_for(charset: str) -> str:
    """Return the Python codec of an encoding, given by its name."""
    return _CODECS[charset]


def decode(body: bytes, charset: str) -> str:
    """Decode bytes by an encoding, given by its name; total: what does not fit becomes U+FFFD, a first BOM goes."""
    codec = _CODECS[charset]
    if charset == "replacement":
        return "\ufffd" if body else ""
    if charset == "x-user-defined":
        return codecs.charmap_decode(body, "strict", _USER_DEFINED)[0]
    if charset == "EUC-JP":
        return _EUC_JP_CHARACTER.sub(lambda match: _euc_jp_table().get(match[0], "\ufffd"), body.decode("latin-1"))
    if codec in _MULTIBYTE:
        return body.decode(codec, "replace").removeprefix("\ufeff")
    return codecs.charmap_decode(body, "strict", _byte_table(codec))[0]


@cache
def _byte_table(codec: str) -> str:
    """Return the 256 characters of a one-byte encoding; what Python lacks is a C1 control or else U+FFFD."""
    return "".join(_ADDED.get(codec, {}).get(byte) or _character(byte, codec) for byte in range(256))


def _character(byte: int, codec: str) -> str:
    try:
        return bytes([byte]).decode(codec)
    except UnicodeDecodeError:
        return chr(byte) if byte < 0xA0 else "\ufffd"


@cache
def _euc_jp_table() -> dict[str, str]:
    """Return the characters of EUC-JP by their bytes.

    Python's codec lacks the rows that NEC and IBM added (circled numbers, company signs) and loses its place after
    one. Its Shift_JIS has them: JIS X 0208 in another arrangement.
    """
    table = {f"\x8e{chr(byte)}": chr(0xFEC0 + byte) for byte in range(0xA1, 0xE0)}
    for row in range(94):
        lead = row // 2 + (0x81 if row < 62 else 0xC1)
        for cell in range(94):
            trail = cell + 0x9F if row % 2 else cell + (0x40 if cell < 63 else 0x41)
            pair = chr(row + 0xA1) + chr(cell + 0xA1)
            table[pair] = bytes([lead, trail]).decode("cp932", "replace")
            table[f"\x8f{pair}"] = f"\x8f{pair}".encode("latin-1").decode("euc-jp", "replace")
    return {key: character if len(character) == 1 else "\ufffd" for key, character in table.items()}
