"""The frontier's rows in memory: what a store keeps of them, and what it knows of a page that was answered."""

from copy import copy
from dataclasses import dataclass, replace

from arborist_pipeline.core.crawl.entries import FrontierEntry, Lead, State
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.web.page import PageKind


@dataclass(slots=True)
class Answer:
    """What the store knows of a page's latest answer."""

    answered_at: object
    due_at: object
    kind: object = None
    links: tuple = ()
    target: object = None
    lesson: object = None


class MemoryRows:
    """`core.crawl.entries.FrontierRows` over a dict; what is handed out are copies, as from a database."""

    def __init__(self, entries=(), *, answered_at=None):
        self.entries_by_url = {}
        self.answers = {}
        self.arms_made = []
        self.taught = []
        for entry in entries:
            self.entries_by_url[entry.url] = entry
            if entry.fetched:
                self.answers[entry.url] = Answer(answered_at, entry.due_at, entry.kind)
            if entry.state is State.DONE:
                entry.bucket = Bucket.DUE_PRODUCT if entry.kind is PageKind.PRODUCT else Bucket.DUE_OTHER

    def arms(self):
        return list(self.arms_made)

    def lessons(self, limit):
        return self.taught[-limit:]

    def commit(self, changes, answers=(), arms=()):
        """Store a batch: the frontier's changes, the (url, Answer) pairs of its pages, and the arms that are new."""
        self.arms_made += arms
        for row in changes:
            assert row.is_new == (row.url not in self.entries_by_url), row.url
            values = {name: getattr(row, name) for name in row._fields if name != "is_new"}
            known = self.entries_by_url.get(row.url)
            self.entries_by_url[row.url] = replace(known, **values) if known else FrontierEntry(**values)
        for url, answer in answers:
            entry = self.entries_by_url[url]
            self.taught += [answer.lesson] if answer.lesson is not None else []
            answer.kind = answer.kind or entry.kind
            self.answers[url] = answer
            entry.fetched, entry.due_at, entry.kind = True, answer.due_at, answer.kind

    def known(self, since):
        for entry in self.entries_by_url.values():
            at = self.answers[entry.url].answered_at if entry.url in self.answers else None
            answered = None if not entry.fetched else at is not None and at >= since
            yield [(entry.url, str(entry.state), int(entry.bucket), entry.seq, entry.depth, answered, entry.written)]

    def entries(self, urls):
        return [copy(self.entries_by_url[url]) for url in urls if url in self.entries_by_url]

    def in_order(self, state, bucket, *, after, limit, min_depth=0, max_depth=None):
        found = [entry for entry in self.entries_by_url.values()
                 if entry.state is state and entry.bucket == bucket and entry.seq > after
                 and min_depth <= entry.depth <= (entry.depth if max_depth is None else max_depth)]  # fmt: skip
        return [copy(entry) for entry in sorted(found, key=lambda entry: entry.seq)[:limit]]

    def due(self, bucket, *, until, is_full, after, limit):
        found = []
        for entry in self.entries_by_url.values():
            if entry.state is State.DONE and entry.bucket == bucket:
                at = self.answers[entry.url].answered_at
                is_due = (at is None or at <= until) if is_full else entry.due_at <= until
                if is_due and (after is None or (entry.due_at, entry.seq) > after):
                    found.append(entry)
        return [copy(entry) for entry in sorted(found, key=lambda entry: (entry.due_at, entry.seq))[:limit]]

    def leads(self, urls):
        for url in urls:
            answer = self.answers.get(url)
            if answer is not None:
                yield from (Lead(url, link.url, link.text) for link in answer.links)
                if answer.target is not None:
                    yield Lead(url, answer.target, "", is_hop=True)
