"""The product record as JSON."""

import json
from dataclasses import fields
from decimal import Decimal

from arborist_pipeline.core.products.product import Product, Rating, Variant, decimal_text, to_json


def test_a_product_becomes_plain_json_with_decimal_strings():
    product = Product(
        url="https://ware.example/p/mug",
        name="Mug",
        price=Decimal("12.50"),
        category=("Kitchen", "Mugs"),
        rating=Rating(value=Decimal("4.5"), count=3),
        variants=(Variant(options={"Size": "S"}, price=Decimal("1E+2")),),
    )
    data = to_json(product)
    assert json.loads(json.dumps(data)) == data
    assert (data["price"], data["category"], data["rating"]) == (
        "12.50",
        ["Kitchen", "Mugs"],
        {"value": "4.5", "best": None, "count": 3},
    )
    assert data["variants"][0]["price"] == "100"
    assert list(data) == [field.name for field in fields(Product)]


def test_a_decimal_has_no_exponent():
    assert [decimal_text(Decimal(text)) for text in ("1E+3", "0.10", "1E-7")] == ["1000", "0.10", "0.0000001"]
