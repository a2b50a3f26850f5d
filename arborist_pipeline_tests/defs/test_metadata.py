"""Metadata is for people: tables of plain text, numbers that can be plotted, nothing rendered that was fetched."""

from collections import Counter

import dagster as dg

from arborist_pipeline.core.ports import Put
from arborist_pipeline.core.web.freshness import Freshness
from arborist_pipeline.defs.metadata import check_metadata, document_metadata, product_metadata
from arborist_pipeline.defs.progress import CheckProgress, Pulse


def product(**fields):
    return {
        "name": "Pan",
        "price": "1.00",
        "currency": "EUR",
        "availability": None,
        "url": "https://a.example/",
    } | fields


def test_what_was_fetched_stands_in_table_cells_as_it_came():
    hostile = "<script>alert(1)</script> [x](javascript:1) | a"
    said = product_metadata(Counter(), [product(name=hostile)], [])
    assert isinstance(said["sample"], dg.TableMetadataValue)
    assert said["sample"].records[0].data["name"] == hostile
    assert not any(isinstance(value, dg.MarkdownMetadataValue) for value in said.values())


def test_long_text_is_cut_and_a_sample_is_short():
    said = product_metadata(Counter(), [product(name="x" * 5_000)] * 100, [])
    assert (said["products"], len(said["sample"].records)) == (100, 20)
    assert said["sample"].records[0].data["name"] == "x" * 199 + "…"


def test_a_share_counts_products_with_a_price():
    said = product_metadata(Counter({Put.NEW: 3}), [product(), product(price=None), product(price=None)], [])
    assert (said["products"], said["with_price"], said["share_with_price"], said["new"]) == (3, 1, 0.333, 3)


def test_only_prices_that_moved_are_price_changes():
    stock = {"old_price": "1.00", "price": "1.00", "currency": "EUR", "variant": "", "url": "https://a.example/"}
    said = product_metadata(Counter(), [], [stock, stock | {"price": "2.00"}])
    assert said["price_changes"] == 1
    assert [record.data["price"] for record in said["changed_prices"].records] == ["2.00"]


def test_nothing_is_said_as_nothing():
    said = document_metadata(Counter(), ())
    assert (said["dagster/row_count"], said["new"], said["documents"].records) == (0, 0, [])
    checks = check_metadata(Counter(), CheckProgress(Pulse(print, lambda: 0.0), 0))
    assert {name: checks[name] for name in Freshness} == dict.fromkeys(Freshness, 0)


def test_columns_of_numbers_are_marked_as_such():
    said = document_metadata(Counter(), [("https://a.example/", b"\x01" * 32)])
    columns = {column.name: column.type for column in said["documents"].schema.columns}
    assert columns == {"root": "string", "url": "string"}
    assert said["documents"].records[0].data["root"] == "01" * 8
