"""The demo shop walked over a real socket, held to what is true of it."""

import asyncio
import shutil
from collections import Counter
from datetime import timedelta
from decimal import Decimal
from urllib.parse import urlsplit

import pytest
from sqlalchemy import text

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.schema import metadata
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.records import StoppedBy
from arborist_pipeline.core.ports import Put
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline.workflows.ingest import ingest_pages
from arborist_pipeline_tests.support.clock import ManualClock
from arborist_pipeline_tests.workflows.conftest import Desk
from examples.demo_shop.faults import is_forbidden
from examples.demo_shop.serve import serve_shop
from examples.demo_shop.shop import build_shop
from examples.demo_shop.walk import breadth_first

DAY = 86_400.0
VOLATILE = {"id", "product_id"}  # numbers given anew


class FirstWalk:
    """The first full walk, made once: its server, what was asked for and what came, and a store to copy."""

    def __init__(self, server, path):
        self.server, self.path = server, path
        store = open_store(str(path))
        desk = Desk(store, ManualClock(), f"{server.url}/", max_pages=0)
        self.summary = crawl(desk, ingest=True)
        settle(desk)
        self.outcomes, self.asked, self.first = desk.outcomes, asked(server), server.log[0].target
        self.clock = desk.clock
        store.close()


@pytest.fixture(scope="module")
def first_walk(tmp_path_factory):
    with serve_shop(build_shop()) as server:
        yield FirstWalk(server, tmp_path_factory.mktemp("walk") / "web.db")


@pytest.fixture
def next_day(first_walk, tmp_path):
    """A desk over a copy of the store that the first walk left, one day later."""
    shutil.copy(first_walk.path, tmp_path / "copy.db")
    store = open_store(str(tmp_path / "copy.db"))
    first_walk.server.log.clear()
    yield Desk(store, ManualClock(first_walk.clock.now() + timedelta(days=1)), f"{first_walk.server.url}/", max_pages=0)
    store.close()


@pytest.fixture
def walked(store, clock):
    """A shop served, a desk at it, and nothing fetched yet."""
    with serve_shop(build_shop()) as server:
        yield Desk(store, clock, f"{server.url}/", max_pages=0), server


def crawl(desk, **policy):
    return asyncio.run(desk.crawl_http(connections=6, **policy))


def asked(server):
    return [each.target for each in server.log if each.target != "/robots.txt"]


def counts(desk):
    with reading(desk.store.engine) as connection:
        return {name: connection.scalar(text(f'SELECT count(*) FROM "{name}"')) for name in metadata.tables}


def settle(desk):
    """Read all stored bodies: what that did to documents and to products."""
    return (ingest_pages(desk.site, store=desk.store.documents, clock=desk.clock),
            extract_products(desk.site, store=desk.store.products, clock=desk.clock))  # fmt: skip


def path_of(url):
    parts = urlsplit(url)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def test_a_full_walk_reaches_every_linked_page_once_and_no_forbidden_one(first_walk):
    truth, targets = first_walk.server.shop.truth, first_walk.asked
    assert first_walk.summary.stopped_by is StoppedBy.EXHAUSTED
    assert not [target for target in targets if is_forbidden(target)]
    assert [target for target, number in Counter(targets).items() if number > 1] == []
    assert set(truth.pages) - set(truth.orphans) <= set(targets)
    assert not {*truth.orphans, truth.feed, truth.pdf} & set(targets)
    assert set(truth.redirect_chain) <= set(targets)
    assert all(first_walk.outcomes[link.target] == "http_error" for link in truth.broken)
    refused = {path for path, outcome in first_walk.outcomes.items() if outcome == "robots_denied"}
    assert refused == set(truth.forbidden)
    assert first_walk.first == "/robots.txt"


def test_the_catalogue_has_the_shops_products_alone_and_at_the_prices_they_state(first_walk, next_day):
    found = {path_of(record["url"]): record for record in next_day.store.products.load_products("shop")}
    truth = first_walk.server.shop.truth.products
    assert set(found) <= set(truth)
    assert len(found) >= 0.98 * len(truth), set(truth) - set(found)
    marked_up = [path for path in found if truth[path].marked_up]
    assert [path for path in marked_up if Decimal(found[path]["price"]) != truth[path].price] == []


def test_a_budget_of_sixty_finds_more_products_than_a_walk_without_an_idea_of_them(walked):
    desk, server = walked
    summary = crawl(desk, max_pages=60)
    targets = asked(server)
    assert len(targets) == summary.pages == 60
    products = sum(urlsplit(target).path in server.shop.truth.products for target in targets)
    assert products > breadth_first(server.shop, 60).products
    assert products == summary.products


def test_night_after_night_forty_pages_reach_every_linked_product(walked):
    desk, server = walked
    truth, seen, nights = server.shop.truth, set(), 0
    while not set(truth.products) <= {urlsplit(target).path for target in seen}:
        nights += 1
        assert nights < 30, sorted(set(truth.products) - {urlsplit(target).path for target in seen})
        server.log.clear()
        summary = crawl(desk, max_pages=40, keep_bodies=False)
        assert len(asked(server)) <= 40
        assert summary.pages == len(asked(server))
        seen |= set(asked(server))
        desk.clock.advance(DAY)
    assert not [target for target in seen if is_forbidden(target)]


def test_a_second_full_run_asks_conditionally_and_writes_nothing_twice(first_walk, next_day):
    before, roots = counts(next_day), next_day.store.documents.roots("shop")
    summary = crawl(next_day, ingest=True, full=True)
    pages = [each for each in first_walk.server.log if each.target != "/robots.txt"]
    unconditional = {each.target for each in pages if not each.conditional}
    truth = first_walk.server.shop.truth
    assert unconditional <= {*truth.redirect_chain[:-1], *(link.target for link in truth.broken)}
    assert {each.status for each in pages if each.conditional} == {304}
    assert set(summary.by_outcome) <= {"not_modified", "redirect", "http_error"}
    settle(next_day)
    after = counts(next_day)
    grown = {name for name in after if after[name] != before[name]}
    assert grown == {"crawls", "pages", "redirects", "site_roots"}  # the requests themselves, and the root after them
    assert next_day.store.documents.roots("shop") == roots
    assert settle(next_day) == ({}, {})


def test_reading_stored_bodies_again_leaves_what_reading_on_the_way_left(first_walk, next_day):
    read = ("documents", "chunks", "document_chunks", "products", "variants", "price_history")
    before = {name: contents(next_day, name) for name in read}
    with writing(next_day.store.engine) as connection:
        for name in ("variants", *read):
            connection.execute(metadata.tables[name].delete())
        connection.execute(metadata.tables["frontier"].update().values(document_body=None, product_body=None))
    documents, products = settle(next_day)
    assert documents[Put.NEW] == first_walk.summary.documents
    assert products[Put.NEW] == first_walk.summary.products
    for name in read:
        assert contents(next_day, name) == before[name], name


def contents(desk, name):
    columns = [column.name for column in metadata.tables[name].columns if column.name not in VOLATILE]
    return sorted(desk.rows(f"SELECT {', '.join(columns)} FROM {name}"), key=repr)  # names of the schema


def test_what_changed_overnight_is_one_price_one_text_and_one_page_gone(walked):
    desk, server = walked
    crawl(desk, ingest=True)
    settle(desk)
    products = len(list(desk.store.products.load_products("shop")))
    change = server.shop.change()
    desk.clock.advance(DAY)
    moment = desk.clock.now()
    crawl(desk, ingest=True)
    settle(desk)
    (price,) = desk.store.products.price_changes("shop", moment)
    assert (path_of(price["url"]), Decimal(price["old_price"]), Decimal(price["price"])) == (
        change.repriced, change.price_before, change.price_after,
    )  # fmt: skip
    assert [row["record"]["price"] for row in desk.store.products.load_versions(price["url"])] == [
        str(change.price_before), str(change.price_after),
    ]  # fmt: skip
    superseded = {path_of(uri) for (uri,) in desk.rows("SELECT uri FROM supersedes")}
    assert {change.rewritten, change.repriced} <= superseded <= set(change.touched)
    left = [path_of(record["url"]) for record in desk.store.products.load_products("shop")]
    assert len(left) == products - 1
    assert change.removed not in left
    current = "SELECT count(*) FROM documents WHERE is_current AND document_uri LIKE :u"
    assert desk.rows(current, u=f"%{change.removed}") == [(0,)]
    assert settle(desk) == ({}, {})


def test_a_walk_that_is_cut_and_resumed_costs_one_walk(walked):
    desk, server = walked

    async def cut():
        seen = 0

        def watch(_):
            nonlocal seen
            seen += 1
            if seen == 70:
                task.cancel()

        task = asyncio.ensure_future(desk.crawl_http(connections=3, watch=watch, keep_bodies=False))
        return await task

    first = asyncio.run(cut())
    assert first.stopped_by is StoppedBy.INTERRUPTED
    second = crawl(desk, walk=Walk.RESUME, keep_bodies=False)
    assert (second.crawl_id, second.stopped_by) == (first.crawl_id, StoppedBy.EXHAUSTED)
    truth = server.shop.truth
    assert set(truth.pages) - set(truth.orphans) <= set(asked(server))
    twice = [target for target, number in Counter(asked(server)).items() if number > 1]
    assert len(twice) <= 3  # those under way when it was cut
    assert desk.rows('SELECT count(*) = count(DISTINCT frontier_id) FROM pages WHERE "order" IS NOT NULL') == [(1,)]
