"""The buckets of the frontier: the head of each in memory, the rest in the store.

A bucket stands in order of seq, and of its first entries any may be taken. Every URL that is queued (again) gets a seq
above all others; so whatever was read up to some seq is read for good, and the next portion is what the store and the
uncommitted changes have after it. Pages that are due stand in the order of their dates; those never move up, since an
answer puts a date off.
"""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime
from itertools import islice

from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRows, State
from arborist_pipeline.core.crawl.marks import Marks, Standing
from arborist_pipeline.core.crawl.priority import FIRST_ARM, Bucket
from arborist_pipeline.core.crawl.uncommitted import Uncommitted
from arborist_pipeline.core.web.url import Url

_ALWAYS = tuple(bucket for bucket in Bucket if bucket is not Bucket.BEHIND)
WINDOW = 32
"""The first entries of a bucket, from which the best is chosen."""
DUE: frozenset[int] = frozenset({Bucket.DUE_PRODUCT, Bucket.DUE_OTHER})


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
        self._first_seq = first_seq
        self._queues: dict[int, _Queue] = {}

    def __repr__(self) -> str:
        return " ".join(f"{_name(number)}={self.count(number)}" for number in sorted({*_ALWAYS, *self._queues}))

    @property
    def numbers(self) -> list[int]:
        """The buckets that something ever waited in."""
        return list(self._queues)

    def count(self, bucket: int) -> int:
        """Return how many wait; of due pages those that were read."""
        queue = self._queues.get(bucket)
        if queue is None:
            return 0
        return len(queue.head) + (0 if bucket in DUE else queue.behind)

    def expect(self, bucket: int, count: int) -> None:
        """Count URLs that wait in the store (fewer, if negative); of due pages one stands for any number."""
        self._queue(bucket).behind += count

    def push(self, entry: FrontierEntry) -> None:
        """Put an entry at the end of its bucket; its seq is above those of all others there."""
        queue = self._queue(entry.bucket)
        if queue.behind or len(queue.head) >= self._portion:
            queue.behind += 1
        else:
            queue.head[entry.url] = entry
            queue.cursor = entry.seq

    def push_front(self, entry: FrontierEntry) -> None:
        """Put an entry before all others of its bucket."""
        head = self._queue(entry.bucket).head
        head[entry.url] = entry
        head.move_to_end(entry.url, last=False)

    def is_waiting(self, bucket: int) -> bool:
        """Whether anything waits in a bucket."""
        return self.first(bucket) is not None

    def first(self, bucket: int) -> FrontierEntry | None:
        """Return the first entry of a bucket, None where nothing waits."""
        queue = self._queues.get(bucket)
        if queue is None:
            return None
        if not queue.head and queue.behind:
            self._read_on(bucket, queue)
        return next(iter(queue.head.values()), None)

    def window(self, bucket: int) -> list[FrontierEntry]:
        """Return the first entries of a bucket: 32 where as many wait, whatever part of them was in memory."""
        queue = self._queues[bucket]
        if len(queue.head) < WINDOW and queue.behind:
            self._read_on(bucket, queue)
        return list(islice(queue.head.values(), WINDOW))

    def take(self, entry: FrontierEntry) -> None:
        """Take an entry out of its bucket."""
        del self._queues[entry.bucket].head[entry.url]

    def pop(self, bucket: int) -> FrontierEntry:
        """Take the first entry of a bucket that is waiting."""
        return self._queues[bucket].head.popitem(last=False)[1]

    def find(self, urls: Sequence[Url]) -> dict[Url, FrontierEntry]:
        """Return the entries of known URLs, from wherever they are."""
        held = (self._uncommitted.entries, self.in_flight, *(queue.head for queue in self._queues.values()))
        found = {url: place[url] for url in urls for place in held if url in place}
        missing = [url for url in urls if url not in found]
        if missing:
            found.update((entry.url, entry) for entry in self._rows.entries(missing))
        return found

    # -- inside

    def _queue(self, bucket: int) -> _Queue:
        queue = self._queues.get(bucket)
        if queue is None:
            queue = self._queues[bucket] = _Queue(self._first_seq - 1)
        return queue

    def _read_on(self, bucket: int, queue: _Queue) -> None:
        """Read until a window is full or nothing is left behind it."""
        read = self._read_due if bucket in DUE else self._read_queued
        while len(queue.head) < WINDOW and queue.behind:
            read(bucket, queue)

    def _read_queued(self, bucket: int, queue: _Queue) -> None:
        rows = self._rows.in_order(State.QUEUED, bucket, after=queue.cursor, limit=self._portion)
        is_last = len(rows) < self._portion
        horizon = None if is_last else rows[-1].seq
        changed = self._uncommitted.entries
        portion = [entry for entry in rows if entry.url not in changed]
        portion += [
            entry for entry in changed.values()
            if entry.bucket == bucket and entry.state is State.QUEUED and entry.seq > queue.cursor
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

    def _read_due(self, bucket: int, queue: _Queue) -> None:
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


def _name(bucket: int) -> str:
    return f"arm_{bucket}" if bucket >= FIRST_ARM else Bucket(bucket).name.lower()
