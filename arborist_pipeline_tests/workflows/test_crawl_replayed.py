"""Nights that went on from each other are decided again, each from what those before it left."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import text

from arborist_pipeline.adapters.stores.engine import writing
from arborist_pipeline.adapters.stores.replays import SqlReplays
from arborist_pipeline.core.crawl.policy import Walk, build_policy
from arborist_pipeline.core.crawl.replay import Unreplayable, replay_crawl, rerun_crawl
from arborist_pipeline_tests.cli.small_shop import PRODUCT

DAY = 86_400


def page(*links, head=""):
    anchors = "".join(f'<li><a href="{path}">{path}</a></li>' for path in links)
    return f"<html><head><title>Page</title>{head}</head><body><main><ul>{anchors}</ul></main></body></html>"


def shop():
    """Twenty goods in two ranges, a diary, an address that robots.txt forbids and one that redirects."""
    goods = [f"/ware/cup-{number}" for number in range(20)]
    site = {"/robots.txt": "User-agent: *\nDisallow: /ware/cup-3\n",
            "/": page("/range/a", "/range/b", "/diary/1", "/ware/cup-3")}  # fmt: skip
    site |= {f"/range/{name}": page(*goods[10 * place : 10 * place + 10]) for place, name in enumerate("ab")}
    site |= {path: page("/", head=PRODUCT.replace("L1", path)) for path in goods}
    return site | {f"/diary/{number}": page(f"/diary/{number + 1}") for number in range(1, 30)}


@pytest.fixture
def nights(desk, table):
    """Crawl so many nights, with so many pages at once; the ranges show something else each night."""

    def crawl(count, *, at_once=1, budget=12, **policy):
        site = shop()
        for night in range(count):
            site["/range/a"] = page(*(f"/ware/cup-{number}" for number in range(10 - night)), f"/new/{night}")
            asyncio.run(desk.crawl(table(site), concurrency=at_once, max_pages=budget, **policy))
            desk.clock.advance(DAY)

    return crawl


def replayed(desk, crawl):
    found = SqlReplays(desk.store.engine).load_crawl("shop", crawl)
    assert not isinstance(found, Unreplayable), found.reason
    return found, replay_crawl(found, policy_of(desk, found))


def policy_of(desk, found):
    return build_policy(desk.site, cpus=1, max_pages=found.max_pages, max_depth=found.max_depth)


@pytest.mark.parametrize(
    ("budget", "due"), [(12, {"a known product page that is due"}), (40, {"a known page that is due"})]
)
@pytest.mark.parametrize("at_once", [1, 4])
def test_each_decision_of_each_night_comes_again(desk, nights, at_once, budget, due):
    nights(4, at_once=at_once, budget=budget)
    whys = set()
    for crawl in (1, 2, 3, 4):
        found, replay = replayed(desk, crawl)
        assert (replay.repeated, replay.difference) == (budget, None)
        assert [each.number for each in found.earlier] == list(range(1, crawl))
        whys |= {page.why for page in found.pages}
    assert whys >= due


def test_what_a_larger_budget_would_have_brought_begins_with_what_the_nights_before_left(desk, nights):
    nights(3)
    found, _ = replayed(desk, 3)
    rerun = rerun_crawl(found, replace(policy_of(desk, found), max_pages=8))
    assert rerun.replayed == rerun.recorded[:8]


def test_a_crawl_that_began_afresh_between_the_nights_is_one_of_them(desk, nights):
    nights(2)
    nights(1, walk=Walk.FRESH, budget=40)
    nights(1)
    assert replayed(desk, 3)[1].difference is None
    assert replayed(desk, 4)[1].repeated == 12


@pytest.mark.parametrize(("change", "why"), [
    ("UPDATE frontier SET discovered_at = '2000-01-01 00:00:00.000000'", "rows were deleted"),
    ("UPDATE pages SET dispatched_seq = NULL WHERE crawl_id = 2", "went on from crawl 2: crawl 2 has no recorded"),
    (("INSERT INTO recrawl_checks (site_id, url, verdict, reason, checked_at) "
     "SELECT id, seed_url, 'stale', '', created_at FROM sites"), "pages were checked before"),
])  # fmt: skip
def test_a_night_whose_past_is_not_whole_is_refused(desk, nights, change, why):
    nights(3)
    with writing(desk.store.engine) as connection:
        connection.execute(text(change))
    found = SqlReplays(desk.store.engine).load_crawl("shop", 3)
    assert isinstance(found, Unreplayable)
    assert why in found.reason


def test_a_night_after_one_that_does_not_repeat_is_refused_by_its_name(desk, nights):
    nights(3)
    found, _ = replayed(desk, 3)
    first = found.earlier[0]
    pages = (first.pages[0], replace(first.pages[1], url=first.pages[2].url), *first.pages[2:])
    replay = replay_crawl(
        replace(found, earlier=(replace(first, pages=pages), *found.earlier[1:])), policy_of(desk, found)
    )
    assert isinstance(replay, Unreplayable)
    assert "went on from crawl 1, which does not repeat" in replay.reason
