"""A walk of a real Cartridge shop: no mark-up, variants in an inline script, no stock and no price where sold out."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from decimal import Decimal

import pytest

from arborist_pipeline_tests.support.shop_software import read_lines

pytestmark = pytest.mark.shared


class Walked:
    """The goods that are public with the records of their pages, both by path."""

    def __init__(self, url: str, truth: list[dict], records: dict[str, dict]) -> None:
        self.true = {product["path"]: product for product in truth if product["public"]}
        self.records = {"/" + record_url.removeprefix(url): record for record_url, record in records.items()}

    def pairs(self, *, sold: bool = True) -> list[tuple[dict, dict]]:
        """What is true and what was read, of goods that can be bought (all: `sold` False)."""
        return [(true, self.records[path]) for path, true in self.true.items()
                if path in self.records and (true["available"] or not sold)]  # fmt: skip


@pytest.fixture(scope="module")
def walked(cartridge, tmp_path_factory) -> Walked:
    url, truth = cartridge
    home = tmp_path_factory.mktemp("cartridge-home")
    command = [sys.executable, "-m", "arborist_pipeline", "crawl", "--seed-url", url, "--depth", "20", "--ingest",
               "--fast", "--concurrency", "4"]  # fmt: skip
    environment = {**os.environ, "ARBORIST_HOME": str(home), "ARBORIST_ALLOW_PRIVATE": "1"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-2_000:]
    with closing(sqlite3.connect(home / "crawl" / "web.db")) as connection:
        rows = connection.execute("SELECT url, record FROM products WHERE is_current").fetchall()
    return Walked(url, read_lines(truth / "truth.jsonl"), {url: json.loads(record) for url, record in rows})


def share(pairs: list[tuple[dict, dict]], is_right) -> float:
    return sum(bool(is_right(true, read)) for true, read in pairs) / len(pairs)


def test_the_product_pages_are_products_and_no_other_page_is(walked):
    assert set(walked.records) <= set(walked.true)
    assert len(walked.records) >= 0.98 * len(walked.true)


def test_name_price_currency_and_article_number_are_those_of_the_shop(walked):
    assert share(walked.pairs(sold=False), lambda true, read: read["name"] == true["title"]) >= 0.98
    assert share(walked.pairs(), lambda true, read: Decimal(read["price"] or 0) == Decimal(true["price"])) >= 0.98
    assert share(walked.pairs(), lambda true, read: read["currency"] == true["currency"]) >= 0.98
    assert share(walked.pairs(), lambda true, read: read["sku"] == true["sku"]) >= 0.98


def test_what_cannot_be_bought_is_out_of_stock_and_has_no_price(walked):
    gone = [(true, read) for true, read in walked.pairs(sold=False) if not true["available"]]
    assert gone
    assert {(read["availability"], read["price"]) for _, read in gone} == {("OutOfStock", None)}
    assert {read["availability"] for _, read in walked.pairs()} == {"InStock"}


def test_variants_are_those_of_the_shop_with_their_numbers_and_prices(walked):
    def numbers(variants: list[dict]) -> set[tuple]:
        return {(each["sku"], Decimal(each["price"] or 0)) for each in variants}

    several = [(true, read) for true, read in walked.pairs() if len(true["variants"]) > 1]
    assert len(several) >= 100
    assert share(several, lambda true, read: numbers(read["variants"]) == numbers(true["variants"])) >= 0.98
