"""A product as text."""

from decimal import Decimal

import pytest

from arborist_pipeline.cli.product_view import render_product
from arborist_pipeline.core.products.product import Conflict, FieldSource, Product, Rating, Variant, to_json

SHIRT = Product(
    url="https://shop.example/shirt",
    name="Shirt",
    description="Cotton. " * 40,
    category=("Clothes", "Shirts"),
    price=Decimal("0.00"),
    regular_price=Decimal("20.00"),
    low_price=Decimal("0.00"),
    high_price=Decimal("25.00"),
    currency="EUR",
    images=tuple(f"{number}.png" for number in range(7)),
    rating=Rating(value=Decimal("4.5"), best=Decimal(5)),
    variants=(
        Variant(title="S", options={"Size": "S"}, price=Decimal("0.00"), availability="InStock"),
        Variant(title="L", options={"Size": "L", "Colour": "red\x1b[2J"}, price=Decimal("25.00")),
    ),
    sources={"price": FieldSource(tier="jsonld", where="offers.price", raw="0")},
    conflicts=(Conflict(field="price", taken="0.00", other="20.00", tier="visible"),),
)
VERSION = {"first_seen_at": "2026-01-01", "last_seen_at": "2026-01-02", "price": "0.00", "currency": "EUR"}


def rows(product, versions=()):
    return [line.split() for line in render_product(to_json(product), versions).splitlines()]


def test_head_fields_variants_disputes_and_versions_stand_one_below_the_other():
    lines = render_product(to_json(SHIRT), [VERSION]).splitlines()
    assert lines[:3] == [
        "Shirt",
        "0.00 EUR, instead of 20.00 EUR, variants from 0.00 to 25.00, availability unknown",
        "https://shop.example/shirt",
    ]
    shown = rows(SHIRT, [VERSION])
    assert ["category", "-", "Clothes", "|", "Shirts"] in shown
    assert ["price", "jsonld:", "offers.price", "0.00"] in shown
    assert ["rating", "-", "value", "4.5,", "best", "5"] in shown
    assert ["VARIANT", "SIZE", "COLOUR", "PRICE", "AVAILABILITY"] in shown
    assert ["S", "S", "-", "0.00", "InStock"] in shown
    assert ["price", "0.00", "20.00", "visible"] in shown
    assert shown[-1] == ["2026-01-01", "2026-01-02", "0.00", "-", "EUR", "-"]
    assert "images - 0.png | 1.png | 2.png | 3.png | 4.png | … 7 in all".split() in shown
    assert max(map(len, lines)) < 120
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize(("fields", "line"), [
    ({}, "no price, availability unknown"),
    ({"price": Decimal(5), "availability": "InStock"}, "5 (no currency), InStock"),
    ({"price": Decimal(5), "regular_price": Decimal(5), "currency": "USD"}, "5 USD, availability unknown"),
])  # fmt: skip
def test_what_is_not_known_is_said_and_what_is_the_same_is_not(fields, line):
    bare = Product(url="https://shop.example/x", name="X", **fields)
    assert render_product(to_json(bare), []).splitlines()[1] == line
