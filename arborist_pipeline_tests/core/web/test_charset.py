"""Which charset a page has: the prescan of HTML, the header, detection, and the order among them."""

import codecs
import json
from base64 import b64decode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arborist_pipeline.core.web.charset import (
    PRESCAN_BYTES,
    SAMPLE_BYTES,
    declared_charset,
    header_charset,
    html_in_utf_8,
    prescan_charset,
)
from arborist_pipeline.core.web.encodings import codec_for

L2 = "ISO-8859-2"


@pytest.mark.parametrize(
    ("html", "charset"),
    [
        (b"", None),
        (b"<p>charset=latin2</p>", None),
        (b"<meta charset=latin2>", L2),
        (b"<META\nCHARSET = 'LATIN2' />", L2),
        (b"<meta/charset=latin2>", L2),
        (b"<metacharset=latin2>", None),
        (b"<meta charset=latin2", None),
        (b"<meta charset='latin2>", None),
        (b"<meta charset=latin2/>", None),
        (b"<meta =charset charset=latin2>", L2),
        (b"<meta charset=unknown><meta charset=latin2>", L2),
        (b"<meta charset=latin2><meta charset=utf-8>", L2),
        (b"<meta charset=latin2 charset=utf-8>", L2),
        (b"<meta charset=unknown http-equiv=content-type content='charset=latin2'>", None),
        (b"<meta http-equiv=Content-Type content='text/html; charset=latin2'>", L2),
        (b"<meta content='text/html; charset=\"latin2\"' http-equiv=content-type>", L2),
        (b"<meta http-equiv=content-type content='text/html; charset=\"latin2'>", None),
        (b"<meta http-equiv=content-type content='charset charset = latin2; x'>", L2),
        (b"<meta http-equiv=content-type content='charset=; charset=latin2'>", None),
        (b"<meta http-equiv=refresh content='text/html; charset=latin2'>", None),
        (b"<meta content='text/html; charset=latin2'>", None),
        (b"<meta charset=utf-16>", "UTF-8"),
        (b"<meta charset=utf-16be>", "UTF-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset=iso-2022-kr>", "replacement"),
        (b"<!-- <meta charset=utf-8> --><meta charset=latin2>", L2),
        (b"<!--><meta charset=latin2>", L2),
        (b"<!---><meta charset=latin2>", L2),
        (b"<!-- <meta charset=latin2>", None),
        (b"<!doctype html><meta charset=latin2>", L2),
        (b"<!x <meta charset=latin2>", None),
        (b"</ <meta charset=utf-8><meta charset=latin2>", L2),
        (b"</meta charset=utf-8><meta charset=latin2>", L2),
        (b"<? <meta charset=utf-8>?><meta charset=latin2>", L2),
        (b"<p title='<meta charset=utf-8>'><meta charset=latin2>", L2),
        (b"<p title='<meta charset=latin2>", None),
        (b"<p/t='>'><meta charset=latin2>", L2),
        (b"< <meta charset=latin2>", L2),
        (b"<script>'<meta charset=latin2>'</script>", L2),
        (b"<?xml version='1.0' encoding='latin2'?><p>", L2),
        (b'<?xml encoding = "latin2" ?>', L2),
        (b"<?xml encoding='utf-16'?>", "UTF-8"),
        (b"<?xml encoding='latin2'?><meta charset=utf-8>", "UTF-8"),
        (b"<?xml encoding='latin2'", None),
        (b"<?xml encoding=latin2?>", None),
        (b"<?xml encoding=' latin2'?>", None),
        (b"<?xml version='1.0'?>", None),
        (b" <?xml encoding='latin2'?>", None),
        ("<?xml version='1.0'?>".encode("utf-16-le"), "UTF-16LE"),
        ("<?xml version='1.0'?>".encode("utf-16-be"), "UTF-16BE"),
    ],
)  # fmt: skip
def test_the_prescan_reads_meta_elements_and_xml_declarations(html, charset):
    assert prescan_charset(html) == charset


@pytest.mark.parametrize("missing", [0, 1])
def test_the_prescan_ends_after_1024_bytes(missing):
    meta = b"<meta charset=latin2>"
    html = b" " * (PRESCAN_BYTES - len(meta) + missing) + meta
    assert prescan_charset(html) == (None if missing else L2)
    assert declared_charset(html) == L2


FAR = b" " * PRESCAN_BYTES


@pytest.mark.parametrize(
    ("html", "charset"),
    [
        (FAR + b"<meta charset=latin2>", L2),
        (FAR + b"<META HTTP-EQUIV=content-type CONTENT='text/html; CHARSET=latin2'>", L2),
        (FAR + b"<script>var s = '<meta charset=utf-8>'</script><meta charset=latin2>", L2),
        (FAR + b"<title><meta charset=utf-8></TITLE><meta charset=latin2>", L2),
        (FAR + b"<script>'<meta charset=latin2>'", None),
        (FAR + b"<!-- <meta charset=latin2> -->", None),
        (b"<script>" + FAR + b"</script><meta charset=latin2>", L2),
        (b" " * SAMPLE_BYTES + b"<meta charset=latin2>", None),
    ],
)
def test_a_late_meta_element_counts_unless_it_is_text(html, charset):
    assert declared_charset(html) == charset


@pytest.mark.parametrize(
    ("header", "charset"),
    [
        ("", None),
        ("text/html", None),
        ("text/html; charset=latin2", L2),
        ('text/html;CHARSET="Latin2"', L2),
        ("text/html; charset=latin2; level=1", L2),
        ("text/html; level=1 ;charset=latin2", L2),
        ("text/html; charset = latin2", None),
        ("text/html; charset='latin2'", None),
        ("text/html; xcharset=latin2", None),
        ('text/html; x="; charset=utf-8;"; charset=latin2', L2),
        ('text/html; x="\\"; charset=utf-8;"; charset=latin2', L2),
        ("text/html; charset=; charset=latin2", L2),
        ("text/html; charset=nonsense; charset=latin2", L2),
        ("text/html; charset=latin2, text/html", L2),
        ("text/html; charset", None),
        ("charset=latin2", None),
    ],
)
def test_the_header_names_a_charset_by_its_first_known_parameter(header, charset):
    assert header_charset(header) == charset


@pytest.mark.parametrize(
    ("body", "header", "text", "codec"),
    [
        (
            b"\xef\xbb\xbf<meta charset=latin2>\xc3\xa9",
            "text/html; charset=latin2",
            "<meta charset=latin2>\xe9",
            "utf-8",
        ),
        (b"\xff\xfe\xe9\x00", "text/html; charset=utf-8", "\xe9", "utf-16-le"),
        (b"\xfe\xff\x00\xe9", "", "\xe9", "utf-16-be"),
        (b"<meta charset=latin2>\xe6", "text/html; charset=cp1251", "<meta charset=latin2>\u0436", "cp1251"),
        (b"<meta charset=latin2>\xe6", "text/html; charset=bogus", "<meta charset=latin2>\u0107", "iso8859-2"),
        (b"<meta charset=latin2>\xe6", "", "<meta charset=latin2>\u0107", "iso8859-2"),
        (b"<meta charset=latin1>\xc3\xa9\x80", "", "<meta charset=latin1>\xc3\xa9\u20ac", "cp1252"),
        (b"\xc3\xa9", "", "\xe9", "utf-8"),
        (b"caf\xc3\xa9 \xe2\x82", "", "caf\xe9 \ufffd", "utf-8"),
        (b"\x00\xe9", "text/html; charset=utf-16be", "\xe9", "utf-16-be"),
        (b"a\x00b\x00", "text/html; charset=utf-16", "ab", "utf-16-le"),
        (b"\x80\xff", "text/html; charset=x-user-defined", "\uf780\uf7ff", "utf-8"),
        (b"\x1b$)C", "text/html; charset=iso-2022-kr", "\ufffd", "utf-8"),
        (b"a\x00b\xc3\xa9", "", "a\x00b\xe9", "utf-8"),
        (b"\x1b[0m plain", "", "\x1b[0m plain", "utf-8"),
        (b"", "", "", "utf-8"),
        (b"", "text/html; charset=iso-2022-kr", "", "utf-8"),
    ],
)
def test_authority_goes_from_the_mark_to_the_header_to_the_page_to_the_bytes(body, header, text, codec):
    assert html_in_utf_8(body, header) == (text.encode(), codec)


UNDECLARED = [
    ("cp1251", "Деревья растут медленно, но живут очень долго. Берёза, дуб и липа стоят возле реки. " * 4),
    ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy. Stromy rostou pomalu a žijí dlouho. " * 4),
    ("cp1252", "Les forêts françaises sont très étendues : chênes, hêtres et sapins y croissent à côté des prés. " * 4),
    ("cp1253", "Δέντρα μεγαλώνουν αργά αλλά ζουν πολλά χρόνια κοντά στο ποτάμι. " * 4),
    ("cp1255", "העצים צומחים לאט אבל חיים הרבה שנים ליד הנהר הגדול. " * 4),
    ("cp932", "木はゆっくり育ちますが、長く生きます。川のそばに樫の木があります。" * 4),
    ("euc-jp", "木はゆっくり育ちますが、長く生きます。川のそばに樫の木があります。" * 4),
    ("iso2022-jp", "木はゆっくり育ちますが、長く生きます。川のそばに樫の木があります。" * 4),
    ("cp949", "나무는 천천히 자라지만 오래 삽니다. 강가에 참나무가 있습니다. " * 4),
    ("gb18030", "树木生长缓慢。但是寿命很长。河边有一棵橡树。" * 4),
    ("utf-16-le", "<html><p>Trees grow slowly but live long.</p></html>" * 4),
    ("utf-16-be", "<html><p>Trees grow slowly but live long.</p></html>" * 4),
]


@pytest.mark.parametrize(("codec", "text"), UNDECLARED, ids=[codec for codec, _ in UNDECLARED])
def test_undeclared_bytes_are_read_by_what_they_look_like(codec, text):
    assert html_in_utf_8(text.encode(codec))[0].decode() == text


PIECES = [b"<meta", b" charset=", b"latin2", b"utf-8", b"utf-16", b"'", b'"', b">", b"<", b"/", b"=", b"<!--", b"-->",
          b"<?xml", b" encoding=", b"?>", b"<script>", b"</script>", b" ", b"\xe9", b"\x00", b"\x1b$B", b"\xef\xbb\xbf",
          b" http-equiv=content-type", b" content='text/html; charset=", b"x" * 1_000]  # fmt: skip


@given(
    st.one_of(st.binary(), st.lists(st.sampled_from(PIECES)).map(b"".join)), st.text() | st.just("text/html; charset=")
)
@example(b"\xff\xfe\x00", "")
def test_any_bytes_under_any_header_have_a_text(body, header):
    text, codec = html_in_utf_8(body, header)
    assert text.decode().encode() == text
    assert codecs.lookup(codec)


@pytest.mark.shared
def test_all_shared_prescan_vectors_hold(shared):
    path = shared / "conformance" / "encoding" / "html5lib-prescan.jsonl"
    vectors = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(vectors) == 82
    found = {vector["id"]: declared_charset(b64decode(vector["body_b64"])) or "windows-1252" for vector in vectors}
    assert {vector["id"]: found[vector["id"]].lower() for vector in vectors} == {
        vector["id"]: vector["encoding"] for vector in vectors
    }


# Where w3lib and the standards part. UTF-32 is no encoding of the web, and UTF-16 without a mark is little-endian.
W3LIB_TEXTS = {b"\x00\x00\xfe\xff\x00\x00\x00h\x00\x00\x00i", b"\xff\xfe\x00\x00h\x00\x00\x00i\x00\x00\x00",
               b"\x00h\x00i", b"\x00\x00\x00h\x00\x00\x00i"}  # fmt: skip
# A quoted value ends at its quote or at the header's end (MIME Sniffing §4.4; Fetch, collect an HTTP quoted string).
W3LIB_HEADERS = {'text/html; charset="utf-8', 'text/html; charset="utf-8"x', 'text/html; charset="utf-8"extra'}
# "< meta" is no tag, a body may hold a meta element, and a pragma that is no content type says nothing.
W3LIB_BODIES = (b"bad html still supported", b"this isn't searched", b"Fake-Content-Type-Header", b"httpequiv")


@pytest.mark.shared
def test_w3lib_agrees_but_for_what_the_standards_say_otherwise(shared):
    folder = shared / "conformance" / "encoding"
    texts = [json.loads(line) for line in (folder / "w3lib-html-to-unicode.jsonl").read_text().splitlines()]
    assert len(texts) == 32
    for vector in texts:
        body = b64decode(vector["body_b64"])
        agrees = html_in_utf_8(body, vector["content_type"] or "")[0].decode() == vector["text"]
        assert agrees == (body not in W3LIB_TEXTS), vector
    declared = [json.loads(line) for line in (folder / "w3lib-declared-encoding.jsonl").read_text().splitlines()]
    assert len(declared) == 58
    for vector in declared:
        header, body = vector.get("content_type", ""), b64decode(vector.get("body_b64", ""))
        charset = header_charset(header) or declared_charset(body)
        codec = codecs.lookup(codec_for(charset)).name if charset else None
        agrees = codec == (vector["encoding"] and codecs.lookup(vector["encoding"]).name)
        assert agrees == (header not in W3LIB_HEADERS and not any(part in body for part in W3LIB_BODIES)), vector
