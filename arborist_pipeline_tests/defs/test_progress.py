"""Progress is a line every five seconds at most, and the first rows of what came."""

from dataclasses import replace

import pytest

from arborist_pipeline.core.crawl.records import CrawledPage, Outcome, Priority, Tier
from arborist_pipeline.core.ports import CheckTarget
from arborist_pipeline.core.web.freshness import Freshness, Validators
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.recheck import Verdict
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.defs.progress import SAMPLE_ROWS, CheckProgress, CrawlProgress, Pulse
from arborist_pipeline_tests.support.builders import NOON, SHOP_URL
from arborist_pipeline_tests.support.clock import ManualClock

PAGE = CrawledPage(order=1, url=canonicalize(SHOP_URL), final_url=canonicalize(SHOP_URL), depth=0, parent=None,
                   anchor="", priority=Priority(Tier.SEED, 1.0, ""), status=200, outcome=Outcome.OK, reason="",
                   kind=PageKind.PRODUCT, title="Pan", elapsed_seconds=0.1, size_bytes=10, fetched_at=NOON)  # fmt: skip


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def lines():
    return []


@pytest.fixture
def pulse(clock, lines):
    return Pulse(lines.append, clock.monotonic)


def test_a_line_is_said_every_five_seconds_at_most(pulse, clock, lines):
    for second in range(21):
        pulse.beat(str(second))
        clock.advance(1.0)
    assert lines == ["5", "10", "15", "20"]


def test_pages_and_products_are_counted_and_the_first_ones_kept(pulse, clock, lines):
    progress = CrawlProgress(pulse)
    for order in range(1, 101):
        progress(replace(PAGE, order=order, kind=PageKind.PRODUCT if order % 2 else PageKind.ARTICLE))
    assert (progress.pages, progress.products, progress.first_products) == (100, 50, 30)
    assert [page.order for page in progress.sample] == list(range(1, SAMPLE_ROWS + 1))
    clock.advance(6)
    progress(replace(PAGE, order=101, kind=PageKind.PRODUCT))
    assert lines == [f"101 pages, 51 of them products; last ok {SHOP_URL}"]


def test_a_page_that_comes_again_takes_its_own_place(pulse):
    progress = CrawlProgress(pulse)
    for order in (1, 2):
        progress(replace(PAGE, order=order, kind=PageKind.PRODUCT))
    progress(replace(PAGE, order=1, kind=PageKind.OTHER, outcome=Outcome.SOFT_404))
    assert (progress.pages, progress.products, progress.first_products) == (2, 1, 1)
    assert progress.found == {1: None, 2: Tier.SEED}
    assert [(page.order, page.outcome) for page in progress.sample] == [(1, "soft_404"), (2, "ok")]


def test_a_page_that_was_never_asked_for_does_not_count(pulse):
    progress = CrawlProgress(pulse)
    progress(replace(PAGE, order=None, outcome=Outcome.ROBOTS_DENIED))
    assert (progress.pages, progress.sample) == (0, [])


def test_of_verdicts_those_that_are_not_fresh_are_kept(pulse):
    progress = CheckProgress(pulse, 3)
    target = CheckTarget(site_key="shop", url=PAGE.url, validators=Validators(etag=None, last_modified=None))
    for freshness in (Freshness.FRESH, Freshness.STALE, Freshness.FRESH):
        progress(target, Verdict(freshness=freshness, reason="so"))
    assert progress.checked == 3
    assert [(url, verdict.freshness) for url, verdict in progress.sample] == [(PAGE.url, Freshness.STALE)]
