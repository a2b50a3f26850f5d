"""Whether a crawl of a shop was good enough: did it find a product, and before its budget was spent?"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Outcome, Site, StoppedBy
from arborist_pipeline.core.crawl.refresh import crawl_failure
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url, redact

_BOT_WALL = "bot wall"
"""How `core.products.traits.find_wall` begins what it says of one."""
_BROKEN_OFF = (StoppedBy.LEASE_LOST, StoppedBy.INTERRUPTED)


class Verdict(StrEnum):
    """What a trial of a site came to; all but PASSED are failures."""

    PASSED = "passed"
    TOO_LATE = "too_late"  # the first product came with the last page of the budget
    NO_PRODUCT = "no_product"
    BLOCKED = "blocked"  # robots.txt, a bot wall, a refusal
    UNREACHABLE = "unreachable"  # no page of it answered well
    BROKEN_OFF = "broken_off"  # by another crawl of the host, or by a person


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What came of one site. `reason` says why it failed, "" where it passed.

    `products` counts distinct addresses of pages that show one named product; `first_product_at` is the order of the
    first of them among the page requests, from 1. `tiers` is the share of those pages by what put them where they came
    (0..1, adding up to 1), `platform` what the pages say of the software behind them, `stopped_by` what ended the
    crawl, None where none began. `budget` 0: no cap.
    """

    key: str
    seed_url: str
    verdict: Verdict
    reason: str
    pages: int
    budget: int
    spent_budget: bool
    products: int
    first_product_at: int | None
    first_product_url: str | None
    platform: str | None
    tiers: Mapping[str, float] = field(default_factory=dict)
    stopped_by: StoppedBy | None = None

    @property
    def passed(self) -> bool:
        """Whether a product was found before the last page of the budget."""
        return self.verdict is Verdict.PASSED

    @property
    def was_interrupted(self) -> bool:
        """Whether a person or the system ended the crawl."""
        return self.stopped_by is StoppedBy.INTERRUPTED

    def to_json(self) -> dict[str, Any]:
        """Return the trial as JSON values."""
        return {"passed": self.passed, **asdict(self), "reason": redact(self.reason)}


class Observer:
    """Watches the pages of one crawl; what it keeps of them is small."""

    def __init__(self) -> None:
        self.platforms: Counter[str] = Counter()
        self.walls = 0
        self._products: dict[int, tuple[Url, str]] = {}

    def note(self, page: CrawledPage) -> None:
        """Take in a page; a second one of the same order corrects the first."""
        if page.order is None:
            return
        self._products.pop(page.order, None)
        if page.kind is PageKind.PRODUCT:  # there is a product exactly then, and it has a name
            self._products[page.order] = (page.canonical_url or page.url, page.priority.tier)
        if page.platform is not None:
            self.platforms[page.platform] += 1
        self.walls += page.outcome is Outcome.BLOCKED or page.reason.startswith(_BOT_WALL)

    def judge(self, site: Site, summary: CrawlSummary, *, budget: int) -> Trial:
        """Return what the crawl came to."""
        first = min(self._products, default=None)
        spent = bool(budget) and summary.pages >= budget
        verdict, reason = self._verdict(site, summary, first=first, budget=budget)
        tiers = Counter(tier for _, tier in self._products.values())
        return Trial(
            key=site.key,
            seed_url=site.seed_url,
            verdict=verdict,
            reason=reason,
            pages=summary.pages,
            budget=budget,
            spent_budget=spent,
            products=len({url for url, _ in self._products.values()}),
            first_product_at=first,
            first_product_url=None if first is None else self._products[first][0],
            platform=next((platform for platform, _ in self.platforms.most_common(1)), None),
            tiers={str(tier): round(count / tiers.total(), 3) for tier, count in tiers.most_common()},
            stopped_by=summary.stopped_by,
        )

    def _verdict(self, site: Site, summary: CrawlSummary, *, first: int | None, budget: int) -> tuple[Verdict, str]:
        if first is not None and (not budget or first < budget):
            return Verdict.PASSED, ""
        if first is not None:
            return Verdict.TOO_LATE, f"the first product came with the last of {budget} pages"
        failure = crawl_failure(summary, site.seed_url)
        if summary.stopped_by in _BROKEN_OFF:
            return Verdict.BROKEN_OFF, failure or summary.reason
        if summary.stopped_by is StoppedBy.ROBOTS:
            return Verdict.BLOCKED, failure or summary.reason
        if self.walls * 2 > summary.pages:
            return Verdict.BLOCKED, failure or f"{self.walls} of {summary.pages} pages refused this crawler"
        if failure is not None:
            return Verdict.UNREACHABLE, failure
        drawn = f"; {summary.needs_rendering} of them are drawn by script" if summary.needs_rendering else ""
        return Verdict.NO_PRODUCT, f"no product on {summary.pages} pages{drawn}"


def broken_off(site: Site, reason: str, *, budget: int) -> Trial:
    """Return the trial of a site that could not be crawled at all, for reasons of ours."""
    return Trial(key=site.key, seed_url=site.seed_url, verdict=Verdict.BROKEN_OFF, reason=reason, pages=0,
                 budget=budget, spent_budget=False, products=0, first_product_at=None, first_product_url=None,
                 platform=None)  # fmt: skip
