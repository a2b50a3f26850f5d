"""Attributes that a page lists."""

import pytest

from arborist_pipeline.core.products.attributes import looks_like_code, read_attributes
from arborist_pipeline.core.products.controls import find_controls
from arborist_pipeline.core.products.scan import scan_page
from arborist_pipeline.core.products.view import build_view


def attributes(page_of, html):
    scan = scan_page(page_of("<h1>Mug</h1>" + html))
    found = read_attributes(scan, build_view(scan, (), find_controls(scan)))
    return {
        name: value.value for name in ("sku", "mpn", "gtin", "brand", "availability") if (value := getattr(found, name))
    }


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<table><tr><th>UPC</th><td>CK-00001</td></tr></table>", {"sku": "CK-00001"}),
        ("<table><tr><th>EAN</th><td>4006381333931</td></tr></table>", {"gtin": "4006381333931"}),
        ("<table><tr><th>EAN</th><td>4006381333930</td></tr></table>", {}),
        ("<dl><dt>Brand</dt><dd>Alder</dd></dl>", {"brand": "Alder"}),
        ("<p>SKU: AB-12</p>", {"sku": "AB-12"}),
        ("<p><b>Artikelnummer:</b> 8570931</p>", {"sku": "8570931"}),
        ("<p><b>Výrobca</b> <a>Apple</a></p>", {"brand": "Apple"}),
        ("<p>By <a>White Mountain</a></p>", {"brand": "White Mountain"}),
        ("<p>MPN: 724819</p>", {"mpn": "724819"}),
        ("<table><tr><th>Availability</th><td>Out of stock</td></tr></table>", {"availability": "OutOfStock"}),
        ("<table><tr><th>ASIN</th><td>B004SNMXRS</td></tr><tr><th>Item model number</th><td>A157S546</td></tr></table>",
         {"sku": "B004SNMXRS", "mpn": "A157S546"}),
        ("<p>Item: one of our best loved mugs for the table</p>", {}),
        ("<nav><p>SKU: AB-12</p></nav>", {}),
        ("<h2>Related products</h2><p>SKU: AB-12</p>", {}),
    ],
)  # fmt: skip
def test_labels_in_many_languages_name_their_values(page_of, html, found):
    assert attributes(page_of, html) == found


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("AB-12", True),
        ("8570931", True),
        ("ABC", True),
        ("A", False),
        ("a nice red mug", False),
        ("x" * 50, False),
        ("blue", False),
    ],
)
def test_a_code_is_short_and_no_sentence(text, verdict):
    assert looks_like_code(text) is verdict
