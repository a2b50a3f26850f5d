"""The buckets of the frontier: the head of each in memory, the rest in the store.

A bucket is first in, first out by seq, and every URL that is queued (again) gets a seq above all others; so whatever
was read up to some seq is read for good, and the next portion is what the store and the uncommitted changes have after
it. Pages that are due stand in the order of their dates; those never move up, since an answer puts a date off.
"""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime

from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRows, State
from arborist_pipeline.core.crawl.marks import Marks, Standing
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.uncommitted import Uncommitted
from arborist_pipeline.core.web.url import Url

DUE = frozenset({Bucket.DUE_PRODUCT, Bucket.DUE_OTHER})


class _Queue:
    """One bucket. `behind` is how many wait after the head: exact for queued URLs, 1 for due pages not read yet."""

    __slots__ = ("behind", "cursor", "date", "head")

    def __init__(self, cursor: int) -> None:
        self.head: OrderedDict[Url, FrontierEntry] = OrderedDict()
        self.behind = 0
        self.cursor = cursor
        self.date: datetime | None = None


class Queues:
    """What waits in each bucket, and what was handed out of it and is under way.

    `first_seq` is the least seq that is this crawl's; `until` the moment at which pages must be due; `portion` the most
    entries that one read brings.
    """

    def __init__(
        self,
        rows: FrontierRows,
        marks: Marks,
        uncommitted: Uncommitted,
        *,
        first_seq: int,
        until: datetime,
        is_full: bool,
        portion: int,
    ) -> None:
        self.in_flight: dict[Url, FrontierEntry] = {}
        self._rows, self._marks, self._uncommitted = rows, marks, uncommitted
        self._until, self._is_full, self._portion = until, is_full, portion
        self._queues = tuple(_Queue(first_seq - 1) for _ in Bucket)

    def __repr__(self) -> str:
        return " ".join(f"{bucket.name.lower()}={self.count(bucket)}" for bucket in Bucket)

    def count(self, bucket: Bucket) -> int:
        """Return how many wait; of due pages those that were read."""
        queue = self._queues[bucket]
        return len(queue.head) + (0 if bucket in DUE else queue.behind)

    def expect(self, bucket: int, count: int) -> None:
        """Count URLs that wait in the store (fewer, if negative); of due pages one stands for any number."""
        self._queues[bucket].behind += count

    def push(self, entry: FrontierEntry) -> None:
        """Put an entry at the end of its bucket; its seq is above those of all others there."""
        queue = self._queues[entry.bucket]
        if queue.behind or len(queue.head) >= self._portion:
            queue.behind += 1
        else:
            queue.head[entry.url] = entry
            queue.cursor = entry.seq

    def push_front(self, entry: FrontierEntry) -> None:
        """Put an entry before all others of its bucket."""
        head = self._queues[entry.bucket].head
        head[entry.url] = entry
        head.move_to_end(entry.url, last=False)

    def is_waiting(self, bucket: Bucket) -> bool:
        """Whether anything waits in a bucket; reads the next portion where its head is empty."""
        queue = self._queues[bucket]
        read = self._read_due if bucket in DUE else self._read_queued
        while not queue.head and queue.behind:
            read(bucket, queue)
        return bool(queue.head)

    def pop(self, bucket: Bucket) -> FrontierEntry:
        """Take the first entry of a bucket that is waiting."""
        return self._queues[bucket].head.popitem(last=False)[1]

    def find(self, urls: Sequence[Url]) -> dict[Url, FrontierEntry]:
        """Return the entries of known URLs, from wherever they are."""
        held = (self._uncommitted.entries, self.in_flight, *(queue.head for queue in self._queues))
        found = {url: place[url] for url in urls for place in held if url in place}
        missing = [url for url in urls if url not in found]
        if missing:
            found.update((entry.url, entry) for entry in self._rows.entries(missing))
        return found

    # -- inside

    def _read_queued(self, bucket: Bucket, queue: _Queue) -> None:
        rows = self._rows.in_order(State.QUEUED, bucket, after=queue.cursor, limit=self._portion)
        is_last = len(rows) < self._portion
        horizon = None if is_last else rows[-1].seq
        changed = self._uncommitted.entries
        portion = [entry for entry in rows if entry.url not in changed]
        portion += [
            entry for entry in changed.values()
            if entry.bucket is bucket and entry.state is State.QUEUED and entry.seq > queue.cursor
            and (horizon is None or entry.seq <= horizon)
        ]  # fmt: skip
        portion = [entry for entry in portion if entry.url not in self.in_flight]  # one that was asked for again
        portion.sort(key=lambda entry: entry.seq)
        queue.head.update((entry.url, entry) for entry in portion)
        if horizon is not None:
            queue.cursor = horizon
        elif portion:
            queue.cursor = portion[-1].seq
        queue.behind = 0 if is_last else max(1, queue.behind - len(portion))

    def _read_due(self, bucket: Bucket, queue: _Queue) -> None:
        after = None if queue.date is None else (queue.date, queue.cursor)
        rows = self._rows.due(bucket, until=self._until, is_full=self._is_full, after=after, limit=self._portion)
        changed = self._uncommitted.entries
        for row in rows:
            entry = changed.get(row.url, row)
            if self._marks.standing(entry.url) is Standing.DONE and entry.url not in self.in_flight:
                queue.head[entry.url] = entry
        if rows:
            queue.date, queue.cursor = rows[-1].due_at, rows[-1].seq
        queue.behind = int(len(rows) == self._portion)
