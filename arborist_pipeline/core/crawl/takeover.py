"""What a crawl takes over from earlier ones, or a resumed one from its earlier part, and how that begins.

What is read of a million rows leaves a mark each; entries are read where they are needed. Rows that stand where they
no longer belong, since the depth limit, robots.txt or the site's patterns are others now, are put right a portion at a
time.
"""

from collections.abc import Iterator
from datetime import datetime

from arborist_pipeline.core.crawl.admission import Admission
from arborist_pipeline.core.crawl.entries import FrontierEntry, KnownUrl, State
from arborist_pipeline.core.crawl.known_urls import KnownUrls
from arborist_pipeline.core.crawl.marks import UNMET, Standing
from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.queues import DUE
from arborist_pipeline.core.web.url import Url

_DONE, _QUEUED, _BEYOND = State.DONE, State.QUEUED, State.BEYOND


def take_over(known: KnownUrls, admission: Admission) -> Iterator[None]:
    """Remember all stored rows and count what waits; yields where changes should be committed before it goes on."""
    misplaced: set[str] = set()
    for rows in known.rows.known(known.began_at):
        last = max(row[3] for row in rows)
        known.next_seq = max(known.next_seq, last + 1)
        misplaced.update(row[1] for row in rows if _recall(known, row, admission))
    if known.only:
        return
    if known.policy.walk is Walk.NIGHTLY:
        for bucket in DUE:
            known.queues.expect(bucket, 1)
    buckets = sorted({*Bucket, *known.learner.arms.by_number})
    for state in filter(misplaced.__contains__, State):
        for bucket in buckets:
            yield from _review(known, admission, state, bucket)


def _recall(known: KnownUrls, row: KnownUrl, admission: Admission) -> bool:
    """Remember a stored row; return whether it stands where it no longer belongs."""
    url, state, bucket, seq, depth, answered, written = row
    put = known.marks.put
    if seq < known.first_seq:
        put(url, UNMET[answered is not None], depth)
        return False
    known.note_tail(url)
    if state == _QUEUED:
        put(url, Standing.QUEUED, depth)
        known.unfetched += answered is None
        if bucket in DUE:  # done before, and queued again by other hands than the frontier's
            return True
        if not known.only:
            known.queues.expect(bucket, 1)
            if bucket == Bucket.LAST:
                known.traps.put_last(url)
        return depth > known.policy.max_depth
    if state == _DONE:
        put(url, Standing.ASKED if answered and known.is_resumed else Standing.DONE, depth)
        return False
    is_within = depth <= known.policy.max_depth
    if state == _BEYOND:
        put(url, Standing.BEYOND, depth)
        return is_within
    put(url, Standing.REFUSED if written is None else Standing.REFUSED_AS_WRITTEN, depth)
    return is_within and admission.reject(url, written=written) is None


def _review(known: KnownUrls, admission: Admission, state: State, bucket: int) -> Iterator[None]:
    """Bring the URLs of one state and bucket to what holds now."""
    limit = known.policy.max_depth
    least: int = 0
    most: int | None = limit
    if state is _QUEUED:
        least, most = 0 if bucket in DUE else limit + 1, None
    after = known.first_seq - 1
    while True:
        entries = known.rows.in_order(state, bucket, after=after, limit=known.portion, min_depth=least, max_depth=most)
        after = entries[-1].seq if entries else after  # before any gets another
        for entry in entries:
            if entry.depth > limit:
                _put_beyond(known, entry)
            elif state is _QUEUED or _is_admitted(admission, entry):
                known.queue(entry)
        if entries:
            yield
        if len(entries) < known.portion:
            return


def _put_beyond(known: KnownUrls, entry: FrontierEntry) -> None:
    if entry.bucket not in DUE:
        known.queues.expect(entry.bucket, -1)
    if entry.bucket == Bucket.LAST:
        known.traps.take(entry.url)
    known.set_state(entry, _BEYOND)


def _is_admitted(admission: Admission, entry: FrontierEntry) -> bool:
    return entry.state is _BEYOND or admission.reject(entry.url, written=entry.written) is None


def queue_by_name(known: KnownUrls, admission: Admission, seed: Url) -> None:
    """Queue the known ones of the URLs that a run is limited to, due or not; what it has answered stays so."""

    def place(entry: FrontierEntry) -> tuple[bool, datetime, int]:
        if entry.state is not _DONE or entry.due_at is None:
            return True, known.began_at, entry.seq
        return entry.url != seed, entry.due_at, entry.seq

    found = known.queues.find([url for url in known.policy.only if known.marks.is_met(url)])
    for entry in sorted(found.values(), key=place):
        if entry.state in (_QUEUED, _DONE):
            if known.marks.standing(entry.url) is not Standing.ASKED:
                known.queues.push(entry)
                if entry.bucket == Bucket.LAST:
                    known.traps.put_last(entry.url)
        elif _is_admitted(admission, entry):
            known.queue(entry)


def put_seed_first(known: KnownUrls, seed: Url) -> None:
    """Let the seed lead the known pages, where it is due."""
    if known.marks.standing(seed) is Standing.DONE:
        for entry in known.queues.find((seed,)).values():
            if known.policy.full or entry.due_at is None or entry.due_at <= known.began_at:
                known.queues.push_front(entry)
