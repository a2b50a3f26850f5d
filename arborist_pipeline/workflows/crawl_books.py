"""The books of a crawl: what was counted, and what waits to be stored, in batches that belong together."""

import asyncio
from collections import Counter

from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.lessons import Completion
from arborist_pipeline.core.crawl.reading import Reading
from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Outcome, StoppedBy
from arborist_pipeline.core.ports import Clock, CrawlBatch, CrawlStart, Lease, Store
from arborist_pipeline.core.prompt import ModelCall
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

BATCH_PAGES = 100
BATCH_SECONDS = 1.0


class Tally:
    """What the summary counts."""

    def __init__(self) -> None:
        self.pages = self.products = self.documents = self.good = self.needs_rendering = 0
        self.first_product_at: int | None = None
        self.by_outcome: Counter[str] = Counter()
        self.by_tier: Counter[str] = Counter()
        self.requests: Counter[str] = Counter()

    def count(self, page: CrawledPage) -> None:
        """Take in a page that was asked for."""
        self.pages += 1
        self.by_outcome[page.outcome] += 1
        self.by_tier[page.priority.tier] += 1
        self.needs_rendering += page.needs_rendering
        self.documents += page.document_root is not None
        self.good += page.outcome in (Outcome.OK, Outcome.NOT_MODIFIED)
        if page.kind is PageKind.PRODUCT:
            self.products += 1
            if page.order is not None and (self.first_product_at is None or page.order < self.first_product_at):
                self.first_product_at = page.order

    def take_back(self, page: CrawledPage) -> None:
        """Count a page that was taken for a live one as the soft 404 that it is."""
        self.by_outcome[Outcome.OK] -= 1
        self.by_outcome[Outcome.SOFT_404] += 1
        self.good -= 1
        self.documents -= page.document_root is not None
        self.products -= page.kind is PageKind.PRODUCT

    def summary(
        self, crawl_id: int, frontier: Frontier, stopped_by: StoppedBy, reason: str, *, llm_call: ModelCall | None
    ) -> CrawlSummary:
        """Return the summary of the crawl as far as it went."""
        return CrawlSummary(
            crawl_id=crawl_id,
            pages=self.pages,
            products=self.products,
            documents=self.documents,
            by_outcome=dict(+self.by_outcome),
            by_tier=dict(self.by_tier),
            rejected={str(why): count for why, count in frontier.rejected.items()},
            first_product_at=self.first_product_at,
            llm_calls=int(llm_call is not None),
            llm_call=llm_call,
            requests=dict(self.requests),
            needs_rendering=self.needs_rendering,
            unfetched=frontier.unfetched,
            stopped_by=stopped_by,
            reason=reason,
            traps=frontier.traps,
        )


class Books:
    """What came of pages and is not stored yet. A batch is taken at one moment: what commits together fits together.

    `lease` is the one without which no batch is written.
    """

    def __init__(
        self, start: CrawlStart, lease: Lease, frontier: Frontier, *, store: Store, clock: Clock, at_once: bool
    ) -> None:
        self.lease = lease
        self._start, self._frontier = start, frontier
        self._store, self._clock, self._at_once = store, clock, at_once
        self._readings: list[Reading] = []
        self._forbidden: list[CrawledPage] = []
        self._soft_errors: list[Url] = []
        self._completions: dict[Url, Completion] = {}
        self._flushed_at = clock.monotonic()
        self._writer = asyncio.Lock()
        self._write: asyncio.Future[None] | None = None

    def enter(self, reading: Reading, completion: Completion) -> None:
        """Note what came of a request, and what closing it decided."""
        self._readings.append(reading)
        self._completions[reading.page.url] = completion

    def enter_forbidden(self, page: CrawledPage) -> None:
        """Note an address that robots.txt forbids."""
        self._forbidden.append(page)

    def enter_soft_error(self, url: Url) -> None:
        """Note that a page entered before is none."""
        self._soft_errors.append(url)

    async def flush_if_due(self) -> None:
        """Store a batch where one is full, or a second old; a thread writes, and a cancelled caller leaves it be.

        While one is under way the next fills up, and who fills it waits: what is not stored yet is bounded.
        """
        if self._is_full or (self._is_due and not self._writer.locked()):
            async with self._writer:
                if self._is_due:  # nobody else has stored it meanwhile
                    await self._record(self._take_batch())

    @property
    def _is_full(self) -> bool:
        return len(self._readings) + len(self._forbidden) >= BATCH_PAGES

    @property
    def _is_due(self) -> bool:
        is_one_alone = self._at_once and bool(self._readings)
        return self._is_full or is_one_alone or self._clock.monotonic() - self._flushed_at >= BATCH_SECONDS

    async def flush_rest(self) -> None:
        """Store what is left, after the batch that may be under way still: its rows are what these build on."""
        if self._write is not None:
            await asyncio.shield(self._write)
        batch = self._take_batch()
        if batch.readings or batch.forbidden or batch.changes or batch.soft_errors:
            await self._record(batch)

    async def _record(self, batch: CrawlBatch) -> None:
        self._write = asyncio.ensure_future(self._commit(batch))
        await asyncio.shield(self._write)

    async def _commit(self, batch: CrawlBatch) -> None:
        await asyncio.to_thread(self._store.crawls.record, self._start, batch, self.lease)
        self._frontier.settle(batch.changes)

    def _take_batch(self) -> CrawlBatch:
        batch = CrawlBatch(
            readings=tuple(self._readings),
            forbidden=tuple(self._forbidden),
            changes=self._frontier.take_changes(),
            soft_errors=tuple(self._soft_errors),
            completions=dict(self._completions),
            arms=self._frontier.take_arms(),
        )
        for kept in (self._readings, self._forbidden, self._soft_errors, self._completions):
            kept.clear()
        self._flushed_at = self._clock.monotonic()
        return batch
