"""A frontier of one shop, and the small values that go into it."""

from collections.abc import Iterable
from datetime import timedelta

import pytest

from arborist_pipeline.core.crawl.admission import build_admission
from arborist_pipeline.core.crawl.entries import FrontierEntry, State
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.priority import rank
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url, canonicalize
from arborist_pipeline_tests.support.builders import NOON, SHOP_URL

SEED = canonicalize(SHOP_URL)


class Walk:
    """A frontier driven by hand: paths instead of URLs, and what was handed out in order."""

    def __init__(self, *, robots=None, include=(), exclude=(), entries=(), seed=SEED, now=NOON, **policy) -> None:
        self.now = now
        admission = build_admission(seed, include=include, exclude=exclude, robots=robots or {})
        policy["only"] = tuple(at(path) for path in policy.pop("only", ()))
        self.frontier = Frontier(CrawlPolicy(**{"max_pages": 0, **policy}), admission, seed)
        self.frontier.restore(entries, now)
        self.frontier.start()

    def take(self) -> str | None:
        request = self.frontier.next()
        return None if request is None else path_of(request.url)

    def fetch(self, path: str, links: Iterable[str] = (), *, kind=PageKind.OTHER, gone=False):
        """Close a request as a page with these links; returns when it is due again."""
        new, _ = self.frontier.follow(at(path), links_to(links))
        return self.frontier.complete(at(path), kind=kind, new_links=new, now=self.now, gone=gone)

    def redirect(self, path: str, target: str) -> None:
        self.frontier.follow_redirect(at(path), Link(url=at(target), text=""))
        self.frontier.complete(at(path), kind=None, new_links=0, now=self.now)

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


def make_entry(path: str, seq: int, *, state=State.DONE, due_hours=-1.0, depth=1, kind=None, stored=None):
    """A row of an earlier run; `due_hours` counts from noon, None leaves it without a date."""
    url = at(path)
    bucket, priority = rank(url)
    due_at = None if due_hours is None else NOON + timedelta(hours=due_hours)
    return FrontierEntry(url=url, depth=depth, state=state, bucket=bucket, seq=seq, parent=SEED, anchor="",
                         priority=priority, fetched=state is State.DONE, kind=kind, due_at=due_at,
                         stored=stored)  # fmt: skip


@pytest.fixture
def walk():
    return Walk


@pytest.fixture
def entry():
    return make_entry
