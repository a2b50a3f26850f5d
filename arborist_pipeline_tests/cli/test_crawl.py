"""arborist crawl over real sockets: what is printed, what is stored, how it ends."""

import json
import shlex
import signal
import sqlite3
from collections import Counter
from datetime import UTC, datetime

import pytest

from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.cli.crawl import CrawlOptions, _resume_command
from arborist_pipeline.cli.invocation import Invocation
from arborist_pipeline.core.crawl.soft_errors import probe_url
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.support.model_server import KEY, LocalModel, told
from arborist_pipeline_tests.support.shy_shop import ANSWER, shy_page
from arborist_pipeline_tests.support.site_server import Gate, LocalSite, Reply, html, redirect

PAGE_KEYS = (
    "order url final_url depth parent anchor status outcome reason kind priority rendered elapsed_seconds bytes title "
    "document_root fetched_at"
).split()
SUMMARY_KEYS = set(
    "pages products documents by_outcome by_tier first_product_at llm_calls requests needs_rendering unfetched "
    "stopped_by".split()
)
PRODUCT = """<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product",
"name": "Desk lamp", "sku": "L1", "offers": {"@type": "Offer", "price": "19.90", "priceCurrency": "EUR",
"availability": "https://schema.org/InStock"}}</script>"""


def shop():
    return {
        "/robots.txt": "User-agent: *\nDisallow: /cart\n",
        "/": html("Home", links=["/about", "/products/lamp", "/cart", "/broken", "/deep/1"]),
        "/about": html("About", "<p>We mend lamps in a yard behind the station.</p>"),
        "/products/lamp": html(
            "Desk lamp", "<h1>Desk lamp</h1><p>EUR 19.90</p><button>Add to cart</button>", head=PRODUCT
        ),
        "/deep/1": html("Deep 1", links=["/deep/2"]),
        "/deep/2": html("Deep 2", links=["/deep/3"]),
        "/deep/3": html("Deep 3"),
    }


def rows(home, query):
    connection = sqlite3.connect(home / "crawl/web.db")
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def paths(site, text):
    return [url.removeprefix(site.url("").rstrip("/")) for url in text.split()]


def test_urls_are_printed_in_fetch_order_and_everything_else_on_stderr(arborist):
    with LocalSite(shop()) as site:
        result = arborist("crawl", "--seed-url", site.url(), "--fast", "--concurrency", 1)
        assert paths(site, result.stdout) == [each for each in site.targets if each != "/robots.txt"]
    assert result.exit_code == 0
    assert "stopped by exhausted" in result.stderr


def test_depth_2_is_the_default_and_what_lies_deeper_is_not_asked_for(arborist):
    with LocalSite(shop()) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast")
        assert site.count("/deep/2") == 1
        assert site.count("/deep/3") == 0
        arborist("crawl", "--seed-url", site.url(), "--fast", "--depth", 0)
        assert site.count("/deep/1") == 1


def test_max_pages_is_the_budget_and_resume_spends_the_next(arborist):
    with LocalSite(shop()) as site:
        first = arborist("crawl", "--seed-url", site.url(), "--fast", "--max-pages", 2)
        assert first.exit_code == 0
        assert "--resume" in first.stderr
        second = arborist("crawl", "--seed-url", site.url(), "--fast", "--resume")
        assert sorted(paths(site, first.stdout + second.stdout)) == sorted(set(site.targets) - {"/robots.txt"})
        assert {target: site.count(target) for target in site.targets if target != "/robots.txt"} == dict.fromkeys(
            ["/", "/about", "/products/lamp", "/broken", "/deep/1", "/deep/2"], 1
        )


def test_json_lines_have_the_keys_of_the_contract_and_end_with_the_summary(arborist):
    with LocalSite(shop()) as site:
        result = arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest", "--json")
    *pages, last = lines(result.stdout)
    assert all(list(page) == PAGE_KEYS for page in pages)
    assert list(last) == ["summary"]
    assert set(last["summary"]) >= SUMMARY_KEYS
    fetched = [page for page in pages if page["order"] is not None]
    assert [page["order"] for page in fetched] == list(range(1, 7))
    assert last["summary"]["pages"] == 6
    assert last["summary"]["stopped_by"] == "exhausted"
    lamp = next(page for page in pages if page["url"] == site.url("/products/lamp"))
    assert (lamp["kind"], lamp["outcome"], lamp["priority"]["tier"], lamp["depth"]) == ("product", "ok", "regex", 1)
    assert (lamp["parent"], lamp["anchor"], lamp["title"]) == (site.url(), "/products/lamp", "Desk lamp")
    assert len(bytes.fromhex(lamp["document_root"])) == 32
    denied = [page for page in pages if page["order"] is None]
    assert [(page["url"], page["outcome"], page["status"]) for page in denied] == [
        (site.url("/cart"), "robots_denied", None)
    ]
    broken = next(page for page in pages if page["url"] == site.url("/broken"))
    assert (broken["outcome"], broken["status"], broken["document_root"]) == ("http_error", 404, None)


def test_pages_that_answer_in_another_order_are_printed_in_fetch_order(arborist):
    routes = {"/": html("Home", links=[f"/{number}" for number in range(1, 9)])}
    for number in range(1, 9):
        routes[f"/{number}"] = Reply(body=html(str(number)).encode(), delay_seconds=0.2 / number)
    with LocalSite(routes) as site:
        result = arborist("crawl", "--seed-url", site.url(), "--fast", "--concurrency", 8, "--json")
        assert site.most_at_once > 1
    orders = [page["order"] for page in lines(result.stdout)[:-1]]
    assert orders == list(range(1, 10))


def test_without_ingest_no_bodies_products_or_documents_are_written(arborist, home):
    with LocalSite(shop()) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast")
    assert rows(home, "SELECT count(*) FROM pages") == [(7,)]
    assert rows(home, "SELECT count(*) FROM links") != [(0,)]
    for name in ("bodies", "products", "documents", "chunks", "document_chunks", "document_http_meta"):
        assert rows(home, f"SELECT * FROM {name}") == [], name  # names from the line above


def test_with_ingest_bodies_products_and_documents_are_there(arborist, home):
    with LocalSite(shop()) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest", "--author", "Watson")
    assert rows(home, "SELECT name, price FROM products WHERE is_current") == [("Desk lamp", "19.90")]
    assert rows(home, "SELECT count(*) FROM documents WHERE is_current") == [(5,)]
    assert rows(home, "SELECT title FROM documents WHERE document_uri LIKE '%about'") == [("About — Watson",)]


def test_with_ingest_a_configured_model_is_asked_what_pages_left_open(arborist, home, monkeypatch):
    things = {"/things/oak-stool": shy_page("Oak stool"), "/things/ash-bench": shy_page("Ash bench", amount="145")}
    with LocalSite({"/": html("Home", links=things)} | things) as site, LocalModel(told(**ANSWER)) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        for _ in range(2):
            result = arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
            assert (result.exit_code, KEY in result.stdout + result.stderr) == (0, False)
    assert len(model.requests) == 1
    assert sorted(rows(home, "SELECT name, price, currency, sku FROM products WHERE is_current")) == [
        ("Ash bench", "145", "EUR", "KX-100"), ("Oak stool", "39", "EUR", "KX-100"),
    ]  # fmt: skip


def test_a_later_crawl_retires_what_is_gone(arborist, home):
    with LocalSite(shop()) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
        site.routes["/products/lamp"] = Reply(status=410)
        second = arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
    assert "gone and retired: 1 documents, 1 products" in second.stderr
    assert rows(home, "SELECT count(*) FROM products WHERE is_current") == [(0,)]


def test_a_site_that_is_not_listed_gets_its_default_key(arborist, home):
    with LocalSite(shop()) as site:
        arborist("crawl", "--seed-url", site.url(), "--fast")
        assert rows(home, "SELECT key, seed_url FROM sites") == [(f"127.0.0.1-{site.port}", site.url())]


def test_a_listed_site_keeps_its_key_and_its_settings(arborist, home, tmp_path):
    with LocalSite(shop()) as site:
        (tmp_path / "sites.yaml").write_text(
            f"sites:\n  - {{key: lamps, seed_url: '{site.url()}', mode: fast, exclude: [/deep], author: Doyle}}\n"
        )
        result = arborist("crawl", "--seed-url", site.url("/about"), "--ingest", "--json")
        assert site.targets == ["/robots.txt", "/about"]
        arborist("crawl", "--seed-url", site.url(), "--ingest")
        assert site.count("/deep/1") == 0
    assert result.exit_code == 0
    assert rows(home, "SELECT key FROM sites") == [("lamps",)]
    assert rows(home, "SELECT title FROM documents WHERE document_uri LIKE '%about'") == [("About — Doyle",)]


def test_a_site_that_the_store_knows_keeps_its_key_when_the_list_is_gone(arborist, home, tmp_path):
    with LocalSite(shop()) as site:
        listed = tmp_path / "sites.yaml"
        listed.write_text(f"sites:\n  - key: lamps\n    seed_url: {site.url()}\n    mode: fast\n")
        arborist("crawl", "--seed-url", site.url())
        listed.unlink()
        arborist("crawl", "--seed-url", site.url("/about"))
    assert rows(home, "SELECT key FROM sites") == [("lamps",)]


def seed_cases():
    return [
        ("an error", {"/": Reply(status=500, headers={"retry-after": "0"})}, "http_error"),
        ("nothing there", {"/": Reply(status=404)}, "status 404"),
        ("a PDF", {"/": Reply(headers={"content-type": "application/pdf"}, body=b"%PDF-1.7 x")}, "not_html"),
        ("a PDF that says it is HTML", {"/": b"%PDF-1.7 x" * 9}, "not_html"),
        ("another host", {"/": redirect("http://elsewhere.invalid/shop")}, "http://elsewhere.invalid/shop"),
        ("a login", {"/": Reply(status=401)}, "blocked"),
        ("robots.txt", {"/": html("x"), "/robots.txt": "User-agent: *\nDisallow: /\n"}, "Disallow: /"),
        ("robots.txt broken", {"/": html("x"), "/robots.txt": Reply(status=503)}, "robots.txt unreachable"),
        ("nothing at all", {"/": Reply(body=b"")}, "empty"),
        ("a hang-up", {"/": Reply(raw=b"")}, "network_error"),
    ]


@pytest.mark.parametrize(
    ("routes", "reason"), [case[1:] for case in seed_cases()], ids=[case[0] for case in seed_cases()]
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_seed_that_cannot_be_crawled_ends_with_1_and_the_reason(arborist, monkeypatch, routes, reason, form):
    monkeypatch.setattr("arborist_pipeline.core.crawl.politeness.FIRST_PAUSE_SECONDS", 0.0)
    with LocalSite(routes) as site:
        result = arborist("crawl", "--seed-url", site.url(), "--fast", *form)
    assert result.exit_code == 1
    assert reason in result.stderr
    if form:
        assert lines(result.stdout)[-1]["summary"]["products"] == 0


@pytest.mark.parametrize("url", ["http://no-such-host.invalid/", "http://127.0.0.1:1/"])
def test_a_seed_that_nobody_serves_ends_with_1(arborist, url):
    result = arborist("crawl", "--seed-url", url)
    assert (result.exit_code, result.stdout) == (1, "")
    assert url in result.stderr


def test_a_private_address_is_refused_unless_it_is_meant(arborist, monkeypatch):
    monkeypatch.setenv("ARBORIST_ALLOW_PRIVATE", "0")
    with LocalSite(shop()) as site:
        result = arborist("crawl", "--seed-url", site.url())
        assert site.requests == []
    assert result.exit_code == 1
    assert "not public" in result.stderr


@pytest.mark.parametrize(
    "url", ["shop.example", "ftp://shop.example/", "mailto:a@b.example", "", "http://", "file:///etc/passwd"]
)
def test_what_is_no_url_ends_with_2_and_makes_no_store(arborist, home, url):
    result = arborist("crawl", "--seed-url", url)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "http(s) URL" in result.stderr
    assert not home.exists()


@pytest.mark.parametrize(
    "options",
    [("--render", "always"), ("--replay", "3")],
)
def test_an_option_to_come_ends_with_2_and_asks_for_nothing(arborist, options):
    with LocalSite(shop()) as site:
        result = arborist("crawl", "--seed-url", site.url(), *options)
        assert site.requests == []
    assert result.exit_code == 2
    assert "not built yet" in result.stderr


@pytest.mark.parametrize("options", [("--concurrency", "4"), ("--concurrency", "0", "--fast"), ("--depth", "-1")])
def test_options_that_do_not_fit_end_with_2(arborist, options):
    assert arborist("crawl", "--seed-url", "http://127.0.0.1:1/", *options).exit_code == 2


def test_render_auto_and_never_are_taken(arborist):
    with LocalSite({"/": html("Home", "<p>Hello</p>")}) as site:
        for render in ("auto", "never"):
            assert arborist("crawl", "--seed-url", site.url(), "--fast", "--render", render).exit_code == 0


def test_a_broken_site_list_ends_with_2_before_anything_is_asked(arborist, tmp_path, home):
    (tmp_path / "sites.yaml").write_text("sites:\n  - seed_ur: https://shop.example/\n")
    with LocalSite(shop()) as site:
        result = arborist("crawl", "--seed-url", site.url())
        assert site.requests == []
    assert result.exit_code == 2
    assert "line 2" in result.stderr
    assert not home.exists()


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
