"""A refresh runs the night's job for each site in this process, on the instance that the UI shows."""

import json
import os
import socket

import dagster as dg
import pytest

from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.defs.refresh import PROCESS_TAG, end_orphans, refresh_sites
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html

CLOSED = {"/robots.txt": "User-agent: *\nDisallow: /\n"}


@pytest.fixture
def said():
    return []


@pytest.fixture
def refresh(home, definitions, said):
    def refresh(*keys, full=False):
        return refresh_sites(keys or None, full=full, settings=home.settings, say=said.append, definitions=definitions)

    return refresh


@pytest.fixture
def dagster_home(home):
    """The instance that a refresh leaves behind."""

    def opened():
        return dg.DagsterInstance.from_config(str(home.folder / "dagster"))

    return opened


def test_a_refresh_tells_what_it_did_and_leaves_its_run_in_the_ui(refresh, home, shop, said, dagster_home, capfd):
    home.list_sites(shop=shop.url())
    (result,) = refresh()
    assert (result.key, result.ok, result.reason) == ("shop", True, "")
    counts = dict(result.counts)
    with dagster_home() as instance:
        run = instance.get_run_by_id(counts.pop("run_id"))
        assert (run.job_name, run.status, run.tags["dagster/partition"]) == (
            "catalog_refresh", dg.DagsterRunStatus.SUCCESS, "shop",
        )  # fmt: skip
        assert instance.get_materialized_partitions(dg.AssetKey("webmaster_report")) == {"shop"}
    folder = home.folder / "reports" / "shop"
    assert counts.pop("report") == str(folder / "report.md")
    summary = json.loads((folder / "report.json").read_text(encoding="utf-8"))["summary"]
    assert counts.pop("findings") == {signal: count for signal, count in summary.items() if count}
    assert counts == {
        "crawl_id": 1, "pages": 4, "products": 2, "with_price": 2, "first_product_at": 2, "first_60_products": 2,
        "unfetched": 0, "stopped_by": "exhausted", "documents_new": 4, "documents_unchanged": 0,
        "documents_superseded": 0, "documents_gone": 0, "products_new": 2, "products_changed": 0, "products_gone": 0,
        "price_changes": 0,
    }  # fmt: skip
    end = "ended by exhausted: every known address was asked for"
    assert said == [
        "shop: begins (1 of 1)", f"shop: 4 pages, 2 of them products, 0 known and not fetched; {end}",
    ]  # fmt: skip
    assert capfd.readouterr() == ("", ""), "Dagster's own lines would flood the terminal"


def test_a_site_that_fails_stops_no_other(refresh, home, shop):
    with LocalSite(CLOSED) as closed:
        home.list_sites(closed=closed.url(), shop=shop.url())
        first, second = refresh()
    assert (first.key, first.ok) == ("closed", False)
    assert first.reason.startswith("robots.txt forbids the seed")
    assert set(first.counts) == {"run_id"}
    assert (second.key, second.ok) == ("shop", True)


def test_only_the_sites_named_are_refreshed_in_their_order_and_once(refresh, home):
    with LocalSite(CLOSED) as one, LocalSite(CLOSED) as two, LocalSite(CLOSED) as three:
        home.list_sites(one=one.url(), two=two.url(), three=three.url())
        assert [result.key for result in refresh("three", "one", "three")] == ["three", "one"]
    assert (one.targets, two.targets, three.targets) == (["/robots.txt"], [], ["/robots.txt"])


def test_full_ignores_due_dates(refresh, home, shop):
    home.list_sites(shop=shop.url())
    refresh()
    shop.requests.clear()
    refresh(full=True)
    assert {"/", "/about", "/products/pan", "/products/pot"} <= set(shop.targets)


def test_an_unknown_key_is_refused_before_anything_is_made(refresh, home):
    home.list_sites(a="https://a.example/", b="https://b.example/")
    with pytest.raises(ConfigError, match="no site has the key 'c'; the site list has: a, b"):
        refresh("a", "c")
    assert [path.name for path in home.folder.iterdir()] == ["sites.yaml"]


def test_a_bad_list_is_refused_in_its_own_words(refresh, home):
    home.sites_file.write_text("sites: {}\n")
    with pytest.raises(ConfigError, match=r"sites\.yaml.*must be a list"):
        refresh()


def test_a_bad_dagster_yaml_is_named(refresh, home):
    home.list_sites(a="https://a.example/")
    (home.folder / "dagster").mkdir()
    (home.folder / "dagster" / "dagster.yaml").write_text("colour: red\n")
    with pytest.raises(ConfigError, match=r"dagster\.yaml cannot be used"):
        refresh()


def test_an_error_that_is_no_failure_names_its_run(refresh, home, shop, monkeypatch):
    home.list_sites(shop=shop.url())
    monkeypatch.setattr("arborist_pipeline.defs.assets.webmaster_report.write_report_files", lambda *_: 1 / 0)
    (result,) = refresh()
    assert not result.ok
    assert result.reason == f"ZeroDivisionError: division by zero (run {result.counts['run_id']} has the trace)"
    assert result.counts["products"] == 2, "what was done before is told"


def test_interrupted_it_keeps_what_was_fetched_and_says_how_to_go_on(refresh, home, shop, said, dagster_home):
    def interrupt(_):
        os.kill(os.getpid(), 2)
        return Reply(body=b"late", delay_seconds=0.5)

    shop.routes["/about"] = interrupt
    home.list_sites(shop=shop.url(), other="https://other.example/")
    (result,) = refresh()
    assert (result.key, result.ok) == ("shop", False)
    assert result.reason == "interrupted; all that was fetched is kept. To go on: arborist refresh shop other"
    assert said[-1].endswith("ended by interrupted: interrupted; all that was fetched is kept")
    with dagster_home() as instance:
        assert [run.status for run in instance.get_runs()] == [dg.DagsterRunStatus.CANCELED]
    shop.routes["/about"] = html("About", "<p>Back again.</p>")
    shop.requests.clear()
    (again,) = refresh("shop")
    assert again.ok
    assert "/products/pan" not in shop.targets, "pages that were fetched before are not due yet"
    assert again.counts["products"] == 2


def test_runs_whose_process_has_ended_are_ended_and_give_back_what_they_hold(instance):
    here = socket.gethostname()
    processes = {
        "ended": f"{here}:{_pid_of_nobody()}", "alive": f"{here}:{os.getppid()}", "elsewhere": "elsewhere:1",
        "before": f"{here}:{os.getpid()}", "queued": None,
    }  # fmt: skip
    for run_id, process in processes.items():
        tags = {} if process is None else {PROCESS_TAG: process}
        instance.add_run(dg.DagsterRun(job_name="j", run_id=run_id, status=dg.DagsterRunStatus.STARTED, tags=tags))
    assert end_orphans(instance) == 2
    failed = {run.run_id for run in instance.get_runs() if run.status is dg.DagsterRunStatus.FAILURE}
    assert failed == {"ended", "before"}


def _pid_of_nobody():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid
