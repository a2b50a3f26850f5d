"""What is seen of long work while it runs: a line now and then, and the first few results."""

from collections.abc import Callable

from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Tier
from arborist_pipeline.core.ports import CheckTarget
from arborist_pipeline.core.web.freshness import Freshness
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.recheck import Verdict
from arborist_pipeline.core.web.url import redact

LINE_SECONDS = 5.0  # a line of Dagster's log is a database write
SAMPLE_ROWS = 25
FIRST_PAGES = 60


class Pulse:
    """Lets one line through every five seconds at most; what is told to `say` itself comes at once."""

    def __init__(self, say: Callable[[str], None], monotonic: Callable[[], float]) -> None:
        self.say = say
        self._monotonic = monotonic
        self._said_at = monotonic()

    def beat(self, line: str | Callable[[], str]) -> None:
        """Say the line, or what the function makes of it, if it is time for one."""
        now = self._monotonic()
        if now - self._said_at >= LINE_SECONDS:
            self._said_at = now
            self.say(redact(line if isinstance(line, str) else line()))


class CrawlProgress:
    """Called with each page as it is done."""

    def __init__(self, pulse: Pulse) -> None:
        self.sample: list[CrawledPage] = []
        self.found: dict[int, Tier | None] = {}  # by order: what put a product's page there, None for another page
        self._pulse = pulse

    @property
    def pages(self) -> int:
        """How many were asked for."""
        return len(self.found)

    @property
    def products(self) -> int:
        """How many of them are products' pages."""
        return sum(tier is not None for tier in self.found.values())

    @property
    def first_products(self) -> int:
        """How many of the first sixty are."""
        return sum(tier is not None for order, tier in self.found.items() if order <= FIRST_PAGES)

    def __call__(self, page: CrawledPage) -> None:
        """Count a page that was asked for; one with the order of an earlier page takes its place."""
        if page.order is None:
            return
        is_correction = page.order in self.found
        self.found[page.order] = page.priority.tier if page.kind is PageKind.PRODUCT else None
        if is_correction:
            self.sample = [page if known.order == page.order else known for known in self.sample]
        elif len(self.sample) < SAMPLE_ROWS:
            self.sample.append(page)
        self._pulse.beat(
            lambda: f"{self.pages} pages, {self.products} of them products; last {page.outcome} {page.url}"
        )

    def end(self, summary: CrawlSummary) -> None:
        """Say how the crawl ended, whatever ended it."""
        what = f"{summary.pages} pages, {summary.products} of them products, {summary.unfetched} known and not fetched"
        self._pulse.say(
            redact(f"{what}; ended by {summary.stopped_by}{f': {summary.reason}' if summary.reason else ''}")
        )


class CheckProgress:
    """Called with each verdict as it is given; keeps the first that are not simply fresh."""

    def __init__(self, pulse: Pulse, total: int) -> None:
        self.checked = 0
        self.sample: list[tuple[str, Verdict]] = []
        self._total = total
        self._pulse = pulse

    def __call__(self, target: CheckTarget, verdict: Verdict) -> None:
        """Count a verdict."""
        self.checked += 1
        if verdict.freshness is not Freshness.FRESH and len(self.sample) < SAMPLE_ROWS:
            self.sample.append((target.url, verdict))
        self._pulse.beat(f"{self.checked} of {self._total} pages checked; last {verdict.freshness} {target.url}")
