"""The nightly schedule asks for one run for each active site, once a night."""

from datetime import UTC, datetime

import dagster as dg
import pytest

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.defs.partitions import SITES_NAME
from arborist_pipeline.defs.schedules import nightly_catalog_refresh_schedule, nightly_requests, runtime_tags


def site(key, **options):
    return Site(key=key, seed_url=canonicalize(f"https://{key}.example/"), **options)


@pytest.mark.parametrize(
    ("sites", "keys", "asked"),
    [("", "", ""), ("ab", "ab", "ab"), ("ab", "b", "b"), ("a", "ab", "a"), ("ab", "", "")],
)
def test_sites_that_are_listed_and_partitions_are_asked_for(sites, keys, asked):
    requests = nightly_requests(map(site, sites), keys, "2026-01-15")
    assert [(request.partition_key, request.run_key) for request in requests] == [
        (key, f"2026-01-15:{key}") for key in asked
    ]


def test_a_run_may_take_the_sites_minutes_and_an_hour():
    assert runtime_tags(site("a", max_minutes=30)) == {"dagster/max_runtime": "5400"}


@pytest.fixture
def evaluate(home):
    """Evaluate the schedule at 02:00 on the fifteenth, on an instance that knows these keys."""

    def evaluate(*keys):
        with dg.instance_for_test() as instance:
            instance.add_dynamic_partitions(SITES_NAME, keys)
            context = dg.build_schedule_context(
                instance=instance,
                scheduled_execution_time=datetime(2026, 1, 15, 2, tzinfo=UTC),
                resources={"adapters": home.adapters},
            )
            return nightly_catalog_refresh_schedule(context)

    return evaluate


def test_at_two_every_active_site_gets_a_run(evaluate, home):
    with home.store() as store:
        for key in ("a", "b", "c"):
            store.sites.put_site(site(key), datetime(2026, 1, 1, tzinfo=UTC))
        store.sites.retire_site("b", datetime(2026, 1, 2, tzinfo=UTC))
    assert [request.run_key for request in evaluate("a", "b", "c")] == ["2026-01-15:a", "2026-01-15:c"]


def test_without_a_store_it_skips_and_makes_none(evaluate, home):
    skipped = evaluate("a")
    assert isinstance(skipped, dg.SkipReason)
    assert "there is no store" in skipped.skip_message
    assert list(home.folder.iterdir()) == []


def test_without_a_site_it_says_what_to_do(evaluate, home):
    with home.store():
        pass
    assert evaluate("a").skip_message == "no site is listed: add one to sites.yaml"
