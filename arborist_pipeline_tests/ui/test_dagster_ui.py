"""What a person sees and does in Dagster's UI: the lineage, the sites as partitions, a backfill, what a crawl says."""

import contextlib
import re
import sqlite3
from base64 import b64decode

import pytest

from arborist_pipeline.core.crawl.records import Tier

pytestmark = pytest.mark.browser

LINEAGE = "/locations/arborist_pipeline/asset-groups/arborist/lineage"
ORDER = ("seed_sites", "crawled_pages", "product_extractions", "webmaster_report")
BESIDE = ("document_store", "recrawl_checks")


def test_the_lineage_shows_every_asset_in_order(ui, page, keep):
    page.goto(ui.url + LINEAGE)
    places = {}
    for name in (*ORDER, *BESIDE):
        node = page.get_by_text(name, exact=True).last
        node.wait_for()
        places[name] = node.bounding_box()
    page.wait_for_function("() => !document.body.innerText.includes('Loading')")
    keep("lineage")
    tops = [places[name]["y"] for name in ORDER]
    lefts = [places[name]["x"] for name in ORDER]
    assert tops == sorted(set(tops)) or lefts == sorted(set(lefts)), places


def test_two_sites_are_backfilled_from_the_dialog(ui, page, keep, shops):
    ui.wait_for("the sites as partitions", lambda: set(partitions(ui)) == set(shops))
    ui.wait_for("the site list in the store", lambda: latest_run(ui, "seed_sites"))
    page.goto(f"{ui.url}/assets/crawled_pages?view=partitions")
    for key in shops:
        page.get_by_text(key, exact=True).first.wait_for()
    keep("partitions-before")
    page.get_by_role("button", name="Materialize").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="All", exact=True).click()
    keep("backfill-dialog")
    dialog.get_by_role("button", name="Launch backfill").click()
    ui.wait_for("both sites", lambda: counts(ui) == (2, 0), seconds=300)
    page.goto(f"{ui.url}/assets/crawled_pages?view=partitions&partition=first-shop")
    page.get_by_text(re.compile(r"Materialized \(2\)|2 materialized", re.IGNORECASE)).first.wait_for()
    page.get_by_text("first_60_products").first.wait_for()
    keep("partitions-after")
    picture = open_picture(page, "products_over_pages")
    assert picture["width"] > 600
    assert any(f">{tier}<" in picture["svg"] for tier in Tier)
    keep("products-over-pages")
    page.emulate_media(color_scheme="dark")
    keep("products-over-pages-dark")
    page.get_by_role("button", name="Close").first.click()
    ui.wait_for("the end of the backfill", lambda: backfill_states(ui) == ["COMPLETED_SUCCESS"])
    page.goto(f"{ui.url}/runs?view=backfills")
    page.get_by_text("2 partitions").first.wait_for()
    keep("backfills")
    assert all(len(shop.log) > 20 for shop in shops.values()), "both shops were asked for their pages"


def test_a_whole_night_of_a_site_ends_in_a_report(ui, page, keep, shops):
    ui.wait_for("the sites as partitions", lambda: set(partitions(ui)) == set(shops))
    launch(ui, "second-shop", ["product_extractions", "document_store", "webmaster_report"])
    ui.wait_for("the report", lambda: latest_run(ui, "webmaster_report"), seconds=300)
    for asset, words in (("webmaster_report", "first_findings"), ("product_extractions", "share_with_price"),
                         ("document_store", "superseded")):  # fmt: skip
        page.goto(f"{ui.url}/assets/{asset}?view=partitions&partition=second-shop")
        page.get_by_text(words).first.wait_for()
        keep(asset)


def test_schedule_and_sensors_are_listed_with_their_state(ui, page, keep):
    page.goto(f"{ui.url}/automation")
    for name in ("nightly_catalog_refresh", "site_registry_sensor", "recrawl_check_sensor", "stale_pages_sensor"):
        page.get_by_text(name, exact=True).first.wait_for()
    keep("automation")


def test_a_run_that_is_terminated_keeps_what_it_fetched(ui, page, keep, shops):
    ui.wait_for("the sites as partitions", lambda: set(partitions(ui)) == set(shops))
    shop = shops["second-shop"]
    before = len(shop.log)
    config = {"mode": "polite", "max_pages": 0, "full": True}
    launch(ui, "second-shop", ["crawled_pages"],
           {"ops": {"crawled_pages": {"ops": {"crawl_site": {"config": config}}}}})  # fmt: skip
    ui.wait_for("a crawl under way", lambda: len(shop.log) > before + 10, seconds=300)
    (run_id,) = [run["id"] for run in runs(ui) if run["status"] == "STARTED"]
    page.goto(f"{ui.url}/runs/{run_id}")
    page.get_by_role("button", name="Terminate").first.click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("Terminate|Yes")).first.click()
    ui.wait_for("the end of the run", lambda: {run["id"]: run["status"] for run in runs(ui)}[run_id] == "CANCELED")
    page.get_by_text("Canceled").first.wait_for()
    keep("terminated")
    with contextlib.closing(sqlite3.connect(ui.home / "crawl" / "web.db")) as store:
        stopped_by, pages = store.execute("SELECT stopped_by, pages FROM crawls ORDER BY id DESC").fetchone()
        moment = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
        (held,) = store.execute(f"SELECT count(*) FROM leases WHERE expires_at > {moment}").fetchone()
    assert (stopped_by, held) == ("interrupted", 0)
    assert pages >= 10


def open_picture(page, name):
    """Open the picture of a metadata entry and return how wide the browser draws it, and its SVG."""
    row = page.locator("tr", has=page.get_by_text(name, exact=True))
    row.get_by_text("[Show Markdown]").first.click()
    image = page.get_by_role("dialog").locator("img")
    image.wait_for()
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=image.element_handle())
    start, _, encoded = image.get_attribute("src").partition(",")
    assert start == "data:image/svg+xml;base64"
    return {"width": image.bounding_box()["width"], "svg": b64decode(encoded).decode()}


def partitions(ui):
    node = ui.ask('{assetNodeOrError(assetKey: {path: ["crawled_pages"]}) {... on AssetNode {partitionKeys}}}')
    return node["assetNodeOrError"].get("partitionKeys", ())


def counts(ui):
    """How many partitions of crawled_pages are materialized, and how many failed."""
    query = """{assetNodeOrError(assetKey: {path: ["crawled_pages"]}) {
        ... on AssetNode {partitionStats {numMaterialized numFailed}}}}"""
    stats = ui.ask(query)["assetNodeOrError"]["partitionStats"]
    assert stats["numFailed"] == 0, "a crawl failed"
    return stats["numMaterialized"], stats["numFailed"]


def backfill_states(ui):
    query = "{partitionBackfillsOrError {... on PartitionBackfills {results {status}}}}"
    return [each["status"] for each in ui.ask(query)["partitionBackfillsOrError"]["results"]]


def latest_run(ui, asset):
    query = """query Latest($path: [String!]!) {assetNodeOrError(assetKey: {path: $path}) {
        ... on AssetNode {assetMaterializations(limit: 1) {runId}}}}"""
    found = ui.ask(query, path=[asset])["assetNodeOrError"].get("assetMaterializations")
    return found[0]["runId"] if found else None


def runs(ui):
    return ui.ask("{runsOrError(limit: 20) {... on Runs {results {id status}}}}")["runsOrError"]["results"]


def launch(ui, key, assets, config=None):
    query = """mutation Launch($parameters: LaunchBackfillParams!) {
        launchPartitionBackfill(backfillParams: $parameters) {__typename ... on PythonError {message}}}"""
    parameters = {"assetSelection": [{"path": [asset]} for asset in assets], "partitionNames": [key],
                  "runConfigData": config or {}}  # fmt: skip
    launched = ui.ask(query, parameters=parameters)["launchPartitionBackfill"]
    assert launched["__typename"] == "LaunchBackfillSuccess", launched
