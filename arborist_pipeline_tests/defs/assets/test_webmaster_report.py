"""webmaster_report tells what is wrong, in metadata and in files."""

import json
from pathlib import Path

import pytest

from arborist_pipeline_tests.defs.runs import crawl_config, failure_of, held_lease, metadata_of
from arborist_pipeline_tests.support.site_server import html


@pytest.fixture
def report(home, run, shop):
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")

    def report():
        result = run.job("catalog_refresh", "shop", run_config=crawl_config(full=True))
        assert result.success
        return metadata_of(result, "webmaster_report")

    return report


def test_faults_are_counted_shown_and_written(report, shop, home):
    shop.routes["/about"] = html("About", "<p>We sell things for kitchens.</p>", links=["/missing", "/"])
    said = report()
    assert said["findings"]["broken_link"] == 1
    assert said["dagster/row_count"] == sum(said["findings"].values())
    assert (said["complete"], said["unfetched"]) == (True, 0)
    assert said["certain"] + said["candidate"] == said["error"] + said["warning"] + said["notice"]
    assert said["first_findings"][0]["url"] == shop.url("/missing")
    assert said["summary"].startswith("# Webmaster report: shop\n")
    assert "Broken links" in said["summary"]
    assert "\n## " not in said["summary"]
    folder = home.folder / "reports" / "shop"
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "report.json", "report.md"]
    assert Path(said["report"]) == folder / "report.md"
    written = json.loads((folder / "report.json").read_text())
    assert {name: count for name, count in written["summary"].items() if count} == said["findings"]


def test_the_next_report_takes_the_place_of_the_last(report, shop, home):
    file = home.folder / "reports" / "shop" / "report.md"
    shop.routes["/about"] = html("About", links=["/missing"])
    assert report()["findings"]["broken_link"] == 1
    assert "/missing" in file.read_text()
    shop.routes["/about"] = html("About", "<p>All is well with us now.</p>")
    assert "broken_link" not in report()["findings"]
    assert "/missing" not in file.read_text()
    with home.store(read_only=True) as store:
        assert [finding.url for finding in store.reports.load_findings("shop", 1)][:1] == [shop.url("/missing")]


def test_mark_up_from_the_site_is_no_mark_up_in_the_metadata(report, shop):
    hostile = "<script>alert(1)</script>"
    shop.routes["/about"] = html(hostile, links=["/missing"])
    said = report()
    assert "<script>" not in said["summary"]


def test_a_host_in_other_hands_is_not_asked_for_a_report(home, run, shop):
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")
    assert run.assets("crawled_pages", key="shop").success
    shop.requests.clear()
    with held_lease(home, f"127.0.0.1:{shop.port}"):
        assert "is being crawled by somebody else since" in failure_of(run.assets("webmaster_report", key="shop"))
    assert shop.requests == []
