"""Shopify: the product object that themes and apps put into the page, with all variants.

Liquid's `product | json` writes prices as integers of minor units (hundredths, whatever the currency); the
storefront interfaces write decimal strings or {"amount", "currencyCode"}.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

from lxml import etree

from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.gtin import parse_gtin
from arborist_pipeline.core.products.nodes import Node, as_list, first, text_of
from arborist_pipeline.core.products.prices import parse_currency, parse_machine_amount
from arborist_pipeline.core.products.product import Variant
from arborist_pipeline.core.products.text import fold_text, is_alike
from arborist_pipeline.core.products.tier import Draft, Found
from arborist_pipeline.core.web.url import Url, path_and_query, resolve, same_site

TIER = "shopify"
MAX_VARIANTS = 2_500
_HANDLE = re.compile(r"/products/([^/?#.]+)")
_PRODUCT_PATH = re.compile(
    r"(?P<market>(?:/[a-zA-Z]{2}(?:-[a-zA-Z]{2})?)?)(?:/collections/[^/?#]+)?/products/(?P<handle>[^/?#.]+)"
)
ASSET_MARKS = ("cdn.shopify.com/", "/cdn/shop/")
"""What the addresses of a Shopify page's scripts and styles hold."""
SCRIPT_MARKS = ("Shopify.shop", "Shopify.theme", "Shopify.currency")
"""What stands in the programs that Shopify writes into each page (Liquid, content_for_header)."""
_CURRENCY = re.compile(
    r"(?:Shopify\.currency\s{0,4}=\s{0,4}\{\s{0,4}\"active\"\s{0,4}:\s{0,4}\"|meta\.currency\s{0,4}=\s{0,4}['\"])([A-Z]{3})"
)
_DEFAULT = ("default title", "default", "")


def read_shopify(evidence: Evidence) -> Draft | None:
    """Return the draft of the page's product object; None where the page carries none, or none of its own."""
    found = _choose(evidence)
    if found is None:
        return None
    node, where = found
    nodes = [each for each in as_list(node.get("variants"))[:MAX_VARIANTS] if isinstance(each, dict)]
    names = _option_names(node)
    variants = tuple(_variant(each, names, evidence) for each in nodes)
    default = _default(nodes, evidence)
    chosen = variants[default]
    real = variants if any(variant.options for variant in variants) else ()
    amounts = [variant.price for variant in variants if variant.price]
    return Draft(
        tier=TIER,
        certain=True,
        handle=_found(fold_text(first(node, "handle")), where, "handle"),
        product_id=_found(fold_text(first(node, "id")), where, "id"),
        name=_found(text_of(first(node, "title", "name")), where, "title"),
        description=_found(text_of(first(node, "description", "body_html")), where, "description"),
        brand=_found(text_of(first(node, "vendor")), where, "vendor"),
        sku=_found(chosen.sku or "", where, "variants.sku"),
        gtin=_found(chosen.gtin or "", where, "variants.barcode"),
        price=_amount(chosen.price, where, nodes[default], "price"),
        regular_price=_amount(chosen.regular_price, where, nodes[default], "compare_at_price"),
        low_price=_amount(min(amounts), where, node, "price_min") if len(set(amounts)) > 1 else None,
        high_price=_amount(max(amounts), where, node, "price_max") if len(set(amounts)) > 1 else None,
        currency=_found(_currency(evidence) or "", where, "currency"),
        availability=_found(_stock(node, variants, chosen) or "", where, "available"),
        images=_images(node, evidence, where),
        options=Found(names, f"{where}.options", ", ".join(names)) if real and names else None,
        variants=Found(real, f"{where}.variants", f"{len(real)} variants") if real else None,
    )


def find_shopify_endpoint(evidence: Evidence) -> Url | None:
    """Return where a Shopify shop tells of the page's product as JSON (Ajax API, `/products/{handle}.js`), or None.

    A language or market in front of the path stays, for it decides on names and prices; a collection does not.
    """
    if not any(map(_is_shopify, evidence.scan.scripts[:400])):
        return None
    for address in (evidence.page.canonical_url, evidence.page.url):
        match = _PRODUCT_PATH.match(path_and_query(address)) if address else None
        if match and address and same_site(address, evidence.page.url):
            return resolve(evidence.page.url, f"{match['market']}/products/{match['handle']}.js")
    return None


def _is_shopify(script: etree._Element) -> bool:
    text = f"{script.get('src') or ''} {(script.text or '')[:20_000]}"
    return any(mark in text for mark in (*ASSET_MARKS, *SCRIPT_MARKS))


def _choose(evidence: Evidence) -> tuple[Node, str] | None:
    """Return the richest product object that bears the page's handle, else its name."""
    addresses = (evidence.page.url, evidence.page.canonical_url or "")
    handles = {match[1].lower() for address in addresses if (match := _HANDLE.search(address))}
    names = [name for name in (evidence.view.name, *evidence.titles) if name]
    best: tuple[float, Node, str] | None = None
    for node, where in evidence.embedded_nodes:
        fit = _fit(node, handles, names) if _is_product(node) else 0.0
        if fit > 0 and (best is None or fit > best[0]):
            best = (fit, node, where)
    return (best[1], best[2]) if best else None


def _is_product(node: Node) -> bool:
    variants = node.get("variants")
    if not isinstance(variants, list) or not variants or not isinstance(variants[0], dict):
        return False
    return "option1" in variants[0] or (bool({"price", "public_title"} <= variants[0].keys()) and "vendor" in node)


def _fit(node: Node, handles: set[str], names: list[str]) -> float:
    title = text_of(first(node, "title", "name"))
    handle = fold_text(first(node, "handle")).lower()
    score = 4.0 if handle and handle in handles else 0.0
    score += 2.0 if title and any(is_alike(title, name) for name in names) else 0.0
    if not score and not (title or handle) and handles:
        score = 0.5  # the theme's analytics object: ids, prices and article numbers only
    variants = node["variants"]
    richness = len(variants[0]) if isinstance(variants, list) and isinstance(variants[0], dict) else 0
    return score + (0.5 if "option1" in str(variants)[:400] else 0.0) + min(richness, 40) / 100 if score else 0.0


def _option_names(node: Node) -> tuple[str, ...]:
    return tuple(text_of(option) for option in as_list(node.get("options"))[:3])


def _variant(node: Node, names: tuple[str, ...], evidence: Evidence) -> Variant:
    values = [fold_text(node.get(f"option{number}")) for number in (1, 2, 3)]
    options = {
        (names[place] if place < len(names) else f"option{place + 1}"): value
        for place, value in enumerate(values)
        if value.lower() not in _DEFAULT
    }
    price, regular = _money(node.get("price")), _money(first(node, "compare_at_price"))
    stock = node.get("available")
    image = node.get("featured_image")
    source = first(image, "src") if isinstance(image, dict) else image
    return Variant(
        title=fold_text(first(node, "title", "public_title", "name")) or None,
        options=options,
        sku=fold_text(node.get("sku")) or None,
        gtin=parse_gtin(node.get("barcode")),
        price=price or None,
        regular_price=regular if regular and price and regular > price else None,
        availability=("InStock" if stock else "OutOfStock") if isinstance(stock, bool) else None,
        url=evidence.scan.url(f"?variant={node['id']}") if "id" in node else None,
        image=evidence.scan.url(source) if isinstance(source, str) else None,
    )


def _money(value: object) -> Decimal | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return parse_machine_amount(Decimal(value) / 100)
    return parse_machine_amount(first(value, "amount") if isinstance(value, Mapping) else value)


def _default(nodes: list[dict[str, object]], evidence: Evidence) -> int:
    """Return the place of the variant a buyer gets: that of the address, else the first available, else the first."""
    asked = parse_qs(urlsplit(evidence.page.url).query).get("variant", [""])[0]
    for place, node in enumerate(nodes):
        if asked and str(node.get("id")) == asked:
            return place
    return next((place for place, node in enumerate(nodes) if node.get("available") is True), 0)


def _stock(node: Node, variants: tuple[Variant, ...], chosen: Variant) -> str | None:
    stock = node.get("available")
    if isinstance(stock, bool):
        return "InStock" if stock else "OutOfStock"
    known = [variant.availability for variant in variants if variant.availability]
    return chosen.availability or (known[0] if known else None)


def _currency(evidence: Evidence) -> str | None:
    for script in evidence.scan.scripts[:400]:
        match = _CURRENCY.search(script.text or "")
        if match:
            return parse_currency(match[1])
    return None


def _images(node: Node, evidence: Evidence, where: str) -> Found[tuple[str, ...]] | None:
    found: dict[str, None] = {}
    for value in as_list(node.get("images") or node.get("media"))[:100]:
        source = first(value, "src", "url") if isinstance(value, dict) else value
        url = evidence.scan.url(source) if isinstance(source, str) else None
        if url:
            found[url] = None
    return Found(tuple(found), f"{where}.images", next(iter(found))) if found else None


def _found(value: str, where: str, name: str) -> Found[str] | None:
    return Found(value, f"{where}.{name}", value[:200]) if value else None


def _amount(value: Decimal | None, where: str, node: Node, name: str) -> Found[Decimal] | None:
    return Found(value, f"{where}.{name}", str(node.get(name, value))[:200]) if value else None
