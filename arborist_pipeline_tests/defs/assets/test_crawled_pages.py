"""crawled_pages walks one site as run config says, tells what came of it, and fails with a reason that helps."""

import re
import threading
from base64 import b64decode

import dagster as dg
import pytest

from arborist_pipeline.core.crawl.records import Tier
from arborist_pipeline.core.report.product_curve import COLOURS
from arborist_pipeline_tests.defs.runs import Run, crawl_config, failure_of, held_lease, metadata_of, shop_routes
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect


@pytest.fixture
def crawl(home, run, shop):
    """Crawl the little shop with some run config."""
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")

    def crawl(**config):
        return run.assets("crawled_pages", key="shop", run_config=crawl_config(**config))

    return crawl


def asked(shop):
    return [target for target in shop.targets if target != "/robots.txt"]


def test_products_come_first_and_the_metadata_tells_the_crawl(crawl, shop):
    said = metadata_of(crawl(), "crawled_pages")
    assert asked(shop) == ["/", "/products/pan", "/products/pot", "/about"]
    assert (said["pages"], said["products"], said["first_60_products"], said["first_product_at"]) == (4, 2, 2, 2)
    assert (said["stopped_by"], said["unfetched"], said["crawl_id"], said["dagster/row_count"]) == (
        "exhausted",
        0,
        1,
        4,
    )
    assert said["outcomes"] == [{"outcome": "ok", "count": 4}]
    assert said["requests"] == [{"request": "page", "count": 4}, {"request": "robots", "count": 1}]
    assert [tuple(row.values()) for row in said["tiers"]] == [("regex", 2, 2), ("order", 1, 0), ("seed", 1, 0)]
    assert [(row["order"], row["title"]) for row in said["first_pages"]] == [
        (1, "Little shop"), (2, "Iron pan"), (3, "Copper pot"), (4, "About"),
    ]  # fmt: skip


def test_a_picture_shows_the_products_over_the_pages_by_tier(crawl):
    picture = metadata_of(crawl(), "crawled_pages")["products_over_pages"]
    start, _, encoded = picture.removesuffix(")").partition("base64,")
    assert start == "![products found against pages](data:image/svg+xml;"
    svg = b64decode(encoded, validate=True).decode()
    colours = re.findall('<polyline [^>]*stroke="(.*?)"', svg)
    assert colours == [COLOURS[None], COLOURS[Tier.REGEX], COLOURS[None]]


def test_a_crawl_that_asked_for_nothing_has_no_picture(home, run):
    with LocalSite({"/robots.txt": "User-agent: *\nDisallow: /\n"}) as site:
        home.list_sites(shut=site.url())
        run.assets("seed_sites")
        (event,) = run.assets("crawled_pages", key="shut").get_step_failure_events()
    said = event.step_failure_data.user_failure_data.metadata
    assert "outcomes" in said
    assert "products_over_pages" not in said


@pytest.mark.parametrize(
    ("config", "targets"),
    [
        ({"max_pages": 2}, ["/", "/products/pan"]),
        ({"depth": 0}, ["/"]),
        ({"urls": ["/about"]}, ["/about"]),
        ({"mode": "fast", "max_pages": 1}, ["/"]),
    ],
)
def test_run_config_limits_a_crawl(config, targets, crawl, shop):
    if "urls" in config:
        config = {"urls": [shop.url(target) for target in config["urls"]]}
    assert crawl(**config).success
    assert asked(shop) == targets


def test_a_resumed_crawl_goes_on_under_its_number(crawl, shop):
    first = metadata_of(crawl(max_pages=1), "crawled_pages")
    second = metadata_of(crawl(resume=True), "crawled_pages")
    assert (first["crawl_id"], second["crawl_id"]) == (1, 1)
    assert asked(shop) == ["/", "/products/pan", "/products/pot", "/about"]


def test_a_full_crawl_asks_again_before_pages_are_due(crawl, shop):
    crawl()
    crawl(urls=[shop.url("/about")])
    before = len(asked(shop))
    crawl(full=True)
    assert sorted(asked(shop)[before:]) == ["/", "/about", "/products/pan", "/products/pot"]


@pytest.mark.parametrize(
    ("routes", "words"),
    [
        ({"/robots.txt": "User-agent: *\nDisallow: /\n"}, "robots.txt forbids the seed"),
        ({"/": redirect("http://localhost:1/")}, "use http://localhost:1/ as seed_url"),
        ({"/": Reply(status=404)}, "check the address in a browser"),
        ({"/": Reply(status=403)}, "ask the owner to allow this crawler"),
        ({"/": Reply(body=b"%PDF-1.4", headers={"content-type": "application/pdf"})}, "name a page of the site"),
    ],
)
def test_a_site_that_cannot_be_crawled_fails_with_what_to_do(routes, words, home, run):
    with LocalSite(routes) as site:
        home.list_sites(broken=site.url())
        run.assets("seed_sites")
        result = run.assets("crawled_pages", key="broken")
    assert words in failure_of(result)
    (event,) = result.get_step_failure_events()
    assert {"stopped_by", "reason", "outcomes"} <= set(event.step_failure_data.user_failure_data.metadata)


@pytest.mark.usefixtures("home")
def test_a_site_that_the_store_does_not_know_says_what_to_do(run, instance):
    instance.add_dynamic_partitions("sites", ["ghost"])
    reason = failure_of(run.assets("crawled_pages", key="ghost"))
    assert reason == "the store knows no site 'ghost': list it in sites.yaml, then materialize seed_sites"


def test_a_url_of_another_site_is_refused_before_anything_is_asked(crawl, shop):
    assert "is no page of" in failure_of(crawl(urls=["http://127.0.0.1:1/x"]))
    assert shop.requests == []


def test_a_host_in_other_hands_is_left_alone_and_its_holder_named(crawl, shop, home):
    with held_lease(home, f"127.0.0.1:{shop.port}"):
        assert "is being crawled by somebody else since" in failure_of(crawl())
    assert shop.requests == []
    assert crawl().success


def test_two_runs_of_one_host_never_overlap(definitions, home, tmp_path):
    """Both begin at once; while the first one waits for its first page, the second is told who has the host."""
    asked, answer = threading.Event(), threading.Event()

    def slow(_):
        asked.set()
        answer.wait(30)
        return html("Home", links=["/about"])

    with LocalSite(shop_routes() | {"/": slow}) as site, dg.instance_for_test(temp_dir=str(tmp_path)) as instance:
        home.list_sites(shop=site.url())
        run = Run(definitions, instance)
        run.assets("seed_sites")
        results = {}
        thread = threading.Thread(target=lambda: results.update(first=run.assets("crawled_pages", key="shop")))
        thread.start()
        assert asked.wait(30)
        second = run.assets("crawled_pages", key="shop")
        answer.set()
        thread.join()
        assert results["first"].success
        assert f"is being crawled by Dagster run {results['first'].run_id}" in failure_of(second)
        assert site.most_at_once == 1


def test_a_crawl_that_never_ended_is_taken_over_when_its_lease_has_run_out(crawl, shop, home):
    adapters = home.adapters
    with adapters.open_store() as store:
        store.leases.acquire(f"127.0.0.1:{shop.port}", holder="killed", seconds=0.0, now=adapters.clock.now())
    assert crawl().success


def test_titles_of_pages_stay_text(home, run):
    title = "<img src=x onerror=alert(1)> | **bold** [x](javascript:1)"
    with LocalSite({"/": html(title)}) as site:
        home.list_sites(shop=site.url())
        run.assets("seed_sites")
        result = run.assets("crawled_pages", key="shop")
    (event,) = result.get_asset_materialization_events()
    sample = event.materialization.metadata["first_pages"]
    assert isinstance(sample, dg.TableMetadataValue), "cells are shown as text, Markdown would be rendered"
    assert sample.records[0].data["title"] == title
