"""The site list brought into the store."""

from dataclasses import replace

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.sites import sync_sites
from arborist_pipeline_tests.support.builders import NOON


def site(key, **options):
    return Site(key=key, seed_url=canonicalize(f"https://{key}.example/"), **options)


def sync(store, *listed):
    changes = sync_sites(listed, store=store.sites, now=NOON)
    return changes.added, changes.retired


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
