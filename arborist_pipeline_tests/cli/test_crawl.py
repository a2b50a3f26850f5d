"""arborist crawl, on sites of the test's own."""

import pytest

from arborist_pipeline_tests.cli.small_shop import lines, paths, rows, shop
from arborist_pipeline_tests.support.model_server import KEY, LocalModel, told
from arborist_pipeline_tests.support.shy_shop import ANSWER, shy_page
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect

PAGE_KEYS = (
    "order url final_url depth parent anchor status outcome reason kind priority rendered elapsed_seconds bytes title "
    "document_root fetched_at"
).split()


SUMMARY_KEYS = set(
    "pages products documents by_outcome by_tier first_product_at llm_calls requests needs_rendering unfetched "
    "stopped_by".split()
)


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
    assert len([each for each in model.requests if "LINKS>>" not in str(each.body)]) == 1  # the others: of links
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
    [("--render", "always")],
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
