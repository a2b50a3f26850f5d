"""All that one page gives, and which of its nodes is its product."""

import pytest

from arborist_pipeline.core.products.evidence import choose_product

MUG, BAG = {"name": "White Mug", "offers": {}}, {"name": "Rope Bag", "offers": {}}


@pytest.mark.parametrize(
    ("nodes", "name"),
    [
        ((MUG,), "White Mug"),
        ((BAG, MUG), "White Mug"),
        ((BAG,), "Rope Bag"),
        ((BAG, {"name": "Net Bag"}), None),
        ((BAG, {"name": "Net Bag", "url": "/goods/white-mug"}), "Net Bag"),
        ((BAG, {**BAG, "sku": "1"}), "Rope Bag"),
        ((), None),
    ],
)
def test_the_product_bears_the_heading_or_the_address(evidence_of, nodes, name):
    node = choose_product(nodes, evidence_of("<h1>White Mug</h1>"))
    assert (node["name"] if node else None) == name


def test_titles_are_read_best_first(evidence_of):
    evidence = evidence_of('<title>Mug | Ware</title><meta property="og:title" content="White &amp;amp; Mug">')
    assert evidence.titles == ("White & Mug", "Mug | Ware")
    assert evidence.page.title == "Mug | Ware"
