"""A frontier of one shop, and the small values that go into it."""

from collections.abc import Iterable
from datetime import timedelta

import pytest

from arborist_pipeline.core.crawl import policy as crawl_policy
from arborist_pipeline.core.crawl.admission import build_admission
from arborist_pipeline.core.crawl.entries import FrontierEntry, State
from arborist_pipeline.core.crawl.frontier import PORTION, Frontier
from arborist_pipeline.core.crawl.memory_rows import Answer, MemoryRows
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.priority import Bucket, looks_like_product_url
from arborist_pipeline.core.crawl.records import Priority, Tier
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url, canonicalize
from arborist_pipeline_tests.support.builders import NOON, SHOP_URL

SEED = canonicalize(SHOP_URL)


class Walk:
    """A frontier driven by hand: paths instead of URLs, and what was handed out in order.

    `entries` are what earlier runs left. Nothing is committed but by `commit`; a frontier over the same `rows` then
    begins as that of the next run, or of the same crawl resumed if it has the same `began_at`. Unless it is told to it
    does not learn, so that the order is one that a test can state.
    """

    def __init__(
        self, *, robots=None, include=(), exclude=(), entries=(), seed=SEED, now=NOON, rows=None, began_at=None,
        first_seq=None, is_resumed=False, portion=PORTION, last_decision=0, **policy,
    ) -> None:  # fmt: skip
        self.now = now
        self.rows = rows or MemoryRows(entries)
        admission = build_admission(seed, include=include, exclude=exclude, robots=robots or {})
        policy["only"] = tuple(at(path) for path in policy.pop("only", ()))
        policy = CrawlPolicy(**{"max_pages": 0, "learns": False, **policy})
        if first_seq is None:
            is_fresh = policy.walk is crawl_policy.Walk.FRESH
            first_seq = (
                max((entry.seq for entry in self.rows.entries_by_url.values()), default=0) + 1 if is_fresh else 0
            )
        self.first_seq = first_seq
        self.frontier = Frontier(policy, admission, seed, rows=self.rows, began_at=began_at or now, portion=portion,
                                 first_seq=first_seq, is_resumed=is_resumed, last_decision=last_decision)  # fmt: skip
        self.answers = {}
        for _ in self.frontier.restore():
            self.commit()
        self.frontier.start()

    def take(self) -> str | None:
        request = self.frontier.next()
        return None if request is None else path_of(request.url)

    def fetch(self, path: str, links: Iterable[str] = (), *, kind=PageKind.OTHER, gone=False):
        """Close a request as a page with these links; returns when it is due again."""
        links = links_to(links)
        new, _ = self.frontier.follow(at(path), links)
        done = self.frontier.complete(at(path), kind=kind, new_links=new, now=self.now, gone=gone)
        self.answers[at(path)] = Answer(self.now, done.due_at, kind, links, lesson=done.lesson)
        return done.due_at

    def redirect(self, path: str, target: str, *, kind=None) -> None:
        self.frontier.follow_redirect(at(path), Link(url=at(target), text=""))
        done = self.frontier.complete(at(path), kind=kind, new_links=0, now=self.now)
        self.answers[at(path)] = Answer(self.now, done.due_at, kind, target=at(target), lesson=done.lesson)

    def seal(self) -> None:
        """Take a batch of what came since the last time."""
        self.sealed, self.answers = (self.frontier.take_changes(), self.answers, self.frontier.take_arms()), {}

    def write(self) -> None:
        """Store the batch that was taken."""
        changes, answers, arms = self.sealed
        self.rows.commit(changes, answers.items(), arms)
        self.frontier.settle(changes)

    def commit(self) -> None:
        """Store what came since the last time."""
        self.seal()
        self.write()

    def drain(self, site=None, **options) -> list[str]:
        """Take and fetch until nothing is handed out; `site` maps a path to its links."""
        order = []
        while (path := self.take()) is not None:
            order.append(path)
            self.fetch(path, (site or {}).get(path, ()), **options)
        return order

    def depth(self, path: str) -> int:
        return self.frontier.depth_of(at(path))


def at(path: str) -> Url:
    return canonicalize(f"https://shop.example{path}")


def path_of(url: Url) -> str:
    return url.removeprefix("https://shop.example")


def links_to(paths: Iterable[str]) -> tuple[Link, ...]:
    return tuple(Link(url=at(path), text=f"to {path}") for path in paths)


def bucket_of(url: str) -> Bucket:
    """Where a frontier that does not learn puts an address."""
    return Bucket.PRODUCT_SHAPED if looks_like_product_url(url) else Bucket.QUEUE


def make_entry(path: str, seq: int, *, state=State.DONE, due_hours=-1.0, depth=1, kind=None, stored=None):
    """A row of an earlier run; `due_hours` counts from noon."""
    url = at(path)
    bucket = bucket_of(url)
    priority = Priority(Tier.ORDER, 0.0, "in order of discovery")
    due_at = NOON + timedelta(hours=due_hours) if state is State.DONE else None
    return FrontierEntry(url=url, depth=depth, state=state, bucket=bucket, seq=seq, parent=SEED, anchor="",
                         priority=priority, fetched=state is State.DONE, kind=kind, due_at=due_at,
                         stored=stored)  # fmt: skip


@pytest.fixture
def walk():
    return Walk


@pytest.fixture
def entry():
    return make_entry
