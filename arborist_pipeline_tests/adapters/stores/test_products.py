"""The catalogue: a version a change, prices beside it, and a second reading that changes nothing."""

from dataclasses import replace
from datetime import timedelta

import pytest

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.ports import Put
from arborist_pipeline.core.products.extract import READER
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline_tests.adapters.stores.conftest import SITE, answering, at, dump, product_page, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON

PATH = "/products/lamp"


def day(number):
    return NOON + timedelta(days=number)


def extract(store):
    return extract_products(SITE, store=store.products, clock=SystemClock())


def sell(store, number=0, path=PATH, **page):
    visit(store, {path: product_page(**page)}, when=day(number))
    return extract(store)


def current(store):
    return rows(store, "SELECT name, price, availability FROM products WHERE is_current")


def test_a_product_page_becomes_a_product(store):
    assert sell(store) == {Put.NEW: 1}
    (record,) = store.products.load_products()
    assert (record["site"], record["name"], record["price"], record["currency"], record["url"]) == (
        "shop", "Desk lamp", "19.90", "AUD", at(PATH),
    )  # fmt: skip
    assert current(store) == [("Desk lamp", "19.90", "InStock")]


def test_a_page_that_sells_nothing_gives_no_product_and_is_read_once(store):
    visit(store, {"/about": prose()})
    assert extract(store) == {}
    before = dump(store)
    assert extract(store) == {}
    assert dump(store) == before


def test_reading_twice_writes_nothing(store):
    sell(store)
    before = dump(store)
    assert extract(store) == {}
    assert dump(store) == before


def test_reading_on_the_way_and_reading_later_leave_the_same(store, tmp_path):
    other = open_store(str(tmp_path / "other.db"))
    other.sites.put_site(SITE, NOON)
    site = {PATH: product_page(), "/about": prose()}
    visit(store, site, ingest=True)
    visit(other, site)
    extract(other)
    for table in ("products", "variants", "price_history"):
        assert dump(store)[table] == dump(other)[table], table
    other.close()


def test_an_unchanged_product_is_renewed_and_has_one_version(store):
    sell(store)
    sell(store, 3, text="Another text about a lamp that")
    assert rows(store, "SELECT count(*), max(last_seen_at) FROM products") == [(1, "2026-01-18 12:00:00.000000")]
    assert rows(store, "SELECT count(*) FROM price_history") == [(1,)]


def test_a_304_renews_the_product(store):
    sell(store)
    visit(store, {PATH: answering(304)}, when=day(2))
    assert extract(store) == {Put.UNCHANGED: 1}
    assert rows(store, "SELECT last_seen_at FROM products") == [("2026-01-17 12:00:00.000000",)]
    assert extract(store) == {}


def test_another_price_is_another_version_and_a_step_in_the_history(store):
    sell(store)
    assert sell(store, 1, price="17.50")[Put.SUPERSEDED] == 1
    assert current(store) == [("Desk lamp", "17.50", "InStock")]
    history = rows(store, "SELECT variant, price, observed_at FROM price_history ORDER BY id")
    assert history == [("", "19.90", "2026-01-15 12:00:00.000000"), ("", "17.50", "2026-01-16 12:00:00.000000")]
    (change,) = store.products.price_changes("shop", day(1))
    assert (change["url"], change["old_price"], change["price"]) == (at(PATH), "19.90", "17.50")
    assert store.products.price_changes("shop", day(2)) == ()


def test_a_stock_that_moves_is_in_the_history_too(store):
    sell(store)
    sell(store, 1, availability="OutOfStock")
    (change,) = store.products.price_changes("shop", NOON)
    assert (change["old_availability"], change["availability"]) == ("InStock", "OutOfStock")


def test_another_name_is_a_version_and_no_step_of_the_price(store):
    sell(store)
    sell(store, 1, name="Desk lamp mark two")
    assert len(store.products.load_versions(at(PATH))) == 2
    assert rows(store, "SELECT count(*) FROM price_history") == [(1,)]


def test_versions_are_told_oldest_first_with_one_current(store):
    for number, price in enumerate(["1.00", "2.00", "1.00"]):
        sell(store, number, price=price)
    versions = store.products.load_versions(at(PATH))
    assert [each["record"]["price"] for each in versions] == ["1.00", "2.00", "1.00"]
    assert [each["is_current"] for each in versions] == [False, False, True]
    assert len(store.products.price_changes("shop", NOON)) == 2


@pytest.mark.parametrize("answer", [answering(404), answering(410), answering(301, location="/products/x"), prose()])
def test_a_product_whose_page_is_gone_moved_or_another_is_retired_and_its_history_stays(store, answer):
    sell(store)
    visit(store, {PATH: answer}, when=day(1))
    assert extract(store)[Put.GONE] == 1
    assert current(store) == []
    assert len(store.products.load_versions(at(PATH))) == 1
    assert extract(store) == {}


@pytest.mark.parametrize("answer", [answering(500), answering(403), answering(503), answering(302, location="/")])
def test_trouble_leaves_the_catalogue_as_it_was(store, answer):
    sell(store)
    visit(store, {PATH: answer}, when=day(1))
    assert extract(store) == {}
    assert len(current(store)) == 1


@pytest.mark.parametrize("back", [product_page(), answering(304)])
def test_a_product_that_comes_back_is_in_the_catalogue_again(store, back):
    sell(store)
    visit(store, {PATH: answering(404)}, when=day(1))
    extract(store)
    visit(store, {PATH: back}, when=day(2))
    assert extract(store) == {Put.NEW: 1}
    assert len(current(store)) == 1


def test_products_are_told_by_site_and_url(store):
    store.sites.put_site(replace(SITE, key="another", seed_url=canonicalize("https://another.example/")), NOON)
    sell(store, path="/products/b")
    sell(store, path="/products/a")
    assert [each["url"] for each in store.products.load_products("shop")] == [at("/products/a"), at("/products/b")]
    assert list(store.products.load_products("another")) == []


def test_the_tenant_goes_with_the_product(store):
    visit(store, {PATH: product_page()}, site=replace(SITE, tenant="acme"), ingest=True)
    assert rows(store, "SELECT tenant FROM products") == [("acme",)]


def test_pages_that_left_something_open_are_pending_again_and_no_others(store):
    branded = product_page().replace('"sku": "L-1"', '"sku": "L-1", "brand": "Nord"')
    pages = {"/products/whole-lamp": branded, "/products/lamp": product_page(), "/about": prose()}
    visit(store, pages)
    extract(store)
    assert store.products.pending_bodies("shop", READER, limit=9) == ()
    store.products.reopen("shop", day(1))
    assert store.products.pending_bodies("shop", READER, limit=9) == ()
    store.products.reopen("shop", day(0))
    found = {body.url for body in store.products.pending_bodies("shop", READER, limit=9)}
    assert found == {at("/products/lamp"), at("/about")}  # no brand; perhaps a product
