"""The shop as a server: one seed gives one shop anywhere, and requests with conditions get the answers of RFC 9110."""

import gzip
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from examples.demo_shop.shop import build_shop

REPOSITORY = Path(__file__).resolve().parents[2]
HEADERS = {"Host": "shop.test"}
PRINT_DIGEST = """
from arborist_pipeline_tests.examples.test_shop import digest
from examples.demo_shop.shop import build_shop
shop = build_shop()
first = digest(shop)
shop.change()
print(first, digest(shop))
"""


def digest(shop):
    """One hash over all that a shop serves and all that is true of it."""
    total = hashlib.sha256(repr(sorted(shop.truth.products)).encode())
    extra = ("/robots.txt", "/sitemap.xml", "/no-such-page", shop.truth.feed, shop.truth.pdf, *shop.truth.forbidden)
    for target in (*shop.truth.pages, *extra, *shop.truth.redirect_chain):
        answer = shop.response("GET", target, HEADERS)
        total.update(repr((target, answer.status, sorted(answer.headers.items()))).encode() + answer.body)
    return total.hexdigest()


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_another_process_under_another_hash_seed_builds_the_same_shop(shop, changed_shop, hash_seed):
    run = subprocess.run(
        [sys.executable, "-c", PRINT_DIGEST],
        cwd=REPOSITORY, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.split() == [digest(shop), digest(changed_shop)]


def test_two_builds_are_equal_and_another_seed_is_another_shop(shop):
    assert digest(build_shop()) == digest(shop)
    assert build_shop().truth == shop.truth
    assert set(build_shop(8).truth.products) != set(shop.truth.products)


def test_an_answer_is_the_same_each_time(shop):
    for target in shop.truth.pages[:20]:
        assert shop.response("GET", target, HEADERS) == shop.response("GET", target, HEADERS)


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_page_that_has_not_changed_is_answered_304(shop, method):
    for target in (*shop.truth.pages, "/sitemap.xml", "/robots.txt"):
        first = shop.response("GET", target, HEADERS)
        for name, value in (("If-None-Match", first.headers["etag"]),
                            ("If-None-Match", f'"x", W/{first.headers["etag"]}'),
                            ("If-Modified-Since", first.headers["last-modified"])):  # fmt: skip
            again = shop.response(method, target, {**HEADERS, name: value})
            assert (again.status, again.body) == (304, b""), (target, name)
            assert again.headers["etag"] == first.headers["etag"]
            assert again.headers["last-modified"] == first.headers["last-modified"]


@pytest.mark.parametrize(
    "condition",
    [
        {"If-None-Match": '"another"'},
        {"If-Modified-Since": "Mon, 01 Jan 2001 00:00:00 GMT"},
        {"If-Modified-Since": "yesterday"},
        {"If-None-Match": '"another"', "If-Modified-Since": "Fri, 01 Jan 2038 00:00:00 GMT"},  # RFC 9110 §13.1.3
    ],
)
def test_a_page_that_may_have_changed_is_sent_whole(shop, condition):
    whole = shop.response("GET", "/", HEADERS)
    assert shop.response("GET", "/", {**HEADERS, **condition}) == whole


def test_validators_are_strong_and_tell_pages_and_codings_apart(shop):
    tags = [shop.response("GET", target, HEADERS).headers["etag"] for target in shop.truth.pages]
    assert all(tag.startswith('"') and tag.endswith('"') for tag in tags)
    assert len(set(tags)) == len(tags) - 1  # the two pages with one text
    compressed = shop.response("GET", "/", {**HEADERS, "Accept-Encoding": "gzip"})
    assert compressed.headers["etag"] != tags[0]
    for tag in (tags[0], compressed.headers["etag"]):
        assert shop.response("GET", "/", {**HEADERS, "If-None-Match": tag}).status == 304


@pytest.mark.parametrize(
    ("accepted", "coded"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("*", True), ("", False), ("br", False), ("gzip;q=0", False)],
)
def test_gzip_is_used_where_it_is_accepted(shop, accepted, coded):
    plain = shop.response("GET", "/", HEADERS)
    answer = shop.response("GET", "/", {**HEADERS, "Accept-Encoding": accepted})
    assert ("content-encoding" in answer.headers) == coded
    assert (gzip.decompress(answer.body) if coded else answer.body) == plain.body
    assert int(answer.headers["content-length"]) == len(answer.body)
    assert not coded or answer.body[4:8] == bytes(4)  # no time in the gzip header (RFC 1952 §2.3.1): same bytes always


def test_head_has_the_headers_of_get(shop):
    for target in ("/", shop.truth.pdf, "/no-such-page", shop.truth.redirect_chain[0]):
        got, asked = (shop.response(method, target, HEADERS) for method in ("GET", "HEAD"))
        assert (asked.status, asked.headers, asked.body) == (got.status, got.headers, b"")


@pytest.mark.parametrize(
    ("target", "same_as"),
    [
        ("/?fbclid=1", "/"),
        ("/collections/everything?page=1", "/collections/everything"),
        ("/collections/everything?utm_source=x&page=3", "/collections/everything?page=3"),
        ("/%62log", "/blog"),
        ("http://shop.test/blog?x#y", "/blog"),
        ("http://shop.test", "/"),
        ("", "/"),
    ],
)
def test_spellings_of_an_address_get_its_page(shop, target, same_as):
    assert shop.response("GET", target, HEADERS) == shop.response("GET", same_as, HEADERS)


@pytest.mark.parametrize(
    "target", ["/nothing", "/collections/everything?page=999", "/blog?page=x", "//", "//[", "/%ff%00", "?page=2", "*"]
)
def test_what_is_not_there_is_404_without_a_validator(shop, target):
    answer = shop.response("GET", target, HEADERS)
    assert answer.status == 404
    assert "etag" not in answer.headers


def test_buying_leads_to_the_basket_and_other_methods_are_refused(shop):
    bought = shop.response("POST", "/cart/add", HEADERS)
    assert (bought.status, bought.headers["location"]) == (303, "/cart")
    refused = shop.response("DELETE", "/", HEADERS)
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")
