"""Variants that a page leaves open are asked for once, at its platform's endpoint, politely; and kept."""

import asyncio
import json
from dataclasses import replace
from itertools import pairwise

import pytest

from arborist_pipeline.adapters.stores.retention import SqlRetention
from arborist_pipeline.core.ports import Put
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline_tests.support.builders import make_result
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html
from arborist_pipeline_tests.support.theme_shop import BASKET, ENDPOINT, HEAD, answer, theme_page, theme_shop
from arborist_pipeline_tests.workflows.conftest import Desk

WHOLE = [("Small / None", "39", "45", "InStock", "RB-S"), ("Large / Linen", "59", None, "OutOfStock", "RB-L")]


@pytest.fixture
def shop(store, clock):
    """A theme's shop over real sockets: the server, and a desk that crawls it."""
    with LocalSite(theme_shop()) as site:
        yield site, Desk(store, clock, site.url("/"))


def crawl(desk, **policy):
    return asyncio.run(desk.crawl_http(connections=1, **policy))


def read(desk):
    """Read what is pending; no server is up while this runs, or it would not matter."""
    return extract_products(desk.site, store=desk.store.products, clock=desk.clock)


def variants(desk):
    (record,) = desk.store.products.load_products("shop")
    return [tuple(each[name] for name in ("title", "price", "regular_price", "availability", "sku"))
            for each in record["variants"]]  # fmt: skip


def test_an_incomplete_page_costs_one_request_more_and_gives_all_variants(shop):
    site, desk = shop
    summary = crawl(desk)
    assert site.count(ENDPOINT) == 1
    assert summary.requests == {"robots": 1, "page": 2, "platform": 1}
    assert (summary.pages, summary.by_outcome) == (2, {"ok": 2})
    assert read(desk) == {Put.NEW: 1}
    assert variants(desk) == WHOLE
    (record,) = desk.store.products.load_products("shop")
    assert (record["price"], record["currency"], record["options"]) == ("39", "AUD", ["Size", "Lining"])
    assert record["sources"]["variants"]["where"] == "endpoint.variants"


def test_what_is_stored_is_read_again_without_the_server(shop):
    site, desk = shop
    crawl(desk)
    read(desk)
    asked = len(site.requests)
    desk.store.products.forget_readings("shop")
    assert read(desk) == {Put.UNCHANGED: 1}
    assert variants(desk) == WHOLE
    assert len(site.requests) == asked


def test_reading_on_the_way_gives_the_same(shop):
    _, desk = shop
    crawl(desk, ingest=True)
    assert read(desk) == {}
    assert variants(desk) == WHOLE


def test_another_answer_about_the_same_page_is_another_version(shop):
    site, desk = shop
    site.routes[BASKET] = Reply(body=theme_page().encode(), etag=False)
    crawl(desk)
    read(desk)
    site.routes[ENDPOINT] = answer(price=3500)
    crawl(desk, full=True)
    assert read(desk)[Put.SUPERSEDED] == 1
    assert variants(desk)[0][1] == "35"
    site.routes[ENDPOINT] = Reply(status=503)
    crawl(desk, full=True)
    assert read(desk)[Put.SUPERSEDED] == 0
    assert variants(desk)[0][1] == "35"


def test_a_page_that_changed_is_not_read_with_what_was_told_of_the_old_one(shop):
    site, desk = shop
    crawl(desk)
    read(desk)
    site.routes |= {BASKET: theme_page("Rush Basket"), ENDPOINT: Reply(status=404)}
    crawl(desk, full=True)
    read(desk)
    assert [variant[1:] for variant in variants(desk)] == [(None, None, None, None)] * 2  # what the form names


def test_an_answer_is_kept_by_retention(shop):
    _, desk = shop
    crawl(desk)
    SqlRetention(desk.store.engine).apply(desk.clock.now())
    read(desk)
    assert variants(desk) == WHOLE


NOT_ASKED = [
    ("no Shopify shop", theme_page(head="")),
    ("a page that has its variants", theme_page(form='<script type="application/json">' + json.dumps(
        {"id": 7, "title": "Reed Basket", "handle": "reed-basket", "options": ["Size"], "vendor": "Fen", "variants": [
            {"id": 1, "title": "S", "option1": "S", "sku": "A", "price": 3900, "available": True}]}) + "</script>")),
    ("no product's page", html("Story", "<h1>Our story</h1><p>We weave.</p>", head=HEAD)),
]  # fmt: skip


@pytest.mark.parametrize("page", [case[1] for case in NOT_ASKED], ids=[case[0] for case in NOT_ASKED])
def test_nothing_is_asked_where_it_would_tell_nothing_new(shop, page):
    site, desk = shop
    site.routes[BASKET] = page
    summary = crawl(desk)
    assert (site.count(ENDPOINT), "platform" in summary.requests) == (0, False)


def test_robots_holds(shop):
    site, desk = shop
    site.routes["/robots.txt"] = "User-agent: *\nDisallow: /*.js\n"
    summary = crawl(desk)
    assert (site.count(ENDPOINT), "platform" in summary.requests, summary.pages) == (0, False, 2)


def test_the_pace_of_the_host_holds(desk, table, clock):
    fetcher = table({"/": f'<a href="{BASKET}">x</a>', BASKET: theme_page(),
                     ENDPOINT: make_json(theme_shop()[ENDPOINT])})  # fmt: skip
    asyncio.run(desk.crawl(fetcher, delay_seconds=2.0))
    assert fetcher.paths == ["/", BASKET, ENDPOINT]
    starts = fetcher.starts[1:]
    assert [later - sooner for sooner, later in pairwise(starts)] == [2.0, 2.0]
    assert clock.monotonic() >= 4.0


def make_json(reply):
    made = make_result(reply.body)
    return replace(made, headers={"content-type": "application/json"})


BAD = [
    ("404", Reply(status=404)),
    ("500", Reply(status=500)),
    ("a redirect", Reply(status=302, headers={"location": "/"})),
    ("words", Reply(body=b"<p>Enter password")),
    ("a list", Reply(body=b"[]")),
    ("half of it", Reply(body=answer().body[:200])),
    ("cut off", replace(answer(), cut_after=300)),
    ("too much", Reply(body=b'{"a": "' + b"x" * 5_000_000 + b'"}')),
    ("another product", answer(name="Pine Chest", handle="pine-chest")),
    (
        "odd types",
        Reply(body=b'{"title": {"a": 7}, "variants": [{"option1": [], "price": {}, "id": {}}, 3], "options": 7}'),
    ),
]


@pytest.mark.parametrize("reply", [case[1] for case in BAD], ids=[case[0] for case in BAD])
def test_an_endpoint_that_tells_nothing_changes_nothing(shop, reply):
    site, desk = shop
    site.routes[ENDPOINT] = reply
    summary = crawl(desk)
    assert summary.by_outcome == {"ok": 2}
    assert read(desk) == {Put.NEW: 1}
    (record,) = desk.store.products.load_products("shop")
    assert (record["name"], record["price"]) == ("Reed Basket", "39.00")
    assert not any(variant["sku"] for variant in record["variants"])


def test_a_site_whose_endpoint_fails_is_not_asked_for_ever(shop):
    site, desk = shop
    paths = [f"/products/basket-{number}" for number in range(8)]
    site.routes |= {path: theme_page(f"Basket {number}") for number, path in enumerate(paths)}
    site.routes["/"] = html("Lamp", links=paths)
    summary = crawl(desk)
    assert (summary.pages, summary.requests["platform"]) == (9, 3)
