"""The demo shop crawled, ingested and reported on, held against its own truth: every fault found, none made up."""

import asyncio
from dataclasses import replace

import pytest

from arborist_pipeline.adapters.stores.reports import SqlReportStore
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.policy import build_policy
from arborist_pipeline.core.crawl.records import Mode, Site
from arborist_pipeline.core.web.fetch import BodyRule
from arborist_pipeline.workflows.crawl import crawl_site
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline.workflows.ingest import ingest_pages
from arborist_pipeline.workflows.report import report_site
from arborist_pipeline_tests.support.builders import make_result
from arborist_pipeline_tests.support.clock import ManualClock
from examples.demo_shop.shop import build_shop

BASE = "http://shop.example"  # the shop names its own pages under http


class ShopFetcher:
    """Answers as the shop does, without a socket."""

    def __init__(self, shop) -> None:
        self.shop = shop

    async def fetch(self, request):
        answer = self.shop.response(request.method, request.url.removeprefix(BASE), {"host": "shop.example"})
        headers = {name.lower(): value for name, value in answer.headers.items()}
        body = b"" if request.body is BodyRule.NONE else answer.body
        result = make_result(body, url=request.url, status=answer.status, headers=headers,
                             location=headers.get("location"))  # fmt: skip
        return replace(result, body_read=request.body is not BodyRule.NONE)


@pytest.fixture(scope="module")
def walked():
    """The shop's truth and the report on it."""
    shop, clock = build_shop(), ManualClock()
    store = open_store("sqlite://")
    site = Site(key="shop", seed_url=f"{BASE}/", mode=Mode.FAST, max_pages=0)
    store.sites.put_site(site, clock.now())

    async def walk():
        fetcher = ShopFetcher(shop)
        policy = build_policy(site, cpus=1)
        await crawl_site(site, policy, fetcher=fetcher, store=store, clock=clock, holder="test")
        ingest_pages(site, store=store.documents, clock=clock)
        extract_products(site, store=store.products, clock=clock)
        return await report_site(site, store=SqlReportStore(store.engine), fetcher=fetcher, clock=clock)

    report = asyncio.run(walk())
    store.close()
    return shop.truth, report


def found(report, signal):
    return [finding for finding in report.findings if finding.signal == signal]


def paths(urls):
    return sorted(url.removeprefix(BASE) for url in urls)


def test_the_walk_is_complete_and_every_page_but_the_orphans_was_read(walked):
    truth, report = walked
    assert (report.complete, report.unfetched) == (True, 0)
    assert report.details["pages"] == truth.page_count - len(truth.orphans)
    assert report.details["unreached"] == 0


def test_the_orphans_are_those_that_the_shop_hides(walked):
    truth, report = walked
    orphans = found(report, "orphan")
    assert paths(finding.url for finding in orphans) == sorted(truth.orphans)
    assert {finding.certainty for finding in orphans} == {"certain"}


def test_the_broken_links_have_their_sources_and_anchor_texts(walked):
    truth, report = walked
    links = {
        (source.url.removeprefix(BASE), finding.url.removeprefix(BASE), source.anchor)
        for finding in found(report, "broken_link")
        for source in finding.sources
    }
    assert links == {(link.source, link.target, link.anchor) for link in truth.broken}


def test_the_redirect_chain_has_every_hop_and_the_page_that_links_to_it(walked):
    truth, report = walked
    (chain,) = found(report, "redirect_chain")
    assert [url.removeprefix(BASE) for url in chain.details["hops"]] == list(truth.redirect_chain)
    assert [(source.url.removeprefix(BASE), source.anchor) for source in chain.sources] == [
        (truth.redirect_link.source, truth.redirect_link.anchor)
    ]


def test_the_duplicates_are_one_group(walked):
    truth, report = walked
    (group,) = found(report, "exact_duplicate")
    assert paths(group.details["urls"]) == sorted(truth.duplicates)


def test_the_page_without_a_title_is_found(walked):
    truth, report = walked
    assert paths(finding.url for finding in found(report, "untitled_page")) == [truth.untitled]


def test_the_thin_page_is_found_though_its_menu_is_long(walked):
    truth, report = walked
    assert paths(finding.url for finding in found(report, "thin_page")) == [truth.thin]


@pytest.mark.parametrize(
    "signal",
    ["malformed_link", "redirect_loop", "redirect_off_site", "blocked_page", "robots_problem", "sitemap_error",
     "canonical_problem", "main_duplicate", "near_duplicate", "partial_overlap", "deep_page"],
)  # fmt: skip
def test_faults_that_the_shop_does_not_have_are_not_found(walked, signal):
    _, report = walked
    assert found(report, signal) == []
