"""Run config overrides a site's settings, and refuses what no crawl could use."""

import dagster as dg
import pytest
from pydantic import ValidationError

from arborist_pipeline.core.crawl.policy import Walk, build_policy
from arborist_pipeline.core.crawl.records import Mode, Render, Site
from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.defs.config import CrawlConfig, RecheckConfig
from arborist_pipeline_tests.defs.runs import crawl_config

SEED = canonicalize("https://shop.example/")
SITE = Site(key="shop", seed_url=SEED, max_pages=7, depth=3, mode=Mode.POLITE, render=Render.NEVER)


def policy_of(**config):
    return CrawlConfig(**config).to_policy(SITE, SEED, cpus=2)


def test_without_overrides_the_sites_own_settings_hold():
    assert policy_of() == build_policy(SITE, cpus=2)


@pytest.mark.parametrize(
    ("config", "field", "value"),
    [
        ({"max_pages": 9}, "max_pages", 9),
        ({"max_pages": 0}, "max_pages", 0),
        ({"depth": 0}, "max_depth", 0),
        ({"mode": "fast"}, "mode", Mode.FAST),
        ({"mode": "fast"}, "concurrency", 6),
        ({"render": "always"}, "render", Render.ALWAYS),
        ({"resume": True}, "walk", Walk.RESUME),
        ({"full": True}, "full", True),
        ({"urls": ["https://shop.example/a#x", "https://SHOP.example/a"]}, "only", ("https://shop.example/a",)),
        ({"urls": ["http://shop.example/a"]}, "only", ("http://shop.example/a",)),
    ],
)
def test_each_override_reaches_the_policy(config, field, value):
    assert getattr(policy_of(**config), field) == value


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("/products/pan", "write it with https://"),
        ("mailto:a@b.example", "write it with https://"),
        ("https://other.example/a", "is no page of https://shop.example/"),
        ("https://www.shop.example/a", "is no page of"),
        ("https://shop.example:8443/a", "is no page of"),
    ],
)
def test_a_url_that_is_none_of_the_site_is_refused_with_words(url, words):
    with pytest.raises(ConfigError, match=words):
        policy_of(urls=[url])


@pytest.mark.parametrize("config", [{"max_pages": -1}, {"depth": -1}, {"mode": "quick"}, {"render": ""}])
def test_values_out_of_range_are_no_config(config):
    with pytest.raises(ValidationError):
        CrawlConfig(**config)
    with pytest.raises(ValidationError):
        RecheckConfig(limit=-1)


@pytest.mark.parametrize("config", [{"mode": "quick"}, {"pages": 3}, {"urls": "https://shop.example/"}])
def test_the_launchpad_refuses_what_the_schema_does_not_have(config, definitions):
    job = definitions.resolve_job_def("catalog_refresh")
    assert dg.validate_run_config(job, crawl_config(mode="fast", urls=["https://shop.example/a"]))
    with pytest.raises(dg.DagsterInvalidConfigError):
        dg.validate_run_config(job, crawl_config(**config))
