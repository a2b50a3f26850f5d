"""Retention deletes what no site keeps, and never what the present or a version stands on."""

from dataclasses import replace
from datetime import timedelta

import pytest

from arborist_pipeline.adapters.stores.retention import SqlRetention
from arborist_pipeline.core.crawl.records import BodyRetention, Retention
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline.workflows.ingest import ingest_pages
from arborist_pipeline_tests.adapters.stores.conftest import SITE, SUMMARY, dump, product_page, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON
from arborist_pipeline_tests.support.clock import ManualClock

LATER = NOON + timedelta(days=9)
NIGHTS = [NOON + timedelta(days=day) for day in range(5)]


@pytest.fixture
def keep(store):
    """Apply a retention to the shop."""

    def keep(bodies=BodyRetention.CHANGED, crawls=30, now=LATER):
        store.sites.put_site(replace(SITE, retention=Retention(bodies=bodies, crawls=crawls)), NOON)
        return SqlRetention(store.engine).apply(now)

    return keep


KEEPS_ALL = replace(SITE, retention=Retention(bodies=BodyRetention.ALL))


def night(store, when, answers, **options):
    """A crawl that stores every body, with all that comes after it."""
    start = visit(store, answers, when=when, site=KEEPS_ALL, **options)
    store.crawls.finish_crawl(start, replace(SUMMARY, crawl_id=start.crawl_id), now=when)
    clock = ManualClock(when)
    ingest_pages(SITE, store=store.documents, clock=clock)
    extract_products(SITE, store=store.products, clock=clock)
    return start.crawl_id


def count(store, table):
    return rows(store, f"SELECT count(*) FROM {table}")[0][0]


def present(store):
    """All that retention must not touch."""
    tables = ("sites", "frontier", "documents", "chunks", "document_chunks", "supersedes", "products", "price_history",
              "variants", "document_http_meta")  # fmt: skip
    found = dump(store, without=("config",))
    return {name: found[name] for name in tables}


@pytest.mark.parametrize(
    ("bodies", "left"), [(BodyRetention.ALL, 5), (BodyRetention.CHANGED, 3), (BodyRetention.LATEST, 1)]
)
def test_bodies_stay_by_what_they_brought(bodies, left, store, keep):
    """Five bodies: two words of text that change, and between them comments that no reader sees."""
    texts = [prose("One"), prose("One") + "<!-- a -->", prose("Two"), prose("Two") + "<!-- b -->",
             prose("Two") + "<!-- c -->"]  # fmt: skip
    for when, text in zip(NIGHTS, texts, strict=True):
        night(store, when, {"/": text})
    before = present(store)
    assert count(store, "bodies") == 5
    assert keep(bodies) == {"crawls": 0, "pages": 0, "bodies": 5 - left}
    assert count(store, "bodies") == left
    assert present(store) == before
    assert keep(bodies)["bodies"] == 0, "a second time finds nothing to delete"


def test_a_body_that_brought_a_product_stays(store, keep):
    night(store, NIGHTS[0], {"/products/a": product_page("19.90")})
    night(store, NIGHTS[1], {"/products/a": product_page("24.90")})
    night(store, NIGHTS[2], {"/products/a": product_page("24.90") + "<!-- x -->"})
    assert keep()["bodies"] == 0
    assert keep(BodyRetention.LATEST)["bodies"] == 2


def test_a_body_that_is_another_pages_latest_stays(store, keep):
    night(store, NIGHTS[0], {"/a": prose("One"), "/b": prose("One")})
    night(store, NIGHTS[1], {"/a": prose("Two")})
    assert keep(BodyRetention.LATEST) == {"crawls": 0, "pages": 0, "bodies": 0}


def test_old_crawls_go_with_their_pages_and_links(store, keep):
    for number, when in enumerate(NIGHTS):
        night(store, when, {"/": prose(f"Night {number}", links=[f"/{number}"])})
    before = present(store)
    assert keep(BodyRetention.ALL, crawls=2)["crawls"] == 0, "the first versions of documents are pages of each night"
    assert present(store) == before


def test_a_crawl_that_brought_nothing_new_goes_whole(store, keep):
    for when in NIGHTS:
        night(store, when, {"/": prose("Same", links=["/a"])})
    before = present(store)
    assert keep(crawls=2) == {"crawls": 2, "pages": 2, "bodies": 0}
    assert present(store) == before
    kept = rows(store, "SELECT DISTINCT crawl_id FROM pages ORDER BY crawl_id")
    assert kept == [(1,), (4,), (5,)], "the first one has the links and brought the document"
    assert [row[0] for row in rows(store, "SELECT id FROM crawls ORDER BY id")] == [1, 4, 5]
    assert (
        len(store.crawls.load_links(rows(store, "SELECT links_page_id FROM frontier WHERE kind IS NOT NULL")[0][0]))
        == 1
    )


def test_nothing_goes_while_a_crawl_is_under_way(store, keep):
    for when in NIGHTS:
        night(store, when, {"/": prose("Same")})
    store.leases.acquire("elsewhere.example", holder="me", seconds=60, now=LATER)
    before = dump(store, without=("config",))
    assert keep(BodyRetention.LATEST, crawls=1) is None
    assert dump(store, without=("config",)) == before
    assert keep(BodyRetention.LATEST, crawls=1, now=LATER + timedelta(minutes=2))["crawls"] == 3
