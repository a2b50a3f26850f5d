"""What a refresh of a site came to, for whoever asked for it; and when a crawl counts as failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from arborist_pipeline.core.crawl.records import CrawlSummary, StoppedBy

_FAILURES = frozenset({StoppedBy.ERRORS, StoppedBy.ROBOTS, StoppedBy.LEASE_LOST, StoppedBy.INTERRUPTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRefresh:
    """One site refreshed: whether all went well, else why not and what to do.

    `counts` has what is known by then of: `run_id`, `pages`, `products`, `with_price`, `first_product_at`,
    `first_60_products`, `unfetched`, `stopped_by`, `documents_new`, `documents_unchanged`, `documents_superseded`,
    `documents_gone`, `products_new`, `products_changed`, `products_gone`, `price_changes`, `report` (path), `findings`
    (signal to count).
    """

    key: str
    ok: bool
    reason: str = ""
    counts: Mapping[str, Any] = field(default_factory=dict)


def crawl_failure(summary: CrawlSummary, seed_url: str) -> str | None:
    """Say why a crawl counts as failed and what to do about it; None where it ended as a crawl should."""
    if summary.stopped_by not in _FAILURES:
        return None
    if summary.stopped_by is StoppedBy.INTERRUPTED:
        return f"{summary.reason or 'interrupted'}; the next run goes on from there"
    if summary.reason:
        return summary.reason
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(summary.by_outcome.items()))
    asked = outcomes or "none was asked for"
    return f"no page of {seed_url} answered well ({asked}): open it in a browser, then try again"
