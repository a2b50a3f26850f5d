"""One known URL of a site, as the frontier works with it and as the store keeps it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from arborist_pipeline.core.crawl.priority import Bucket
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
    that differs from `url` for robots.txt (`core.web.links.Link`).
    """

    url: Url
    depth: int
    state: State
    bucket: Bucket
    seq: int
    parent: Url | None
    anchor: str
    priority: Priority
    fetched: bool = False
    kind: PageKind | None = None
    due_at: datetime | None = None
    stored: StoredPage | None = None
    written: str | None = None


@dataclass(frozen=True, slots=True)
class FrontierRow:
    """A change for the store: where a URL stands now. `is_new` rows are inserted, the others updated."""

    url: Url
    state: State
    bucket: Bucket
    seq: int
    depth: int
    parent: Url | None
    anchor: str
    priority: Priority
    is_new: bool
    written: str | None = None
