"""What is read of a stored crawl is what its frontier got, and opens nothing for writing."""

import pytest

from arborist_pipeline.adapters.stores.replays import SqlReplays
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.crawl.replay import Unreplayable
from arborist_pipeline_tests.support.builders import NOON, SHOP_URL

SITE = Site(key="shop", seed_url=SHOP_URL)


@pytest.fixture
def store(tmp_path):
    opened = open_store(str(tmp_path / "web.db"))
    opened.sites.put_site(SITE, NOON)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("policies", "crawl", "why"),
    [
        ([], 1, "there is no crawl 1 of shop: begin one"),
        ([CrawlPolicy(walk=Walk.FRESH)], 4, "its crawls are 1"),
        ([CrawlPolicy(), CrawlPolicy()], 2, "no recorded decisions"),
        ([CrawlPolicy(), CrawlPolicy(walk=Walk.FRESH)], 2, "no recorded decisions"),
    ],
)
def test_a_crawl_that_cannot_be_decided_again_says_why(store, policies, crawl, why):
    for policy in policies:
        store.crawls.begin_crawl(SITE, policy, run_id=None, now=NOON)
    found = SqlReplays(store.engine).load_crawl("shop", crawl)
    assert isinstance(found, Unreplayable)
    assert why in found.reason
