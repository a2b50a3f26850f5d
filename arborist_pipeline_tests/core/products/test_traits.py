"""Traits that address, mark-up, class names and prose make."""

import pytest

from arborist_pipeline.core.products.traits import find_wall, judge_address, outward_traits

LIST = '<script type="application/ld+json">{"@type": "ItemList"}</script>'
STORY = '<script type="application/ld+json">{"@graph": [{"@type": "BlogPosting"}]}</script>'
MUGS = "".join(
    f'<script type="application/ld+json">{{"@type": "Product", "name": "{name}"}}</script>' for name in ("a", "b", "c")
)


@pytest.mark.parametrize(
    ("html", "path", "found"),
    [
        ("", "/x", []),
        ("", "/products/white-mug", [("product", 1.0)]),
        ("", "/blog/2024/05/a-walk", [("article", 2.5)]),
        ("", "/blog/a-walk-by-the-quay", [("article", 1.5)]),
        ("", "/cart", [("other", 9.0)]),
        ('<link rel="canonical" href="/">', "/x", [("home", 2.0)]),
        ('<meta property="og:type" content="product">', "/x", [("product", 1.5)]),
        ('<meta property="og:type" content="product.group">', "/x", [("listing", 2.0)]),
        ('<meta property="og:type" content="article">', "/x", [("article", 0.5)]),
        ('<meta name="author" content="A. Walker">', "/x", [("article", 0.5)]),
        (LIST, "/x", [("listing", 1.5)]),
        (STORY, "/x", [("article", 3.0)]),
        (MUGS, "/x", [("listing", 2.5)]),
        ('<body class="single-product">', "/x", [("product", 2.0)]),
        ('<body class="tax-product_cat">', "/x", [("listing", 1.5)]),
        ("<p>" + "word " * 600, "/x", [("article", 2999 / 3000)]),
        ("<p>short</p>" * 600, "/x", []),
    ],
)
def test_a_trait_speaks_for_its_kind(evidence_of, html, path, found):
    traits = outward_traits(evidence_of(html, "https://ware.example" + path))
    assert [(kind.value, worth) for kind, worth, _ in traits] == found


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "home"),
        ("/en-gb/", "home"),
        ("/index.php", "home"),
        ("/?page=2", None),
        ("/ap", None),
        ("/goods/white-mug/reviews", "other"),
        ("/goods/white-mug", None),
    ],
)
def test_some_addresses_tell_alone(evidence_of, path, kind):
    verdict = judge_address(evidence_of("", "https://ware.example" + path))
    assert (verdict and verdict.kind.value) == kind


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Page not found", "soft 404: 'page not found'"),
        ("Error 404", "soft 404: '404'"),
        ("This product is unavailable", "soft 404: 'this product is unavailable'"),
        ("Just a moment...", "bot wall: 'just a moment'"),
        ("White Mug", None),
        ("", None),
    ],
)
def test_a_wall_is_known_by_its_heading(text, reason):
    assert find_wall(text) == reason
