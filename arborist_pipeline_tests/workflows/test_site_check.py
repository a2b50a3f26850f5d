"""A site is looked at before a night relies on it."""

import asyncio

import pytest

from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.records import Mode, Site
from arborist_pipeline.core.web.fetch import FailureKind
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.site_check import check_site, look_seconds, night_seconds
from arborist_pipeline_tests.support.answers import AnswerFetcher
from arborist_pipeline_tests.support.clock import ManualClock

SEED = "https://shop.example/"
ROBOTS = "https://shop.example/robots.txt"


async def check(answers, **settings):
    site = Site(key="shop", seed_url=canonicalize(SEED), **settings)
    fetcher = AnswerFetcher(answers)
    return await check_site(site, fetcher=fetcher, clock=ManualClock(), cpus=4), fetcher.asked


def run(answers, **settings):
    return asyncio.run(check(answers, **settings))


@pytest.mark.parametrize(
    ("policy", "delay", "elapsed", "seconds"),
    [
        (CrawlPolicy(max_pages=60), 2.0, 0.3, 120),
        (CrawlPolicy(max_pages=60), 2.0, 5.0, 300),
        (CrawlPolicy(max_pages=10**6, max_minutes=10), 2.0, 0.3, 600),
        (CrawlPolicy(max_pages=0, max_minutes=10), 2.0, 0.3, 600),
        (CrawlPolicy(max_pages=600, mode=Mode.FAST, concurrency=12), 0.0, 0.2, 10),
        (CrawlPolicy(max_pages=60), 0.0, 0.0, 0),
    ],
)
def test_a_night_takes_its_budget_at_the_pace_of_the_site(policy, delay, elapsed, seconds):
    assert night_seconds(policy, delay=delay, elapsed=elapsed) == pytest.approx(seconds)


@pytest.mark.parametrize(("delay", "elapsed", "seconds"), [(2.0, 0.3, 100), (0.0, 0.3, 15), (60.0, 1.0, 3_000)])
def test_the_report_may_ask_for_fifty_addresses_one_after_the_other(delay, elapsed, seconds):
    assert look_seconds(delay=delay, elapsed=elapsed) == pytest.approx(seconds)


def test_a_good_site_has_a_plan():
    found, asked = run({SEED: "<a href='/a'>A</a>", ROBOTS: "User-agent: *\nCrawl-delay: 6\n"}, max_pages=600)
    assert asked == [f"GET {ROBOTS}", f"GET {SEED}"]
    assert (found.problem, found.answer, found.delay_seconds, found.hours) == (None, "200 ok", 6.0, 1.08)
    assert "600 pages" in found.plan
    assert "1 links" in found.plan


def test_a_fast_site_waits_for_nothing():
    found, _ = run({SEED: "x", ROBOTS: "User-agent: *\nCrawl-delay: 6\n"}, mode=Mode.FAST, max_pages=600)
    assert (found.delay_seconds, "12 at once" in found.plan) == (0.0, True)


PROBLEMS = [
    ("an error", {SEED: 404}, "404"),
    ("a network failure", {SEED: FailureKind.DNS}, "dns"),
    ("a wall", {SEED: 403}, "blocked"),
    ("another host", {SEED: (301, "https://other.example/")}, "https://other.example/"),
    ("a circle", {SEED: (301, SEED)}, "more than 5 times"),
    ("robots.txt", {SEED: "x", ROBOTS: "User-agent: *\nDisallow: /"}, "Disallow: /"),
    ("robots.txt down", {SEED: "x", ROBOTS: 500}, "robots.txt unreachable"),
]


@pytest.mark.parametrize(("answers", "words"), [case[1:] for case in PROBLEMS], ids=[case[0] for case in PROBLEMS])
def test_a_site_that_cannot_be_crawled_has_a_problem_and_costs_nothing(answers, words):
    found, asked = run(answers)
    assert words in found.problem
    assert (found.hours, found.plan) == (0.0, "nothing")
    assert len(asked) < 12
    if ROBOTS in answers:
        assert f"GET {SEED}" not in asked


def test_a_seed_that_answers_under_www_is_followed_there_under_its_rules():
    www = "https://www.shop.example/"
    found, asked = run({SEED: (301, www), www: "x"})
    assert (found.problem, found.answer) == (None, "200 ok")
    assert asked == [f"GET {ROBOTS}", f"GET {SEED}", f"GET {www}robots.txt", f"GET {www}"]
    refused, asked = run({SEED: (301, www), www: "x", f"{www}robots.txt": "User-agent: *\nDisallow: /"})
    assert "Disallow: /" in refused.problem
    assert f"GET {www}" not in asked


def test_a_check_is_plain_data():
    found, _ = run({SEED: "x"})
    assert found.to_json()["key"] == "shop"
