"""shops_first_pages: real shop software, product pages among the first 60 of a crawl beside those breadth first."""

import asyncio
import os
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import httpx

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.admission import build_admission
from arborist_pipeline.core.crawl.policy import build_policy
from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Mode, Site
from arborist_pipeline.core.products.extract import read_page
from arborist_pipeline.core.web.page import PageKind, parse_body
from arborist_pipeline.core.web.url import Url, canonicalize
from arborist_pipeline.workflows.crawl import crawl_site
from arborist_pipeline_tests.support.shop_software import serve_shop
from benchmarks.measurement import REPOSITORY, median, print_table
from benchmarks.shop_family.frontier_cost import FrontierMeter

PAGES = 60
SHOPS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "oscar": ("oscar", {}),
    "oscar with facets": ("oscar", {"SHOP_FACETS": "on"}),
    "cartridge": ("cartridge", {}),
    "evershop": ("evershop", {}),
}
"""Folder and settings of each shop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """One crawl: product pages, their distinct products, CPU seconds of all and of the frontier."""

    products: int
    distinct: int
    cpu_seconds: float
    frontier_seconds: float


def measure(rounds: int) -> None:
    """Print a row a shop; what is found is the same in each round but for random links, CPU is the median."""
    shared = Path(os.environ.get("ARBORIST_SHARED") or REPOSITORY.parent / "shared") / "shops"
    rows = [
        _row(name, shared / folder, settings, rounds)
        for name, (folder, settings) in SHOPS.items()
        if (shared / folder / "run.sh").exists()
    ]
    if not rows:
        print("without shops: set ARBORIST_SHARED to a folder that holds shops/", file=sys.stderr)
        return
    print_table(f"shops_first_pages, product pages among the first {PAGES}",
                ("shop", "Arborist", "distinct", "breadth first", "CPU ms a page", "of it frontier"), rows)  # fmt: skip


def _row(name: str, folder: Path, settings: Mapping[str, str], rounds: int) -> tuple[str, ...]:
    with serve_shop(folder, SHOP_RATE_LIMIT="off", **settings) as url:
        seed = canonicalize(url)
        walks = [_crawl(seed) for _ in range(rounds)]
        found = sum(islice(_breadth_first(seed), PAGES))
    cpu, frontier = (median(each) for each in zip(*((w.cpu_seconds, w.frontier_seconds) for w in walks), strict=True))
    return (name, str(min(walk.products for walk in walks)), str(min(walk.distinct for walk in walks)), str(found),
            f"{cpu / PAGES * 1000:.1f}", f"{frontier / cpu:.1%}")  # fmt: skip


def _crawl(seed: Url) -> _Walk:
    """Crawl as `arborist crawl --fast --concurrency 1 --ingest` does, in this process."""
    site = Site(key="shop", seed_url=seed, mode=Mode.FAST, concurrency=1, max_pages=PAGES)
    policy = build_policy(site, cpus=1, ingest=True)
    clock = SystemClock()
    pages: list[CrawledPage] = []

    async def crawl() -> CrawlSummary:
        async with HttpFetcher(user_agent="arborist-crawler/benchmark", connections=1, allow_private=True) as fetcher:
            return await crawl_site(site, policy, fetcher=fetcher, store=store, clock=clock, holder="benchmark",
                                    watch=pages.append)  # fmt: skip

    with tempfile.TemporaryDirectory() as home:
        store = open_store(str(Path(home) / "web.db"))
        store.sites.put_site(site, clock.now())
        began = time.process_time()
        with FrontierMeter() as meter:
            asyncio.run(crawl())
        seconds = time.process_time() - began
        store.close()
    products = [page.canonical_url or page.url for page in pages if page.kind is PageKind.PRODUCT]
    return _Walk(products=len(products), distinct=len(set(products)), cpu_seconds=seconds,
                 frontier_seconds=meter.seconds)  # fmt: skip


def _breadth_first(seed: Url) -> Iterator[bool]:
    """Yield of each page whether it is a product's, in order of discovery; redirects count as pages, as in a crawl."""
    admission = build_admission(seed, include=(), exclude=(), robots={})
    queue, seen = deque([seed]), {seed}
    with httpx.Client(timeout=60) as client:
        while queue:
            url = queue.popleft()
            answer = client.get(url)
            page = parse_body(answer.content, url=url, headers=answer.headers)
            yield answer.is_success and read_page(page).kind is PageKind.PRODUCT
            targets = [canonicalize(str(answer.next_request.url))] if answer.next_request is not None else []
            for target in (*targets, *(link.url for link in page.links)):
                if target not in seen and admission.reject(target) is None:
                    seen.add(target)
                    queue.append(target)
