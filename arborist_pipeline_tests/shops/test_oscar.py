"""The nightly job on a real django-oscar shop: no mark-up, 1,400 pages, product addresses that no pattern matches."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

pytestmark = pytest.mark.shared

WRITTEN_ONCE = (
    "documents",
    "chunks",
    "document_chunks",
    "supersedes",
    "products",
    "variants",
    "price_history",
    "links",
)


class Shop:
    """The shop after two nights: what the command said, what the store holds, what is true."""

    def __init__(self, url: str, truth: Path, home: Path) -> None:
        self.url, self.home = url, home
        self.products = _read(truth / "truth.jsonl")
        self.pages = _read(truth / "pages.jsonl")
        self.store = home / "crawl" / "web.db"
        self.environment = {**os.environ, "ARBORIST_HOME": str(home), "ARBORIST_SITES": str(home / "sites.yaml"),
                            "ARBORIST_ALLOW_PRIVATE": "1"}  # fmt: skip
        (home / "sites.yaml").write_text(f"sites:\n  - {{key: oscar, seed_url: '{url}', mode: fast, max_pages: 0}}\n")
        self.first = self.arborist("refresh", "oscar")
        self.rows_after_first = self.count_rows()
        self.second = self.arborist("refresh", "oscar", "--full")
        self.report = json.loads(self.arborist("crawl-report", "--seed-url", url, "--format", "json").stdout)

    def arborist(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "arborist_pipeline", *arguments]
        return subprocess.run(command, check=False, capture_output=True, text=True, env=self.environment)

    def query(self, sql: str) -> list[tuple]:
        with closing(sqlite3.connect(self.store)) as connection:
            return connection.execute(sql).fetchall()

    def count_rows(self) -> dict[str, int]:
        return {table: self.query(f"SELECT count(*) FROM {table}")[0][0] for table in WRITTEN_ONCE}

    def found(self, signal: str) -> set[str]:
        return {self.path(finding["url"]) for finding in self.report["findings"] if finding["signal"] == signal}

    def path(self, url: str) -> str:
        return "/" + url.removeprefix(self.url).lstrip("/")

    def kind(self, kind: str) -> list[dict]:
        return [page for page in self.pages if page["kind"] == kind]


def _read(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def shop(oscar, tmp_path_factory) -> Shop:
    url, truth = oscar
    return Shop(url, truth, tmp_path_factory.mktemp("oscar-home"))


def test_both_nights_end_well(shop):
    assert (shop.first.returncode, shop.second.returncode) == (0, 0), shop.first.stderr + shop.second.stderr
    assert shop.query("SELECT DISTINCT stopped_by FROM crawls") == [("exhausted",)]


def test_linked_product_pages_are_products_with_name_and_price(shop):
    records = {shop.path(url): json.loads(record) for url, record in
               shop.query("SELECT url, record FROM products WHERE is_current")}  # fmt: skip
    linked = [product for product in shop.products if product["linked"]]
    right = [
        product["path"]
        for product in linked
        if (record := records.get(product["path"])) is not None
        and record["name"] == product["title"]
        and _same_price(record["price"], product["price"])
    ]
    assert len(right) >= 0.95 * len(linked), sorted({product["path"] for product in linked} - set(right))
    assert not set(records) - {product["path"] for product in shop.products}


def _same_price(read: str | None, true: str | None) -> bool:
    return read is None if true is None else read is not None and Decimal(read) == Decimal(true)


def test_the_second_night_writes_nothing_new(shop):
    assert shop.count_rows() == shop.rows_after_first


def test_goods_that_were_withdrawn_are_broken_links_with_the_pages_that_link_them(shop):
    sources = {shop.path(finding["url"]): {shop.path(source["url"]) for source in finding["sources"]}
               for finding in shop.report["findings"] if finding["signal"] == "broken_link"}  # fmt: skip
    for page in shop.kind("gone"):
        assert set(page["linked_from"]) <= sources[page["path"]]
    assert len(sources) == len(shop.kind("gone"))


def test_old_addresses_that_are_still_linked_are_told(shop):
    assert {page["path"] for page in shop.kind("moved")} <= shop.found("redirected_link")


def test_goods_with_one_description_are_told_together(shop):
    groups = [{shop.path(url) for url in finding["details"]["urls"]} for finding in shop.report["findings"]
              if finding["signal"] == "shared_description"]  # fmt: skip
    assert all(any(set(page["paths"]) <= group for group in groups) for page in shop.kind("same-description"))


def test_what_only_the_sitemap_knows_is_an_orphan_and_nothing_else_is(shop):
    unlinked = {product["path"] for product in shop.products if not product["linked"]}
    unlinked |= {page["path"] for page in shop.pages if page.get("linked") is False}
    orphans = shop.found("orphan")
    assert orphans <= unlinked
    assert len(orphans) >= 0.95 * len(unlinked)
    assert shop.report["complete"]


def test_review_forms_that_robots_forbids_are_never_asked_for(shop):
    asked = shop.query("SELECT count(*) FROM pages WHERE url LIKE '%/reviews/add/%' AND \"order\" IS NOT NULL")
    assert asked == [(0,)]
