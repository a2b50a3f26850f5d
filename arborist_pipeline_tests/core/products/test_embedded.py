"""Data that pages carry for their own scripts."""

import pytest

from arborist_pipeline.core.products.embedded import parse_embedded, telling_nodes
from arborist_pipeline.core.products.scan import scan_page

RECORD = '{"name": "Deck Chair", "price": 79.9, "sku": "DC-1"}'


@pytest.mark.parametrize(
    ("html", "where"),
    [
        (f'<script id="__NEXT_DATA__" type="application/json">{RECORD}</script>', "script#__NEXT_DATA__"),
        (f'<script type="text/x-magento-init">{RECORD}</script>', "script#text/x-magento-init"),
        (f"<script>window.shop.state = {RECORD};</script>", "window.shop.state"),
        (f"<script>dataLayer.push({RECORD});</script>", "dataLayer.push"),
        (f"<script>var x = JSON.parse('{RECORD}');</script>", "JSON.parse"),
        (f"<script>new Shop({{item: {RECORD}, go: function () {{}}}})</script>", None),
        (f"<div data-product='{RECORD}'></div>", "div[data]"),
    ],
)
def test_a_record_is_found_wherever_a_page_keeps_it(page_of, html, where):
    found = parse_embedded(scan_page(page_of(html)))
    nodes = [(node, place) for node, place in telling_nodes(found) if node.get("sku") == "DC-1"]
    assert len(nodes) == 1
    assert nodes[0][0] == {"name": "Deck Chair", "price": 79.9, "sku": "DC-1"}
    assert where is None or nodes[0][1] == where


@pytest.mark.parametrize(
    "html",
    [
        "<script>var a = {theme: 'dark', mode: 'quiet', lang: 'en'};</script>",
        '<script type="text/template">{"price": 1, "name": "a template, no data"}</script>',
        '<script type="application/ld+json">{"price": 1, "name": "read elsewhere"}</script>',
        "<script>var price = 12;</script>",
        "<script>if (price) { show() }</script>",
    ],
)
def test_what_tells_of_no_product_is_not_parsed(page_of, html):
    assert telling_nodes(parse_embedded(scan_page(page_of(html)))) == ()


def test_the_walk_over_embedded_data_is_bounded(page_of):
    many = "[" + ",".join('{"price": 1}' for _ in range(90_000)) + "]"
    found = parse_embedded(scan_page(page_of(f'<script type="application/json">{many}</script>')))
    assert len(telling_nodes(found)) <= 60_000
