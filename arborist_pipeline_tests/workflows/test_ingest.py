"""Stored bodies to documents, in batches, without network."""

import asyncio

from arborist_pipeline.core.documents.document import build_document
from arborist_pipeline.core.ports import Put
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.workflows import ingest
from arborist_pipeline.workflows.ingest import ingest_pages
from arborist_pipeline_tests.support.builders import HTML, make_result

SITE = {"/": '<p>Home</p><a href="/a">a</a><a href="/b">b</a>', "/a": "<p>Words of a</p>", "/b": "<p>Words of b</p>"}


def test_every_stored_page_becomes_the_document_of_its_body(desk, table):
    asyncio.run(desk.crawl(table(SITE)))
    assert ingest_pages(desk.site, store=desk.store.documents, clock=desk.clock) == {Put.NEW: 3}
    expected = []
    for path, body in sorted(SITE.items()):
        url = "https://shop.example" + path
        document = build_document(url, parse_body(body.encode(), url=url, headers={"content-type": HTML}))
        expected.append((url, document.document_root))
    assert list(desk.store.documents.roots("shop")) == expected


def test_all_bodies_are_read_however_small_the_batches(desk, table, monkeypatch):
    monkeypatch.setattr(ingest, "BATCH_PAGES", 1)
    asyncio.run(desk.crawl(table(SITE)))
    assert ingest_pages(desk.site, store=desk.store.documents, clock=desk.clock) == {Put.NEW: 3}


def test_a_second_call_finds_nothing_to_do(desk, table):
    asyncio.run(desk.crawl(table(SITE)))
    ingest_pages(desk.site, store=desk.store.documents, clock=desk.clock)
    assert ingest_pages(desk.site, store=desk.store.documents, clock=desk.clock) == {}


def test_a_walk_without_bodies_leaves_nothing_to_read(desk, table):
    asyncio.run(desk.crawl(table(SITE), keep_bodies=False))
    assert ingest_pages(desk.site, store=desk.store.documents, clock=desk.clock) == {}


def test_what_robots_and_servers_refuse_gives_no_document(desk, table):
    refused = make_result(status=403)
    asyncio.run(desk.crawl(table(SITE | {"/a": refused})))
    ingest_pages(desk.site, store=desk.store.documents, clock=desk.clock)
    assert "https://shop.example/a" not in dict(desk.store.documents.roots("shop"))
