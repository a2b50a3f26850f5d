"""A site that bears only so many requests a second and says so by 429 alone, crawled in fast mode over sockets."""

import asyncio
from itertools import pairwise

import pytest

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline_tests.support.rate_limits import Gate, TokenBucket
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html
from arborist_pipeline_tests.workflows.conftest import Desk

PAGES = 500
RATE, BURST = 20.0, 10.0
SETTLED_AFTER = 0.4  # of all requests
BEAT_SECONDS = 0.01
# A clock that shows when nothing ran for longer than a start can be late and be made up for.
STALL_SECONDS = 0.5 / RATE


def limited_site(gate, retry_after):
    """A home page with links to all pages, each of which costs a token."""
    refusal = Reply(status=429, headers={} if retry_after is None else {"retry-after": retry_after})

    def page(request):
        return html(request.target, f"<p>The page {request.target}</p>") if gate.passes() else refusal

    routes = {f"/{n}": page for n in range(PAGES)}
    return LocalSite({"/": html("Home", links=routes), "/robots.txt": Reply(status=404), **routes})


async def crawl_beside_a_pulse(desk, clock):
    """Crawl, and return the summary with the moments at which the event loop could run."""
    beats = []

    async def beat():
        while True:
            beats.append(clock.monotonic())
            await asyncio.sleep(BEAT_SECONDS)

    pulse = asyncio.create_task(beat())
    try:
        return await desk.crawl_http(connections=6), beats
    finally:
        pulse.cancel()


def stalled_seconds(beats, since, until):
    """How long the machine kept the crawl from running at all, in stalls that cost a start."""
    gaps = (min(later, until) - max(earlier, since) - BEAT_SECONDS for earlier, later in pairwise(beats))
    return sum(gap for gap in gaps if gap > STALL_SECONDS)


@pytest.mark.parametrize("retry_after", ["1", None], ids=["named pause", "own pause"])
def test_the_pace_that_is_borne_is_found_and_kept_and_no_page_is_lost(store, figures, retry_after):
    gate, clock = Gate(TokenBucket(RATE, BURST)), SystemClock()
    with limited_site(gate, retry_after) as site:
        summary, beats = asyncio.run(crawl_beside_a_pulse(Desk(store, clock, site.url()), clock))
    settled = gate.since(SETTLED_AFTER)
    given = sum(verdict for _, verdict in settled)
    since, until = settled[0][0], settled[-1][0]
    stalled = stalled_seconds(beats, since, until)
    used = (given - 1) / ((until - since - stalled) * RATE)
    refused = 1 - given / len(settled)
    complaints = sum(not verdict for _, verdict in gate.verdicts)
    figures.append(
        f"limit of {RATE:g}/s, Retry-After {retry_after}: {refused:.1%} of settled requests refused, {complaints} of "
        f"all {len(gate.verdicts)}; {used:.0%} of the limit, longest gap {gate.longest_gap_seconds:.1f} s, "
        f"stalled {stalled:.1f} of {until - since:.1f} s"
    )
    assert summary.by_outcome == {"ok": PAGES + 1}
    assert summary.requests["retry"] == complaints
    if stalled > 0.2 * (until - since):
        pytest.skip(f"the machine kept the crawl from running for {stalled:.1f} of {until - since:.1f} s: no verdict")
    assert refused < 0.02
    assert used >= 0.8
