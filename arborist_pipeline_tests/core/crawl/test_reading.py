"""What comes of a request: every kind of answer, and what a page is read for."""

import hashlib
from dataclasses import replace

import pytest

from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.reading import judge_exchange, read_exchange
from arborist_pipeline.core.crawl.records import CrawlRequest, Outcome, Priority, Site, StoredPage, Tier
from arborist_pipeline.core.documents.document import DocumentStatus
from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.html import MAX_TAGS
from arborist_pipeline.core.web.links import MAX_LINKS, Link
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.support.builders import NOON, make_result

URL = canonicalize("https://shop.example/a")
REQUEST = CrawlRequest(url=URL, depth=2, parent=canonicalize("https://shop.example/"), anchor="lamp",
                       priority=Priority(Tier.ORDER, 0.0, "in order of discovery"))  # fmt: skip
STORED = StoredPage(page_id=7, validators=Validators(etag='"1"'), body_sha256=b"x" * 32, links_page_id=7,
                    kind=PageKind.PRODUCT, title="Lamp")  # fmt: skip
PRODUCT = """<title>Lamp</title><h1>Lamp</h1><p>$5.00</p><button>Add to cart</button>
<script type="application/ld+json">{"@type": "Product", "name": "Lamp",
"offers": {"@type": "Offer", "price": "5.00", "priceCurrency": "AUD"}}</script>"""


def html(body, **headers):
    return make_result(body, url=URL, headers=headers)


def failing(kind):
    return make_result(failure=FetchFailure(kind=kind, message="said the library"))


def read(result, *, request=REQUEST, site=None, **policy):
    site = site or Site(key="shop", seed_url=canonicalize("https://shop.example/"))
    return read_exchange(request, result, order=3, site=site, policy=CrawlPolicy(**policy))


@pytest.mark.parametrize(("result", "outcome", "reason"), [
    (html("<p>x</p>"), Outcome.OK, ""),
    (make_result("<p>x</p>", status=203), Outcome.OK, ""),
    (make_result("<p>x</p>", headers={"content-type": ""}), Outcome.OK, ""),
    (make_result("<p>x</p>", headers={"content-type": "application/xhtml+xml"}), Outcome.OK, ""),
    (make_result(status=304), Outcome.NOT_MODIFIED, "the stored version still holds"),
    (make_result(status=301, location="/b"), Outcome.REDIRECT, "status 301 to https://shop.example/b"),
    (make_result(status=308, location="//x.example/"), Outcome.REDIRECT, "status 308 to https://x.example/"),
    (make_result(status=302), Outcome.HTTP_ERROR, "without a Location that can be read: None"),
    (make_result(status=302, location="http://["), Outcome.HTTP_ERROR, "'http://['"),
    (make_result(status=300), Outcome.HTTP_ERROR, "status 300"),
    (make_result(status=401), Outcome.BLOCKED, "ask the owner to allow this crawler"),
    (make_result(status=403), Outcome.BLOCKED, "status 403"),
    (make_result(status=407), Outcome.BLOCKED, "status 407"),
    (make_result(status=429), Outcome.BLOCKED, "status 429"),
    (make_result(status=451), Outcome.BLOCKED, "status 451"),
    (make_result(status=404), Outcome.HTTP_ERROR, "status 404"),
    (make_result(status=410), Outcome.HTTP_ERROR, "status 410"),
    (make_result(status=500), Outcome.HTTP_ERROR, "status 500"),
    (make_result(status=100), Outcome.HTTP_ERROR, "status 100"),
    (make_result("x", headers={"content-type": "application/pdf"}), Outcome.NOT_HTML, "content type application/pdf"),
    (make_result("x", headers={"content-type": "text/plain"}), Outcome.NOT_HTML, "content type text/plain"),
    (make_result("x", headers={"content-type": "application/rss+xml"}), Outcome.NOT_HTML, "application/rss+xml"),
    (html(""), Outcome.EMPTY, "no content"),
    (html(" \n\t "), Outcome.EMPTY, "no content"),
    (make_result(status=204), Outcome.EMPTY, "no content"),
    (make_result("<p>x", truncated=True), Outcome.TRUNCATED, "the connection ended before the body did"),
    (replace(make_result("<p>x"), too_large=True), Outcome.TOO_LARGE, "larger than the limit"),
    (html("%PDF-1.7\n"), Outcome.NOT_HTML, "the body is no text"),
    (html(b"PK\x03\x04zip"), Outcome.NOT_HTML, "the body is no text"),
    (html(b"\x89PNG\r\n\x1a\n"), Outcome.NOT_HTML, "the body is no text"),
    (html(b"\x00\x01\x02\x00" * 40), Outcome.NOT_HTML, "the body is no text"),
    (html("\ufeff<p>x</p>".encode("utf-16-le")), Outcome.OK, ""),
    (failing(FailureKind.TIMEOUT), Outcome.NETWORK_ERROR, "timeout: said the library"),
    (failing(FailureKind.DNS), Outcome.NETWORK_ERROR, "dns: said the library"),
    (failing(FailureKind.TLS), Outcome.NETWORK_ERROR, "tls: said the library"),
    (failing(FailureKind.BLOCKED_ADDRESS), Outcome.BLOCKED_ADDRESS, "blocked_address: said the library"),
])  # fmt: skip
def test_every_answer_has_its_outcome_and_its_reason(result, outcome, reason):
    found, why = judge_exchange(result)
    assert found is outcome
    assert reason in why if reason else why == ""
    assert read(result).page.outcome is (Outcome.HTTP_ERROR if outcome is Outcome.NOT_MODIFIED else outcome)


@pytest.mark.parametrize("result", [make_result(status=404), make_result(status=301, location="/b"), html(""),
                                    failing(FailureKind.TIMEOUT),
                                    replace(html(b"%PDF-1.7"), truncated=True)])  # fmt: skip
def test_an_answer_without_a_page_has_no_body_links_or_kind(result):
    page = read(result).page
    assert (page.body, page.links, page.kind, page.title, page.document_root) == (None, None, None, None, None)


@pytest.mark.parametrize("cut", [{"truncated": True}, {"too_large": True}])
def test_what_arrived_of_a_body_leads_on_and_nothing_is_made_of_it(cut):
    body = '<title>T</title><meta name="robots" content="nofollow"><a href="/b">b</a><p>' + PRODUCT
    found = read(replace(html(body), **cut), ingest=True)
    assert [link.url for link in found.page.links] == ["https://shop.example/b"]
    assert found.page.nofollow
    assert (found.document, found.product, found.page.body, found.page.kind, found.text_key) == (None,) * 5


def test_bytes_that_are_known_are_said_to_be():
    body = "<title>T</title><p>x</p>"
    digest = hashlib.sha256(body.encode()).digest()
    again = read(html(body), request=replace(REQUEST, stored=replace(STORED, body_sha256=digest))).page
    other = read(html(body + " "), request=replace(REQUEST, stored=replace(STORED, body_sha256=digest))).page
    assert again.outcome is other.outcome is Outcome.OK
    assert again.reason.startswith("the same bytes as before: ")
    assert other.reason
    assert "same bytes" not in other.reason


def test_a_refresh_that_sends_visitors_on_is_kept_and_a_304_confirms_it():
    page = read(html('<meta http-equiv="refresh" content="0; url=/new">')).page
    assert (page.refresh_to, page.redirect_to, page.outcome) == ("https://shop.example/new", None, Outcome.OK)
    stored = replace(STORED, refresh_to=page.refresh_to)
    later = read(make_result(url=URL, status=304), request=replace(REQUEST, stored=stored)).page
    assert later.refresh_to == page.refresh_to


@pytest.mark.parametrize("ingest", [True, False])
def test_pages_of_one_text_have_one_key(ingest):
    one, same = read(html(PRODUCT), ingest=ingest), read(replace(html(PRODUCT), requested_url=URL), ingest=ingest)
    other = read(html(PRODUCT + "<p>And more.</p>"), ingest=ingest)
    assert one.text_key == same.text_key is not None
    assert one.text_key != other.text_key


@pytest.mark.parametrize("body", ["<p></p>", '<div id="root"></div><script src="/app.js"></script>'])
def test_a_page_without_text_has_no_key(body):
    assert read(html(body), ingest=True).text_key is None


@pytest.mark.parametrize(("body", "expected"), [
    ("<p>" + "words " * 300, True),
    ("<p>" + "words " * 150 + "<p><b>" + "words " * 150, True),
    ("<p>short", False),
    ("<li>" + "words " * 300, False),
])  # fmt: skip
def test_prose_is_noticed(body, expected):
    assert read(html(body)).page.has_prose is expected


def test_the_row_says_what_was_asked_and_when_it_came():
    page = read(make_result("<title>T</title><p>x</p>", url=URL, headers={"etag": '"1"', "x-odd": "y"})).page
    assert (page.order, page.url, page.depth, page.parent, page.anchor) == (
        3, URL, 2, "https://shop.example/", "lamp",
    )  # fmt: skip
    assert (page.status, page.title, page.size_bytes, page.fetched_at) == (200, "T", 24, NOON)
    assert page.headers == {"content-type": "text/html; charset=utf-8", "etag": '"1"'}


def test_a_redirect_names_its_end_as_the_final_url():
    page = read(make_result(url=URL, status=301, location="/b")).page
    assert (page.final_url, page.redirect_to, page.location) == (
        "https://shop.example/b",
        "https://shop.example/b",
        "/b",
    )


def test_a_304_keeps_what_was_known():
    page = read(make_result(url=URL, status=304), request=replace(REQUEST, stored=STORED)).page
    assert (page.outcome, page.kind, page.title, page.links) == (Outcome.NOT_MODIFIED, PageKind.PRODUCT, "Lamp", None)


def test_a_304_to_an_unconditional_request_is_an_error():
    page = read(make_result(url=URL, status=304)).page
    assert (page.outcome, page.reason) == (Outcome.HTTP_ERROR, "status 304 to a request that named no version")


def test_a_page_is_read_for_its_links_and_directives():
    body = """<title> A  lamp </title><meta name="robots" content="noindex, nofollow"><link rel="canonical" href="/c">
    <p>x</p><a href="/b">b</a><a href="http://[">bad</a>"""
    page = read(html(body)).page
    assert (page.title, page.noindex, page.nofollow, page.canonical_url) == (
        "A lamp", True, True, "https://shop.example/c",
    )  # fmt: skip
    assert Link(url=canonicalize("https://shop.example/b"), text="b") in page.links
    assert page.malformed_links == ("http://[",)
    assert page.body == body.encode()


def test_bodies_are_kept_where_they_are_wanted():
    assert read(html("<p>x</p>"), keep_bodies=False).page.body is None


def test_documents_and_products_are_read_on_the_way_only_where_they_are_asked_for():
    plain, ingested = read(html(PRODUCT)), read(html(PRODUCT), ingest=True)
    assert (plain.document, plain.product, plain.page.document_root) == (None, None, None)
    assert plain.page.kind is ingested.page.kind is PageKind.PRODUCT
    assert ingested.document.status is DocumentStatus.OK
    assert ingested.page.document_root == ingested.document.document_root
    assert ingested.product.name == "Lamp"


def test_author_and_tenant_of_the_site_go_with_what_is_read():
    site = Site(key="s", seed_url=URL, author="Ines Marlow", tenant="acme")
    found = read(html(PRODUCT), site=site, ingest=True)
    assert found.document.title == "Lamp — Ines Marlow" or "Marlow" in found.document.title
    assert found.product.tenant == "acme"


def test_a_page_nested_too_deep_is_said_to_be_and_its_links_are_kept():
    page = read(html('<a href="/b">b</a>' + "<div>" * 1_200 + "lost"), ingest=True)
    assert page.page.outcome is Outcome.TOO_DEEP
    assert (page.document, page.page.body) == (None, None)
    assert page.page.links


def test_a_page_of_too_many_tags_is_too_large_and_its_links_are_kept():
    page = read(html('<a href="/b">b</a>' + "<br>" * (MAX_TAGS + 1)), ingest=True)
    assert (page.page.outcome, page.document, page.page.body) == (Outcome.TOO_LARGE, None, None)
    assert "1,000,000 tags" in page.page.reason
    assert page.page.links


def test_what_was_left_out_of_a_page_without_measure_is_said():
    many = " ".join(f"a{number}" for number in range(600))
    page = read(html(f"<p {many}>{'word ' * 100}</p><a href=/b>b</a>"), ingest=True)
    assert (page.page.outcome, page.document.status) == (Outcome.OK, DocumentStatus.OK)
    assert page.page.reason.endswith("left out: attributes after the first 500 of a tag")
    links = "".join(f"<a href=/{number}>x</a>" for number in range(MAX_LINKS + 1))
    assert read(html(links)).page.reason.endswith("left out: links after the first 50,000")


@pytest.mark.parametrize(("body", "expected"), [
    ('<div id="root"></div><script src="/app.js"></script>', True),
    ('<div id="root">Loading</div><noscript>Turn scripts on</noscript><script>boot()</script>', True),
    ('<div id="root"></div>', False),
    ('<div id="root"></div><script type="module" src="/app.js"></script>', True),
    ('<h1>Lamp</h1><script type="application/ld+json">{}</script>', False),
    ('<div id="root"></div><a href="/b">b</a><script src="/app.js"></script>', False),
    ("<p>" + "words " * 60 + "</p><script>x</script>", False),
    ("<ul>" + "<li>some words in a row</li>" * 20 + "</ul><script>x</script>", False),
])  # fmt: skip
def test_a_page_drawn_by_script_is_noticed(body, expected):
    assert read(html(body)).page.needs_rendering is expected
