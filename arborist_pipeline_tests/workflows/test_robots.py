"""robots.txt of each origin: asked once, redirects followed, and a failure is a rule too."""

import asyncio
from collections import Counter

import pytest

from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN
from arborist_pipeline.core.web.fetch import ROBOTS_TIMEOUT_SECONDS, BodyRule
from arborist_pipeline.core.web.robots import MAX_ROBOTS_BYTES
from arborist_pipeline.core.web.url import split_origin
from arborist_pipeline.workflows.robots import MAX_REDIRECTS, RobotsKeeper
from arborist_pipeline_tests.support.builders import make_result

ORIGIN = split_origin("https://shop.example/")
RULES = make_result("User-agent: *\nDisallow: /no", headers={"content-type": "text/plain"})


def keep(fetcher):
    counter = Counter()
    return RobotsKeeper(fetcher, PRODUCT_TOKEN, counter), counter


def ask(keeper, *origins):
    async def run():
        return await asyncio.gather(*map(keeper.rules_for, origins))

    return asyncio.run(run())


def test_many_who_wait_for_an_origin_cost_one_request(table):
    fetcher = table({"/robots.txt": RULES})
    keeper, counter = keep(fetcher)
    answers = ask(keeper, *[ORIGIN] * 20)
    assert len(fetcher.requests) == counter["robots"] == 1
    assert all(rules is answers[0] for rules in answers)
    assert keeper.rules == {ORIGIN: answers[0]}


def test_each_scheme_host_and_port_has_rules_of_its_own(table):
    fetcher = table({})
    keeper, _ = keep(fetcher)
    urls = ["http://a.example/", "https://a.example/", "http://a.example:8080/", "http://b.example/"]
    ask(keeper, *map(split_origin, urls))
    assert sorted(request.url for request in fetcher.requests) == sorted(f"{url}robots.txt" for url in urls)


def test_the_request_is_bounded_in_time_and_size(table):
    fetcher = table({"/robots.txt": RULES})
    ask(keep(fetcher)[0], ORIGIN)
    (request,) = fetcher.requests
    assert (request.method, request.body) == ("GET", BodyRule.ANY)
    assert (request.max_body_bytes, request.timeout_seconds) == (MAX_ROBOTS_BYTES, ROBOTS_TIMEOUT_SECONDS)


@pytest.mark.parametrize(("hops", "allowed"), [(1, False), (MAX_REDIRECTS, False), (MAX_REDIRECTS + 1, None)])
def test_redirects_are_followed_to_the_limit_and_beyond_it_nothing_is_allowed(table, hops, allowed):
    answers = {"/robots.txt": make_result(status=301, location="/r1")}
    answers |= {f"/r{n}": make_result(status=301, location=f"/r{n + 1}") for n in range(1, hops)}
    fetcher = table(answers | {f"/r{hops}": RULES})
    (rules,) = ask(keep(fetcher)[0], ORIGIN)
    assert rules.allows("https://shop.example/no") is False
    assert rules.allows("https://shop.example/yes") is (allowed is False)


def test_rules_found_on_another_host_hold_for_the_one_first_asked(table):
    fetcher = table({"https://shop.example/robots.txt": make_result(status=302, location="https://cdn.example/robots.txt"),
                     "https://cdn.example/robots.txt": RULES})  # fmt: skip
    keeper, _ = keep(fetcher)
    (rules,) = ask(keeper, ORIGIN)
    assert not rules.allows("https://shop.example/no")
    assert list(keeper.rules) == [ORIGIN]
