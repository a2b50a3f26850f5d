"""Words and class names that shops use, and some that only look like them."""

import pytest

from arborist_pipeline.core.products import lexicon


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        (
            "RELATED",
            ["you may also like", "related products", "das könnte ihnen auch gefallen", "vous aimerez aussi"],
            ["description", "reviews"],
        ),
        (
            "CLASS_OLD",
            ["old-price", "price-was", "regular-price", "rrp", "price--compare"],
            ["bold", "gold", "threshold", "wash", "new"],
        ),
        (
            "CLASS_PRICE",
            ["price_color", "preis", "prix", "product-price", "cena"],
            ["center", "scenario", "primary-text"],
        ),
        (
            "CLASS_CHROME",
            ["site-header", "main-nav", "footer", "mini-cart", "breadcrumb"],
            ["product-header", "canvas", "headline", "navigator-x1"],
        ),
        (
            "CLASS_RELATED",
            ["related-products", "upsell", "cross-sell", "recently-viewed"],
            ["main", "gallery", "carousel"],
        ),
        ("CARD", ["product-card", "product_pod", "tile", "card"], ["discard", "cardinal", "product"]),
        (
            "BUY_NAMES",
            ["add-to-cart", "btn-buy", "single_add_to_cart_button", "addToBasket".lower()],
            ["cart", "share", "wishlist"],
        ),
    ],
)
def test_a_pattern_knows_its_words(pattern, hits, misses):
    known = getattr(lexicon, pattern)
    assert [text for text in hits if not known.search(text)] == []
    assert [text for text in misses if known.search(text)] == []
