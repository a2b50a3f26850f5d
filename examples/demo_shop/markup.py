"""JSON-LD for product pages (schema.org Product, ProductGroup, Offer; shapes as Google documents them)."""

import json
from collections.abc import Mapping

from examples.demo_shop.catalogue import CURRENCY, Item, Variant

ORIGIN = "{{origin}}"
"""Stands for scheme and host in stored pages; an answer has the host that was asked."""

_VARIES_BY = {"Size": "size", "Fit": "size", "Colour": "color", "Length": "size", "Ruling": "pattern"}


def script(data: object, media_type: str = "application/ld+json") -> str:
    """Return a script element that holds JSON; nothing inside can close the element."""
    text = json.dumps(data, ensure_ascii=False, indent=1).replace("</", "<\\/")
    return f'<script type="{media_type}">\n{text}\n</script>'


def image_paths(item: Item) -> tuple[str, str]:
    """Return the paths of a product's two pictures, the main one first."""
    return f"/media/{item.handle}.svg", f"/media/{item.handle}-detail.png"


def theme_product(item: Item) -> Mapping[str, object]:
    """Return a Product with one Offer a variant; the struck-through price stands on the page alone."""
    return {
        "@context": "http://schema.org/",
        "@type": "Product",
        **_facts(item),
        "sku": item.variants[0].sku,
        "gtin13": item.variants[0].gtin,
        "offers": [
            {**_offer(item, variant), "sku": variant.sku, "price": float(variant.price)} for variant in item.variants
        ],
    }


def grouped_product(item: Item) -> Mapping[str, object]:
    """Return a ProductGroup whose variants are Products of their own."""
    return {
        "@context": "https://schema.org",
        "@type": "ProductGroup",
        **_facts(item),
        "productGroupID": f"FH-{item.number:04d}",
        "variesBy": [f"https://schema.org/{_VARIES_BY[name]}" for name in item.option_names],
        "hasVariant": [_group_member(item, variant) for variant in item.variants],
    }


def product_graph(item: Item, trail: tuple[tuple[str, str], ...]) -> Mapping[str, object]:
    """Return a graph of page, breadcrumbs (pairs of title and path) and product; prices as a specification."""
    variant = item.variants[0]
    prices = [{"@type": "UnitPriceSpecification", "price": str(variant.price), "priceCurrency": CURRENCY}]
    if variant.regular_price:
        prices.append({**prices[0], "priceType": "https://schema.org/StrikethroughPrice",
                       "price": str(variant.regular_price)})  # fmt: skip
    crumbs = [
        {"@type": "ListItem", "position": place, "name": title, "item": f"{ORIGIN}{path}"}
        for place, (title, path) in enumerate(trail, start=1)
    ]
    product = {
        "@type": "Product",
        "@id": f"{ORIGIN}{item.path}#product",
        **_facts(item),
        "sku": variant.sku,
        "gtin": variant.gtin,
        "offers": {**_offer(item, variant), "priceSpecification": prices},
    }
    page = {"@type": "WebPage", "@id": f"{ORIGIN}{item.path}", "name": item.name, "mainEntity": product["@id"]}
    return {"@context": "https://schema.org",
            "@graph": [page, {"@type": "BreadcrumbList", "itemListElement": crumbs}, product]}  # fmt: skip


def _facts(item: Item) -> dict[str, object]:
    facts: dict[str, object] = {
        "name": item.name,
        "url": f"{ORIGIN}{item.path}",
        "image": [f"{ORIGIN}{path}" for path in image_paths(item)],
        "description": " ".join(item.description),
        "brand": {"@type": "Brand", "name": item.brand},
        "category": f"{item.department} > {item.kind}",
    }
    if item.rating:
        value, count = item.rating
        facts["aggregateRating"] = {"@type": "AggregateRating", "ratingValue": str(value), "bestRating": "5",
                                    "reviewCount": count}  # fmt: skip
    return facts


def _offer(item: Item, variant: Variant) -> dict[str, object]:
    suffix = f"?variant={variant.number}" if len(item.variants) > 1 else ""
    return {
        "@type": "Offer",
        "url": f"{ORIGIN}{item.path}{suffix}",
        "availability": f"https://schema.org/{variant.availability}",
        "itemCondition": "https://schema.org/NewCondition",
        "priceCurrency": CURRENCY,
    }


def _group_member(item: Item, variant: Variant) -> dict[str, object]:
    return {
        "@type": "Product",
        "name": f"{item.name} ({variant.title})",
        "sku": variant.sku,
        "gtin13": variant.gtin,
        "image": f"{ORIGIN}{image_paths(item)[0]}",
        **{_VARIES_BY[name]: value for name, value in variant.options},
        "offers": {**_offer(item, variant), "price": str(variant.price)},
    }
