"""Crawled pages and the summary as JSON values (contract §5.1), and pages brought back into fetch order."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Outcome
from arborist_pipeline.core.prompt import ModelCall
from arborist_pipeline.core.web.url import redact


def page_to_json(page: CrawledPage) -> dict[str, Any]:
    """Return a page in the shape and order of contract §5.1.

    A page that was not modified has the document root of the version that still holds.
    """
    root = page.document_root
    if root is None and page.outcome is Outcome.NOT_MODIFIED and page.stored is not None:
        root = page.stored.document_root
    return {
        "order": page.order,
        "url": page.url,
        "final_url": page.final_url,
        "depth": page.depth,
        "parent": page.parent,
        "anchor": page.anchor,
        "status": page.status,
        "outcome": page.outcome.value,
        "reason": redact(page.reason),
        "kind": page.kind and page.kind.value,
        "priority": {"tier": page.priority.tier.value, "score": page.priority.score, "why": page.priority.why},
        "rendered": False,  # no page is rendered so far
        "elapsed_seconds": round(page.elapsed_seconds, 3),
        "bytes": page.size_bytes,
        "title": page.title,
        "document_root": root and root.hex(),
        "fetched_at": timestamp(page.fetched_at),
    }


def summary_to_json(summary: CrawlSummary) -> dict[str, Any]:
    """Return what stands under `summary` in the last line: contract §5.1, then reason, crawl, rejected, traps, call."""
    return {
        "pages": summary.pages,
        "products": summary.products,
        "documents": summary.documents,
        "by_outcome": dict(summary.by_outcome),
        "by_tier": dict(summary.by_tier),
        "first_product_at": summary.first_product_at,
        "llm_calls": summary.llm_calls,
        "requests": dict(summary.requests),
        "needs_rendering": summary.needs_rendering,
        "unfetched": summary.unfetched,
        "stopped_by": summary.stopped_by.value,
        "reason": redact(summary.reason),
        "crawl_id": summary.crawl_id,
        "rejected": dict(summary.rejected),
        "traps": [asdict(trap) for trap in summary.traps],
        "llm_call": None if summary.llm_call is None else _call_to_json(summary.llm_call),
    }


def _call_to_json(call: ModelCall) -> dict[str, Any]:
    return {"model": call.model, "outcome": call.outcome.value, "prompt_tokens": call.prompt_tokens,
            "completion_tokens": call.completion_tokens, "cost": None if call.cost is None else f"{call.cost:f}",
            "seconds": call.seconds}  # fmt: skip


class FetchOrder:
    """Gives back pages in order of `order`, though several at once are done in any order.

    `last_order` is the order before the first one that will come: 0 for a new crawl. Pages that were never requested
    have no order and pass at once.
    """

    def __init__(self, last_order: int = 0) -> None:
        self._next = last_order + 1
        self._waiting: dict[int, CrawledPage] = {}

    def knows(self, page: CrawledPage) -> bool:
        """Whether a page with this order has come before: then this one corrects it."""
        return page.order is not None and (page.order < self._next or page.order in self._waiting)

    def put(self, page: CrawledPage) -> tuple[CrawledPage, ...]:
        """Take a page that is done and return what may be told now; one that corrects a told page is told at once."""
        if page.order is None or page.order < self._next:
            return (page,)
        self._waiting[page.order] = page
        ready = []
        while self._next in self._waiting:
            ready.append(self._waiting.pop(self._next))
            self._next += 1
        return tuple(ready)

    def take_rest(self) -> tuple[CrawledPage, ...]:
        """Return what still waits when the crawl has ended, for pages before it that never came."""
        rest = tuple(self._waiting.pop(order) for order in sorted(self._waiting))
        self._next = max([self._next, *(page.order + 1 for page in rest if page.order is not None)])
        return rest


def timestamp(moment: datetime) -> str:
    """Return an aware moment in UTC, ISO 8601 to the millisecond, with Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
