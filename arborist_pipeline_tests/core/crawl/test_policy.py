"""What a site and a caller together make of a crawl's rules."""

import pytest

from arborist_pipeline.core.crawl.policy import POLITE_DELAY_SECONDS, PRODUCT_TOKEN, Walk, build_policy
from arborist_pipeline.core.crawl.records import Discovery, Mode, Render, Site
from arborist_pipeline.core.web.url import canonicalize

SHOP = canonicalize("https://shop.example/")


def policy_of(cpus=4, site=None, **options):
    return build_policy(Site(key="shop", seed_url=SHOP, **(site or {})), cpus=cpus, **options)


def test_polite_is_one_at_a_time_two_seconds_apart_and_obeys_crawl_delay():
    policy = policy_of()
    assert (policy.mode, policy.concurrency, policy.delay_seconds) == (Mode.POLITE, 1, POLITE_DELAY_SECONDS)
    assert policy.honours_crawl_delay
    assert POLITE_DELAY_SECONDS == 2.0


@pytest.mark.parametrize(("cpus", "asked", "expected"), [(1, None, 3), (4, None, 12), (4, 6, 6), (4, 1, 1)])
def test_fast_is_three_a_cpu_or_what_the_site_says_without_delay(cpus, asked, expected):
    policy = policy_of(cpus, {"mode": Mode.FAST, "concurrency": asked})
    assert (policy.concurrency, policy.delay_seconds, policy.honours_crawl_delay) == (expected, 0.0, False)


def test_concurrency_is_for_fast_mode_alone():
    assert policy_of(site={"concurrency": 6}).concurrency == 1


def test_a_run_may_override_the_sites_mode_both_ways():
    assert policy_of(mode=Mode.FAST).concurrency == 12
    assert policy_of(site={"mode": Mode.FAST}, mode=Mode.POLITE).concurrency == 1


@pytest.mark.parametrize(("override", "expected"), [(None, 0.2), (0.0, 0.0), (0.1, 0.1)])
def test_the_rate_to_stop_below_is_the_sites_unless_a_run_names_one(override, expected):
    assert policy_of(site={"stop_below": 0.2}, stop_below=override).stop_below == expected


@pytest.mark.parametrize(("override", "expected"), [(None, 9), (0, 0), (3, 3)])
def test_a_budget_of_zero_is_an_answer_and_none_is_not(override, expected):
    assert policy_of(site={"max_pages": 9}, max_pages=override).max_pages == expected
    assert policy_of(site={"depth": 9}, max_depth=override).max_depth == expected


def test_everything_else_comes_from_the_site():
    site = {"max_minutes": 3.0, "render": Render.NEVER, "discovery": Discovery.LINKS_AND_SITEMAP, "include": ("/a",),
            "exclude": ("/b",)}  # fmt: skip
    policy = policy_of(site=site)
    assert {name: getattr(policy, name) for name in site} == site
    assert policy_of(site=site, render=Render.ALWAYS).render is Render.ALWAYS


def test_the_rest_comes_from_the_caller():
    policy = policy_of(only=(SHOP,), full=True, walk=Walk.RESUME, keep_bodies=False, ingest=True)
    assert (policy.only, policy.full, policy.walk, policy.keep_bodies, policy.ingest) == (
        (SHOP,), True, Walk.RESUME, False, True,
    )  # fmt: skip


def test_the_robots_token_has_letters_and_hyphens_only():
    assert PRODUCT_TOKEN.replace("-", "").isalpha()
