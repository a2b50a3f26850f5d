"""When a platform is asked what a page leaves open, and where."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.endpoints import lacks_variants, parse_endpoint
from arborist_pipeline.core.products.extract import read_page
from arborist_pipeline.core.products.product import Product, Variant
from arborist_pipeline_tests.support.builders import make_page
from arborist_pipeline_tests.support.theme_shop import BASKET, HEAD, theme_page, told

SHOP = "https://lamp.example"
WHOLE = Variant(title="S", price=Decimal(3), availability="InStock")


@pytest.mark.parametrize(
    ("fields", "lacks"),
    [
        ({}, True),
        ({"availability": "InStock"}, False),
        ({"availability": "InStock", "options": ("Size",)}, True),
        ({"options": ("Size",), "variants": (WHOLE,)}, False),
        ({"variants": (WHOLE, Variant(title="M", price=Decimal(3)))}, True),
        ({"variants": (WHOLE, Variant(title="M", availability="InStock"))}, True),
    ],
)
def test_variants_are_lacking_where_they_price_or_stock_are_left_open(fields, lacks):
    assert lacks_variants(Product(url=SHOP + BASKET, name="Basket", **fields)) is lacks


@pytest.mark.parametrize(
    ("path", "endpoint"),
    [
        ("/products/reed-basket", "/products/reed-basket.js"),
        ("/products/reed-basket?variant=772", "/products/reed-basket.js"),
        ("/collections/new/products/reed-basket", "/products/reed-basket.js"),
        ("/en-nz/products/reed-basket", "/en-nz/products/reed-basket.js"),
        ("/fr/collections/new/products/reed-basket", "/fr/products/reed-basket.js"),
        ("/shop/products/reed-basket", None),
        ("/pages/reed-basket", None),
    ],
)
def test_the_address_that_tells_is_that_of_the_product_in_its_market(path, endpoint):
    found = read_page(make_page(theme_page(), url=SHOP + path)).endpoint
    assert found == (endpoint and SHOP + endpoint)


@pytest.mark.parametrize(
    ("canonical", "path"),
    [
        (SHOP + "/products/basket", "/products/basket.js"),
        ("https://elsewhere.example/products/basket", f"{BASKET}.js"),
    ],
)
def test_a_canonical_address_of_the_site_comes_first(canonical, path):
    page = theme_page(head=HEAD + f'<link rel="canonical" href="{canonical}">')
    assert read_page(make_page(page, url=SHOP + BASKET)).endpoint == SHOP + path


def test_what_was_told_is_not_asked_for_again():
    page = make_page(theme_page(), url=SHOP + BASKET)
    reading = read_page(page, json.dumps(told() | {"variants": [], "available": None}).encode())
    assert lacks_variants(reading.product)
    assert reading.endpoint is None


@pytest.mark.parametrize(
    ("body", "value"),
    [(b'{"a": 1}', {"a": 1}), (b'\xef\xbb\xbf{"a": 1}', {"a": 1}), (b"[1]", None), (b"", None), (b"\xff{", None),
     (b"[" * 100_000, None)],
)  # fmt: skip
def test_an_answer_is_one_object_or_nothing(body, value):
    assert parse_endpoint(body) == value


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(list(told()["variants"][0])), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(list(told())), _JSON))
def test_whatever_an_endpoint_says_a_page_is_read(values):
    reading = read_page(make_page(theme_page(), url=SHOP + BASKET), json.dumps(told() | values).encode())
    assert reading.kind == "product"
