"""Brands that stand near a heading without a label."""

import pytest

from arborist_pipeline.core.products.brand import find_brand


@pytest.mark.parametrize(
    ("html", "brand"),
    [
        ("<p class=product-brand>Aldo</p><h1>Mug</h1>", "Aldo"),
        ("<h1>Mug</h1><span class=vendor>by Aldo</span>", "Aldo"),
        ("<h1>Mug</h1><div id=marke>Marke: Aldo &amp; Sons</div>", "Aldo & Sons"),
        ("<h1>Mug</h1><a href='/brands/aldo-sons?x=1'>Aldo Sons</a>", "Aldo Sons"),
        ("<h1>Mug</h1><a href='/b/s/brands/aldo'><img alt=Aldo src=/a.jpg></a>", "Aldo"),
        ("<h1>Mug</h1><a href='/hersteller/aldo'>Aldo</a>", "Aldo"),
        ("<h1>Mug</h1><a href='/brands/aldo'>Visit the store</a>", None),
        ("<h1>Mug</h1><a href='/brands/all'>All brands</a>", None),
        ("<h1>Mug</h1><p class=brand>Brand:</p>", None),
        ("<h1>Mug</h1><p class=brand>Mug</p>", None),
        ("<h1>Mug</h1><p class=branding>Aldo</p>", None),
        ("<h1>Mug</h1><p class=brand>A mug that has been made by hand for more than a hundred years</p>", None),
        ("<h1>Mug</h1><nav><p class=brand>Aldo</p></nav>", None),
        ("<h1>Mug</h1>" + "<p>text</p>" * 90 + "<p class=brand>Aldo</p>", None),
        ("<h1>Mug</h1><h2>Related products</h2><p class=brand>Aldo</p>", None),
        ("", None),
    ],
)
def test_a_brand_is_what_is_called_so_or_links_to_its_page(evidence_of, html, brand):
    evidence = evidence_of(html)
    found = find_brand(evidence.scan, evidence.view)
    assert (found and found.value) == brand
