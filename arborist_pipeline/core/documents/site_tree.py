"""A site as a tree: one leaf a page, in order of URL (code points), each its URL with the root of what it said.

The root is one hash for all that a crawl left: two crawls with one root say the same, page by page.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from arborist_pipeline.core.documents.merkle import hash_leaf

SITE_RECIPE = "site-v1/rfc6962-sha256"


class SiteState(NamedTuple):
    """The tree of a site as it stood after a crawl. `number` grows with time, over all sites."""

    number: int
    site_id: int
    crawl_id: int | None
    root: bytes
    size: int


class Step(StrEnum):
    """What became of a page between two trees."""

    NEW = "new"
    GONE = "gone"
    CHANGED = "changed"


class PageStep(NamedTuple):
    """A page that two trees do not both have, or not with one root."""

    url: str
    step: Step
    from_root: bytes | None
    to_root: bytes | None


def hash_page(url: str, document_root: bytes) -> bytes:
    """Return the leaf hash of a page (32 bytes)."""
    return hash_leaf(document_root + url.encode())


def compare_pages(before: Iterable[tuple[str, bytes]], after: Iterable[tuple[str, bytes]]) -> Iterator[PageStep]:
    """Yield what became of pages in order of URL; given are those that one tree has and the other has not."""
    was, now = dict(before), dict(after)
    for url in sorted(was.keys() | now.keys()):
        old, new = was.get(url), now.get(url)
        if old != new:
            step = Step.NEW if old is None else Step.GONE if new is None else Step.CHANGED
            yield PageStep(url, step, old, new)
