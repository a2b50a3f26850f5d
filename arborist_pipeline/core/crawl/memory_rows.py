"""The frontier's rows in memory (`entries.FrontierRows`): for a crawl that is decided again, and for tests."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime

from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRow, KnownUrl, Lead, State
from arborist_pipeline.core.crawl.lessons import Lesson
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url


@dataclass(slots=True)
class Answer:
    """What is known of a page's latest answer."""

    answered_at: datetime | None
    due_at: datetime | None
    kind: PageKind | None = None
    links: tuple[Link, ...] = ()
    target: Url | None = None
    lesson: Lesson | None = None


class MemoryRows:
    """Rows in a dict; what is handed out are copies, as from a database."""

    def __init__(self, entries: Iterable[FrontierEntry] = (), *, answered_at: datetime | None = None) -> None:
        self.entries_by_url: dict[Url, FrontierEntry] = {}
        self.answers: dict[Url, Answer] = {}
        self.arms_made: list[tuple[int, str, str]] = []
        self.taught: list[Lesson] = []
        for entry in entries:
            self.entries_by_url[entry.url] = entry
            if entry.fetched:
                self.answers[entry.url] = Answer(answered_at, entry.due_at, entry.kind)
            if entry.state is State.DONE:
                entry.bucket = Bucket.DUE_PRODUCT if entry.kind is PageKind.PRODUCT else Bucket.DUE_OTHER

    def commit(
        self,
        changes: Iterable[FrontierRow],
        answers: Iterable[tuple[Url, Answer]] = (),
        arms: Iterable[tuple[int, str, str]] = (),
    ) -> None:
        """Store a batch: the frontier's changes, the answers of its pages, and the arms that are new."""
        self.arms_made += arms
        for row in changes:
            known = self.entries_by_url.get(row.url)
            assert row.is_new == (known is None), row.url  # noqa: S101  # a database would refuse it
            values = {name: getattr(row, name) for name in row._fields if name != "is_new"}
            self.entries_by_url[row.url] = replace(known, **values) if known else FrontierEntry(**values)
        for url, answer in answers:
            entry = self.entries_by_url[url]
            self.taught += [answer.lesson] if answer.lesson is not None else []
            answer.kind = answer.kind or entry.kind
            self.answers[url] = answer
            entry.fetched, entry.due_at, entry.kind = True, answer.due_at, answer.kind

    def arms(self) -> list[tuple[int, str, str]]:
        """Return the arms."""
        return list(self.arms_made)

    def lessons(self, limit: int) -> list[Lesson]:
        """Return the newest lessons, oldest first."""
        return self.taught[-limit:]

    def known(self, since: datetime) -> Iterator[Sequence[KnownUrl]]:
        """Yield a portion a row."""
        for entry in self.entries_by_url.values():
            at = self.answers[entry.url].answered_at if entry.url in self.answers else None
            answered = None if not entry.fetched else at is not None and at >= since
            yield [(entry.url, str(entry.state), int(entry.bucket), entry.seq, entry.depth, answered, entry.written)]

    def entries(self, urls: Sequence[Url]) -> list[FrontierEntry]:
        """Return the entries of these URLs."""
        return [copy(self.entries_by_url[url]) for url in urls if url in self.entries_by_url]

    def in_order(
        self, state: State, bucket: int, *, after: int, limit: int, min_depth: int = 0, max_depth: int | None = None
    ) -> list[FrontierEntry]:
        """Return entries of a state and bucket by seq."""
        found = [entry for entry in self.entries_by_url.values()
                 if entry.state is state and entry.bucket == bucket and entry.seq > after
                 and min_depth <= entry.depth <= (entry.depth if max_depth is None else max_depth)]  # fmt: skip
        return [copy(entry) for entry in sorted(found, key=lambda entry: entry.seq)[:limit]]

    def due(
        self, bucket: int, *, until: datetime, is_full: bool, after: tuple[datetime, int] | None, limit: int
    ) -> list[FrontierEntry]:
        """Return done entries that are due, by date and seq."""
        found: list[tuple[tuple[datetime, int], FrontierEntry]] = []
        for entry in self.entries_by_url.values():
            if entry.state is not State.DONE or entry.bucket != bucket or entry.due_at is None:
                continue
            at = self.answers[entry.url].answered_at
            is_due = (at is None or at <= until) if is_full else entry.due_at <= until
            if is_due and (after is None or (entry.due_at, entry.seq) > after):
                found.append(((entry.due_at, entry.seq), entry))
        return [copy(entry) for _, entry in sorted(found, key=lambda each: each[0])[:limit]]

    def leads(self, urls: Sequence[Url]) -> Iterator[Lead]:
        """Yield where these pages lead by their latest answers."""
        for url in urls:
            answer = self.answers.get(url)
            if answer is not None:
                yield from (Lead(url, link.url, link.text) for link in answer.links)
                if answer.target is not None:
                    yield Lead(url, answer.target, "", is_hop=True)
