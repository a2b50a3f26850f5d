"""Values that tests of the core begin with: a page from its mark-up, a result from a status and a body."""

from collections.abc import Mapping
from datetime import UTC, datetime

from arborist_pipeline.core.web.fetch import FetchFailure, FetchResult
from arborist_pipeline.core.web.page import Page, parse_body
from arborist_pipeline.core.web.url import Url, canonicalize, resolve

SHOP_URL = "https://shop.example/"
NOON = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)
HTML = "text/html; charset=utf-8"


def make_page(html: str, *, url: str = SHOP_URL, headers: Mapping[str, str] | None = None) -> Page:
    """The page that this mark-up is, read as UTF-8; headers add to the media type."""
    return parse_body(html.encode(), url=canonicalize(url), headers={"content-type": HTML, **(headers or {})})


def make_result(
    body: str | bytes = b"",
    *,
    url: str = SHOP_URL,
    status: int | None = 200,
    headers: Mapping[str, str] | None = None,
    location: str | None = None,
    failure: FetchFailure | None = None,
    fetched_at: datetime = NOON,
    truncated: bool = False,
) -> FetchResult:
    """What a fetcher gives: HTML unless headers say otherwise; a location makes a redirect, a failure has no status."""
    requested = canonicalize(url)
    content = body.encode() if isinstance(body, str) else body
    redirect_to: Url | None = resolve(requested, location) if location is not None else None
    given = {"content-type": HTML, **(headers or {})} if failure is None else {}
    if location is not None:
        given["location"] = location
    return FetchResult(
        requested_url=requested,
        status=None if failure else status,
        headers=given,
        body=content,
        body_read=failure is None,
        truncated=truncated,
        redirect_to=redirect_to,
        location=location,
        fetched_at=fetched_at,
        elapsed_seconds=0.25,
        failure=failure,
    )
