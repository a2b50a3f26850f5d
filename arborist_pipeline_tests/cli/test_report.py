"""arborist crawl-report: from the store and a look at the sitemap, with gates for builds."""

import json
import sqlite3
from datetime import UTC, datetime

import pytest

from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.report.render import RENDERERS
from arborist_pipeline_tests.support.site_server import LocalSite, html

SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{0}</loc></url><url><loc>{1}</loc></url></urlset>"""


@pytest.fixture
def crawled(arborist):
    with LocalSite({"/": html("Home", "<p>x</p>", links=["/a", "/missing"]), "/a": html("A", "<p>y</p>")}) as site:
        site.routes["/map.xml"] = SITEMAP.format(site.url(), site.url("/nowhere"))
        arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
        yield site


def dump(home):
    connection = sqlite3.connect(home / "crawl/web.db")
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def test_the_report_names_what_is_broken_and_changes_nothing(arborist, crawled, home):
    before, asked = dump(home), len(crawled.requests)
    result = arborist("crawl-report", "--seed-url", crawled.url(), "--format", "json", "--no-sitemap")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert list(report)[:6] == ["site", "generated_at", "complete", "unfetched", "summary", "findings"]
    assert report["summary"]["broken_link"] == 1
    broken = next(finding for finding in report["findings"] if finding["signal"] == "broken_link")
    assert (broken["url"], broken["sources"][0]["url"]) == (crawled.url("/missing"), crawled.url())
    assert dump(home) == before
    assert len(crawled.requests) == asked


def test_a_sitemap_is_fetched_for_the_report_and_not_stored(arborist, crawled, home):
    crawled.routes["/nowhere"] = html("Nowhere", "<p>z</p>")
    before = dump(home)
    result = arborist(
        "crawl-report", "--seed-url", crawled.url(), "--sitemap", crawled.url("/map.xml"), "--format", "json"
    )
    orphans = [finding["url"] for finding in json.loads(result.stdout)["findings"] if finding["signal"] == "orphan"]
    assert orphans == [crawled.url("/nowhere")]
    assert dump(home) == before


def test_by_default_the_sites_own_sitemap_is_read_and_nothing_is_stored(arborist, crawled, home):
    crawled.routes["/robots.txt"] = f"Sitemap: {crawled.url('/map.xml')}"
    crawled.routes["/nowhere"] = html("Nowhere", "<p>z</p>")
    before = dump(home)
    result = arborist("crawl-report", "--seed-url", crawled.url(), "--format", "json")
    report = json.loads(result.stdout)
    assert [each["url"] for each in report["findings"] if each["signal"] == "orphan"] == [crawled.url("/nowhere")]
    assert dump(home) == before


def test_a_site_that_is_down_is_reported_from_the_store_and_that_is_said(arborist):
    with LocalSite({"/": html("Home", "<p>x</p>", links=["/missing"])}) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
    result = arborist("crawl-report", "--seed-url", site.url(), "--format", "json")
    assert result.exit_code == 0
    assert "does not answer" in result.stderr
    assert json.loads(result.stdout)["summary"]["broken_link"] == 1


@pytest.mark.parametrize("form", RENDERERS)
def test_every_format_goes_to_stdout_or_whole_into_a_file(arborist, crawled, tmp_path, form):
    printed = arborist("crawl-report", "--seed-url", crawled.url("/a"), "--format", form)
    written = arborist("crawl-report", "--seed-url", crawled.url("/a"), "--format", form, "--out", "report.txt")
    assert (printed.exit_code, written.exit_code, written.stdout) == (0, 0, "")
    assert crawled.url("/missing") in printed.stdout
    assert crawled.url("/missing") in (tmp_path / "report.txt").read_text()
    assert [path.name for path in tmp_path.glob("*.part")] == []


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        (("broken_link",), 3),
        (("broken_link>1",), 0),
        (("broken_link>1", "error"), 3),
        (("redirect_loop",), 0),
    ],
)
def test_a_gate_that_fails_ends_with_3_and_the_report_is_still_there(arborist, crawled, rules, code):
    options = [word for rule in rules for word in ("--fail-on", rule)]
    result = arborist("crawl-report", "--seed-url", crawled.url(), *options)
    assert result.exit_code == code
    assert crawled.url("/missing") in result.stdout
    assert ("gate failed" in result.stderr) is (code == 3)


@pytest.mark.parametrize(
    "options",
    [
        ("--seed-url", "https://nobody.example/"),
        ("--seed-url", "nonsense"),
        ("--seed-url", "{site}", "--fail-on", "broken_links"),
        ("--seed-url", "{site}", "--since", "3"),
        ("--seed-url", "{site}", "--format", "pdf"),
        ("--seed-url", "{site}", "--out", "no/such/folder/report.md"),
        ("--seed-url", "{site}", "--sitemap", "nonsense"),
        ("--seed-url", "{site}", "--sitemap", "{site}map.xml", "--no-sitemap"),
    ],
)
def test_wrong_use_ends_with_2(arborist, crawled, options):
    result = arborist("crawl-report", *(option.format(site=crawled.url()) for option in options))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def test_a_site_that_is_being_crawled_is_not_asked_and_that_is_said(arborist, crawled, home):
    store = open_store(str(home / "crawl/web.db"))
    store.leases.acquire(f"127.0.0.1:{crawled.port}", holder="a crawl", seconds=60, now=datetime.now(UTC))
    store.close()
    before = len(crawled.requests)
    result = arborist("crawl-report", "--seed-url", crawled.url(), "--format", "json")
    assert (result.exit_code, json.loads(result.stdout)["summary"]["broken_link"]) == (0, 1)
    assert "the site is not asked: 127.0.0.1" in result.stderr
    assert "is being crawled by a crawl since" in result.stderr
    assert len(crawled.requests) == before
