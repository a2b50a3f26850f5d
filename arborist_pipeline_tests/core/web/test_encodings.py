"""Encodings: the labels of the standard, and what browsers read where Python's codecs do not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.encodings import charset_for_codec, charset_for_label, codec_for, decode

CHARSETS = sorted([
    *"UTF-8 IBM866 KOI8-R KOI8-U macintosh windows-874 x-mac-cyrillic GBK gb18030 Big5 EUC-JP ISO-2022-JP".split(),
    *"Shift_JIS EUC-KR replacement UTF-16BE UTF-16LE x-user-defined ISO-8859-8-I".split(),
    *(f"ISO-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)),
    *(f"windows-{page}" for page in range(1250, 1259)),
])  # fmt: skip


@pytest.mark.parametrize(
    ("label", "charset"),
    [
        ("utf8", "UTF-8"),
        (" UTF-8\n", "UTF-8"),
        ("latin1", "windows-1252"),
        ("ISO-8859-1", "windows-1252"),
        ("ascii", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("gb2312", "GBK"),
        ("ks_c_5601-1987", "EUC-KR"),
        ("x-sjis", "Shift_JIS"),
        ("tis-620", "windows-874"),
        ("iso_8859-1:1987", "windows-1252"),
        ("unicode", "UTF-16LE"),
        ("hz-gb-2312", "replacement"),
        ("utf-7", None),
        ("utf-32", None),
        ("cp437", None),
        ("\xa0utf-8", None),
        ("", None),
    ],
)
def test_labels_stand_for_what_browsers_read(label, charset):
    assert charset_for_label(label) == charset


def test_every_charset_is_its_own_label_and_has_a_codec():
    assert len(CHARSETS) == 40
    for charset in CHARSETS:
        assert charset_for_label(charset.lower()) == charset
        assert "?".encode(codec_for(charset))


@pytest.mark.parametrize(
    ("codec", "charset"),
    [("utf_8", "UTF-8"), ("Windows-1252", "windows-1252"), ("CP949", "EUC-KR"), ("gb18030", "GBK"), ("cp437", None),
     ("no such codec", None), ("", None)],
)  # fmt: skip
def test_codecs_are_known_by_the_charset_they_read(codec, charset):
    assert charset_for_codec(codec) == charset


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        (b"\x80\x81\x9d\xe9", "windows-1252", "\u20ac\x81\x9d\xe9"),
        (b"\xaa\xd2", "windows-1253", "\ufffd\ufffd"),
        (b"\xca", "windows-1255", "\u05ba"),
        (b"\xae\xbe", "KOI8-U", "\u045e\u040e"),
        (b"\xdb", "windows-874", "\ufffd"),
        (b"\x81<p>", "Shift_JIS", "\ufffd<p>"),
        (b"\xad\xa1\xa4\xa2", "EUC-JP", "\u2460\u3042"),
        (b"a\xa5\xd1 \x8e\xb1\xa4<p>", "EUC-JP", "a\u30d1 \uff71\ufffd<p>"),
        (b"\x8f\xb0\xa1\x8f\xa1\xa1", "EUC-JP", "\u4e02\ufffd"),
        (b"\xa8D", "GBK", "\u2015"),
        (b"\xf9\xda", "Big5", "\u6052"),
        (b'\x1b$B$"\x1b(B', "ISO-2022-JP", "\u3042"),
        (b"\xef\xbb\xbfa\xff", "UTF-8", "a\ufffd"),
        (b"\xfe\xff\x00a\x00", "UTF-16BE", "a\ufffd"),
        (b"\xff\xfea\x00\x00\xd8", "UTF-16LE", "a\ufffd"),
        (b"a\x80\xff", "x-user-defined", "a\uf780\uf7ff"),
        (b"anything", "replacement", "\ufffd"),
        (b"", "replacement", ""),
    ],
)  # fmt: skip
def test_bytes_are_read_as_browsers_read_them(body, charset, text):
    assert decode(body, charset) == text


@given(st.binary(), st.sampled_from(CHARSETS))
def test_any_bytes_have_a_text_in_any_charset(body, charset):
    text = decode(body, charset)
    assert text.encode().decode() == text
    assert len(text) <= len(body)


@given(
    st.text(alphabet=st.characters(codec="euc-jp", exclude_characters="\u301c\u2016\u2212\xa2\xa3\xac\xa5\u203e\\~"))
)
def test_euc_jp_reads_what_pythons_codec_writes(text):
    """All but the signs that the standard maps to full-width ones."""
    assert decode(text.encode("euc-jp"), "EUC-JP") == text


@pytest.mark.shared
def test_all_labels_of_the_standard_are_known_and_no_others(shared):
    path = shared / "conformance" / "encoding" / "whatwg-encodings.json"
    rows = [row for section in json.loads(path.read_text()) for row in section["encodings"]]
    assert sorted(row["name"] for row in rows) == CHARSETS
    labels = {label: row["name"] for row in rows for label in row["labels"]}
    assert len(labels) == 228
    assert {label: charset_for_label(label) for label in labels} == labels
