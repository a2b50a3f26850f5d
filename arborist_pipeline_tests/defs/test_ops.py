"""Maintenance gives up what is no longer needed, and nothing that the present stands on."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import dagster as dg
import pytest
from dagster import DagsterRunStatus as Status

from arborist_pipeline.defs.ops import runs_to_delete
from arborist_pipeline_tests.defs.runs import crawl_config, held_lease, metadata_of
from arborist_pipeline_tests.support.model_server import LocalModel, told
from arborist_pipeline_tests.support.shy_shop import ANSWER, shy_page
from arborist_pipeline_tests.support.site_server import html

NOW = datetime(2026, 1, 31, tzinfo=UTC)
OLD, NEW = NOW - timedelta(days=40), NOW - timedelta(days=1)


class Record(NamedTuple):
    """What `runs_to_delete` reads of a run's record."""

    dagster_run: dg.DagsterRun
    create_timestamp: datetime


def record(run_id, created, status=Status.SUCCESS, key="a", job="catalog_refresh", assets=None):
    selection = None if assets is None else frozenset(map(dg.AssetKey, assets))
    run = dg.DagsterRun(job_name=job, run_id=run_id, status=status, tags={"dagster/partition": key},
                        asset_selection=selection)  # fmt: skip
    return Record(run, created)


@pytest.mark.parametrize(
    ("records", "doomed"),
    [
        ([], []),
        ([record("1", NEW), record("2", NEW)], []),
        ([record("1", NEW), record("2", OLD)], ["2"]),
        ([record("1", OLD)], []),
        ([record("1", OLD), record("2", OLD)], ["2"]),
        ([record("1", NEW, Status.FAILURE), record("2", OLD)], []),
        ([record("1", OLD, Status.FAILURE)], ["1"]),
        ([record("1", OLD, Status.CANCELED), record("2", OLD)], ["1"]),
        ([record("1", NEW), record("2", OLD, key="b")], []),
        ([record("1", NEW), record("2", OLD, job="reextract")], []),
        ([record("1", NEW, assets=["crawled_pages"]), record("2", OLD, assets=["document_store"])], []),
        ([record("1", NEW, assets=["crawled_pages"]), record("2", OLD, assets=["crawled_pages"])], ["2"]),
    ],
)
def test_old_runs_go_when_a_later_one_did_their_work_again(records, doomed):
    assert runs_to_delete(records, NOW - timedelta(days=30)) == doomed


def test_maintenance_keeps_what_a_crawled_site_shows(home, run, shop, instance):
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")
    for _ in range(2):
        assert run.job("catalog_refresh", "shop", run_config=crawl_config(full=True)).success
    with home.store(read_only=True) as store:
        before = (store.documents.roots("shop"), list(store.products.load_products("shop")))
    result = run.job("maintenance", run_config={"ops": {"clear_runs": {"config": {"keep_days": 1}}}})
    assert result.success
    with home.store(read_only=True) as store:
        assert (store.documents.roots("shop"), list(store.products.load_products("shop"))) == before
    assert len(instance.get_runs()) == 4


def test_nothing_of_the_store_goes_while_a_site_is_crawled(home, run, shop):
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")
    with held_lease(home, "shop.example"):
        result = run.job("maintenance")
    assert result.success
    said = metadata_of_op(result, "apply_retention")
    assert said == {"leases": 0, "indexed": 0}


def metadata_of_op(result, name):
    (event,) = [event for event in result.all_events if event.is_successful_output and event.step_key == name]
    return {label: value.value for label, value in event.step_output_data.metadata.items()}


def test_reextract_reads_every_stored_page_again_and_asks_for_none(home, run, shop):
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")
    assert run.job("catalog_refresh", "shop").success
    shop.requests.clear()
    result = run.job("reextract", "shop")
    assert result.success
    assert shop.requests == []
    found = {event.materialization.asset_key.to_user_string(): event.materialization.metadata
             for event in result.get_asset_materialization_events()}  # fmt: skip
    assert {name: (said["unchanged"].value, said["new"].value) for name, said in found.items()} == {
        "document_store": (4, 0), "product_extractions": (2, 0),
    }  # fmt: skip


def test_reextract_asks_no_model_and_keeps_what_one_told(home, run, shop, monkeypatch):
    shop.routes["/things/oak-stool"] = shy_page("Oak stool")
    shop.routes["/"] = html("Little shop", links=["/things/oak-stool"])
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")
    with LocalModel(told(**ANSWER)) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        assert run.job("catalog_refresh", "shop").success
        assert len(model.requests) == 1
        result = run.job("reextract", "shop")
    assert len(model.requests) == 1
    said = metadata_of(result, "product_extractions")
    assert (said["unchanged"], said["llm_calls"], said["share_with_sku"]) == (1, 0, 1.0)
