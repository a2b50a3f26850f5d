"""Whatever a site sends is read in time that grows with its length, and read at all: real pages, cut and stirred."""

import gzip
import json
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arborist_pipeline.core.documents.document import build_document
from arborist_pipeline.core.products.extract import read_page
from arborist_pipeline.core.web.charset import html_in_utf_8
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.robots import parse_robots
from arborist_pipeline.core.web.sitemap import parse_sitemap
from arborist_pipeline.core.web.url import canonicalize, redact, resolve

URL = canonicalize("https://shop.example/a")
HTML = {"content-type": "text/html; charset=utf-8"}


def page(body):
    return parse_body(body, url=URL, headers=HTML)


def robots(body):
    return parse_robots(b"User-agent: *\n" + body, "arborist-crawler").allows(URL + "a" * 2_000)


def sitemap(body):
    return parse_sitemap(b"<urlset>" + body, "https://shop.example/sitemap.xml")


def product(body):
    return read_page(page(body))


def document(body):
    return build_document(URL, page(body))


def masked(body):
    return redact(body.decode("latin-1"))


def resolved(body):
    return resolve(URL, body.decode("latin-1")[:8_000])


# What is repeated, by reader (of a pair below what leads 440 levels down): whole elements, openings without end, and
# what a rule might go back over.
PIECES = {
    html_in_utf_8: [b"<meta ", b"<!--", b"<a x", b"a=b ", b"<meta a='", b"<script>", b"\xe9\x81", b"\x1b$"],
    page: [
        b"<a href='/%d'>x</a>", b"<a href=/x>", b"<div><a href=/%d>", b"<area href=/%d>", b"<base href='/x'>",
        b"<noscript><base href='/x'>", b"<title></title>", b"<svg><title>", b"<link rel='next a' href=/%d>",
        b"<meta http-equiv=refresh content='0;url=/a'>", b"<meta name=robots content='a,b'>", b"<a href='http://[%d'>",
        (b"<p ", b"a%d "), (b"<p ", b"a%d='>' "), (b"<script>", b"<b a%d "),
        (b"<b><a href=x>", b"<img>"), (b"<object><a href=x>", b"<br>"), (b"<div>", b"<title> </title>"),
        (b"<noscript><div>", b"<base href=x>"), (b"<svg><div>", b"<title>x</title>"),
        b"&amp;", b"&", b"<", b"</br", b"<!doctype ", b"<table><tr><td>", b"<font><p>", b"<p>", b"\x00", b"<![CDATA[",
    ],
    product: [
        b"<script type=application/ld+json>[", b"<div itemscope itemtype='http://schema.org/Product' itemprop=a>",
        b"<span class=price>$1.00</span>", b"$1,", b"<meta property='og:price:amount' content='1'>", b"<img src=/%d>",
        b"<script>var meta = {", b"<form action=/cart/add>", b"<h1>x</h1>",
    ],
    document: [b"<p>a b ", b"a ", b"<div>a", b"a<br>", b"<ul><li>a", b"<pre>\n", b"\xcc\x81", b"<td>a", b"<p>%d</p>",
               b"\xcc\x81\xcc\x96\xcd\x85", b"\xe0\xbd\xb3", (b"<object><p>", b"<br>")],
    robots: [b"Disallow: /*a*b\n", b"User-agent: a%d\n", b"Disallow:", b" ", b"%", b"*a", b"Allow: /%d$\n"],
    sitemap: [
        b"<url><loc>https://shop.example/%d</loc></url>", b"<url>", b"<url><loc>", b"<loc>&", b"<![CDATA[", b"<!--",
        b"<", b"<a b='c'>", b"<lastmod>2024-01-01", b"https://shop.example/%d\n",
    ],
    masked: [b"://", b"@a://", b"?key", b"&token="],
    resolved: [b"%", b"../", b"?a&", b"/a;sid=1", b"%2"],
}  # fmt: skip
NAMES = [f"{reader.__name__} {piece!r}" for reader, pieces in PIECES.items() for piece in pieces]
REPEATED = [(reader, piece) for reader, pieces in PIECES.items() for piece in pieces]
SIZE = 50_000
GROWTH = 4
MEASURABLE_SECONDS = 0.02


LEVELS = 440


def repeat(piece, size):
    if isinstance(piece, tuple):
        lead, piece = piece
        return lead * (1 if lead.endswith(b" ") else LEVELS) + repeat(piece, size)
    if b"%d" not in piece:
        return piece * (size // len(piece))
    return b"".join(piece % number for number in range(size // (len(piece) + 2)))


def cost(reader, body):
    """The least processor time of three runs: what others do on the machine makes none of them shorter."""
    times = []
    for _ in range(3):
        began = time.process_time()
        reader(body)
        times.append(time.process_time() - began)
    return min(times)


@pytest.mark.parametrize(("reader", "piece"), REPEATED, ids=NAMES)
def test_four_times_the_input_takes_about_four_times_the_work(reader, piece):
    small, large = cost(reader, repeat(piece, SIZE)), cost(reader, repeat(piece, SIZE * GROWTH))
    assert large < MEASURABLE_SECONDS or large < small * GROWTH * 2  # where it went with the square: four times this


@cache
def corpus_pages(folder):
    """The smaller pages of the corpus, as bytes with their addresses."""
    lines = [json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines()]
    small = [line for line in lines if line["size"] < 120_000]
    return [(canonicalize(line["url"] or URL), saved(folder / line["file"])) for line in small[::7]]


def saved(path):
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


SCARS = st.sampled_from([
    b"", b"<", b">", b'"', b"'", b"</", b"<!--", b"-->", b"<script>", b"</script>", b"<svg>", b"<base href=//x>",
    b"\x00", b"\xff\xfe", b"&#0;", b"&#xD800;", b"<meta charset=utf-16>", b"]]>", b"{", b"}", b"\\u0000", b"<table>",
    b"</body>", b"=", b"9" * 400, b"\xed\xa0\x80", b"<plaintext>", b'<a href="http://[', b"1e999", b"-", b"NaN",
])  # fmt: skip
TYPES = ["", "text/html", "text/html; charset=utf-8", "text/html; charset=utf-16", "text/html; charset=x"]


@st.composite
def stirred(draw, body):
    """A body with pieces taken out, put twice, moved and scarred."""
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, len(body)))
        end = min(len(body), at + draw(st.sampled_from([0, 1, 7, 100, 5_000])))
        to = draw(st.integers(0, len(body)))
        match draw(st.sampled_from(["scar", "cut", "twice", "end"])):
            case "scar":
                body = body[:at] + draw(SCARS) + body[end:]
            case "cut":
                body = body[:at] + body[end:]
            case "twice":
                body = body[:to] + body[at:end] + body[to:]
            case _:
                body = body[: max(at, 2_000)]
    return body


@pytest.mark.shared
@settings(max_examples=150, deadline=None)
@given(st.data())
def test_real_pages_stirred_are_read_whole_and_hold_what_a_store_can_keep(shared, data):
    url, body = data.draw(st.sampled_from(corpus_pages(shared / "corpus")))
    headers = {"content-type": data.draw(st.sampled_from(TYPES))}
    read = parse_body(data.draw(stirred(body)), url=url, headers=headers)
    found, made = read_page(read), build_document(url, read)
    assert all(canonicalize(link.url) == link.url for link in read.links)
    for text in (read.title or "", found.reason, *(link.text for link in read.links), *read.malformed_links):
        assert "\x00" not in text
        text.encode()
    assert len(made.document_root) == 32
    if found.product is not None:
        assert found.product.name


@pytest.mark.shared
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_files_of_another_kind_are_read_as_robots_and_sitemap_without_harm(shared, data):
    url, body = data.draw(st.sampled_from(corpus_pages(shared / "corpus")))
    body = data.draw(stirred(body[:20_000]))
    assert parse_robots(body, "arborist-crawler").allows(url) in (True, False)
    for entry in parse_sitemap(data.draw(SCARS) + body, url).entries:
        assert canonicalize(entry.url) == entry.url
