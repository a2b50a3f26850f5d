"""One known URL of a site, as the frontier works with it and as the store keeps it; what the frontier asks the store.

A site may have a million known URLs. The frontier holds the few it works with; all others are rows of the store, which
knows only what was committed: what is newer than that the frontier has itself (`uncommitted`).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol

from arborist_pipeline.core.crawl.lessons import Lesson
from arborist_pipeline.core.crawl.link_features import Features
from arborist_pipeline.core.crawl.records import Priority, StoredPage
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url


class State(StrEnum):
    """Where a known URL stands. What is in flight stays `queued` in the store, so that a crash re-queues it."""

    QUEUED = "queued"
    DONE = "done"
    BEYOND = "beyond"  # deeper than the limit
    REFUSED = "refused"  # robots.txt forbids it


@dataclass(slots=True, kw_only=True)
class FrontierEntry:
    """One known URL of the site.

    `fetched` tells whether any run ever got an answer for it. `written` is the address as the link to it has it, where
    that differs from `url` for robots.txt (`core.web.links.Link`). `is_unread` marks a URL of an earlier crawl that
    was met again: `kind` and `stored` still have to be read from its row. `redirected` and `asked_again` are of this
    run alone. `bucket` is one of `Bucket` or the number of an arm; `features` are kept once they were computed.
    """

    url: Url
    depth: int
    state: State
    bucket: int
    seq: int
    parent: Url | None
    anchor: str
    priority: Priority
    fetched: bool = False
    kind: PageKind | None = None
    due_at: datetime | None = None
    stored: StoredPage | None = None
    written: str | None = None
    is_unread: bool = False
    redirected: bool = False
    asked_again: bool = False
    features: Features | None = None
    features_version: int = 0


class FrontierRow(NamedTuple):
    """A change for the store: where a URL stands now. `is_new` rows are inserted, the others updated."""

    url: Url
    state: State
    bucket: int
    seq: int
    depth: int
    parent: Url | None
    anchor: str
    priority: Priority
    is_new: bool
    written: str | None = None


KnownUrl = tuple[Url, str, int, int, int, bool | None, str | None]
"""What is remembered of a stored row: URL, state, bucket, seq, depth, whether the latest answer came since some moment
(None where none ever came), `written`. A plain tuple, since there may be millions."""


class Lead(NamedTuple):
    """A way on from an answered page: to a link of it, or to where it redirects (`is_hop`), which has its depth."""

    page: Url
    url: Url
    anchor: str
    is_hop: bool = False


class FrontierRows(Protocol):
    """The committed rows of one site's frontier. Each read but `known` is short: `limit` rows by an index."""

    def known(self, since: datetime) -> Iterator[Sequence[KnownUrl]]:
        """Stream all rows a portion at a time, in any order; an answer counts as new if it came at `since` or later."""
        ...

    def entries(self, urls: Sequence[Url]) -> Sequence[FrontierEntry]:
        """Return the entries of these URLs, as far as they have rows, in any order."""
        ...

    def in_order(
        self, state: State, bucket: int, *, after: int, limit: int, min_depth: int = 0, max_depth: int | None = None
    ) -> Sequence[FrontierEntry]:
        """Return entries of a state and bucket with seq > `after` and min_depth <= depth <= max_depth, by seq."""
        ...

    def due(
        self, bucket: int, *, until: datetime, is_full: bool, after: tuple[datetime, int] | None, limit: int
    ) -> Sequence[FrontierEntry]:
        """Return done entries that are due at `until`, those with (due_at, seq) > `after`, in order of these.

        `is_full` takes all that were not answered after `until` instead, whenever they are due.
        """
        ...

    def arms(self) -> Iterable[tuple[int, str, str]]:
        """Return the site's arms: number, key and an example of its addresses."""
        ...

    def lessons(self, limit: int) -> Iterable[Lesson]:
        """Return what the newest `limit` answers to addresses that no run had asked for before taught, oldest first."""
        ...

    def leads(self, urls: Sequence[Url]) -> Iterable[Lead]:
        """Return where these pages lead by their latest answers, each in its own order; nothing from nofollow pages."""
        ...
