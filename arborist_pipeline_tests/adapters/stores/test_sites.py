"""The list of sites as the store has it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from arborist_pipeline.core.crawl.records import BodyRetention, Discovery, Mode, Render, Retention, SiteType
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.adapters.stores.conftest import SITE, rows
from arborist_pipeline_tests.support.builders import NOON

WWW = canonicalize("https://www.shop.example/")
FULL = replace(
    SITE, mode=Mode.FAST, concurrency=6, max_pages=7, max_minutes=2.5, depth=3, render=Render.NEVER,
    discovery=Discovery.LINKS_AND_SITEMAP, sitemap=canonicalize("https://shop.example/map.xml"), kind=SiteType.CONTENT,
    author="Ines Marlow", tenant="acme", llm=False, include=("/shop/",), exclude=("/x", "/y*z$"),
    retention=Retention(bodies=BodyRetention.ALL, crawls=3),
)  # fmt: skip


def test_every_setting_comes_back_as_it_was(store):
    store.sites.put_site(FULL, NOON)
    assert store.sites.load_site("shop") == FULL
    assert store.sites.load_sites() == (FULL,)


def test_sites_are_told_in_order_of_key(store):
    for key in ("zebra", "apple"):
        store.sites.put_site(replace(SITE, key=key, seed_url=canonicalize(f"https://{key}.example/")), NOON)
    assert [site.key for site in store.sites.load_sites()] == ["apple", "shop", "zebra"]


def test_a_retired_site_is_out_of_the_list_and_still_known(store):
    store.sites.retire_site("shop", NOON)
    assert store.sites.load_sites() == ()
    assert store.sites.load_site("shop") == SITE
    store.sites.retire_site("shop", NOON + timedelta(days=1))
    assert rows(store, "SELECT retired_at FROM sites") == [("2026-01-15 12:00:00.000000",)]


def test_a_site_that_is_listed_again_is_active_with_its_history(store):
    store.sites.retire_site("shop", NOON)
    store.sites.put_site(SITE, NOON + timedelta(days=1))
    assert store.sites.load_sites() == (SITE,)
    assert rows(store, "SELECT created_at, retired_at FROM sites") == [("2026-01-15 12:00:00.000000", None)]


def test_a_host_found_by_redirect_holds_while_the_list_names_the_same_seed(store):
    store.sites.record_host("shop", WWW)
    store.sites.put_site(replace(SITE, max_pages=5), NOON)
    assert store.sites.seed_of("shop") == WWW
    assert rows(store, "SELECT host FROM sites") == [("www.shop.example",)]
    assert store.sites.load_site("shop").seed_url == SITE.seed_url


def test_another_seed_in_the_list_wins(store):
    store.sites.record_host("shop", WWW)
    store.sites.put_site(replace(SITE, seed_url=canonicalize("https://new.example:8443/")), NOON)
    assert store.sites.seed_of("shop") == "https://new.example:8443/"
    assert rows(store, "SELECT host FROM sites") == [("new.example:8443",)]


def test_an_unknown_site_is_none_and_has_no_seed(store):
    assert store.sites.load_site("nobody") is None
    with pytest.raises(StoreError, match="the store knows no site 'nobody'"):
        store.sites.seed_of("nobody")
