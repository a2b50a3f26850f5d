"""What to fetch next. The frontier owns the budget, the order, the depths and "seen"; its rows live in the store.

A URL's bucket is decided when it is added, and each bucket is first in, first out; known pages stand in it by how
long they have been due, so that each has its turn however small the budget. The depth of a URL is its shortest known
distance from the seed; a shorter path found later lowers it and admits what hangs on it. Patterns that turn out to
lead only to more of themselves come last, and have a share of the budget (`traps`).
"""

from collections import Counter, deque
from collections.abc import Iterable
from datetime import datetime, timedelta

from arborist_pipeline.core.crawl.admission import Admission, Rejection
from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRow, State
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.priority import Bucket, rank
from arborist_pipeline.core.crawl.records import CrawlRequest, Priority, Tier, Trap
from arborist_pipeline.core.crawl.traps import TrapWatch
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

RECHECK_AFTER = timedelta(hours=20)  # a nightly run finds all of last night's pages due, whatever its minute
GONE_RECHECK_AFTER = timedelta(days=7)
DUE_SHARE = 2  # at most one in two of a capped budget goes to known pages while unvisited ones wait
MAX_REDIRECTS = 10  # in one chain: targets keep the depth, so no depth limit would end a server that makes up new ones


class Frontier:
    """The worklist of one crawl. Not safe for threads; the crawl's event loop is its only user."""

    def __init__(self, policy: CrawlPolicy, admission: Admission, seed: Url) -> None:
        self.policy = policy
        self.admission = admission
        self.seed = seed
        self.rejected: Counter[Rejection] = Counter()
        self._entries: dict[Url, FrontierEntry] = {}
        self._met_before: dict[Url, FrontierEntry] = {}
        self._buckets: tuple[deque[FrontierEntry], ...] = tuple(deque() for _ in Bucket)
        self._children: dict[Url, tuple[FrontierEntry, ...]] = {}  # entries, not links: a reference each
        self._targets: dict[Url, FrontierEntry] = {}
        self._hops: dict[Url, int] = {}
        self._asked_again: set[Url] = set()
        self._changed: dict[Url, bool] = {}
        self._in_flight: set[Url] = set()
        self._next_seq = 1
        self._dispatched = 0
        self._due_dispatched = 0
        self._only = frozenset(policy.only)
        self._traps = TrapWatch(policy.max_pages)

    def __repr__(self) -> str:
        queued = " ".join(f"{bucket.name.lower()}={len(self._buckets[bucket])}" for bucket in Bucket)
        left = "no cap" if not self.policy.max_pages else f"{self.policy.max_pages - self._dispatched} left"
        return f"<Frontier seen={len(self._entries)} {queued} in_flight={len(self._in_flight)} budget={left}>"

    # -- filling

    def restore(self, entries: Iterable[FrontierEntry], now: datetime) -> None:
        """Take over what earlier runs left, in order of seq: the queue as it stood, known pages where they are due.

        A fresh walk queues nothing of it: what it meets again keeps its validators and its history.
        """
        due: list[FrontierEntry] = []
        for entry in entries:
            self._next_seq = max(self._next_seq, entry.seq + 1)
            if self.policy.walk is Walk.FRESH:
                self._met_before[entry.url] = entry
                continue
            self._entries[entry.url] = entry
            if self._only and entry.url not in self._only:
                continue
            self._review(entry)
            if entry.state is State.QUEUED:
                self._buckets[entry.bucket].append(entry)
            elif entry.state is State.DONE and self._is_due(entry, now):
                due.append(entry)
        due.sort(key=lambda entry: (entry.url != self.seed, entry.due_at or now, entry.seq))
        for entry in due:
            bucket = Bucket.DUE_PRODUCT if entry.kind is PageKind.PRODUCT else Bucket.DUE_OTHER
            self._buckets[bucket].append(entry)

    def start(self) -> None:
        """Add the seed or, where the run is limited to some URLs, those, unless they are known."""
        for url in self.policy.only or (self.seed,):
            if url in self._entries:
                if url == self.seed:
                    self._lower(self._entries[url], 0, parent=None, anchor="")
                continue
            depth = 0 if url == self.seed else 1
            rejection = self.admission.reject(url) if url != self.seed else None
            if rejection is not None:
                self.rejected[rejection] += 1
                continue
            tier = Priority(Tier.SEED, 1.0, "the seed" if url == self.seed else "asked for by name")
            self._insert(url, depth=depth, parent=None, anchor="", bucket=Bucket.QUEUE, priority=tier)

    def add(self, links: Iterable[Link], *, parent: Url, depth: int) -> tuple[int, tuple[Link, ...]]:
        """Admit links found on `parent` at `depth`; return how many are new and which of the new robots.txt forbids."""
        new: list[Url] = []
        forbidden: list[Link] = []
        for link in links:
            entry = self._entries.get(link.url)
            if entry is not None:
                self._meet_again(entry, link, depth=depth + 1, parent=parent)
                continue
            rejection = self.admission.reject(link.url, written=link.written)
            if rejection is not None:
                self.rejected[rejection] += 1
                if rejection is Rejection.ROBOTS:
                    self._refuse(link, parent=parent, depth=depth + 1)
                    forbidden.append(link)
                continue
            bucket, priority = rank(link.url)
            self._insert(link.url, depth=depth + 1, parent=parent, anchor=link.text, bucket=bucket, priority=priority,
                         written=link.written)  # fmt: skip
            new.append(link.url)
        self._traps.note_finds(parent, new)
        return len(new), tuple(forbidden)

    def admit_listed(self, links: Iterable[Link]) -> int:
        """Admit addresses that the site lists itself, one hop from the seed; return how many are new."""
        new = 0
        for link in links:
            if link.url in self._entries:
                continue
            rejection = self.admission.reject(link.url, written=link.written)
            if rejection is not None:
                self.rejected[rejection] += 1
                continue
            bucket, priority = rank(link.url)
            listed = Priority(priority.tier, priority.score, "listed in the sitemap")
            self._insert(link.url, depth=1, parent=None, anchor="", bucket=bucket, priority=listed,
                         written=link.written)  # fmt: skip
            new += 1
        return new

    def follow(self, url: Url, links: tuple[Link, ...]) -> tuple[int, tuple[Link, ...]]:
        """Admit the links of a fetched page, now or as soon as a shorter path brings the page above the limit."""
        found = self.add(links, parent=url, depth=self._entries[url].depth)
        self._children[url] = tuple(entry for link in links if (entry := self._entries.get(link.url)) is not None)
        return found

    def follow_redirect(self, url: Url, target: Link) -> tuple[int, tuple[Link, ...]]:
        """Admit where a fetched page redirects to; the target keeps the page's depth, and stands for it from now on."""
        entry = self._entries[url]
        hops = self._hops.get(url, 0) + 1
        if hops > MAX_REDIRECTS and target.url not in self._entries:
            self.rejected[Rejection.REDIRECTS] += 1
            return 0, ()
        self._hops.setdefault(target.url, hops)
        found = self.add((target,), parent=url, depth=entry.depth - 1)
        if target.url in self._entries:
            self._targets[url] = self._entries[target.url]
        return found

    # -- taking

    def next(self) -> CrawlRequest | None:
        """Hand out the next request and spend one of the budget; None while nothing may be asked for."""
        while self.has_budget:
            bucket = next((bucket for bucket in self._bucket_order() if self._is_waiting(self._buckets[bucket])), None)
            if bucket is None:
                return None
            entry = self._buckets[bucket].popleft()
            rejection = self._rejection_now(entry)
            if rejection is not None:
                self.rejected[rejection] += 1
                self._set_state(entry, State.REFUSED)
            elif bucket is not Bucket.LAST and self._traps.is_suspect(entry):
                entry.bucket = Bucket.LAST
                self._set_state(entry, State.QUEUED)
                self._buckets[Bucket.LAST].append(entry)
            elif bucket is not Bucket.LAST or not self._traps.withholds(entry):
                return self._dispatch(entry, bucket)
        return None

    def complete(
        self,
        url: Url,
        *,
        kind: PageKind | None,
        new_links: int,
        now: datetime,
        gone: bool = False,
        has_prose: bool = False,
    ) -> datetime:
        """Close a request that was handed out; return when the page is due again.

        The seed and a listing that brought new links are due in every run, a gone page once a week. `kind` None (an
        answer that tells nothing of it) leaves what was known. A page with prose is worth having, wherever it leads.
        """
        entry = self._entries[url]
        self._in_flight.discard(url)
        self._traps.close(entry, is_worth=has_prose or kind in (PageKind.PRODUCT, PageKind.ARTICLE))
        yields = url == self.seed or (kind in (PageKind.LISTING, PageKind.HOME) and new_links > 0)
        entry.due_at = now if yields else now + (GONE_RECHECK_AFTER if gone else RECHECK_AFTER)
        entry.kind = kind or entry.kind
        entry.fetched = True
        self._set_state(entry, State.DONE)
        return entry.due_at

    def ask_again(self, url: Url) -> None:
        """Put a page that redirected in this run before all others of its bucket; a second call is ignored."""
        if url in self._targets and url not in self._asked_again:
            self._asked_again.add(url)
            entry = self._entries[url]
            self._set_state(entry, State.QUEUED)
            self._buckets[entry.bucket].appendleft(entry)

    def forbid(self, url: Url) -> None:
        """Close a request that robots.txt turned out to forbid; its budget is given back."""
        entry = self._entries[url]
        self._in_flight.discard(url)
        self._dispatched -= 1
        self._due_dispatched -= entry.fetched
        self.rejected[Rejection.ROBOTS] += 1
        self._set_state(entry, State.REFUSED)

    def move_to(self, seed: Url, admission: Admission) -> None:
        """Go on at another host of the same site (the seed redirected to its www name or back)."""
        self.seed = seed
        self.admission = admission
        if seed not in self._entries:  # where it is known it stands in the queue by its own right
            tier = Priority(Tier.SEED, 1.0, "the seed's own host redirects here")
            self._insert(seed, depth=0, parent=None, anchor="", bucket=Bucket.QUEUE, priority=tier)

    # -- state

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
        return len(self._in_flight)

    @property
    def is_exhausted(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        return not self._in_flight and not self._traps.withheld and not any(map(self._is_waiting, self._buckets))

    @property
    def traps(self) -> tuple[Trap, ...]:
        """The patterns that led only to more of themselves and have addresses left, most of them first."""
        return self._traps.found(self._buckets[Bucket.LAST])

    @property
    def unfetched(self) -> int:
        """How many admitted URLs no run has asked for yet."""
        return sum(entry.state is State.QUEUED and not entry.fetched for entry in self._entries.values())

    def depth_of(self, url: Url) -> int:
        """Return the shortest known distance of a known URL from the seed."""
        return self._entries[url].depth

    def take_changes(self) -> tuple[FrontierRow, ...]:
        """Return what changed since the last call, for the transaction that stores the pages behind it."""
        rows = tuple(self._row(self._entries[url], is_new) for url, is_new in self._changed.items())
        self._changed.clear()
        return rows

    # -- inside

    def _meet_again(self, entry: FrontierEntry, link: Link, *, depth: int, parent: Url) -> None:
        """Take in another link to a known URL; one that robots.txt allows as written admits what it forbade before."""
        self._lower(entry, depth, parent=parent, anchor=link.text)
        was_written = entry.state is State.REFUSED and entry.written not in (None, link.written)
        if was_written and self.admission.reject(link.url, written=link.written) is None:
            entry.written = link.written
            self._set_state(entry, State.QUEUED if entry.depth <= self.policy.max_depth else State.BEYOND)
            if entry.state is State.QUEUED and not self._only:
                self._buckets[entry.bucket].append(entry)

    def _review(self, entry: FrontierEntry) -> None:
        """Bring a URL of an earlier run to what holds now: another depth limit, another robots.txt, other patterns."""
        within = entry.depth <= self.policy.max_depth or entry.url in self._only
        if entry.state is State.QUEUED and not within:
            self._set_state(entry, State.BEYOND)
        elif (entry.state is State.BEYOND and within) or (
            entry.state is State.REFUSED and within and self.admission.reject(entry.url, written=entry.written) is None
        ):
            self._set_state(entry, State.QUEUED)

    def _rejection_now(self, entry: FrontierEntry) -> Rejection | None:
        """Why a URL of an earlier run is no longer the site's; robots.txt is asked for each request anyhow."""
        rejection = None if entry.url == self.seed else self.admission.reject(entry.url, written=entry.written)
        return None if rejection is Rejection.ROBOTS else rejection

    def _is_due(self, entry: FrontierEntry, now: datetime) -> bool:
        if self.policy.walk is Walk.RESUME:
            return False
        return bool(self._only) or self.policy.full or entry.due_at is None or entry.due_at <= now

    def _bucket_order(self) -> Iterable[Bucket]:
        cap = self.policy.max_pages
        spent = bool(cap) and (self._due_dispatched + 1) * DUE_SHARE > cap
        unvisited = (Bucket.PRODUCT_SHAPED, Bucket.QUEUE)
        if spent and any(self._is_waiting(self._buckets[bucket]) for bucket in unvisited):
            return unvisited
        return Bucket

    def _is_waiting(self, queue: deque[FrontierEntry]) -> bool:
        while queue and (queue[0].url in self._in_flight or queue[0].state not in (State.QUEUED, State.DONE)):
            queue.popleft()
        return bool(queue)

    def _dispatch(self, entry: FrontierEntry, bucket: Bucket) -> CrawlRequest:
        self._in_flight.add(entry.url)
        self._dispatched += 1
        self._due_dispatched += entry.fetched
        priority = entry.priority
        if bucket is Bucket.DUE_PRODUCT:
            priority = Priority(priority.tier, priority.score, "a known product page that is due")
        elif bucket is Bucket.DUE_OTHER:
            priority = Priority(priority.tier, priority.score, "a known page that is due")
        return CrawlRequest(url=entry.url, depth=entry.depth, parent=entry.parent, anchor=entry.anchor,
                            priority=priority, stored=entry.stored, written=entry.written)  # fmt: skip

    def _insert(
        self,
        url: Url,
        *,
        depth: int,
        parent: Url | None,
        anchor: str,
        bucket: Bucket,
        priority: Priority,
        written: str | None = None,
    ) -> None:
        state = State.QUEUED if depth <= self.policy.max_depth or url in self._only else State.BEYOND
        entry = self._remember(url, depth=depth, state=state, parent=parent, anchor=anchor, bucket=bucket,
                               priority=priority, written=written)  # fmt: skip
        if state is State.QUEUED and (not self._only or url in self._only):
            self._buckets[bucket].append(entry)

    def _refuse(self, link: Link, *, parent: Url, depth: int) -> None:
        bucket, priority = rank(link.url)
        self._remember(link.url, depth=depth, state=State.REFUSED, parent=parent, anchor=link.text, bucket=bucket,
                       priority=priority, written=link.written)  # fmt: skip

    def _remember(  # one for each thing that is known of a new URL
        self,
        url: Url,
        *,
        depth: int,
        state: State,
        parent: Url | None,
        anchor: str,
        bucket: Bucket,
        priority: Priority,
        written: str | None,
    ) -> FrontierEntry:
        entry = FrontierEntry(url=url, depth=depth, state=state, bucket=bucket, seq=self._next_seq, parent=parent,
                              anchor=anchor, priority=priority, written=written)  # fmt: skip
        earlier = self._met_before.pop(url, None)
        if earlier is not None:
            entry.stored, entry.fetched, entry.kind = earlier.stored, earlier.fetched, earlier.kind
        self._next_seq += 1
        self._entries[url] = entry
        self._changed[url] = earlier is None
        return entry

    def _lower(self, entry: FrontierEntry, depth: int, *, parent: Url | None, anchor: str) -> None:
        """Take a shorter path to a known URL, and to all that was reached through it in this run."""
        waiting = deque([(entry, depth, parent, anchor)])
        while waiting:
            entry, depth, parent, anchor = waiting.popleft()
            if depth >= entry.depth:
                continue
            if parent != entry.parent or anchor:
                entry.parent, entry.anchor = parent, anchor
            entry.depth = depth
            self._changed.setdefault(entry.url, False)
            if entry.state is State.BEYOND and depth <= self.policy.max_depth:
                self._set_state(entry, State.QUEUED)
                if not self._only or entry.url in self._only:
                    self._buckets[entry.bucket].append(entry)
            waiting.extend((child, depth + 1, entry.url, "") for child in self._children.get(entry.url, ()))
            if entry.url in self._targets:
                waiting.append((self._targets[entry.url], depth, entry.url, ""))

    def _set_state(self, entry: FrontierEntry, state: State) -> None:
        entry.state = state
        self._changed.setdefault(entry.url, False)

    def _row(self, entry: FrontierEntry, is_new: bool) -> FrontierRow:  # noqa: FBT001  # private, called once
        return FrontierRow(entry.url, entry.state, entry.bucket, entry.seq, entry.depth, entry.parent, entry.anchor,
                           entry.priority, is_new, entry.written)  # fmt: skip
