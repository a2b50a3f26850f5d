"""Which site an address belongs to, and what the store has under it."""

from dataclasses import replace

import pytest

from arborist_pipeline.adapters.stores.lookup import SqlLookup
from arborist_pipeline.core.crawl.records import Site, StoppedBy
from arborist_pipeline.core.documents.document import build_document_from_text
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.adapters.stores.conftest import SITE, SUMMARY, at, dump, product_page, prose, visit
from arborist_pipeline_tests.support.builders import NOON


@pytest.fixture
def lookup(store):
    return SqlLookup(store.engine)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://shop.example/any/page?x=1", True),
        ("http://shop.example/", True),
        ("https://shop.example:8443/", False),
        ("https://www.shop.example/", False),
        ("https://example/", False),
    ],
)
def test_a_site_is_found_by_host_and_port(lookup, url, found):
    assert lookup.find_site(canonicalize(url)) == (SITE if found else None)


def test_a_site_is_found_where_it_was_seen_to_answer(store, lookup):
    store.sites.record_host("shop", canonicalize("https://www.shop.example/"))
    assert lookup.find_site(canonicalize("https://www.shop.example/a")) == SITE
    assert lookup.find_site(at("/a")) == SITE


def test_an_active_site_comes_before_a_retired_one_of_the_same_host(store, lookup):
    store.sites.retire_site("shop", NOON)
    assert lookup.find_site(at("/")) == SITE
    other = Site(key="again", seed_url=at("/"))
    store.sites.put_site(other, NOON)
    assert lookup.find_site(at("/")) == other


def test_the_latest_crawl_is_known_with_its_last_order(store, lookup):
    assert lookup.last_crawl("shop") is None
    first = visit(store, {"/": prose(), "/a": prose("other words")})
    store.crawls.finish_crawl(first, replace(SUMMARY, stopped_by=StoppedBy.BUDGET), now=NOON)
    assert lookup.last_crawl("shop") == (first.crawl_id, StoppedBy.BUDGET, 2)
    second = visit(store, {"/b": prose()})
    assert lookup.last_crawl("shop") == (second.crawl_id, None, 1)
    assert lookup.last_crawl("nobody") is None


def test_products_are_found_by_url_or_handle_and_only_current_ones(store, lookup):
    visit(store, {"/products/desk-lamp": product_page()}, ingest=True)
    visit(store, {"/products/desk-lamp": product_page("17.50")}, ingest=True)
    for name in (at("/products/desk-lamp"), "desk-lamp"):
        (found,) = lookup.find_products(name, None)
        assert (found["site"], found["price"]) == ("shop", "17.50")
    assert lookup.find_products("desk-lamp", "nobody") == ()
    assert lookup.find_products("desk", None) == ()


def test_the_text_of_a_page_comes_in_its_order_with_its_root(store, lookup):
    words = "</p><p>".join(
        f"Sentence {number} of a text that is cut into several chunks by its lines." for number in range(50)
    )
    visit(store, {"/": prose(words)}, ingest=True)
    found = lookup.load_text(at("/"))
    built = build_document_from_text("x", "\n".join(found.chunks))
    assert len(found.chunks) > 3
    assert (built.document_root, found.title) == (found.root, "Lamps")
    assert lookup.load_text(at("/none")) is None


def test_looking_changes_nothing(store, lookup):
    visit(store, {"/": prose(), "/products/desk-lamp": product_page()}, ingest=True)
    before = dump(store)
    lookup.find_site(at("/"))
    lookup.last_crawl("shop")
    lookup.find_products("desk-lamp", None)
    lookup.load_text(at("/"))
    assert dump(store) == before
