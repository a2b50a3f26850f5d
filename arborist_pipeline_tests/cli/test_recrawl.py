"""arborist crawler recrawl-check: a line a stored page."""

import json
import signal
import sqlite3

import pytest

from arborist_pipeline_tests.support.site_server import Gate, LocalSite, Reply, html, redirect


def site_routes():
    return {
        "/robots.txt": "User-agent: *\nCrawl-delay: 0\nDisallow: /private\n",
        "/": html("Home", links=["/same", "/other", "/gone", "/moved", "/broken"]),
        "/same": html("Same", "<p>x</p>"),
        "/other": html("Other", "<p>before</p>"),
        "/gone": html("Gone", "<p>x</p>"),
        "/moved": html("Moved", "<p>x</p>"),
        "/broken": html("Broken", "<p>x</p>"),
    }


def change(site):
    site.routes["/other"] = html("Other", "<p>after</p>")
    site.routes["/gone"] = Reply(status=410)
    site.routes["/moved"] = redirect("/same?token=hunter2")
    site.routes["/same?token=hunter2"] = site.routes["/same"]
    site.routes["/broken"] = Reply(status=418)


VERDICTS = {"/": "fresh", "/same": "fresh", "/other": "stale", "/gone": "gone", "/moved": "moved", "/broken": "unknown"}


@pytest.fixture
def crawled(arborist):
    with LocalSite(site_routes()) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
        change(site)
        yield site


def test_each_stored_page_gets_its_verdict_by_head(arborist, crawled):
    before = len(crawled.requests)
    result = arborist("crawler", "recrawl-check", "--json")
    assert result.exit_code == 0
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert {line["url"].removeprefix(crawled.url("")): line["verdict"] for line in told} == VERDICTS
    assert all(line["reason"] and line["checked_at"].endswith("Z") for line in told)
    assert next(line["moved_to"] for line in told if line["verdict"] == "moved") == crawled.url("/same?token=hunter2")
    assert not any("hunter2" in line["reason"] for line in told)
    methods = {request.method for request in crawled.requests[before:] if request.target != "/robots.txt"}
    assert methods == {"HEAD"}


def test_without_json_a_line_has_verdict_url_and_reason(arborist, crawled):
    result = arborist("crawler", "recrawl-check")
    lines = {line.split()[1]: line.split()[0] for line in result.stdout.splitlines()}
    assert lines == {crawled.url(path): verdict for path, verdict in VERDICTS.items()}
    assert "2 fresh, 1 stale, 1 gone, 1 moved, 1 unknown" in result.stderr


def test_limit_checks_the_longest_unchecked_first(arborist, crawled):
    seen = []
    for _ in range(3):
        seen += [line.split()[1] for line in arborist("crawler", "recrawl-check", "--limit", 2).stdout.splitlines()]
    assert sorted(seen) == sorted(crawled.url(path) for path in VERDICTS)


@pytest.mark.parametrize("form", ["{host}", "http://{host}/some/page"])
def test_domain_names_one_host(arborist, crawled, form):
    with LocalSite({"/": html("Other", "<p>x</p>")}) as other:
        arborist("crawl", "--seed-url", other.url(), "--fast", "--ingest")
        result = arborist("crawler", "recrawl-check", "--domain", form.format(host=f"127.0.0.1:{other.port}"))
    assert [line.split()[1] for line in result.stdout.splitlines()] == [other.url()]
    assert crawled.url() not in result.stdout


@pytest.mark.parametrize("form", ["127.0.0.1", "http://127.0.0.1"])
def test_a_domain_without_a_port_is_the_host_on_any_port(arborist, crawled, form):
    result = arborist("crawler", "recrawl-check", "--domain", form)
    assert [line.split()[1] for line in result.stdout.splitlines()].count(crawled.url()) == 1


@pytest.mark.parametrize("arguments", [("--domain", "nobody.example"), ("--domain", "a b"), ("--limit", "-1")])
def test_a_domain_without_pages_is_wrong_use(arborist, crawled, arguments):
    before = len(crawled.requests)
    result = arborist("crawler", "recrawl-check", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(crawled.requests) == before


def test_an_empty_store_has_nothing_to_check(arborist):
    result = arborist("crawler", "recrawl-check")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "has no pages" in result.stderr


def test_what_was_found_stale_is_stored(arborist, crawled, home):
    arborist("crawler", "recrawl-check")
    with sqlite3.connect(home / "crawl/web.db") as connection:
        found = connection.execute("SELECT url, verdict FROM recrawl_checks").fetchall()
    connection.close()
    assert dict(found) == {crawled.url(path): verdict for path, verdict in VERDICTS.items()}


def test_ctrl_c_keeps_the_verdicts_and_the_same_command_goes_on(process, arborist, crawled, home):
    may_answer = Gate()

    def slow(_):
        may_answer.wait()
        return html("Gone", "<p>x</p>")

    crawled.routes["/gone"] = slow
    with may_answer:
        child = process("crawler", "recrawl-check")
        while not crawled.count("/gone", "HEAD"):
            may_answer.wait(0.01)
        child.send_signal(signal.SIGINT)
        told, errors = child.communicate()
    assert child.returncode == 1
    assert "goes on with the longest unchecked" in errors
    assert "Traceback" not in errors
    with sqlite3.connect(home / "crawl/web.db") as connection:
        kept = connection.execute("SELECT url FROM recrawl_checks").fetchall()
    connection.close()
    assert {line.split()[1] for line in told.splitlines()} == {url for (url,) in kept}
    left = len(VERDICTS) - len(kept)
    again = arborist("crawler", "recrawl-check", "--limit", left)
    assert {line.split()[1] for line in again.stdout.splitlines()}.isdisjoint(url for (url,) in kept)
