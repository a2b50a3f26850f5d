"""Two sites on one host crawled in one process at the same time: each by its own rules, with its own cookies."""

import asyncio
from itertools import pairwise
from statistics import median

import pytest

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.records import Mode, Site
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.crawl import crawl_site
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html

QUICK, SLOW = 0.25, 0.5
PAGES = {QUICK: 16, SLOW: 8}  # four seconds each


def polite_site(delay, *, name):
    """A site that asks for a delay, and whose home page is behind a cookie wall."""
    links = [f"/{n}" for n in range(PAGES[delay])]
    home = html(name, links=links)

    def wall(request):
        if f"visitor={name}" in request.headers.get("cookie", ""):
            return home
        return Reply(status=302, headers={"location": "/wall", "set-cookie": f"visitor={name}; Path=/"})

    pages = {link: html(f"{name} {link}") for link in links}
    robots = f"User-agent: *\nCrawl-delay: {delay}\n"
    back = Reply(status=302, headers={"location": "/", "set-cookie": f"visitor={name}; Path=/"})
    return LocalSite({"/": wall, "/wall": back, "/robots.txt": robots, **pages})


async def crawl(site, key, store):
    """Crawl politely as the command line does: with a client of its own."""
    known = Site(key=key, seed_url=canonicalize(site.url()))
    clock = SystemClock()
    store.sites.put_site(known, clock.now())
    async with HttpFetcher(user_agent="arborist-crawler/test", connections=1, allow_private=True) as fetcher:
        policy = CrawlPolicy(mode=Mode.POLITE, max_pages=0)
        return await crawl_site(known, policy, fetcher=fetcher, store=store, clock=clock, holder="test")


def starts(site):
    """When pages were asked for, robots.txt left out."""
    return [request.at for request in site.requests if request.target != "/robots.txt"]


@pytest.fixture
def crawled(store):
    """Both sites after both crawls, quick one first, and the summaries."""

    async def both(quick, slow):
        return await asyncio.gather(crawl(quick, "quick", store), crawl(slow, "slow", store))

    with polite_site(QUICK, name="quick") as quick, polite_site(SLOW, name="slow") as slow:
        summaries = asyncio.run(both(quick, slow))
        yield (quick, slow), summaries


def test_each_is_crawled_whole_at_its_own_pace_beside_the_other_and_keeps_its_own_cookies(crawled, figures):
    (quick, slow), summaries = crawled
    for site, delay, summary in zip((quick, slow), (QUICK, SLOW), summaries, strict=True):
        assert summary.by_outcome["ok"] == PAGES[delay] + 1
        assert site.most_at_once == 1
        moments = starts(site)
        gaps = [later - earlier for earlier, later in pairwise(moments)]
        # Both ends of a gap are seen late by as much as the way there took, so that the whole tells more than each.
        assert sum(gaps) >= 0.98 * delay * len(gaps)
        assert median(gaps) >= 0.95 * delay
        figures.append(f"crawl-delay {delay:g} s beside another site: gaps {min(gaps):.2f} to {max(gaps):.2f} s, "
                       f"median {median(gaps):.2f} s")  # fmt: skip
    first, second = starts(quick), starts(slow)
    shared = min(first[-1], second[-1]) - max(first[0], second[0])
    assert shared >= 0.5 * min(first[-1] - first[0], second[-1] - second[0])
    beside = [sum(earlier < moment < later for moment in first) for earlier, later in pairwise(second[:-1])]
    assert median(beside) >= 1
    for site, other in ((quick, "slow"), (slow, "quick")):
        cookies = {request.headers.get("cookie", "") for request in site.requests}
        assert any("visitor=" in cookie for cookie in cookies)
        assert not any(f"visitor={other}" in cookie for cookie in cookies)
