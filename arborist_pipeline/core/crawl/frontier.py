"""What to fetch next. The frontier owns the budget, the order, the depths and "seen"; its rows live in the store.

A URL's bucket is decided when it is added: the arm of its kind (`arms`), whose place in the order changes with what is
learned (`learner`, `choice`). Known pages stand by how long they have been due, so that each has its turn however small
the budget. The depth of a URL is its shortest known distance from the seed; a shorter path found later lowers it and
admits what hangs on it. Patterns that turn out to lead only to more of themselves come last, and have a share of the
budget (`traps`).

In memory there is a mark for each known URL (`marks`), the head of each bucket (`queues`), and what is not committed
yet (`uncommitted`). A crawl that is resumed goes on in the order in which it was cut (`takeover`).
"""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from arborist_pipeline.core.crawl.admission import Admission, Rejection
from arborist_pipeline.core.crawl.choice import Chooser
from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRow, FrontierRows, State
from arborist_pipeline.core.crawl.intake import Intake
from arborist_pipeline.core.crawl.known_urls import KnownUrls, Path
from arborist_pipeline.core.crawl.lessons import Completion, Lesson, Told
from arborist_pipeline.core.crawl.marks import Standing
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.records import CrawlRequest, Priority, Tier, Trap
from arborist_pipeline.core.crawl.takeover import put_seed_first, queue_by_name, take_over
from arborist_pipeline.core.web.links import Link, LinkPlaces
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

RECHECK_AFTER = timedelta(hours=20)  # a nightly run finds all of last night's pages due, whatever its minute
GONE_RECHECK_AFTER = timedelta(days=7)
DUE_SHARE = 2  # at most one in two of a capped budget goes to known pages while unvisited ones wait
MAX_REDIRECTS = 10  # in one chain: targets keep the depth, so no depth limit would end a server that makes up new ones
SIFTED_AT_ONCE = 1_000  # addresses passed over in one call: all else has its turn between, and they are stored
PORTION = 200  # entries that one read brings, and that are in memory of each arm
_PLATFORM_PAGES = 30  # that are searched for the marks of a platform
LESSONS = 2_000  # of earlier crawls that a crawl begins with


class Frontier:
    """The worklist of one crawl. Not safe for threads; the crawl's event loop is its only user.

    `began_at` is when the crawl began, whatever part of it this is: pages are due that were due then, and a resumed one
    has asked for what was answered since. URLs with a seq below `first_seq` were left by earlier crawls to a fresh one.
    First `restore`, then `start`.
    """

    def __init__(
        self,
        policy: CrawlPolicy,
        admission: Admission,
        seed: Url,
        *,
        rows: FrontierRows,
        began_at: datetime,
        first_seq: int = 0,
        is_resumed: bool = False,
        last_decision: int = 0,
        portion: int = PORTION,
    ) -> None:
        self.policy = policy
        self.seed = seed
        self._known = KnownUrls(rows, policy, began_at=began_at, first_seq=first_seq,
                                is_resumed=is_resumed, portion=portion)  # fmt: skip
        self._marks, self._uncommitted = self._known.marks, self._known.uncommitted
        self._queues, self._traps = self._known.queues, self._known.traps
        self.intake = Intake(self._known, admission)
        self.rejected = self.intake.rejected
        self.learner = self._known.learner
        self.chooser = Chooser(self._queues, self.learner, learns=policy.learns)
        self._decisions = last_decision
        self._first_asked: dict[Url, tuple[CrawlRequest, int]] = {}  # what no run had asked for before, and its arm
        self._hops: dict[Url, int] = {}  # of redirect targets that wait
        self._own_seq = 0  # from here on entries were admitted by the admission that holds
        self._dispatched = 0
        self._due_dispatched = 0
        self.is_sifting = False

    def __repr__(self) -> str:
        left = "no cap" if not self.policy.max_pages else f"{self.policy.max_pages - self._dispatched} left"
        return f"<Frontier seen={self._marks.seen} {self._queues!r} in_flight={self.in_flight} budget={left}>"

    # -- filling

    def restore(self) -> Iterator[None]:
        """Take over what earlier runs left: the queue as it stood, known pages where they are due.

        A fresh walk queues nothing of earlier crawls: what it meets again keeps its validators and its history. Yields
        where changes should be committed before it goes on: what holds now (the depth limit, robots.txt, the site's
        patterns) may move any number of URLs.
        """
        self.learner.arms.load(self._known.rows.arms())
        for lesson in self._known.rows.lessons(LESSONS) if self.policy.learns else ():
            self.learner.learn(lesson)
        if not self._known.is_resumed:
            self.learner.recent.clear()  # how rare new products are is for this crawl to tell
        yield from take_over(self._known, self.admission)
        self._own_seq = self._known.next_seq

    def start(self) -> None:
        """Add the seed or, where the run is limited to some URLs, those, unless they are known."""
        if self.policy.only:
            queue_by_name(self._known, self.admission, self.seed)
        elif self.policy.walk is Walk.NIGHTLY:
            put_seed_first(self._known, self.seed)
        for url in self.policy.only or (self.seed,):
            if self._marks.is_met(url):
                if url == self.seed:
                    self._known.lower({url: Path(0)})
                continue
            rejection = self.admission.reject(url) if url != self.seed else None
            if rejection is not None:
                self.rejected[rejection] += 1
                continue
            tier = Priority(Tier.SEED, 1.0, "the seed" if url == self.seed else "asked for by name")
            self._known.remember(url, Path(0 if url == self.seed else 1), bucket=Bucket.QUEUE, priority=tier)

    def follow(
        self, url: Url, links: tuple[Link, ...], places: LinkPlaces | None = None, kind: PageKind | None = None
    ) -> tuple[int, tuple[Link, ...]]:
        """Admit the links of a fetched page, now or as soon as a shorter path brings the page above the limit."""
        found = self.intake.add(links, parent=url, depth=self._marks.depth(url), places=places, kind=kind)
        self.note_links(url, links)
        return found

    def note_links(self, url: Url, links: tuple[Link, ...]) -> None:
        """Note where a fetched page leads whose links were admitted in portions, by the intake."""
        self._uncommitted.note_links(url, links)

    def follow_redirect(self, url: Url, target: Link) -> tuple[int, tuple[Link, ...]]:
        """Admit where a fetched page redirects to; the target keeps the page's depth, and stands for it from now on."""
        hops = self._hops.get(url, 0) + 1
        if hops > MAX_REDIRECTS and not self._marks.is_met(target.url):
            self.rejected[Rejection.REDIRECTS] += 1
            return 0, ()
        found = self.intake.add((target,), parent=url, depth=self._marks.depth(url) - 1)
        if self._marks.standing(target.url) is Standing.QUEUED:
            self._hops.setdefault(target.url, hops)
        if self._marks.is_met(target.url):
            self._uncommitted.note_target(url, target)
            self._queues.in_flight[url].redirected = True
        return found

    # -- taking

    def next(self) -> CrawlRequest | None:
        """Hand out the next request and spend one of the budget; None while nothing may be asked for.

        None, too, where very many in a row may not be asked for any more; `is_sifting` then tells to go on.
        """
        self.is_sifting = False
        for _ in range(SIFTED_AT_ONCE):
            if not self.has_budget:
                return None
            chosen = self._choose()
            if chosen is None:
                return None
            entry, priority = chosen
            is_last = entry.bucket == Bucket.LAST and entry.state is State.QUEUED
            rejection = self._rejection_now(entry)
            if rejection is None and is_last and self._traps.withholds(entry):
                continue
            if is_last:
                self._traps.take(entry.url)
            if rejection is not None:
                self.rejected[rejection] += 1
                self._known.set_state(entry, State.REFUSED)
            elif not is_last and self._traps.is_suspect(entry):
                self._known.queue(entry, Bucket.LAST)
            else:
                return self._dispatch(entry, priority)
        self.is_sifting = True
        return None

    def complete(  # noqa: PLR0913  # one for each thing that an answer may tell
        self,
        url: Url,
        *,
        kind: PageKind | None,
        new_links: int,
        now: datetime,
        gone: bool = False,
        has_prose: bool = False,
        failed: bool = False,
        identity: Url | None = None,
        platform: str | None = None,
        told: tuple[Told, ...] = (),
    ) -> Completion:
        """Close a request that was handed out.

        The seed and a listing that brought new links are due in every run, a gone page once a week. `kind` None (an
        answer that tells nothing of it) leaves what was known. A page with prose is worth having, wherever it leads.
        `failed` tells that no page of any kind came, nor anything new in its place, `identity` what a product page
        calls its own address, `platform` what software it says the site runs on, `told` what a model said meanwhile.
        """
        entry = self._queues.in_flight.pop(url)
        self._traps.close(entry, is_worth=has_prose or kind in (PageKind.PRODUCT, PageKind.ARTICLE))
        lesson = self._learn(entry, kind, is_telling=kind is not None or failed or gone, identity=identity,
                             platform=platform, told=told)  # fmt: skip
        yields = url == self.seed or (kind in (PageKind.LISTING, PageKind.HOME) and new_links > 0)
        entry.due_at = now if yields else now + (GONE_RECHECK_AFTER if gone else RECHECK_AFTER)
        entry.kind = kind or entry.kind
        entry.bucket = Bucket.DUE_PRODUCT if entry.kind is PageKind.PRODUCT else Bucket.DUE_OTHER
        self._known.set_state(entry, State.DONE)
        entry.fetched = True
        self._uncommitted.note_answer(url)
        self._hops.pop(url, None)
        self._decisions += 1
        return Completion(entry.due_at, self._decisions, lesson)

    def ask_again(self, url: Url) -> bool:
        """Put a page that redirected in this crawl before all others of its bucket; return whether it is asked again.

        What redirected before the crawl was cut may be, too: whoever resumes it has no cookies.
        """
        moved = self._marks.standing(url) is Standing.MOVED or self._known.moved_before(url)
        if moved:
            for entry in self._queues.find((url,)).values():
                entry.asked_again = True
                entry.bucket = self._known.bucket_again(url)
                self._known.set_state(entry, State.QUEUED)
                self._queues.push_front(entry)
        return moved

    def forbid(self, url: Url) -> None:
        """Close a request that robots.txt turned out to forbid; its budget is given back."""
        entry = self._queues.in_flight.pop(url)
        self._first_asked.pop(url, None)
        self._dispatched -= 1
        self._due_dispatched -= entry.fetched
        self.rejected[Rejection.ROBOTS] += 1
        self._known.set_state(entry, State.REFUSED)

    def move_to(self, seed: Url, admission: Admission) -> None:
        """Go on at another host of the same site (the seed redirected to its www name or back)."""
        self.seed = seed
        self.intake.admission = admission
        self._own_seq = self._known.next_seq
        if not self._marks.is_met(seed):
            tier = Priority(Tier.SEED, 1.0, "the seed's own host redirects here")
            self._known.remember(seed, Path(0), bucket=Bucket.QUEUE, priority=tier)
        elif self._marks.standing(seed) is Standing.REFUSED:  # as another host's, while the site was at the other one
            for entry in self._queues.find((seed,)).values():
                self._known.queue(entry)

    # -- state

    @property
    def admission(self) -> Admission:
        """What may be admitted."""
        return self.intake.admission

    @property
    def has_budget(self) -> bool:
        """Whether another page may be asked for in this run."""
        return not self.policy.max_pages or self._dispatched < self.policy.max_pages

    @property
    def dispatched(self) -> int:
        """How many requests were handed out and not returned."""
        return self._dispatched

    @property
    def in_flight(self) -> int:
        """How many requests are under way."""
        return len(self._queues.in_flight)

    @property
    def is_exhausted(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        is_waiting = self._queues.is_waiting
        return not self.in_flight and not self._traps.withheld and not any(map(is_waiting, self._queues.numbers))

    @property
    def traps(self) -> tuple[Trap, ...]:
        """The patterns that led only to more of themselves and have addresses left, most of them first."""
        return self._traps.found()

    @property
    def unfetched(self) -> int:
        """How many admitted URLs no run has asked for yet."""
        return self._known.unfetched

    def depth_of(self, url: Url) -> int:
        """Return the shortest known distance of a known URL from the seed."""
        return self._marks.depth(url)

    def take_changes(self) -> tuple[FrontierRow, ...]:
        """Return what changed since the last call, for the transaction that stores the pages behind it."""
        return self._uncommitted.take()

    def take_arms(self) -> tuple[tuple[int, str, str], ...]:
        """Return the arms made since the last call, for the same transaction: number, key, example."""
        return self.learner.arms.take_new()

    def settle(self, changes: Iterable[FrontierRow]) -> None:
        """Take in that these changes are committed; before the next are taken."""
        self._uncommitted.settle(changes)

    # -- inside

    def _rejection_now(self, entry: FrontierEntry) -> Rejection | None:
        """Why a URL of an earlier run is no longer the site's; robots.txt is asked for each request anyhow."""
        if entry.seq >= self._own_seq or entry.url == self.seed:
            return None
        rejection = self.admission.reject(entry.url, written=entry.written)
        return None if rejection is Rejection.ROBOTS else rejection

    def _learn(
        self, entry: FrontierEntry, kind: PageKind | None, *, is_telling: bool, identity: Url | None,
        platform: str | None, told: tuple[Told, ...],
    ) -> Lesson | None:  # fmt: skip
        """Let the learner know what an address was that no run had asked for before; what it is now is no news."""
        first, finds = self._first_asked.pop(entry.url, None), self.intake.finds.pop(entry.url, {})
        if first is None and not told:
            return None
        is_first_to_tell = platform is not None and self.learner.arms.platform is None
        request, arm = first if first is not None else (None, Bucket.QUEUE)
        lesson = Lesson(
            url=entry.url,
            anchor=request.anchor if request is not None else "",
            parent=request.parent if request is not None else None,
            arm=arm,
            is_product=kind is PageKind.PRODUCT if is_telling and request is not None else None,
            finds=finds,
            identity=identity if identity != entry.url else None,
            platform=platform if is_first_to_tell else None,
            told=told,
        )
        self.learner.learn(lesson)
        return lesson

    def _choose(self) -> tuple[FrontierEntry, Priority] | None:
        """Take the next of all that waits, in the order of contract §6, night after night."""
        queues, chooser = self._queues, self.chooser
        cap = self.policy.max_pages
        spent = bool(cap) and (self._due_dispatched + 1) * DUE_SHARE > cap
        spares_due = spent and chooser.has_unvisited
        if not spares_due and queues.is_waiting(Bucket.DUE_PRODUCT):
            return _say(queues.pop(Bucket.DUE_PRODUCT), "a known product page that is due")
        shaped = chooser.best_shaped()
        if shaped is not None:
            return _named(*chooser.take(shaped))
        if not spares_due and queues.is_waiting(Bucket.DUE_OTHER):
            return _say(queues.pop(Bucket.DUE_OTHER), "a known page that is due")
        other = chooser.best_other()
        if other is not None:
            return _named(*chooser.take(other))
        last = next(filter(queues.is_waiting, (Bucket.BEHIND, Bucket.LAST)), None)
        if last is None:
            return None
        entry = queues.pop(last)
        return entry, entry.priority

    @property
    def _wants_platform(self) -> bool:
        arms = self.learner.arms
        return self.policy.learns and arms.platform is None and self.learner.lessons < _PLATFORM_PAGES

    def _dispatch(self, entry: FrontierEntry, priority: Priority) -> CrawlRequest:
        self._known.read_in(entry)
        self._queues.in_flight[entry.url] = entry
        self._dispatched += 1
        self._decisions += 1
        self._due_dispatched += entry.fetched
        request = CrawlRequest(url=entry.url, depth=entry.depth, parent=entry.parent, anchor=entry.anchor,
                               priority=priority, stored=entry.stored, written=entry.written,
                               dispatched_seq=self._decisions, wants_platform=self._wants_platform)  # fmt: skip
        if self.policy.learns and not entry.fetched and not entry.asked_again:
            self._first_asked[entry.url] = request, entry.bucket
        return request


def _say(entry: FrontierEntry, why: str) -> tuple[FrontierEntry, Priority]:
    return entry, Priority(entry.priority.tier, entry.priority.score, why)


def _named(entry: FrontierEntry, priority: Priority) -> tuple[FrontierEntry, Priority]:
    """What was asked for by name, or is the seed, comes for that reason."""
    return entry, entry.priority if entry.priority.tier is Tier.SEED else priority
