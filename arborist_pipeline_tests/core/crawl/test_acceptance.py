"""When a site passes a trial, and what is told of one that does not."""

from datetime import UTC, datetime

import pytest

from arborist_pipeline.core.crawl.acceptance import Observer, Verdict, broken_off
from arborist_pipeline.core.crawl.records import (
    CrawledPage,
    CrawlSummary,
    Outcome,
    Priority,
    Site,
    StoppedBy,
    Tier,
)
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import canonicalize

SITE = Site(key="shop", seed_url=canonicalize("https://shop.example/"), max_pages=10)


def page(order, *, kind=PageKind.OTHER, tier=Tier.ORDER, path=None, **changes):
    url = canonicalize(f"https://shop.example/{path or order}")
    values = {
        "order": order, "url": url, "final_url": url, "depth": 1, "parent": None, "anchor": "",
        "priority": Priority(tier, 0.5, ""), "status": 200, "outcome": Outcome.OK, "reason": "", "kind": kind,
        "title": None, "elapsed_seconds": 0.1, "size_bytes": 1, "fetched_at": datetime(2026, 1, 15, tzinfo=UTC),
    }  # fmt: skip
    return CrawledPage(**(values | changes))


def product(order, **changes):
    return page(order, kind=PageKind.PRODUCT, **changes)


def judge(*pages, stopped_by=StoppedBy.BUDGET, asked=None, budget=10, reason="", **changes):
    observer = Observer()
    for each in pages:
        observer.note(each)
    values = {"crawl_id": 1, "pages": len(pages) if asked is None else asked, "products": 0, "documents": 0,
              "by_outcome": {}, "by_tier": {}, "rejected": {}, "first_product_at": None, "llm_calls": 0, "requests": {},
              "needs_rendering": 0, "unfetched": 0, "stopped_by": stopped_by, "reason": reason}  # fmt: skip
    return observer.judge(SITE, CrawlSummary(**(values | changes)), budget=budget)


@pytest.mark.parametrize(
    ("first", "asked", "budget", "verdict", "spent"),
    [
        (1, 10, 10, Verdict.PASSED, True),
        (9, 10, 10, Verdict.PASSED, True),
        (10, 10, 10, Verdict.TOO_LATE, True),
        (9, 9, 10, Verdict.PASSED, False),  # the site has no more pages
        (500, 500, 0, Verdict.PASSED, False),  # no cap, none spent
        (1, 1, 1, Verdict.TOO_LATE, True),
    ],
)
def test_a_site_passes_with_a_product_before_the_last_page_of_its_budget(first, asked, budget, verdict, spent):
    trial = judge(product(first), asked=asked, budget=budget)
    assert (trial.verdict, trial.spent_budget, trial.first_product_at) == (verdict, spent, first)
    assert trial.passed is (verdict is Verdict.PASSED)
    assert bool(trial.reason) is not trial.passed


@pytest.mark.parametrize(
    ("stopped_by", "pages", "verdict", "said"),
    [
        (StoppedBy.EXHAUSTED, [page(1), page(2)], Verdict.NO_PRODUCT, "no product on 2 pages"),
        (StoppedBy.BUDGET, [page(1)], Verdict.NO_PRODUCT, "no product on 1 pages"),
        (StoppedBy.ROBOTS, [], Verdict.BLOCKED, "why"),
        (StoppedBy.ERRORS, [page(1, outcome=Outcome.BLOCKED)], Verdict.BLOCKED, "why"),
        (StoppedBy.BUDGET, [page(1), *(page(n, outcome=Outcome.BLOCKED) for n in (2, 3))], Verdict.BLOCKED, "2 of 3"),
        (StoppedBy.BUDGET, [page(1, reason="bot wall: 'just a moment'")], Verdict.BLOCKED, "1 of 1"),
        (StoppedBy.BUDGET, [page(1), page(2, outcome=Outcome.BLOCKED)], Verdict.NO_PRODUCT, "no product"),
        (StoppedBy.ERRORS, [page(1, outcome=Outcome.NETWORK_ERROR)], Verdict.UNREACHABLE, "why"),
        (StoppedBy.ERRORS, [], Verdict.UNREACHABLE, "why"),
        (StoppedBy.INTERRUPTED, [page(1)], Verdict.BROKEN_OFF, "why"),
        (StoppedBy.LEASE_LOST, [], Verdict.BROKEN_OFF, "why"),
    ],
)
def test_a_failure_is_told_apart_by_its_cause_with_its_reason(stopped_by, pages, verdict, said):
    reason = "" if stopped_by in (StoppedBy.BUDGET, StoppedBy.EXHAUSTED) else "this is why"
    trial = judge(*pages, stopped_by=stopped_by, reason=reason)
    assert (trial.verdict, trial.passed) == (verdict, False)
    assert said in trial.reason


def test_what_was_found_before_a_crawl_was_broken_off_counts():
    assert judge(page(1), product(2), stopped_by=StoppedBy.INTERRUPTED).verdict is Verdict.PASSED


def test_pages_that_are_drawn_by_script_are_told_where_no_product_is():
    assert "2 of them are drawn by script" in judge(page(1), page(2), needs_rendering=2).reason


def test_products_are_counted_by_address_and_their_tiers_by_page():
    trial = judge(
        page(1, tier=Tier.SEED),
        product(2, tier=Tier.REGEX), product(3, tier=Tier.REGEX), product(4, tier=Tier.LEARNED),
        product(5, tier=Tier.REGEX, canonical_url=canonicalize("https://shop.example/2")),
    )  # fmt: skip
    assert (trial.products, trial.first_product_url) == (3, "https://shop.example/2")
    assert trial.tiers == {"regex": 0.75, "learned": 0.25}


def test_a_product_that_turned_out_to_be_a_soft_404_is_taken_back():
    assert judge(product(1), page(1, outcome=Outcome.SOFT_404)).verdict is Verdict.NO_PRODUCT


def test_the_platform_is_what_most_pages_show():
    shown = (None, "woocommerce", "shopify", "shopify")
    assert judge(*(page(n, platform=name) for n, name in enumerate(shown, 1))).platform == "shopify"
    assert judge(page(1)).platform is None


def test_pages_that_were_never_asked_for_count_for_nothing():
    assert judge(page(None, kind=PageKind.PRODUCT, path="x"), asked=0).products == 0


def test_a_trial_as_json_is_plain_and_keeps_secrets():
    value = broken_off(SITE, "held: https://shop.example/?token=hunter2", budget=10).to_json()
    assert (value["passed"], value["verdict"], value["pages"]) == (False, "broken_off", 0)
    assert "hunter2" not in str(value)
