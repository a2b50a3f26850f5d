import asyncio

import pytest

from arborist_pipeline.core.crawl.records import Mode, Site
from arborist_pipeline.core.web.fetch import FetchRequest
from arborist_pipeline.core.web.robots import parse_robots
from arborist_pipeline.workflows.visits import Visitor
from arborist_pipeline_tests.support.answers import AnswerFetcher
from arborist_pipeline_tests.support.clock import ManualClock

SEED = "https://shop.example/"


def visit(urls, answers, *, mode=Mode.POLITE, rules=None):
    fetcher, clock = AnswerFetcher(answers), ManualClock()
    visitor = Visitor(Site(key="shop", seed_url=SEED, mode=mode), fetcher, clock, seed=SEED, rules=rules)

    async def ask_all():
        return [await visitor.ask(FetchRequest(url=url)) for url in urls]

    return asyncio.run(ask_all()), fetcher.asked, clock.slept


def test_what_robots_txt_forbids_is_not_asked_for_and_the_file_is_read_once():
    answers = {SEED + "robots.txt": "User-agent: *\nDisallow: /private", SEED + "a": "A", SEED + "private": "B"}
    results, asked, _ = visit([SEED + "a", SEED + "private", SEED + "a"], answers)
    assert [result is None for result in results] == [False, True, False]
    assert asked == [f"GET {SEED}robots.txt", f"GET {SEED}a", f"GET {SEED}a"]


def test_rules_read_before_are_not_read_again():
    rules = parse_robots(b"User-agent: *\nDisallow: /private", "arborist-crawler")
    results, asked, _ = visit([SEED + "private"], {}, rules=rules)
    assert (results, asked) == ([None], [])


@pytest.mark.parametrize(
    ("mode", "robots", "slept"),
    [
        (Mode.POLITE, "", [2.0, 2.0]),
        (Mode.POLITE, "User-agent: *\nCrawl-delay: 7", [7.0, 7.0]),
        (Mode.FAST, "User-agent: *\nCrawl-delay: 7", []),
    ],
)
def test_requests_keep_the_gap_that_the_mode_and_robots_txt_ask_for(mode, robots, slept):
    answers = {SEED + "robots.txt": robots} | {SEED + path: "x" for path in "abc"}
    _, _, waits = visit([SEED + path for path in "abc"], answers, mode=mode)
    assert waits == pytest.approx(slept)


def test_another_host_has_its_own_rules_and_its_own_pace():
    answers = {
        SEED + "robots.txt": 404,
        "https://cdn.example/robots.txt": "User-agent: *\nDisallow: /",
        SEED + "a": "A",
    }
    results, _, slept = visit([SEED + "a", "https://cdn.example/map.xml"], answers)
    assert [result is None for result in results] == [False, True]
    assert slept == []


def test_a_server_that_names_a_pause_is_left_alone_for_so_long():
    answers = {SEED + "a": {"status": 429, "headers": {"retry-after": "30"}}, SEED + "b": "B"}
    _, _, slept = visit([SEED + "a", SEED + "b"], answers, mode=Mode.FAST)
    assert slept == pytest.approx([30.0])
