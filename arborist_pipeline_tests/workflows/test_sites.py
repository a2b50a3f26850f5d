"""The site list brought into the store."""

from dataclasses import replace

import pytest

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.sites import describe_changes, sync_sites
from arborist_pipeline_tests.support.builders import NOON


def site(key, **options):
    return Site(key=key, seed_url=canonicalize(f"https://{key}.example/"), **options)


def sync(store, *listed, source="/home/sites.yaml"):
    changes = sync_sites(listed, source=source, store=store.sites, now=NOON)
    return changes.added, changes.retired


def active(store):
    return [each.key for each in store.sites.load_sites()]


def test_a_list_retires_none_but_its_own(store):
    store.sites.put_site(site("by-hand"), NOON)
    sync(store, site("a"), site("b"))
    assert sync(store, site("c"), source="/tmp/sites.yaml") == (("c",), ())
    assert active(store) == ["a", "b", "by-hand", "c"]
    assert sync(store, source="/tmp/sites.yaml") == ((), ("c",))
    assert sync(store, site("a")) == ((), ("b",))
    assert active(store) == ["a", "by-hand"]


def test_a_site_belongs_to_the_list_that_had_it_last(store):
    sync(store, site("a"))
    sync(store, site("a"), source="/tmp/sites.yaml")
    assert sync(store) == ((), ())
    assert sync(store, source="/tmp/sites.yaml") == ((), ("a",))


def test_sites_of_other_lists_are_named(store):
    store.sites.put_site(site("by-hand"), NOON)
    sync(store, site("a"), site("b"))
    changes = sync_sites([site("b")], source="/tmp/sites.yaml", store=store.sites, now=NOON)
    assert changes.elsewhere == ("a",)


@pytest.mark.parametrize(("seed", "is_told"), [
    ("https://new.example/", True), ("https://a.example:8443/", True), ("https://www.a.example/", False),
    ("http://a.example/start", False),
])  # fmt: skip
def test_a_site_of_another_host_is_told_once(store, seed, is_told):
    sync(store, site("a"))
    there = replace(site("a"), seed_url=canonicalize(seed))
    changes = sync_sites([there], source="/home/sites.yaml", store=store.sites, now=NOON)
    assert changes.moved == ((("a", site("a").seed_url, there.seed_url),) if is_told else ())
    assert len(describe_changes(changes)) == is_told
    assert sync_sites([there], source="/home/sites.yaml", store=store.sites, now=NOON).moved == ()


def test_listed_sites_come_in_and_the_others_retire(store):
    assert sync(store, site("b"), site("a")) == (("a", "b"), ())
    assert sync(store, site("b"), site("c")) == (("c",), ("a",))
    assert [each.key for each in store.sites.load_sites()] == ["b", "c"]
    assert store.sites.load_site("a") == site("a")


def test_the_same_list_again_changes_nothing(store):
    sync(store, site("a"))
    assert sync(store, site("a")) == ((), ())


def test_changed_settings_are_taken_over(store):
    sync(store, site("a"))
    assert sync(store, replace(site("a"), max_pages=3)) == ((), ())
    assert store.sites.load_site("a").max_pages == 3


def test_a_site_that_comes_back_is_added(store):
    sync(store, site("a"))
    sync(store)
    assert sync(store, site("a")) == (("a",), ())
