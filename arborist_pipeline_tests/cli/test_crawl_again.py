"""How a crawl by command is stopped, refused, corrected and gone on with."""

import json
import shlex
import signal
from collections import Counter
from datetime import UTC, datetime

import pytest

from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.cli.crawl import CrawlOptions, _resume_command
from arborist_pipeline.cli.invocation import Invocation
from arborist_pipeline.core.crawl.soft_errors import probe_url
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.cli.small_shop import lines, paths, rows, shop
from arborist_pipeline_tests.support.site_server import Gate, LocalSite, html


def test_a_host_that_is_being_crawled_is_left_alone(arborist, home):
    with LocalSite(shop()) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast")
        store = open_store(str(home / "crawl/web.db"))
        now = datetime.now(UTC)
        store.leases.acquire(f"127.0.0.1:{site.port}", holder="the other one", seconds=60, now=now)
        store.close()
        asked = len(site.requests)
        result = arborist("crawl", "--seed-url", site.url(), "--fast")
        assert len(site.requests) == asked
    assert result.exit_code == 1
    assert "the other one" in result.stderr


def test_resume_with_nothing_left_says_so(arborist):
    with LocalSite(shop()) as site:
        fresh = arborist("crawl", "--seed-url", site.url(), "--fast", "--resume")
        assert "a new crawl begins" in fresh.stderr
        assert len(fresh.stdout.split()) == 6
        again = arborist("crawl", "--seed-url", site.url(), "--fast", "--resume")
    assert "ran to its end" in again.stderr
    assert (again.exit_code, again.stdout) == (0, "")


@pytest.mark.parametrize("form", [(), ("--json", "--ingest")])
def test_ctrl_c_keeps_what_was_fetched_and_resume_fetches_only_the_rest(process, arborist, home, form):
    may_answer = Gate()

    def slow(_):
        may_answer.wait()
        return html("Slow")

    routes = {"/": html("Home", links=[f"/{number}" for number in range(1, 10)])}
    routes |= {f"/{number}": html(f"Page {number}", f"<p>Text {number}</p>") for number in range(1, 10)} | {"/4": slow}
    with LocalSite(routes) as site, may_answer:
        options = ("crawl", "--seed-url", site.url(), "--fast", "--concurrency", 1, *form)
        child = process(*options)
        told = [child.stdout.readline() for _ in range(4)]
        while not site.count("/4"):
            may_answer.wait(0.01)
        child.send_signal(signal.SIGINT)
        rest, errors = child.communicate()
        assert child.returncode == 1
        assert "interrupted" in errors
        assert f"--seed-url {site.url()}" in errors
        assert "--resume" in errors
        assert "Traceback" not in errors
        first = {"/", "/1", "/2", "/3"}
        assert rows(home, "SELECT stopped_by FROM crawls") == [("interrupted",)]
        assert rows(home, "SELECT count(*) FROM pages") == [(4,)]
        if not form:
            assert paths(site, "".join(told) + rest) == ["/", "/1", "/2", "/3"]
        may_answer.set()
        before = len(site.requests)
        second = arborist(*options, "--resume")
        asked = {request.target for request in site.requests[before:]} - {"/robots.txt"}
        assert second.exit_code == 0
        assert asked == set(routes) - first
        orders = rows(home, 'SELECT "order" FROM pages ORDER BY "order"')
        assert orders == [(number,) for number in range(1, 11)]
        if form:
            told_orders = [page["order"] for page in lines(second.stdout)[:-1]]
            assert told_orders == list(range(5, 11))


def test_a_reader_that_goes_away_ends_the_crawl_quietly(process, home):
    routes = {"/": html("Home", links=[f"/{number}" for number in range(1, 30)])}
    routes |= {f"/{number}": html(str(number), "<p>x</p>") for number in range(1, 30)}
    may_answer = Gate()

    def last(_):
        may_answer.wait()
        return html("x")

    routes["/2"] = last
    with LocalSite(routes) as site, may_answer:
        child = process("crawl", "--seed-url", site.url(), "--fast", "--concurrency", 1)
        assert child.stdout.readline()
        child.stdout.close()
        may_answer.set()
        errors = child.stderr.read()
        assert child.wait() == 1
    assert errors == ""
    assert rows(home, "SELECT stopped_by FROM crawls") == [("interrupted",)]


def test_the_real_command_crawls(process):
    with LocalSite(shop()) as site:
        child = process("crawl", "--seed-url", site.url(), "--fast")
        out, errors = child.communicate()
        assert child.returncode == 0, errors
        assert sorted(paths(site, out)) == ["/", "/about", "/broken", "/deep/1", "/deep/2", "/products/lamp"]


def test_discovery_by_sitemap_is_opted_into(arborist):
    with LocalSite(shop() | {"/alone": html("Alone")}) as site:
        site.routes["/sitemap.xml"] = f"<urlset><url><loc>{site.url('/alone')}</loc></url></urlset>"
        arborist("crawl", "--seed-url", site.url(), "--fast")
        assert site.count("/alone") == site.count("/sitemap.xml") == 0
        result = arborist("crawl", "--seed-url", site.url(), "--fast", "--discovery", "links+sitemap", "--json")
        assert (site.count("/alone"), site.count("/sitemap.xml")) == (1, 1)
    *pages, last = lines(result.stdout)
    assert next(each for each in pages if each["url"].endswith("/alone"))["priority"]["why"] == "listed in the sitemap"
    assert last["summary"]["requests"]["sitemap"] == 1


def test_a_page_that_turns_out_to_be_a_soft_404_is_corrected_by_a_second_line(arborist):
    nowhere = "<title>Shop</title><p>Nothing lives at this address.</p>"
    routes = {"/": html("Home", links=["/old", "/live", "/older"]), "/live": html("Live", "<p>Alive</p>")}
    with LocalSite(routes | dict.fromkeys(("/old", "/older"), nowhere)) as site:
        probe = probe_url(canonicalize(site.url("/older"))).removeprefix(site.url(""))
        site.routes[probe] = nowhere
        crawl = ("crawl", "--seed-url", site.url(), "--fast", "--concurrency", 1)
        lines = [json.loads(line) for line in arborist(*crawl, "--json").stdout.splitlines()]
        plain = arborist(*crawl).stdout.splitlines()
    *pages, last = lines
    assert [(page["order"], page["outcome"]) for page in pages if page["url"].endswith("/old")] == [
        (2, "ok"), (2, "soft_404"),
    ]  # fmt: skip
    assert Counter({page["order"]: page["outcome"] for page in pages}.values()) == last["summary"]["by_outcome"]
    assert sorted(plain) == sorted({page["url"] for page in pages})


def test_a_resumed_command_keeps_what_was_chosen(arborist):
    with LocalSite(shop()) as site:
        result = arborist("crawl", "--seed-url", site.url(), "--fast", "--max-pages", 1, "--render", "never",
                          "--discovery", "links+sitemap")  # fmt: skip
    assert "--render never --discovery links+sitemap" in result.stderr


def test_a_resumed_command_keeps_secrets_to_itself(arborist):
    with LocalSite(shop()) as site:
        seed = site.url("/?token=hunter2").replace("//", "//me:hunter2@", 1)
        result = arborist("crawl", "--seed-url", seed, "--fast", "--max-pages", 1)
    assert "--resume" in result.stderr
    assert "hunter2" not in result.stderr


def test_a_resumed_command_names_the_store_without_its_password():
    store = Invocation(db="postgresql+psycopg://me:hunter2@db.example/web?sslpassword=hunter2")
    command = _resume_command(store, CrawlOptions(
        seed_url="https://shop.example", depth=2, max_pages=0, ingest=True, fast=False, concurrency=None, author=None,
        render=None, discovery=None, resume=True, replay=None, as_json=False,
    ))  # fmt: skip
    assert shlex.split(command)[:3] == ["arborist", "--db", "postgresql+psycopg://***@db.example/web?sslpassword=***"]
    assert command.endswith("crawl --seed-url https://shop.example/ --depth 2 --ingest --resume")


def test_a_walk_from_another_page_does_not_move_the_start_of_a_site(arborist, home):
    with LocalSite({"/": html("Home", links=["/deep"]), "/deep": html("Deep")}) as site:
        arborist("crawl", "--seed-url", site.url("/"), "--fast")
        arborist("crawl", "--seed-url", site.url("/deep"), "--fast")
        assert rows(home, "SELECT seed_url FROM sites") == [(site.url("/"),)]
