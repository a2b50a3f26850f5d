"""BigCommerce: BCData.product_attributes, the state of the product's form (Cornerstone, assets/js/theme/product)."""

from collections.abc import Mapping
from decimal import Decimal

from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.gtin import parse_gtin
from arborist_pipeline.core.products.nodes import Node, first, text_of
from arborist_pipeline.core.products.prices import parse_currency, parse_machine_amount
from arborist_pipeline.core.products.tier import Draft, Found

TIER = "bigcommerce"
_WHERE = "BCData.product_attributes"
_MARKS = ("purchasable", "instock", "available_modifier_values", "in_stock_attributes")


def read_bigcommerce(evidence: Evidence) -> Draft | None:
    """Return the state of the product's form; None without one. The payload may be empty at load."""
    for node, _ in evidence.embedded_nodes:
        attributes = node.get("product_attributes")
        if isinstance(attributes, dict) and sum(mark in attributes for mark in _MARKS) >= 2:
            return _draft(attributes)
    return None


def _draft(node: Node) -> Draft:
    prices = node.get("price")
    asked = _money(prices, "with_tax") or _money(prices, "without_tax")
    regular = _money(prices, "rrp_with_tax", "non_sale_price_with_tax", "rrp_without_tax", "non_sale_price_without_tax")
    stock = node.get("instock")
    amount = asked[0] if asked else None
    return Draft(
        tier=TIER,
        certain=True,
        sku=_found(text_of(first(node, "sku")), "sku"),
        mpn=_found(text_of(first(node, "mpn")), "mpn"),
        gtin=_found(parse_gtin(first(node, "gtin", "upc")) or "", "upc"),
        price=Found(amount, f"{_WHERE}.price", str(amount)) if amount else None,
        regular_price=Found(regular[0], f"{_WHERE}.price", str(regular[0]))
        if regular and amount and regular[0] > amount
        else None,
        currency=_found((asked[1] if asked else None) or "", "price.currency"),
        availability=_found(("InStock" if stock else "OutOfStock") if isinstance(stock, bool) else "", "instock"),
    )


def _money(prices: object, *names: str) -> tuple[Decimal, str | None] | None:
    for name in names:
        price = prices.get(name) if isinstance(prices, Mapping) else None
        amount = parse_machine_amount(first(price, "value")) if isinstance(price, Mapping) else None
        if amount and isinstance(price, Mapping):
            return amount, parse_currency(first(price, "currency"))
    return None


def _found(value: str, name: str) -> Found[str] | None:
    return Found(value, f"{_WHERE}.{name}", value[:200]) if value else None
