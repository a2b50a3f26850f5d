"""All known URLs of a site: a mark each, the entries that are at work, and how a URL goes from one state to another."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRows, Lead, State
from arborist_pipeline.core.crawl.learner import Learner
from arborist_pipeline.core.crawl.marks import Marks, Standing
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.priority import Bucket, looks_like_product_url, product_tail
from arborist_pipeline.core.crawl.queues import DUE, Queues
from arborist_pipeline.core.crawl.records import Priority
from arborist_pipeline.core.crawl.traps import TrapWatch
from arborist_pipeline.core.crawl.uncommitted import Uncommitted
from arborist_pipeline.core.web.url import Url

_PAGES_AT_ONCE = 100  # whose links are in memory at once, when a shorter path is handed on
_ANSWERED = frozenset({Standing.DONE, Standing.ASKED, Standing.MOVED})


class Path(NamedTuple):
    """A way to a URL: the depth it gives, the page it leads from, the anchor there."""

    depth: int
    parent: Url | None = None
    anchor: str = ""


class KnownUrls:
    """The known URLs of one site under one policy; `unfetched` counts those queued that no run has asked for yet.

    `began_at` is when the crawl began; URLs with a seq below `first_seq` were left by earlier crawls to a fresh one.
    """

    def __init__(
        self, rows: FrontierRows, policy: CrawlPolicy, *, began_at: datetime, first_seq: int, is_resumed: bool,
        portion: int,
    ) -> None:  # fmt: skip
        self.rows, self.policy, self.began_at = rows, policy, began_at
        self.first_seq, self.is_resumed, self.portion = first_seq, is_resumed, portion
        self.only = frozenset(policy.only)
        self.marks = Marks()
        self.uncommitted = Uncommitted()
        self.queues = Queues(rows, self.marks, self.uncommitted, first_seq=first_seq, until=began_at,
                             is_full=policy.full, portion=max(portion, len(self.only) + 1))  # fmt: skip
        self.traps = TrapWatch(policy.max_pages)
        self.learner = Learner()
        self._tails: set[int] = set()  # of product-shaped addresses
        self.next_seq = max(1, first_seq)
        self.unfetched = 0

    def remember(  # one for each thing that is known of a new URL
        self,
        url: Url,
        path: Path,
        *,
        bucket: int,
        priority: Priority,
        written: str | None = None,
        is_refused: bool = False,
    ) -> None:
        """Take in a URL that this crawl had not met, and queue it where it may be asked for."""
        is_within = path.depth <= self.policy.max_depth or url in self.only
        state = State.REFUSED if is_refused else State.QUEUED if is_within else State.BEYOND
        before = self.marks.standing(url)
        entry = FrontierEntry(url=url, depth=path.depth, state=state, bucket=bucket, seq=self.next_seq,
                              parent=path.parent, anchor=path.anchor, priority=priority,
                              fetched=before is Standing.LEFT_ANSWERED, written=written,
                              is_unread=before is Standing.LEFT_ANSWERED)  # fmt: skip
        self.next_seq += 1
        self.uncommitted.add(entry, is_new=before is None)
        self.marks.put(url, standing_of(entry), path.depth)
        if state is State.QUEUED:
            self.unfetched += not entry.fetched
            if not self.only or url in self.only:
                self.queues.push(entry)

    def set_state(self, entry: FrontierEntry, state: State) -> None:
        """Bring an entry to another state; an answer is one of this crawl."""
        if not entry.fetched:
            self.unfetched += (state is State.QUEUED) - (entry.state is State.QUEUED)
        entry.state = state
        self.marks.put(entry.url, standing_of(entry), entry.depth)
        self.uncommitted.touch(entry)

    def bucket_for(self, url: Url, place: str) -> int:
        """Return where a new link belongs: in its arm, or behind, where it names a product that another one names."""
        if not self.policy.learns:
            return Bucket.PRODUCT_SHAPED if looks_like_product_url(url) else Bucket.QUEUE
        if not self.note_tail(url):
            return Bucket.BEHIND
        return self.learner.arms.number_for(url, place)

    def bucket_again(self, url: Url) -> int:
        """Return where a known URL belongs that is queued once more."""
        return self.learner.arms.number_for(url, "") if self.policy.learns else self.bucket_for(url, "")

    def note_tail(self, url: str) -> bool:
        """Take in a URL; return whether no other names the same product (in another collection, say)."""
        tail = product_tail(url)
        if tail is None:
            return True
        is_first = hash(tail) not in self._tails
        self._tails.add(hash(tail))
        return is_first

    def queue(self, entry: FrontierEntry, bucket: int | None = None) -> None:
        """Queue an entry, again or at last, behind all others of its bucket."""
        if bucket is not None:
            entry.bucket = bucket
        elif entry.bucket in DUE:
            entry.bucket = self.bucket_again(entry.url)
        entry.seq = self.next_seq
        self.next_seq += 1
        self.set_state(entry, State.QUEUED)
        if not self.only or entry.url in self.only:
            self.queues.push(entry)
            if entry.bucket == Bucket.LAST:
                self.traps.put_last(entry.url)

    def lower(self, paths: Mapping[Url, Path]) -> None:
        """Take shorter paths to known URLs, and from there to all that answered pages lead to."""
        while paths:
            nearer = [url for url, path in paths.items() if path.depth < self.marks.depth(url)]
            found = self.queues.find(nearer)
            entries = [found[url] for url in nearer if url in found]
            for entry in entries:
                self._approach(entry, paths[entry.url])
            answered = [entry for entry in entries if self.marks.standing(entry.url) in _ANSWERED]
            paths = self._paths_from(answered)

    def read_in(self, entry: FrontierEntry) -> None:
        """Read what earlier crawls left of an entry that this one met again."""
        if entry.is_unread:
            for earlier in self.rows.entries((entry.url,)):
                entry.kind, entry.stored = earlier.kind, earlier.stored
            entry.is_unread = False

    def moved_before(self, url: Url) -> bool:
        """Whether a URL redirected in the earlier part of a resumed crawl, and nothing newer is known of it."""
        if not self.is_resumed or self.marks.standing(url) is not Standing.ASKED or url in self.uncommitted.entries:
            return False
        return any(lead.is_hop for lead in self.rows.leads((url,)))

    def _approach(self, entry: FrontierEntry, path: Path) -> None:
        if path.parent != entry.parent or path.anchor:
            entry.parent, entry.anchor = path.parent, path.anchor
        entry.depth = path.depth
        if entry.state is State.BEYOND and path.depth <= self.policy.max_depth:
            self.queue(entry)
        else:
            self.marks.lower(entry.url, path.depth)
            self.uncommitted.touch(entry)

    def _paths_from(self, pages: Sequence[FrontierEntry]) -> dict[Url, Path]:
        """Return the paths on from answered pages that are shorter than what is known; of two equal ones the first."""
        paths: dict[Url, Path] = {}
        for first in range(0, len(pages), _PAGES_AT_ONCE):
            entries = {page.url: page for page in pages[first : first + _PAGES_AT_ONCE]}
            for lead in self._leads(entries):
                page = entries[lead.page]
                depth = page.depth + (not lead.is_hop)
                best = paths[lead.url].depth if lead.url in paths else self._depth_if_met(lead.url)
                if depth < best:
                    paths[lead.url] = Path(depth, page.url, page.anchor if lead.is_hop else lead.anchor)
        return paths

    def _depth_if_met(self, url: Url) -> int:
        return self.marks.depth(url) if self.marks.is_met(url) else 0

    def _leads(self, pages: Iterable[Url]) -> Iterator[Lead]:
        fresh = {page: self.uncommitted.leads(page) for page in pages}
        unknown = [page for page, leads in fresh.items() if leads is None]
        stored: dict[Url, list[Lead]] = {page: [] for page in unknown}
        for lead in self.rows.leads(unknown) if unknown else ():
            stored[lead.page].append(lead)
        for page, leads in fresh.items():
            yield from stored[page] if leads is None else leads


def standing_of(entry: FrontierEntry) -> Standing:
    """Return where an entry stands; one that is done was answered in this crawl."""
    if entry.state is State.QUEUED:
        return Standing.QUEUED
    if entry.state is State.BEYOND:
        return Standing.BEYOND
    if entry.state is State.REFUSED:
        return Standing.REFUSED if entry.written is None else Standing.REFUSED_AS_WRITTEN
    return Standing.MOVED if entry.redirected and not entry.asked_again else Standing.ASKED
