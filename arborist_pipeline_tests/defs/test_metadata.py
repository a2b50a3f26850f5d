"""Metadata is for people: tables of plain text, numbers that can be plotted, nothing rendered that was fetched."""

from collections import Counter
from decimal import Decimal
from types import SimpleNamespace

import dagster as dg

from arborist_pipeline.core.crawl.records import CrawlSummary, StoppedBy
from arborist_pipeline.core.ports import Put
from arborist_pipeline.core.prompt import CallOutcome, ModelCall
from arborist_pipeline.core.web.freshness import Freshness
from arborist_pipeline.defs.metadata import (
    FILL_FIELDS,
    check_metadata,
    crawl_metadata,
    document_metadata,
    product_metadata,
)
from arborist_pipeline.defs.progress import CheckProgress, CrawlProgress, Pulse
from arborist_pipeline_tests.core.crawl.test_lines import make_page


def product(**fields):
    return {
        "name": "Pan",
        "price": "1.00",
        "currency": "EUR",
        "availability": None,
        "url": "https://a.example/",
    } | fields


def told(*, cost=None, **counts):
    """What the last tier counts."""
    named = {name: Counter(counts.get(name, {})) for name in ("outcomes", "tokens", "filled")}
    return SimpleNamespace(cost=cost, **named)


def products_said(products, changes=(), *, puts=(), tier=None):
    return product_metadata(Counter(puts), products, changes, tier or told())


def crawl_said(*pages, **changes):
    values = {"crawl_id": 1, "pages": 3, "products": 0, "documents": 0, "by_outcome": {}, "by_tier": {}, "rejected": {},
              "first_product_at": None, "llm_calls": 0, "requests": {}, "needs_rendering": 0, "unfetched": 0,
              "stopped_by": StoppedBy.BUDGET}  # fmt: skip
    progress = CrawlProgress(Pulse(lambda _: None, lambda: 0.0))
    for page in pages:
        progress(page)
    return crawl_metadata(CrawlSummary(**(values | changes)), progress)


def test_what_was_fetched_stands_in_table_cells_as_it_came():
    hostile = "<script>alert(1)</script> [x](javascript:1) | a"
    said = products_said([product(name=hostile)])
    assert isinstance(said["sample"], dg.TableMetadataValue)
    assert said["sample"].records[0].data["name"] == hostile
    assert not any(isinstance(value, dg.MarkdownMetadataValue) for value in said.values())


def test_long_text_is_cut_and_a_sample_is_short():
    said = products_said([product(name="x" * 5_000)] * 100)
    assert (said["products"], len(said["sample"].records)) == (100, 20)
    assert said["sample"].records[0].data["name"] == "x" * 199 + "…"


def test_a_share_counts_products_with_a_price():
    said = products_said([product(), product(price=None), product(price=None)], puts={Put.NEW: 3})
    assert (said["products"], said["with_price"], said["share_with_price"], said["new"]) == (3, 1, 0.333, 3)


def test_every_field_has_a_share_that_plots_can_draw():
    rich = product(brand="Acme", variants=[{"title": "S"}], images=[], category=["Pans"], handle="pan")
    said = products_said([rich, product()])
    shares = {name.removeprefix("share_with_"): share for name, share in said.items() if name.startswith("share_")}
    assert list(shares) == list(FILL_FIELDS)
    assert all(type(share) is float for share in shares.values())
    assert {name: share for name, share in shares.items() if share} == {
        "price": 1.0, "currency": 1.0, "brand": 0.5, "handle": 0.5, "category": 0.5, "variants": 0.5,
    }  # fmt: skip
    assert said["fill"].records[3].data == {"field": "brand", "products": 1, "share": 0.5}
    assert set(products_said([])) == set(said)


def test_products_are_counted_by_what_gave_their_fields():
    def read(**tiers):
        return product(sources={name: {"tier": tier, "where": "x", "raw": "y"} for name, tier in tiers.items()})

    said = products_said([read(name="jsonld", price="jsonld", sku="llm"), read(name="visible", price="jsonld")])
    assert [tuple(record.data.values()) for record in said["by_source"].records] == [
        ("jsonld", 2, 1, 2, 3), ("llm", 1, 0, 0, 1), ("visible", 1, 1, 0, 1),
    ]  # fmt: skip


def test_calls_to_a_model_are_told_with_what_they_cost():
    quiet = products_said([])
    assert (quiet["llm_calls"], quiet["llm_tokens"], "llm_cost" in quiet) == (0, 0, False)

    asked = told(outcomes={"ok": 2, "timeout": 1}, tokens={"prompt": 1400, "completion": 120}, filled={"sku": 3},
                 cost=Decimal("0.0042"))  # fmt: skip
    said = products_said([], tier=asked)
    assert (said["llm_calls"], said["llm_tokens"], said["llm_cost"]) == (3, 1520, 0.0042)
    assert [record.data for record in said["llm_filled"].records] == [{"field": "sku", "count": 3}]


def test_the_first_pages_stand_in_order_of_their_requests_and_what_is_empty_is_left_out():
    pages = [make_page(order) for order in (2, 1, 3)]
    said = crawl_said(*pages)
    assert [record.data["order"] for record in said["first_pages"].records] == [1, 2, 3]
    assert "links_left_out" not in said
    assert "links_left_out" in crawl_said(rejected={"feed": 2})
    assert "changed_prices" not in products_said([])


def test_the_question_about_links_is_told_with_its_cost_and_what_it_came_to():
    quiet = crawl_said()
    assert (quiet["llm_calls"], quiet["llm_tokens"], "llm_cost" in quiet, "llm_outcome" in quiet) == (
        0,
        0,
        False,
        False,
    )
    call = ModelCall(model="small-1", purpose="links", subject="a.example", outcome=CallOutcome.WRONG_SHAPE,
                     prompt_tokens=900, completion_tokens=12, cost=Decimal("0.001"), seconds=1.5,
                     answer={"reason": "no list"})  # fmt: skip
    said = crawl_said(llm_calls=1, llm_call=call)
    assert (said["llm_calls"], said["llm_tokens"], said["llm_cost"]) == (1, 912, 0.001)
    assert said["llm_outcome"] == "wrong_shape: no list"


def test_only_prices_that_moved_are_price_changes():
    stock = {"old_price": "1.00", "price": "1.00", "currency": "EUR", "variant": "", "url": "https://a.example/"}
    said = products_said([], [stock, stock | {"price": "2.00"}])
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
