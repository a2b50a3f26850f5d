"""A site that bears only so many requests a second and says so by 429 alone, crawled in fast mode over sockets."""

import asyncio

import pytest

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html
from arborist_pipeline_tests.support.token_bucket import TokenBucket
from arborist_pipeline_tests.workflows.conftest import Desk

PAGES = 400
RATE, BURST = 20.0, 10.0
SETTLED_AFTER = 0.4  # of all requests


def limited_site(bucket, retry_after):
    """A home page with links to all pages, each of which costs a token."""
    refusal = Reply(status=429, headers={} if retry_after is None else {"retry-after": retry_after})

    def page(request):
        return html(request.target, f"<p>The page {request.target}</p>") if bucket.take() else refusal

    routes = {f"/{n}": page for n in range(PAGES)}
    return LocalSite({"/": html("Home", links=routes), "/robots.txt": Reply(status=404), **routes})


# Where a site names no pause, each complaint costs one of two seconds: more than the tokens that it lets refill.
@pytest.mark.parametrize(("retry_after", "least"), [("1", 0.8), (None, 0.5)], ids=["named pause", "own pause"])
def test_the_pace_that_is_borne_is_found_and_kept_and_no_page_is_lost(store, figures, retry_after, least):
    bucket = TokenBucket(RATE, BURST)
    with limited_site(bucket, retry_after) as site:
        desk = Desk(store, SystemClock(), site.url())
        summary = asyncio.run(desk.crawl_http(connections=6))
    refused, pace = bucket.since(SETTLED_AFTER)
    complaints = sum(not given for _, given in bucket.verdicts)
    figures.append(
        f"limit of {RATE:g}/s, Retry-After {retry_after}: {refused:.1%} of settled requests refused, {complaints} of "
        f"all {len(bucket.verdicts)}; {pace / RATE:.0%} of the limit, longest gap {bucket.longest_gap_seconds:.1f} s"
    )
    assert summary.by_outcome == {"ok": PAGES + 1}
    assert summary.requests["retry"] == complaints
    assert refused < 0.02
    assert pace >= least * RATE
