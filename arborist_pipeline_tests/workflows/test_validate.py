"""Sites are tried one after the other, politely; what stands in the way of one does not stop the others."""

import asyncio
from itertools import pairwise

import pytest

from arborist_pipeline.core.crawl.acceptance import Verdict
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.host_leases import HostLeases
from arborist_pipeline.workflows.validate import validate_sites
from arborist_pipeline_tests.cli.small_shop import shop

A, B = (Site(key=key, seed_url=canonicalize(f"https://{key}.example/"), max_pages=6) for key in "ab")


@pytest.fixture
def attempt(store, clock, table):
    """Try sites that all serve the same pages; returns the trials, and what was asked with when."""

    async def run(sites, pages, *, is_broken_off=False, **options):
        fetcher, task = table(pages), asyncio.current_task()
        if is_broken_off:
            options["watch"] = lambda _: task.cancel()
        work = validate_sites(sites, fetcher=fetcher, store=store, clock=clock, holder="test", cpus=2, **options)
        return await work, fetcher

    return lambda *given, **options: asyncio.run(run(*given, **options))


def test_each_site_is_crawled_at_the_pace_of_its_settings_and_told_when_it_is_done(attempt):
    told, seen = [], []
    trials, fetcher = attempt([A, B], shop(), tell=told.append, watch=lambda page: seen.append(page.url))
    assert trials == told
    assert [(trial.key, trial.verdict, trial.products) for trial in trials] == [
        ("a", Verdict.PASSED, 1),
        ("b", Verdict.PASSED, 1),
    ]
    assert [url for url in seen if "/products/" in url] == [f"https://{key}.example/products/lamp" for key in "ab"]
    pages = [start for start, request in zip(fetcher.starts, fetcher.requests, strict=True)
             if request.url.startswith("https://a.") and not request.url.endswith("robots.txt")]  # fmt: skip
    assert all(later - earlier >= 2.0 for earlier, later in pairwise(pages))
    assert not any(request.url.endswith("/cart") for request in fetcher.requests)


def test_a_host_that_another_crawl_holds_is_told_and_the_next_is_tried(attempt, store, clock):
    with HostLeases(store.leases, clock, holder="the night") as hosts:
        hosts.take(A.seed_url)
        trials, _ = attempt([A, B], shop())
    assert [trial.verdict for trial in trials] == [Verdict.BROKEN_OFF, Verdict.PASSED]
    assert "the night" in trials[0].reason


def test_a_person_who_breaks_off_ends_the_trial_and_keeps_what_came(attempt):
    trials, fetcher = attempt([A, B], shop(), is_broken_off=True)
    assert [(trial.key, trial.verdict) for trial in trials] == [("a", Verdict.BROKEN_OFF)]
    assert not any(request.url.startswith(B.seed_url) for request in fetcher.requests)


@pytest.mark.parametrize("ingest", [True, False])
def test_products_are_stored_where_a_crawl_stores_them(attempt, store, ingest):
    trials, _ = attempt([A], shop(), ingest=ingest)
    assert trials[0].passed
    assert len(store.products.pending_bodies(A.key, "another-reader", limit=10)) == (5 if ingest else 0)
