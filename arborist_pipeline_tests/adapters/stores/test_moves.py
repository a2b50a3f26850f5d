"""A site whose seed names another host."""

from dataclasses import replace
from datetime import timedelta

import pytest

from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline_tests.adapters.stores.conftest import (
    SITE,
    answering,
    at,
    known_entries,
    product_page,
    prose,
    rows,
    visit,
)
from arborist_pipeline_tests.support.builders import NOON
from arborist_pipeline_tests.support.clock import ManualClock

LATER = NOON + timedelta(days=1)
ELSEWHERE = replace(SITE, seed_url=canonicalize("https://shop.example.org/"))
PAGES = {"/": prose("Welcome", links=["/p/lamp", "/about"]), "/p/lamp": product_page(), "/about": prose("About us")}


@pytest.fixture
def stocked(store):
    visit(store, PAGES, ingest=True)
    return store


def current(store):
    return (rows(store, "SELECT url FROM products WHERE is_current"),
            rows(store, "SELECT document_uri FROM documents WHERE is_current ORDER BY 1"))  # fmt: skip


def test_products_and_documents_of_the_former_host_are_retired_and_their_history_stays(stocked):
    before = rows(stocked, "SELECT count(*) FROM pages UNION ALL SELECT count(*) FROM documents")
    stocked.sites.put_site(ELSEWHERE, LATER)
    assert current(stocked) == ([], [])
    assert len(stocked.products.load_versions(at("/p/lamp"))) == 1
    assert rows(stocked, "SELECT count(*) FROM pages UNION ALL SELECT count(*) FROM documents") == before


def test_nothing_of_the_former_host_is_due_left_to_fetch_or_asked_about(stocked):
    visit(stocked, {"/about": prose("About us", links=["/never-fetched"])}, when=LATER)
    stocked.sites.put_site(ELSEWHERE, LATER)
    snapshot = stocked.reports.load_snapshot("shop")
    assert (snapshot.unfetched, list(snapshot.read_pages())) == (0, [])
    assert stocked.checks.check_targets(None, site_key="shop", limit=0) == ()
    assert {entry.state for entry in known_entries(stocked)} == {"refused"}


@pytest.mark.parametrize("seed", ["https://shop.example/start", "http://shop.example/", "https://www.shop.example/"])
def test_another_start_on_the_same_host_retires_nothing(stocked, seed):
    before = current(stocked)
    stocked.sites.put_site(replace(SITE, seed_url=canonicalize(seed)), LATER)
    assert current(stocked) == before


def test_a_site_that_comes_back_is_asked_for_again_and_an_unchanged_page_is_its_product_again(stocked):
    before = current(stocked)
    stocked.sites.put_site(ELSEWHERE, LATER)
    stocked.sites.put_site(SITE, LATER)
    assert {entry.state for entry in known_entries(stocked)} == {"queued"}
    visit(stocked, {path: answering(304) for path in PAGES}, when=LATER + timedelta(days=1), ingest=True)
    stocked.documents.settle("shop", now=LATER)
    extract_products(SITE, store=stocked.products, clock=ManualClock())
    assert current(stocked)[0] == before[0]
