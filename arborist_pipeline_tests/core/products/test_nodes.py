"""Nodes: their types, their values, and which of them are products."""

import pytest

from arborist_pipeline.core.products.nodes import (
    as_list,
    first,
    is_product,
    iterate_nodes,
    product_nodes,
    text_of,
    types_of,
)


@pytest.mark.parametrize(
    ("kind", "types"),
    [
        ("Product", {"product"}),
        ("http://schema.org/Product", {"product"}),
        (["Car", "schema:Product"], {"car", "product"}),
        ("https://schema.org/Product/", {"product"}),
        (None, set()),
        (7, set()),
    ],
)
def test_types_are_read_in_any_spelling(kind, types):
    assert types_of({"@type": kind}) == types


@pytest.mark.parametrize(
    ("node", "verdict"),
    [
        ({"@type": "Product"}, True),
        ({"@type": "ProductGroup"}, True),
        ({"@type": "Book", "offers": {}}, True),
        ({"@type": "Book"}, False),
        ({"@type": "Organization"}, False),
        ({}, False),
    ],
)
def test_a_product_is_known_by_its_type(node, verdict):
    assert is_product(node) is verdict


@pytest.mark.parametrize(
    "holder",
    [
        "isRelatedTo",
        "isSimilarTo",
        "itemReviewed",
        "itemListElement",
        "hasVariant",
        "isVariantOf",
        "itemOffered",
        "mentions",
    ],
)
def test_products_named_in_passing_are_not_the_pages(holder):
    other = {"@type": "Product", "name": "Other"}
    assert product_nodes([{"@type": "WebPage", holder: [{"item": other}]}]) == ()
    assert product_nodes([{"@type": "WebPage", "mainEntity": other}]) == (other,)


def test_the_first_value_that_says_something_is_taken():
    assert first({"a": "", "b": [None, {"@value": "x"}], "c": "y"}, "a", "b", "c") == "x"
    assert first({"a": []}, "a", "b") is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a &amp; b", "a & b"),
        ({"name": "Alder"}, "Alder"),
        ([{"name": "One"}, "Two"], "One"),
        (["x"], "x"),
        (None, ""),
        ([], ""),
    ],
)
def test_a_node_in_the_place_of_a_text_gives_its_name(value, text):
    assert text_of(value) == text


def test_one_value_is_a_list_of_one():
    assert (as_list(1), as_list([1]), as_list(None)) == ([1], [1], [])


def test_the_walk_over_nodes_is_bounded():
    wide = [{"n": place} for place in range(50_000)]
    assert sum(1 for _ in iterate_nodes(wide)) <= 5_000
    loop: dict[str, object] = {"@type": "Product"}
    loop["isVariantOf"] = loop
    assert sum(1 for _ in iterate_nodes(loop)) <= 5_000
