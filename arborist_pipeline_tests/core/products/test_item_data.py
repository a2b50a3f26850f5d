"""Microdata and RDFa Lite to nodes."""

import json
from pathlib import Path

import pytest

from arborist_pipeline.core.products.item_data import parse_item_data
from arborist_pipeline.core.products.nodes import types_of
from arborist_pipeline.core.products.scan import scan_page

THING = 'itemscope itemtype="https://schema.org/Thing"'


def items(page_of, html: str):
    return parse_item_data(scan_page(page_of(html)))


@pytest.mark.parametrize(
    ("markup", "value"),
    [
        ('<span itemprop="x">a <b>b</b></span>', "a b"),
        ('<span itemprop="x" content="12.00">12</span>', "12.00"),
        ('<meta itemprop="x" content="m">', "m"),
        ('<a itemprop="x" href="/p">text</a>', "/p"),
        ('<link itemprop="x" href="https://schema.org/InStock">', "https://schema.org/InStock"),
        ('<img itemprop="x" src="/i.png">', "/i.png"),
        ('<data itemprop="x" value="9">nine</data>', "9"),
        ('<time itemprop="x" datetime="2024-01-02">then</time>', "2024-01-02"),
    ],
)
def test_the_value_of_a_property_is_where_its_element_keeps_it(page_of, markup, value):
    assert items(page_of, f"<div {THING}>{markup}</div>")[0]["x"] == [value]


def test_a_linked_name_is_its_text_not_its_address(page_of):
    assert items(page_of, f'<div {THING}><a itemprop="name" href="/p">Clay Pot</a></div>')[0]["name"] == ["Clay Pot"]


def test_an_item_that_is_a_property_is_no_top_level_item(page_of):
    found = items(page_of, f'<div {THING}><div itemprop="offers" {THING}><b itemprop="price">1</b></div></div>')
    assert len(found) == 1
    assert found[0]["offers"][0]["price"] == ["1"]


def test_properties_elsewhere_are_joined_by_itemref(page_of):
    found = items(page_of, f'<p id="a"><b itemprop="brand">Kiln</b></p><div {THING} itemref="a none"></div>')
    assert found[0]["brand"] == ["Kiln"]


def test_a_struck_price_is_the_list_price(page_of):
    found = items(page_of, f'<div {THING}><del><b itemprop="price">30</b></del><b itemprop="price">24</b></div>')
    assert (found[0]["price"], found[0]["listPrice"]) == (["24"], ["30"])


def test_a_stray_offer_is_given_to_the_only_product_without_one(page_of):
    product = '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Belt</b></div>'
    offer = '<div itemscope itemtype="https://schema.org/Offer"><b itemprop="price">28</b></div>'
    assert items(page_of, product + offer)[0]["offers"][0]["price"] == ["28"]
    assert "offers" not in items(page_of, product * 2 + offer)[0]


def test_rdfa_gives_the_same_nodes(page_of):
    found = items(page_of, '<div vocab="https://schema.org/" typeof="Product"><b property="schema:name">Hat</b></div>')
    assert types_of(found[0]) == {"product"}
    assert found[0]["name"] == ["Hat"]


@pytest.mark.shared
def test_published_examples_give_the_same_items(page_of, shared: Path):
    rows = [
        json.loads(line)
        for line in (shared / "conformance/structured-data/extruct-microdata.jsonl").read_text("utf-8").splitlines()
    ]
    for row in rows:
        found = [item for item in items(page_of, row["html"]) if "typeof" not in item["@element"].attrib]
        expected = [
            kind if isinstance(kind, list) else [kind]
            for item in row["expected"]
            if (kind := item.get("type")) is not None
        ]
        assert [item["@type"] for item in found if item["@type"]] == expected, row["html"][:200]
