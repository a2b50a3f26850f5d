"""The keys follow the site list, and no key goes while a run of it may still write."""

import dagster as dg
import pytest
from dagster import DagsterRunStatus as Status
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.defs.partitions import (
    _UNDER_WAY,
    SITES_NAME,
    existing_keys,
    keys_in_flight,
    list_digest,
    partition_changes,
)

KEYS = st.lists(st.sampled_from("abcdef"), unique=True)


@pytest.mark.parametrize(
    ("wanted", "existing", "in_flight", "add", "delete", "deferred"),
    [
        ("", "", "", "", "", ""),
        ("ab", "", "", "ab", "", ""),
        ("ab", "ab", "ab", "", "", ""),
        ("ba", "ab", "", "", "", ""),
        ("b", "ab", "", "", "a", ""),
        ("b", "ab", "a", "", "", "a"),
        ("c", "ab", "b", "c", "a", "b"),
        ("", "ab", "", "", "ab", ""),
        ("aa", "", "", "a", "", ""),
        ("a", "", "z", "a", "", ""),
    ],
)
def test_changes_follow_from_what_is_wanted_known_and_under_way(wanted, existing, in_flight, add, delete, deferred):
    changes = partition_changes(wanted, existing, in_flight)
    assert (changes.add, changes.delete, changes.deferred) == (tuple(add), tuple(delete), tuple(deferred))


@given(KEYS, KEYS, KEYS)
def test_after_the_changes_the_keys_are_those_wanted_and_those_that_wait(wanted, existing, in_flight):
    changes = partition_changes(wanted, existing, in_flight)
    after = (set(existing) | set(changes.add)) - set(changes.delete)
    assert after == set(wanted) | set(changes.deferred)
    assert not set(changes.delete) & set(in_flight)
    assert not partition_changes(wanted, list(after), ()).add


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.QUEUED])  # needs a queue
def test_a_key_is_in_flight_until_its_run_has_ended(status, instance):
    for run_id, tags in (("one", {"dagster/partition": "shop"}), ("two", {})):
        instance.add_run(dg.DagsterRun(job_name="catalog_refresh", run_id=run_id, status=status, tags=tags))
    ended = {Status.SUCCESS, Status.FAILURE, Status.CANCELED}
    assert keys_in_flight(instance) == (set() if status in ended else {"shop"})


def test_a_run_in_the_queue_is_under_way():
    assert Status.QUEUED in _UNDER_WAY


def test_no_key_is_known_before_one_is_added_and_their_order_is_kept(instance):
    assert existing_keys(instance) == []
    instance.add_dynamic_partitions(SITES_NAME, ["b", "a"])
    assert existing_keys(instance) == ["b", "a"]


def test_the_digest_of_a_list_changes_with_settings_and_not_with_order():
    one = list_digest([site("a"), site("b")])
    assert one == list_digest([site("b"), site("a")])
    assert len({one, list_digest([site("a")]), list_digest([site("a"), site("b", max_pages=9)]), list_digest([])}) == 4


def site(key, **options):
    return Site(key=key, seed_url=canonicalize(f"https://{key}.example/"), **options)
