"""A body is stored again only where it says something new; what is read of the store again is the same either way."""

from dataclasses import replace
from datetime import timedelta

import pytest

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.core.crawl.records import BodyRetention, Retention
from arborist_pipeline.core.documents.document import RECIPE
from arborist_pipeline.core.products.extract import READER
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline.workflows.ingest import ingest_pages
from arborist_pipeline_tests.adapters.stores.conftest import SITE, product_page, prose, rows, tagged, visit
from arborist_pipeline_tests.support.builders import NOON

NIGHT = timedelta(days=1)


def with_token(page, night):
    return page.replace("<title>", f"<meta name=csrf content=t{night}><title>", 1)


def crawl(store, page, *, night=0, ingest=True, site=SITE, etag=""):
    answer = tagged(with_token(page, night), f'"{etag or night}"')
    visit(store, {"/lamp": answer}, when=NOON + night * NIGHT, ingest=ingest, site=site)
    if not ingest:
        ingest_pages(site, store=store.documents, clock=SystemClock())
        extract_products(site, store=store.products, clock=SystemClock())


def stored(store):
    return rows(store, "SELECT count(*) FROM bodies")[0][0]


@pytest.mark.parametrize("ingest", [True, False])
@pytest.mark.parametrize("page", [prose(links=["/a"]), product_page()])
def test_new_bytes_that_say_the_same_are_not_stored_and_the_page_is_known_as_renewed(store, page, ingest):
    for night in range(3):
        crawl(store, page, night=night, ingest=ingest)
    assert stored(store) == 1
    (body,) = rows(store, "SELECT sha256 FROM bodies")
    assert rows(store, "SELECT DISTINCT body_sha256 FROM pages") == [body]
    assert rows(store, "SELECT body_sha256, etag FROM frontier WHERE stored_page_id IS NOT NULL") == [(*body, '"2"')]
    assert rows(store, "SELECT count(*) FROM documents WHERE is_current AND last_seen_at > first_seen_at") == [(1,)]
    reasons = [reason for (reason,) in rows(store, "SELECT reason FROM pages ORDER BY id")]
    assert [reason.endswith("not stored again)") for reason in reasons] == [False, True, True]


@pytest.mark.parametrize(("before", "after"), [
    (prose("A lamp"), prose("A desk")),
    (prose(title="Lamps"), prose(title="Desks")),
    (prose(links=["/a"]), prose(links=["/a"]).replace('href="/a"', 'href="/b"')),
    (prose(), prose().replace("<p>", "<nav><p>").replace("</p>", "</p></nav>") + f"<p>{'x' * 300}</p>"),
    (product_page(), product_page(availability="OutOfStock")),
    (product_page(), product_page().replace('"L-1"', '"L-2"')),
])  # fmt: skip
@pytest.mark.parametrize("ingest", [True, False])
def test_a_body_that_says_something_new_is_stored(store, before, after, ingest):
    crawl(store, before, ingest=ingest)
    crawl(store, after, night=1, ingest=ingest)
    assert stored(store) == 2


def test_all_bodies_are_stored_where_the_site_keeps_all(store):
    site = replace(SITE, retention=Retention(bodies=BodyRetention.ALL))
    crawl(store, prose(), site=site)
    crawl(store, prose(), night=1, site=site)
    assert stored(store) == 2


@pytest.mark.parametrize("forget", [
    "UPDATE frontier SET document_body = NULL", "UPDATE frontier SET product_body = NULL",
    "UPDATE frontier SET document_recipe = 'older'", "UPDATE frontier SET product_reader = 'older'",
])  # fmt: skip
def test_a_body_is_stored_where_the_one_before_was_not_read_as_this_program_reads(store, forget):
    crawl(store, prose())
    with store.engine.begin() as connection:
        connection.exec_driver_sql(forget)
    crawl(store, prose(), night=1)
    assert stored(store) == 2


def test_what_is_read_again_of_the_stored_body_is_what_stands(store):
    for night in range(2):
        crawl(store, product_page(), night=night)
    store.documents.forget_readings(SITE.key)
    store.products.forget_readings(SITE.key)
    assert len(store.documents.pending_bodies(SITE.key, RECIPE, limit=9)) == 1
    assert len(store.products.pending_bodies(SITE.key, READER, limit=9)) == 1
    clock = SystemClock()
    before = rows(store, "SELECT document_root, is_current FROM documents")
    assert ingest_pages(SITE, store=store.documents, clock=clock)["unchanged"] >= 1
    extract_products(SITE, store=store.products, clock=clock)
    assert rows(store, "SELECT document_root, is_current FROM documents") == before
    assert rows(store, "SELECT count(*) FROM products") == [(1,)]


CHARSETS = ("utf-8", "windows-1252")


@pytest.mark.parametrize(("first", "later"), [CHARSETS, CHARSETS[::-1]])
@pytest.mark.parametrize("keep_bodies", [True, False])
def test_a_stored_body_is_read_by_the_headers_that_it_came_with(store, first, later, keep_bodies):
    def sent_as(charset, night):
        body = prose("Café à la crème").encode(charset)
        return tagged(body, f'"{night}"', **{"content-type": f"text/html; charset={charset}"})

    visit(store, {"/lamp": sent_as(first, 0)}, ingest=True)
    roots = rows(store, "SELECT document_root FROM documents WHERE is_current")
    visit(store, {"/lamp": sent_as(later, 1)}, when=NOON + NIGHT, ingest=keep_bodies, keep_bodies=keep_bodies)
    store.documents.forget_readings(SITE.key)
    ingest_pages(SITE, store=store.documents, clock=SystemClock())
    assert rows(store, "SELECT document_root FROM documents WHERE is_current") == roots
