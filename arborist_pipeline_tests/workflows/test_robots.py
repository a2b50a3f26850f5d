"""robots.txt of each origin: asked once, redirects followed, and a failure is a rule too."""

import asyncio
from collections import Counter

import pytest

from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN
from arborist_pipeline.core.web.fetch import ROBOTS_TIMEOUT_SECONDS, BodyRule, FailureKind, FetchFailure
from arborist_pipeline.core.web.robots import MAX_ROBOTS_BYTES, allow_all
from arborist_pipeline.core.web.url import split_origin
from arborist_pipeline.workflows.robots import MAX_REDIRECTS, UNREACHABLE_SECONDS, RobotsKeeper
from arborist_pipeline_tests.support.builders import make_result

ORIGIN = split_origin("https://shop.example/")
RULES = make_result("User-agent: *\nDisallow: /no", headers={"content-type": "text/plain"})


def keep(fetcher, **options):
    counter = Counter()
    return RobotsKeeper(fetcher, PRODUCT_TOKEN, counter, fetcher.clock, **options), counter


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


def in_turn(*answers):
    given = iter(answers)
    return lambda _: next(given)


def test_a_copy_is_a_day_old_at_most(table, clock):
    other = make_result("User-agent: *\nDisallow: /yes", headers={"content-type": "text/plain"})
    fetcher = table({"/robots.txt": in_turn(RULES, other)})
    keeper, counter = keep(fetcher)
    ask(keeper, ORIGIN)
    clock.advance(24 * 3_600)
    assert not ask(keeper, ORIGIN)[0].allows("https://shop.example/no")
    clock.advance(1)
    assert ask(keeper, *[ORIGIN] * 5)[0].allows("https://shop.example/no")
    assert counter["robots"] == 2


def test_the_last_good_copy_holds_while_the_file_cannot_be_had(table, clock):
    fetcher = table({"/robots.txt": in_turn(RULES, make_result(status=503), make_result(status=404))})
    keeper, counter = keep(fetcher)
    ask(keeper, ORIGIN)
    clock.advance(25 * 3_600)
    (rules,) = ask(keeper, ORIGIN)
    assert (rules.allows("https://shop.example/no"), rules.allows("https://shop.example/yes")) == (False, True)
    clock.advance(25 * 3_600)
    assert ask(keeper, ORIGIN)[0].allows("https://shop.example/no")
    assert counter["robots"] == 3


def test_a_file_that_could_not_be_had_is_asked_for_again_before_a_day_is_over(table, clock):
    failure = FetchFailure(kind=FailureKind.TIMEOUT, message="no answer")
    fetcher = table({"/robots.txt": in_turn(make_result(failure=failure), RULES)})
    keeper, counter = keep(fetcher)
    assert not ask(keeper, ORIGIN)[0].allows("https://shop.example/yes")
    assert keeper.failures == {ORIGIN: failure}
    clock.advance(UNREACHABLE_SECONDS)
    assert not ask(keeper, ORIGIN)[0].allows("https://shop.example/yes")
    clock.advance(1)
    assert ask(keeper, ORIGIN)[0].allows("https://shop.example/yes")
    assert (counter["robots"], keeper.failures) == (2, {})


def test_rules_that_were_handed_in_are_used_for_a_day(table, clock):
    fetcher = table({"/robots.txt": RULES})
    keeper, counter = keep(fetcher)
    keeper.rules[ORIGIN] = allow_all("known before")
    assert ask(keeper, ORIGIN)[0].allows("https://shop.example/no")
    assert counter["robots"] == 0
    clock.advance(25 * 3_600)
    assert not ask(keeper, ORIGIN)[0].allows("https://shop.example/no")


def failing(kind):
    return make_result(failure=FetchFailure(kind=kind, message="no answer"))


class TestBetweenRuns:
    """Each run has a keeper of its own; the store has the copy."""

    @pytest.mark.parametrize("trouble", [
        make_result(status=503), make_result(status=429), failing(FailureKind.TIMEOUT), failing(FailureKind.PROTOCOL),
        make_result("User-agent: *", truncated=True),
    ])  # fmt: skip
    @pytest.mark.parametrize(("first", "forbidden"), [(RULES, True), (make_result(status=404), False)])
    def test_the_copy_of_an_earlier_run_holds_where_the_file_cannot_be_had(
        self, table, store, trouble, first, forbidden
    ):
        ask(keep(table({"/robots.txt": first}), store=store.robots)[0], ORIGIN)
        (rules,) = ask(keep(table({"/robots.txt": trouble}), store=store.robots)[0], ORIGIN)
        assert rules.allows("https://shop.example/yes")
        assert rules.allows("https://shop.example/no") is not forbidden

    def test_what_an_owner_forbids_today_holds_today(self, table, store):
        ask(keep(table({"/robots.txt": RULES}), store=store.robots)[0], ORIGIN)
        today = make_result("User-agent: *\nDisallow: /yes", headers={"content-type": "text/plain"})
        (rules,) = ask(keep(table({"/robots.txt": today}), store=store.robots)[0], ORIGIN)
        assert not rules.allows("https://shop.example/yes")

    @pytest.mark.parametrize(("days", "holds"), [(29, True), (31, False)])
    def test_after_thirty_days_nothing_may_be_fetched(self, table, store, clock, days, holds):
        ask(keep(table({"/robots.txt": RULES}), store=store.robots)[0], ORIGIN)
        clock.advance(days * 24 * 3_600)
        (rules,) = ask(keep(table({"/robots.txt": make_result(status=503)}), store=store.robots)[0], ORIGIN)
        assert rules.allows("https://shop.example/yes") is holds

    @pytest.mark.parametrize(
        "kind", [FailureKind.DNS, FailureKind.CONNECT, FailureKind.TLS, FailureKind.BLOCKED_ADDRESS]
    )
    def test_a_host_that_is_out_of_reach_is_not_asked_for_pages(self, table, store, kind):
        ask(keep(table({"/robots.txt": RULES}), store=store.robots)[0], ORIGIN)
        keeper, _ = keep(table({"/robots.txt": failing(kind)}), store=store.robots)
        assert not ask(keeper, ORIGIN)[0].allows("https://shop.example/yes")
        assert keeper.failures[ORIGIN].kind is kind

    def test_the_file_is_asked_for_again_while_a_copy_stands_in(self, table, store, clock):
        ask(keep(table({"/robots.txt": RULES}), store=store.robots)[0], ORIGIN)
        keeper, counter = keep(table({"/robots.txt": make_result(status=503)}), store=store.robots)
        ask(keeper, ORIGIN)
        clock.advance(UNREACHABLE_SECONDS + 1)
        ask(keeper, ORIGIN)
        assert counter["robots"] == 2

    def test_a_crawl_goes_on_under_the_rules_of_yesterday(self, desk, table):
        pages = {"/": make_result('<p>x</p><a href="/no/a">a</a><a href="/b">b</a>'), "/b": make_result("<p>b</p>")}
        asyncio.run(desk.crawl(table(pages | {"/robots.txt": RULES})))
        fetcher = table(pages | {"/robots.txt": make_result(status=503)})
        summary = asyncio.run(desk.crawl(fetcher, full=True))
        assert (summary.stopped_by, set(fetcher.paths)) == ("exhausted", {"/", "/b"})
