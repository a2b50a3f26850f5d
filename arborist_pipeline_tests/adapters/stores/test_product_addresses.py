"""One product under several addresses is one row that is current, whichever page comes, changes or goes first."""

from itertools import permutations

import pytest

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.stores.lookup import SqlLookup
from arborist_pipeline.core.ports import Put
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline_tests.adapters.stores.conftest import SITE, answering, at, product_page, rows, visit
from arborist_pipeline_tests.adapters.stores.test_products import day

LAMP = "/products/desk-lamp"
IN_COLLECTION = "/collections/light/products/desk-lamp"
CHOSEN = "/products/desk-lamp?variant=2"
ALL = (LAMP, IN_COLLECTION, CHOSEN)


def show(store, pages, number=0):
    """Visit these pages on a day and read them."""
    visit(store, {path: page or product_page() for path, page in pages.items()}, when=day(number))
    return extract_products(SITE, store=store.products, clock=SystemClock())


def listed(store, table="products", condition="WHERE is_current"):
    found = rows(store, f"SELECT url, price FROM {table} {condition}")
    return sorted((url.removeprefix("https://shop.example"), price) for url, price in found)


@pytest.mark.parametrize("order", list(permutations(ALL)), ids=" ".join)
def test_all_addresses_are_one_product_whatever_their_order(store, order):
    puts = [show(store, {path: None}, number) for number, path in enumerate(order)]
    assert sum(put[Put.NEW] for put in puts) == 1
    assert listed(store) == listed(store, "current_products", "") == [(LAMP, "19.90")]
    assert [each["url"] for each in store.products.load_products()] == [at(LAMP)]
    assert rows(store, "SELECT count(*) FROM products WHERE retired_at IS NULL") == [(3,)]


def test_addresses_of_one_batch_are_counted_as_one(store):
    assert show(store, dict.fromkeys(ALL)) == {Put.NEW: 1}
    assert show(store, dict.fromkeys(ALL, product_page("17.50")), 1) == {Put.SUPERSEDED: 1}
    assert listed(store) == [(LAMP, "17.50")]
    (change,) = store.products.price_changes("shop", day(1))
    assert (change["url"], change["old_price"], change["price"]) == (at(LAMP), "19.90", "17.50")


@pytest.mark.parametrize("gone", [answering(410), answering(301, location=IN_COLLECTION), "<p>We sell no lamps."])
def test_another_address_takes_over_where_the_listed_page_goes_and_gives_back(store, gone):
    show(store, dict.fromkeys(ALL))
    assert show(store, {LAMP: gone}, 1)[Put.GONE] == 0
    assert listed(store) == [(IN_COLLECTION, "19.90")]
    assert show(store, {LAMP: None}, 2)[Put.NEW] == 0
    assert listed(store) == [(LAMP, "19.90")]


def test_a_product_is_gone_when_its_last_address_is(store):
    show(store, dict.fromkeys(ALL))
    for number, (path, gone) in enumerate([(CHOSEN, 0), (LAMP, 0), (IN_COLLECTION, 1)], 1):
        assert show(store, {path: answering(404)}, number)[Put.GONE] == gone
    assert listed(store) == []


def test_two_goods_of_one_handle_are_two_products(store):
    lamps = {
        "/a/desk-lamp": product_page("5.00").replace("L-1", "A"),
        "/b/desk-lamp": product_page().replace("L-1", "B"),
    }
    assert show(store, lamps) == {Put.NEW: 2}
    assert listed(store) == [("/a/desk-lamp", "5.00"), ("/b/desk-lamp", "19.90")]


def test_products_whose_addresses_are_queries_stay_apart(store):
    pages = {f"/view?id={number}": product_page(f"{number}.00", name=f"Lamp {number}") for number in (3, 4, 5)}
    assert show(store, pages) == {Put.NEW: 3}
    assert show(store, pages, 1) == {Put.UNCHANGED: 3}


def test_a_canonical_link_joins_addresses_without_a_handle(store):
    linked = product_page().replace("<h1>", f'<link rel="canonical" href="{at("/p?id=1")}"><h1>')
    assert show(store, {"/p?colour=red&id=1": linked, "/p?id=1": linked}) == {Put.NEW: 1}
    assert listed(store) == [("/p?id=1", "19.90")]


def test_a_product_is_found_by_each_of_its_addresses(store):
    show(store, dict.fromkeys(ALL))
    for name in (LAMP, IN_COLLECTION, CHOSEN):
        assert [found["url"] for found in SqlLookup(store.engine).find_products(at(name), None)] == [at(LAMP)]
    assert len(SqlLookup(store.engine).find_products("desk-lamp", "shop")) == 1
    assert SqlLookup(store.engine).find_products(at("/other"), None) == ()


def test_every_page_that_shows_it_is_a_product_page_to_the_report(store):
    show(store, dict.fromkeys(ALL))
    assert {url for url, facts in store.reports.load_snapshot("shop").pages.items() if facts.has_product} == set(
        map(at, ALL)
    )
