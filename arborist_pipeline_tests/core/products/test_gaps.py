"""The last tier fills gaps and touches nothing else."""

from decimal import Decimal

import pytest

from arborist_pipeline.core.products.gaps import fill_gaps, find_gaps
from arborist_pipeline.core.products.product import FieldSource, Product, Variant
from arborist_pipeline.core.products.tier import Draft, Found
from arborist_pipeline_tests.support.builders import make_page

PAGE = make_page("<h1>Mug</h1>", url="https://ware.example/goods/white-mug")
WHOLE = Product(
    url=PAGE.url, name="Mug", price=Decimal(3), currency="EUR", availability="InStock", brand="Kiln", sku="M1"
)


def draft(**values):
    return Draft(tier="llm", **{name: Found(value, "p", str(value)) for name, value in values.items()})


@pytest.mark.parametrize(
    ("product", "gaps"),
    [
        (None, ("name", "price", "currency", "availability", "brand", "sku")),
        (WHOLE, ()),
        (Product(url=PAGE.url, name="Mug"), ("price", "currency", "availability", "brand", "sku")),
        (Product(url=PAGE.url, name="Mug", brand="Kiln", sku="M1", options=("Size",)),
         ("price", "currency", "availability", "variants")),
        (Product(url=PAGE.url, name="Mug", brand="Kiln", sku="M1", price=Decimal(3), currency="EUR",
                 availability="InStock", options=("Size",), variants=(Variant(title="S"),)), ()),
    ],
)  # fmt: skip
def test_gaps_are_the_fields_that_nothing_gave(product, gaps):
    assert find_gaps(product) == gaps


def test_what_other_tiers_gave_stays():
    other = draft(name="Cup", price=Decimal(9), currency="USD", availability="OutOfStock", brand="Acme", sku="X")
    assert fill_gaps(WHOLE, other, PAGE) == WHOLE


def test_a_gap_is_filled_and_says_where_from():
    product = Product(url=PAGE.url, name="Mug", sources={"name": FieldSource(tier="visible", where="h1", raw="Mug")})
    filled = fill_gaps(product, draft(name="Cup", price=Decimal(9), currency="USD", brand="Kiln"), PAGE)
    assert (filled.name, filled.price, filled.currency, filled.brand, filled.sku) == (
        "Mug",
        Decimal(9),
        "USD",
        "Kiln",
        None,
    )
    assert {name: source.tier for name, source in filled.sources.items()} == {
        "name": "visible", "price": "llm", "currency": "llm", "brand": "llm",
    }  # fmt: skip


def test_a_currency_without_a_price_is_of_no_use():
    assert fill_gaps(Product(url=PAGE.url, name="Mug"), draft(currency="USD"), PAGE).currency is None


@pytest.mark.parametrize(
    ("values", "is_product"),
    [
        ({"name": "Mug", "price": Decimal(3)}, True),
        ({"name": "Mug", "availability": "InStock"}, True),
        ({"name": "Mug", "sku": "M1"}, False),
        ({"price": Decimal(3)}, False),
    ],
)
def test_a_page_without_a_product_has_one_where_the_draft_names_and_offers_it(values, is_product):
    product = fill_gaps(None, draft(**values), PAGE)
    assert (product is not None) is is_product
    if product is not None:
        assert (product.url, product.handle, product.name) == (PAGE.url, "white-mug", "Mug")
        assert set(product.sources) == set(values)
