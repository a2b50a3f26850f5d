"""A stored crawl decided once more, without network: the same frontier over the same answers, in the recorded order.

Under the settings of the crawl each request must come again (`replay_crawl`). Under others the answers that are known
tell what would have been (`rerun_crawl`), one page at a time; an address that was never fetched leads nowhere there.

A crawl that went on from others begins with what these left: they are decided again before it, from the first on.

What the store does not keep is a limit: whether a page had prose (it counts where addresses look like a trap), the
place of a link that was put last, and the moment at which a page was done, which stands for when it is due (that of its
answer is taken, and the order in which pages were done).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from arborist_pipeline.core.crawl.admission import Admission, build_admission
from arborist_pipeline.core.crawl.entries import FrontierEntry, State
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.lessons import Lesson
from arborist_pipeline.core.crawl.memory_rows import Answer, MemoryRows
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.priority import Bucket, looks_like_product_url, product_tail
from arborist_pipeline.core.crawl.records import CrawlRequest, Outcome, Priority, Tier
from arborist_pipeline.core.crawl.seed import is_www_twin
from arborist_pipeline.core.web.links import Link, LinkPlaces
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

_NO_PAGE = frozenset({Outcome.NOT_HTML, Outcome.EMPTY, Outcome.HTTP_ERROR, Outcome.SOFT_404})
_MOMENT = timedelta(microseconds=1)
_IN_MEMORY = 1_000_000_000  # entries of an arm: nothing is ever committed, so all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedPage:
    """One request of a stored crawl. `links` are those that it was followed to, `target` where it moves to, if it does.

    `dispatched_seq` and `completed_seq` are its places among the crawl's decisions, `why` the reason for the request.
    """

    order: int
    dispatched_seq: int
    completed_seq: int
    url: Url
    why: str
    kind: PageKind | None
    outcome: Outcome
    status: int | None
    links: tuple[Link, ...] = ()
    target: Link | None = None
    lesson: Lesson | None = None
    fetched_at: datetime | None = None

    @property
    def learned_kind(self) -> PageKind | None:
        """What the page was taken for when it came, though it turned out to be an error page later."""
        is_product = self.lesson is not None and self.lesson.is_product
        return PageKind.PRODUCT if is_product else self.kind

    @property
    def product(self) -> Url | None:
        """The address of the product that the page shows, None for any other page."""
        if self.kind is not PageKind.PRODUCT:
            return None
        return (self.lesson.identity if self.lesson is not None else None) or self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCrawl:
    """A stored crawl. `earlier` are those that it went on from, all of them from the site's first on; none else.

    `only` are the addresses that it was limited to, `listed` those that the site's sitemap told it of, in order.
    `forbidden` are the addresses that robots.txt kept from it, `arm_of` the arms of addresses as they were met.
    `arms` are all of the site (number, key, example), those up to `last_arm_before` older than the crawl; so are
    `lessons_before`, and the answers of `fetched_before`. Where there are later crawls (`has_later`)
    these may have put what waited then into other arms. What has a seq below `first_seq` was left by earlier crawls to
    one that began afresh.
    """

    number: int
    seed: Url
    walk: Walk
    full: bool = False
    first_seq: int
    earlier: tuple["RecordedCrawl", ...] = ()
    started_at: datetime
    max_pages: int
    max_depth: int
    pages: tuple[RecordedPage, ...]
    only: tuple[Url, ...] = ()
    listed: tuple[Link, ...] = ()
    forbidden: frozenset[Url] = frozenset()
    arm_of: Mapping[Url, int]
    arms: tuple[tuple[int, str, str], ...]
    last_arm_before: int = 0
    lessons_before: tuple[Lesson, ...] = ()
    fetched_before: frozenset[Url] = frozenset()
    has_later: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreplayable:
    """Why a crawl cannot be replayed, and what to do instead."""

    reason: str


class RecordedCrawls(Protocol):
    """The crawls of one store, as they were decided."""

    def load_crawl(self, site_key: str, crawl_id: int) -> RecordedCrawl | Unreplayable:
        """Return a crawl of a site with all that its decisions followed from, or why that is not to be had."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first request that did not come again: its order, what was recorded and why, what came (None: nothing)."""

    order: int
    recorded: Url
    recorded_why: str
    replayed: Url | None
    replayed_why: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """How many of the recorded requests came again before the first that did not."""

    repeated: int
    recorded: int
    difference: Difference | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """What other settings would have brought: distinct products after each page, beside those of the record.

    `unknown` counts the pages asked for that the crawl never fetched: what they show and lead to nobody knows.
    """

    recorded: tuple[int, ...]
    replayed: tuple[int, ...]
    unknown: int


def replay_crawl(crawl: RecordedCrawl, policy: CrawlPolicy) -> Replay | Unreplayable:
    """Decide each request of a crawl again, each answer coming when it came, up to the first that differs.

    Requests that were under way when a crawl was killed have no row: a missing number is taken for such a one, which
    is under way until it was asked for again. A crawl that went on from one that does not repeat cannot be replayed.
    """
    rows = _rows_before(crawl, policy)
    if isinstance(rows, Unreplayable):
        return rows
    return _repeat(crawl, _Drive(crawl, policy, _cap_of(crawl, policy), rows))


def _rows_before(crawl: RecordedCrawl, policy: CrawlPolicy) -> MemoryRows | Unreplayable:
    """Return what the store held when a crawl began."""
    if not crawl.earlier:
        return MemoryRows(_answered(url) for url in crawl.fetched_before)
    rows = MemoryRows()
    for earlier in crawl.earlier:
        settings = replace(policy, max_pages=earlier.max_pages, max_depth=earlier.max_depth)
        drive = _Drive(earlier, settings, _cap_of(earlier, settings), rows)
        replay = _repeat(earlier, drive)
        if replay.difference is not None:
            return Unreplayable(reason=f"it went on from crawl {earlier.number}, which does not repeat from request "
                                f"{replay.difference.order} on: replay that one for why")  # fmt: skip
        drive.leave()
    return rows


def _cap_of(crawl: RecordedCrawl, policy: CrawlPolicy) -> int:
    """Return the budget of a replay; a crawl that was resumed had more than one."""
    return policy.max_pages if len(crawl.pages) <= policy.max_pages else 0


def _answered(url: Url) -> FrontierEntry:
    return FrontierEntry(url=url, depth=0, state=State.DONE, bucket=Bucket.DUE_OTHER, seq=0, parent=None, anchor="",
                         priority=Priority(Tier.ORDER, 0.0, ""), fetched=True)  # fmt: skip


def _repeat(crawl: RecordedCrawl, drive: "_Drive") -> Replay:
    repeated, lost = 0, set[Url]()
    for page in _events(crawl.pages):
        if page is None:
            request = drive.take()
            lost.update([] if request is None else [request.url])
        elif page.url in drive.under_way:
            drive.answer(page.url, page)
        elif page.url in lost:
            lost.discard(page.url)
            drive.under_way.add(page.url)
            repeated += 1
        else:
            request = drive.take()
            if request is None or request.url != page.url:
                return Replay(repeated=repeated, recorded=len(crawl.pages), difference=_difference(page, request))
            drive.under_way.add(page.url)
            repeated += 1
    return Replay(repeated=repeated, recorded=len(crawl.pages), difference=None)


def rerun_crawl(crawl: RecordedCrawl, policy: CrawlPolicy) -> Rerun | Unreplayable:
    """Walk a crawl's site again under another policy, with the answers that it got."""
    rows = _rows_before(crawl, replace(policy, max_pages=crawl.max_pages, max_depth=crawl.max_depth))
    if isinstance(rows, Unreplayable):
        return rows
    answers = {page.url: page for page in crawl.pages}
    drive = _Drive(crawl, policy, policy.max_pages, rows)
    asked: list[RecordedPage | None] = []
    while (request := drive.take()) is not None:
        asked.append(answers.get(request.url))
        drive.answer(request.url, asked[-1])
    by_order = sorted(crawl.pages, key=lambda page: page.order)
    return Rerun(recorded=_curve(by_order), replayed=_curve(asked), unknown=asked.count(None))


class _Drive:
    """A frontier over some rows that gets recorded answers."""

    def __init__(self, crawl: RecordedCrawl, policy: CrawlPolicy, cap: int, rows: MemoryRows) -> None:
        self.under_way: set[Url] = set()
        self._rows, self._now = rows, crawl.started_at
        self._answers: dict[Url, Answer] = {}
        rows.arms_made = [arm for arm in crawl.arms if arm[0] <= crawl.last_arm_before]
        rows.taught = list(crawl.lessons_before)
        self._crawl, self._policy = crawl, policy
        self._places = _RecordedPlaces(crawl.arm_of, {number: key for number, key, _ in crawl.arms})
        self._listed = crawl.listed
        capped = CrawlPolicy(max_pages=cap, max_depth=policy.max_depth, walk=crawl.walk, learns=policy.learns,
                             only=crawl.only, full=crawl.full)  # fmt: skip
        self.frontier = Frontier(capped, self._admission(crawl.seed), crawl.seed, rows=rows, first_seq=crawl.first_seq,
                                 began_at=crawl.started_at, portion=_IN_MEMORY)  # fmt: skip
        for _ in self.frontier.restore():
            pass
        self.frontier.start()

    def take(self) -> CrawlRequest | None:
        """Return the next request."""
        while (request := self.frontier.next()) is None and self.frontier.is_sifting:
            pass
        return request

    def answer(self, url: Url, page: RecordedPage | None) -> None:
        """Close a request with what was recorded, or with what tells nothing; after the first the sitemap is read."""
        self._close(url, page)
        self.frontier.intake.admit_listed(self._listed)
        self._listed = ()

    def leave(self) -> None:
        """Store what the crawl has come to, for the next one."""
        self._rows.commit(self.frontier.take_changes(), self._answers.items(), self.frontier.take_arms())

    def _close(self, url: Url, page: RecordedPage | None) -> None:
        self.under_way.discard(url)
        at = self._now if page is None or page.fetched_at is None else page.fetched_at
        self._now = at if at >= self._now else self._now + _MOMENT  # done after the last one, whenever its answer came
        if page is None:
            self.frontier.complete(url, kind=None, new_links=0, now=self._now)
            return
        new = 0
        if page.target is not None:
            new += self.frontier.follow_redirect(url, page.target)[0]
        if page.links:
            new += self._follow(page)
        failed = page.outcome in _NO_PAGE or (page.outcome is Outcome.REDIRECT and not new)
        lesson = page.lesson
        done = self.frontier.complete(url, kind=page.learned_kind, new_links=new, now=self._now, failed=failed,
                                      gone=page.status in (404, 410) or page.outcome is Outcome.SOFT_404,
                                      identity=lesson.identity if lesson is not None else None,
                                      platform=lesson.platform if lesson is not None else None,
                                      told=lesson.told if lesson is not None else ())  # fmt: skip
        self._answers[url] = Answer(self._now, done.due_at, page.learned_kind, page.links,
                                    None if page.target is None else page.target.url)  # fmt: skip
        if url == self.frontier.seed and page.target is not None and is_www_twin(url, page.target.url):
            self.frontier.move_to(page.target.url, self._admission(page.target.url))

    def _follow(self, page: RecordedPage) -> int:
        places = None if page.outcome is Outcome.NOT_MODIFIED else self._places  # there is no tree to look at
        return self.frontier.follow(page.url, page.links, places, page.learned_kind)[0]

    def _admission(self, seed: Url) -> Admission:
        admission = build_admission(seed, include=self._policy.include, exclude=self._policy.exclude, robots={})
        return _RecordedAdmission(site=admission.site, include=admission.include, exclude=admission.exclude,
                                  forbidden=self._crawl.forbidden)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _RecordedAdmission(Admission):
    """What robots.txt said while the crawl went on: it may say something else by now."""

    forbidden: frozenset[Url]

    def robots_allow(self, url: Url, *, written: str | None = None) -> bool:  # noqa: ARG002  # of the interface
        return url not in self.forbidden


class _RecordedPlaces(LinkPlaces):
    """The place of each address where it was first met, as its arm tells it."""

    def __init__(self, arm_of: Mapping[Url, int], keys: Mapping[int, str]) -> None:
        super().__init__({})
        self._arm_of, self._keys = arm_of, keys

    def place_of(self, link: Link) -> str:
        number = self._arm_of.get(link.url)
        if number == Bucket.BEHIND and product_tail(link.url) is None:
            return "p"  # nothing but a later page of a list is put there
        shape_text, _, place = self._keys.get(number or 0, "").partition(" ")
        if shape_text != "*":
            return place.rpartition(".")[0]  # what kind of page it stands on is told beside it
        return place.removesuffix("r") if looks_like_product_url(link.url) else place  # the arms for what came too late


def _events(pages: Sequence[RecordedPage]) -> Iterator[RecordedPage | None]:
    """Yield each page twice, when it was asked for and when it was answered; None for a number that is missing."""
    events = {page.dispatched_seq: page for page in pages} | {page.completed_seq: page for page in pages}
    for number in range(1, max(events, default=0) + 1):
        yield events.get(number)


def _difference(page: RecordedPage, request: CrawlRequest | None) -> Difference:
    return Difference(order=page.order, recorded=page.url, recorded_why=page.why,
                      replayed=None if request is None else request.url,
                      replayed_why=None if request is None else request.priority.why)  # fmt: skip


def _curve(pages: Iterable[RecordedPage | None]) -> tuple[int, ...]:
    found: set[Url] = set()
    counts = []
    for page in pages:
        product = None if page is None else page.product
        if product is not None:
            found.add(product)
        counts.append(len(found))
    return tuple(counts)
