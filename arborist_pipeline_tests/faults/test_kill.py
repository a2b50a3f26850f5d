"""Crawls that are killed at any moment and resumed: nothing is lost, and nothing that was stored is asked for again."""

import random
import signal

import pytest

from arborist_pipeline_tests.faults.killing import IN_ORDER, WHATEVER_THE_ORDER, Moment, Story, faults_of, random_moment
from arborist_pipeline_tests.faults.small_shop import build_shop
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect

ONE_AT_A_TIME = ("--fast", "--concurrency", "1", "--depth", "20")
WAYS = {  # options, requests at once, seconds an answer takes, kills
    "fast, one at a time": (ONE_AT_A_TIME, 1, 0.01, 3),
    "polite": (("--depth", "20"), 1, 0.01, 2),
    "fast, four at once": (("--fast", "--concurrency", "4", "--depth", "20"), 4, 0.12, 3),
}


def late(page):
    return Reply(body=page.encode(), delay_seconds=0.01)


@pytest.mark.parametrize("way", WAYS)
def test_a_crawl_killed_at_random_moments_ends_as_one_that_was_not(way, tmp_path):
    options, concurrency, delay_seconds, kills = WAYS[way]
    names = IN_ORDER if concurrency == 1 else WHATEVER_THE_ORDER
    draw = random.Random(way)
    moments = [random_moment(draw, 15) for _ in range(kills)]
    with LocalSite(build_shop(delay_seconds=delay_seconds)) as site:
        whole = Story(site, tmp_path / "whole", *options).run().ledger(names)
        story = Story(site, tmp_path / "cut", *options).run(moments)
    assert story.legs[0].killed
    assert len(whole["pages"]) == len(set(site.targets) - {"/robots.txt"}) + 1  # and the one that robots.txt forbids
    assert faults_of(story, whole, concurrency=concurrency) == []


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_crawl_that_is_told_to_stop_closes_its_books_and_is_resumed_at_once(sent, tmp_path):
    with LocalSite(build_shop(delay_seconds=0.02)) as site:
        whole = Story(site, tmp_path / "whole", *ONE_AT_A_TIME).run().ledger(IN_ORDER)
        story = Story(site, tmp_path / "cut", *ONE_AT_A_TIME)
        cut = story.leg(Moment("request", 12, 0.01), resume=False, sent=sent)
        assert story.rows("SELECT stopped_by FROM crawls") == [("interrupted",)]
        assert cut.code == 1
        assert "--resume" in cut.errors
        story.leg(resume=True)
    assert faults_of(story, whole, concurrency=1) == []


def test_a_lease_that_a_crawl_on_another_machine_left_behind_is_named_and_holds_until_it_expires(tmp_path):
    with LocalSite(build_shop(delay_seconds=0.01)) as site:
        story = Story(site, tmp_path / "cut", *ONE_AT_A_TIME)
        story.leg(Moment("request", 6, 0.0), resume=False)
        held = "UPDATE leases SET holder = 'arborist crawl elsewhere', expires_at = '2999-01-01 00:00:00.000000'"
        story.write(held)
        before = len(site.requests)
        refused = story.leg(resume=True)
        assert refused.code == 1
        assert "is being crawled by arborist crawl elsewhere" in refused.errors
        assert len(site.requests) == before
        story.expire_leases()
        assert story.leg(resume=True).code == 0


def test_a_crawl_that_ran_to_its_end_is_not_resumed(tmp_path):
    with LocalSite(build_shop(delay_seconds=0.0)) as site:
        story = Story(site, tmp_path / "whole", *ONE_AT_A_TIME).run()
        before, asked = story.ledger(IN_ORDER), len(site.requests)
        again = story.leg(resume=True)
        assert (again.code, again.output, len(site.requests)) == (0, "", asked)
        assert "nothing to resume: the last crawl ran to its end" in again.errors
        assert story.ledger(IN_ORDER) == before
        assert story.rows("SELECT count(*) FROM crawls") == [(1,)]


def test_a_second_crawl_that_is_killed_asks_for_all_pages_again_too(tmp_path):
    names = ("documents", "document_chunks", "products", "supersedes", "price_history")
    stories = {}
    with LocalSite(build_shop(delay_seconds=0.01)) as site:
        for name in ("whole", "cut"):
            site.routes.update(build_shop(delay_seconds=0.01))
            Story(site, tmp_path / name, *ONE_AT_A_TIME).run()
            site.routes.update(build_shop(delay_seconds=0.01, edition=2))
            stories[name] = Story(site, tmp_path / name, *ONE_AT_A_TIME, crawl_id=2)
            stories[name].run([Moment("request", 10, 0.0)] if name == "cut" else [])
    asked = {name: {target for leg in story.legs for target in leg.asked} for name, story in stories.items()}
    assert asked["cut"] == asked["whole"]
    assert faults_of(stories["cut"], stories["whole"].ledger(names), concurrency=1) == []


def test_a_shorter_path_found_after_a_kill_admits_what_hangs_on_it(tmp_path):
    links = {"/": ["/products/a", "/short"], "/short": ["/products/c"], "/products/a": ["/products/b"],
             "/products/b": ["/products/c"], "/products/c": ["/1"], "/1": ["/2"], "/2": ["/3"], "/3": []}  # fmt: skip
    options = ("--fast", "--concurrency", "1", "--depth", "4")  # by its first path /1 is at the limit
    with LocalSite({path: late(html(path, links=to)) for path, to in links.items()}) as site:
        whole = Story(site, tmp_path / "whole", *options).run().ledger(IN_ORDER)
        assert len(whole["pages"]) == len(links) - 1
        story = Story(site, tmp_path / "cut", *options).run([Moment("commit", 4, 0.0)])
    assert faults_of(story, whole, concurrency=1) == []


@pytest.mark.parametrize("stored", [1, 3, 5])
def test_a_cookie_wall_is_passed_again_after_a_kill(stored, tmp_path):
    def behind_the_wall(page):
        return lambda request: late(page) if "seen=1" in request.headers.get("cookie", "") else redirect("/wall", 302)

    goods = [f"/products/{number}" for number in range(6)]
    routes = {path: behind_the_wall(html(path, links=goods if path == "/" else [])) for path in ("/", *goods)}
    routes["/wall"] = Reply(status=302, headers={"location": "/", "set-cookie": "seen=1; Path=/"})
    with LocalSite(routes) as site:
        story = Story(site, tmp_path / "cut", *ONE_AT_A_TIME).run([Moment("commit", stored, 0.0)])
    good = {url.removeprefix(site.url("")) for (url,) in story.rows("SELECT url FROM frontier WHERE outcome = 'ok'")}
    assert good == {"/", *goods}
