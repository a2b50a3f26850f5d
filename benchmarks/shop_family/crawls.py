"""The crawl itself, over a shop of the family: the real workflow, a real store in a folder that is thrown away."""

import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.records import CrawledPage, Mode, Site
from arborist_pipeline.core.ports import Clock, Fetcher, LanguageModel
from arborist_pipeline.core.web.url import Url
from arborist_pipeline.workflows.crawl import crawl_site
from arborist_pipeline_tests.support.clock import ManualClock
from benchmarks.shop_family.network import ShopFetcher, ShopSite

TAKES_MODEL = "model" in signature(crawl_site).parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRun:
    """One crawl: what it asked for, in order, how often it asked its model, and why it ended."""

    asked: tuple[Url, ...]
    llm_calls: int
    stopped: str


def crawl_shop(
    site: ShopSite,
    pages: int,
    *,
    model: LanguageModel | None = None,
    make_fetcher: Callable[[ShopSite, Clock], Fetcher] = ShopFetcher,
    watch: Callable[[CrawledPage], None] | None = None,
) -> CrawlRun:
    """Crawl a shop from its seed with a budget of so many pages, one at a time and without pause.

    Every request for a page counts, redirects and errors included; robots.txt and probes do not, as in any crawl.
    """
    clock = ManualClock()
    shop = Site(key="shop", seed_url=site.seed, mode=Mode.FAST, max_pages=pages)
    policy = CrawlPolicy(mode=Mode.FAST, max_pages=pages, max_depth=20, concurrency=1, delay_seconds=0.0,
                         honours_crawl_delay=False, keep_bodies=False)  # fmt: skip
    asked: dict[int, Url] = {}

    def note(page: CrawledPage) -> None:
        if page.order is not None:
            asked[page.order] = page.url
        if watch is not None:
            watch(page)

    given: dict[str, Any] = {"model": model} if TAKES_MODEL else {}
    with tempfile.TemporaryDirectory() as home:
        store = open_store(str(Path(home) / "web.db"))
        store.sites.put_site(shop, clock.now())
        summary = asyncio.run(crawl_site(shop, policy, fetcher=make_fetcher(site, clock), store=store, clock=clock,
                                         holder="benchmark", watch=note, **given))  # fmt: skip
        store.close()
    return CrawlRun(asked=tuple(asked[order] for order in sorted(asked)), llm_calls=summary.llm_calls,
                    stopped=f"{summary.stopped_by}: {summary.reason}")  # fmt: skip
