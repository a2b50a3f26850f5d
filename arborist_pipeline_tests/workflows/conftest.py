"""What a crawl needs, held by a test: a clock, a store on disk, a site that answers from a table or a real socket."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from sqlalchemy import text

from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.store import SqlStore, open_store
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Mode, Site
from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.crawl import crawl_site
from arborist_pipeline_tests.support.builders import SHOP_URL, make_result
from arborist_pipeline_tests.support.clock import ManualClock

Answer = str | FetchResult | Callable[[FetchRequest], "Answer"]


class TableFetcher:
    """A Fetcher over a table of answers by URL or path; what stands in none is a 404. `requests` has all, in order.

    An answer is mark-up, a result, or a function of the request. A 200 with an etag is a 304 to who names that etag.
    """

    def __init__(self, answers: Mapping[str, Answer], clock: ManualClock) -> None:
        self.answers = {"/robots.txt": make_result(status=404), **answers}
        self.clock = clock
        self.requests: list[FetchRequest] = []
        self.starts: list[float] = []
        self.under_way = self.most_at_once = 0

    async def fetch(self, request: FetchRequest) -> FetchResult:
        self.requests.append(request)
        self.starts.append(self.clock.monotonic())
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        try:
            await self.clock.sleep(0)
            return self._answer(request)
        finally:
            self.under_way -= 1

    def _answer(self, request: FetchRequest) -> FetchResult:
        path = request.url.split("://", 1)[1].partition("/")
        answer = self.answers.get(request.url, self.answers.get("/" + path[2], make_result("gone", status=404)))
        while callable(answer):
            answer = answer(request)
        if isinstance(answer, str):
            answer = make_result(answer)
        answer = replace(answer, requested_url=request.url, fetched_at=self.clock.now())
        if answer.location is not None:
            answer = replace(
                make_result(url=request.url, status=answer.status, location=answer.location),
                fetched_at=self.clock.now(),
            )
        etag = answer.headers.get("etag")
        sent = request.validators.request_headers if request.validators else {}
        if answer.status == 200 and etag and sent.get("If-None-Match") == etag:
            return replace(answer, status=304, headers={"etag": etag}, body=b"", body_read=False)
        return answer

    @property
    def paths(self) -> list[str]:
        """What was asked for, robots.txt left out, in order."""
        found = ["/" + request.url.split("://", 1)[1].partition("/")[2] for request in self.requests]
        return [path for path in found if path != "/robots.txt"]


class StampedFetcher:
    """Another fetcher's results, dated by the test's clock."""

    def __init__(self, fetcher, clock: ManualClock) -> None:
        self.fetcher, self.clock = fetcher, clock

    async def fetch(self, request: FetchRequest) -> FetchResult:
        return replace(await self.fetcher.fetch(request), fetched_at=self.clock.now())


class Desk:
    """Crawls of one site, with what they left to look at."""

    def __init__(self, store: SqlStore, clock: ManualClock, seed: str = SHOP_URL, **site) -> None:
        self.store, self.clock = store, clock
        self.site = Site(key="shop", seed_url=canonicalize(seed), **{"mode": Mode.FAST, **site})
        self.pages: list[CrawledPage] = []
        store.sites.put_site(self.site, clock.now())

    async def crawl(self, fetcher, *, holder="test", watch=None, model=None, warn=None, **policy) -> CrawlSummary:
        """Run one crawl, without delay and without a cap unless the policy says otherwise."""
        defaults = {"mode": Mode.FAST, "max_pages": 0, "delay_seconds": 0.0, "honours_crawl_delay": False}
        self.pages = []

        def note(page):
            self.pages.append(page)
            if watch is not None:
                watch(page)

        return await crawl_site(self.site, CrawlPolicy(**(defaults | policy)), fetcher=fetcher, store=self.store,
                                clock=self.clock, holder=holder, watch=note, model=model,
                                warn=warn or (lambda _: None))  # fmt: skip

    async def crawl_http(self, *, connections=4, **policy) -> CrawlSummary:
        """Run one crawl over a real socket."""
        async with HttpFetcher(user_agent="arborist-crawler/test", connections=connections,
                               allow_private=True) as fetcher:  # fmt: skip
            return await self.crawl(StampedFetcher(fetcher, self.clock), concurrency=connections, **policy)

    @property
    def outcomes(self) -> dict[str, str]:
        """Path to outcome of the latest crawl's pages."""
        return {"/" + page.url.split("://", 1)[1].partition("/")[2]: str(page.outcome) for page in self.pages}

    def rows(self, query: str, **values) -> list[tuple]:
        with reading(self.store.engine) as connection:
            return [tuple(row) for row in connection.execute(text(query), values)]


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def store(tmp_path):
    opened = open_store(str(tmp_path / "web.db"))
    yield opened
    opened.close()


@pytest.fixture
def desk(store, clock):
    return Desk(store, clock)


@pytest.fixture
def table(clock):
    """Make a fetcher of a table of answers."""
    return lambda answers: TableFetcher(answers, clock)
