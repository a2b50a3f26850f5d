"""document_store makes documents of stored pages; its data version says whether anything changed."""

import dagster as dg
import pytest

from arborist_pipeline.core.documents.document import site_root
from arborist_pipeline_tests.defs.runs import crawl_config, metadata_of
from arborist_pipeline_tests.support.site_server import Reply, html


@pytest.fixture
def night(home, run, shop):
    """Crawl every page of the little shop again, and make documents."""
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")

    def night():
        result = run.assets("crawled_pages", "document_store", key="shop", run_config=crawl_config(full=True))
        assert result.success
        return metadata_of(result, "document_store"), version_of(result)

    return night


def version_of(result):
    (event,) = [event for event in result.get_asset_materialization_events()
                if event.materialization.asset_key == dg.AssetKey("document_store")]  # fmt: skip
    return event.materialization.tags["dagster/data_version"]


COUNTS = ("new", "unchanged", "superseded", "gone")


def test_the_first_night_makes_documents_and_the_second_finds_them_unchanged(night):
    first, version = night()
    assert [first[name] for name in COUNTS] == [4, 0, 0, 0]
    assert first["dagster/row_count"] == len(first["documents"]) == 4
    second, same = night()
    assert [second[name] for name in COUNTS] == [0, 4, 0, 0]
    assert version == same


def test_a_changed_page_supersedes_and_a_gone_one_leaves(night, shop):
    _, before = night()
    shop.routes["/about"] = html("About", "<p>We have moved to a bigger house with a bigger kitchen.</p>")
    shop.routes["/products/pot"] = Reply(status=410)
    said, after = night()
    assert [said[name] for name in COUNTS] == [0, 2, 1, 1]
    assert said["dagster/row_count"] == 3
    assert before != after


def test_the_data_version_is_the_sites_root(night, home):
    _, version = night()
    with home.store(read_only=True) as store:
        assert version == site_root(store.documents.roots("shop")).hex()
