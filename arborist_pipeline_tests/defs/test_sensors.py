"""Sensors decide by the site list and the store alone; what they decide is a function of values."""

from datetime import UTC, datetime, timedelta

import dagster as dg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import CheckTarget
from arborist_pipeline.core.web.freshness import Freshness, Validators
from arborist_pipeline.core.web.recheck import Verdict
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.defs.partitions import SITES_NAME, existing_keys
from arborist_pipeline.defs.sensors import (
    MAX_REQUESTS,
    check_request,
    next_in_turn,
    recrawl_check_sensor,
    site_registry_sensor,
    stale_pages_sensor,
    stale_request,
)

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def site(key, **options):
    return Site(key=key, seed_url=canonicalize(f"https://{key}.example/"), **options)


# -- decisions


@pytest.mark.parametrize(
    ("due", "after", "limit", "chosen"),
    [
        ("", None, 3, ""),
        ("cab", None, 3, "abc"),
        ("abcd", None, 2, "ab"),
        ("abcd", "b", 2, "cd"),
        ("abcd", "d", 2, "ab"),
        ("abcd", "c", 3, "dab"),
        ("ac", "b", 3, "ca"),
        ("ab", "z", 1, "a"),
    ],
)
def test_what_is_due_comes_in_turn(due, after, limit, chosen):
    assert [key for (key,) in next_in_turn([(key,) for key in due], after, limit)] == list(chosen)


@given(st.sets(st.text("abc", min_size=1, max_size=3), min_size=1), st.integers(1, 5))
def test_every_site_has_its_turn(keys, limit):
    due = [(key,) for key in keys]
    seen, cursor = set(), None
    for _ in range(-(-len(keys) // limit)):
        chosen = next_in_turn(due, cursor, limit)
        seen |= {key for (key,) in chosen}
        cursor = chosen[-1][0]
    assert seen == keys


def test_a_check_is_asked_for_once_for_each_oldest_check():
    one, same, later = (check_request("shop", NOON), check_request("shop", NOON),
                        check_request("shop", NOON + timedelta(seconds=1)))  # fmt: skip
    assert one.partition_key == "shop"
    assert one.run_key == same.run_key != later.run_key


def test_stale_pages_are_asked_for_once_for_each_set_of_them():
    urls = tuple(canonicalize(f"https://shop.example/{path}") for path in "ab")
    request = stale_request("shop", urls, NOON)
    keys = [stale_request(*given).run_key for given in
            (("shop", urls, NOON), ("shop", urls[:1], NOON), ("shop", urls, NOON + timedelta(seconds=1)))]  # fmt: skip
    assert keys[0] == request.run_key
    assert len(set(keys)) == 3
    assert request.run_config == {
        "ops": {"crawled_pages": {"ops": {"crawl_site": {"config": {"urls": list(urls), "max_pages": 0}}}}}
    }


# -- sensors


@pytest.fixture
def tick(home, instance):
    """Evaluate a sensor and do to the partitions what it asks for."""

    def tick(sensor, cursor=None):
        context = dg.build_sensor_context(instance=instance, cursor=cursor, resources={"adapters": home.adapters})
        result = sensor(context)
        for request in getattr(result, "dynamic_partitions_requests", None) or ():
            if isinstance(request, dg.AddDynamicPartitionsRequest):
                instance.add_dynamic_partitions(request.partitions_def_name, request.partition_keys)
            else:
                for key in request.partition_keys:
                    instance.delete_dynamic_partition(request.partitions_def_name, key)
        return result

    return tick


def test_a_new_list_becomes_partitions_and_one_run_that_stores_it(tick, home, instance):
    home.list_sites(a="https://a.example/", b="https://b.example/")
    first = tick(site_registry_sensor)
    assert existing_keys(instance) == ["a", "b"]
    assert len(first.run_requests) == 1
    second = tick(site_registry_sensor, first.cursor)
    assert (second.run_requests, second.dynamic_partitions_requests) == ([], [])
    home.list_sites(b="https://b.example/shop")
    third = tick(site_registry_sensor, second.cursor)
    assert existing_keys(instance) == ["b"]
    assert len(third.run_requests) == 1
    home.list_sites(a="https://a.example/", b="https://b.example/")
    assert len(tick(site_registry_sensor, third.cursor).run_requests) == 1, "a list that comes back is stored again"


def test_a_key_stays_while_a_run_of_it_is_under_way(tick, home, instance):
    home.list_sites(a="https://a.example/", b="https://b.example/")
    cursor = tick(site_registry_sensor).cursor
    run = dg.DagsterRun(job_name="catalog_refresh", run_id="one", status=dg.DagsterRunStatus.STARTED,
                        tags={"dagster/partition": "a"})  # fmt: skip
    instance.add_run(run)
    home.list_sites(b="https://b.example/")
    tick(site_registry_sensor, cursor)
    assert existing_keys(instance) == ["a", "b"]
    instance.report_run_failed(run)
    tick(site_registry_sensor, cursor)
    assert existing_keys(instance) == ["b"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "there is no site list"),
        ("", "the file is empty"),
        ("sites: [", "not YAML"),
        ("sites:\n  - {seed_url: 'https://a.example/', colour: red}\n", "unknown key"),
    ],
)
def test_a_list_that_cannot_be_read_is_no_empty_list(text, words, tick, home, instance):
    instance.add_dynamic_partitions(SITES_NAME, ["a"])
    if text is not None:
        home.sites_file.write_text(text)
    skipped = tick(site_registry_sensor)
    assert isinstance(skipped, dg.SkipReason)
    assert words in skipped.skip_message
    assert existing_keys(instance) == ["a"]


def test_a_list_that_says_there_are_no_sites_is_believed(tick, home, instance):
    instance.add_dynamic_partitions(SITES_NAME, ["a"])
    home.sites_file.write_text("sites: []\n")
    tick(site_registry_sensor)
    assert existing_keys(instance) == []


@pytest.mark.parametrize("sensor", [recrawl_check_sensor, stale_pages_sensor])
def test_without_a_store_a_sensor_skips_and_makes_none(sensor, tick, home):
    skipped = tick(sensor)
    assert isinstance(skipped, dg.SkipReason)
    assert "there is no store" in skipped.skip_message
    assert list(home.folder.iterdir()) == []


@pytest.fixture
def crawled(home, shop, run):
    """The little shop, listed and crawled once."""
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")
    assert run.assets("crawled_pages", key="shop").success
    return shop


@pytest.mark.usefixtures("crawled")
def test_fresh_pages_ask_for_nothing(tick):
    assert isinstance(tick(recrawl_check_sensor), dg.SkipReason)
    assert isinstance(tick(stale_pages_sensor), dg.SkipReason)


def record(home, url, freshness, when):
    with home.store() as store:
        (target,) = [target for target in store.checks.check_targets(None, site_key="shop", limit=0)
                     if target.url == url]  # fmt: skip
        store.checks.record_check(target, Verdict(freshness=freshness, reason="so"), now=when)
    assert isinstance(target, CheckTarget)
    assert isinstance(target.validators, Validators)


def test_a_site_with_a_page_unchecked_for_hours_is_asked_about(crawled, tick, home):
    long_ago = datetime.now(UTC) - timedelta(hours=7)
    record(home, crawled.url("/about"), Freshness.FRESH, long_ago)
    result = tick(recrawl_check_sensor)
    assert [(request.partition_key, request.run_key) for request in result.run_requests] == [
        ("shop", f"shop:{long_ago.isoformat()}")
    ]
    assert result.cursor == "shop"


def test_pages_found_stale_are_asked_for_until_they_were_fetched(crawled, tick, home, run):
    record(home, crawled.url("/products/pan"), Freshness.STALE, datetime.now(UTC))
    record(home, crawled.url("/about"), Freshness.FRESH, datetime.now(UTC))
    (request,) = tick(stale_pages_sensor).run_requests
    before = len(crawled.targets)
    assert run.job("catalog_refresh", "shop", run_config=request.run_config).success
    pages = [target for target in crawled.targets[before:] if target not in ("/robots.txt", "/sitemap.xml")]
    assert pages == ["/products/pan"]
    assert isinstance(tick(stale_pages_sensor), dg.SkipReason)


def test_a_site_that_is_no_partition_yet_waits(crawled, tick, home, instance):
    record(home, crawled.url("/about"), Freshness.STALE, datetime.now(UTC) - timedelta(hours=7))
    instance.delete_dynamic_partition(SITES_NAME, "shop")
    assert isinstance(tick(recrawl_check_sensor), dg.SkipReason)
    assert isinstance(tick(stale_pages_sensor), dg.SkipReason)


def test_a_tick_asks_for_no_more_runs_than_it_has_time_for():
    assert len(next_in_turn([(f"{number:03}",) for number in range(100)], None)) == MAX_REQUESTS
