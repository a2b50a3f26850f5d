"""Data that the page carries for its scripts: state of single-page frameworks, data layers, tag managers.

No schema is assumed: an object with the name of the page's subject and a price, a brand or an article number is
taken as its record. What stands there is often right and sometimes stale, so it counts less than mark-up.
"""

from collections.abc import Mapping
from decimal import Decimal

from arborist_pipeline.core.products.availability import parse_availability
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.gtin import parse_gtin
from arborist_pipeline.core.products.nodes import Node, first, text_of
from arborist_pipeline.core.products.prices import parse_currency, parse_machine_amount
from arborist_pipeline.core.products.text import likeness
from arborist_pipeline.core.products.tier import Draft, Found

TIER = "embedded"
_NAMES = ("name", "title", "productName", "product_name", "item_name", "displayName", "product_title")
_PRICES = ("salePrice", "sale_price", "finalPrice", "final_price", "currentPrice", "current_price", "sellingPrice",
           "price", "productPrice", "product_price", "unitPrice", "unit_price")  # fmt: skip
_CURRENCIES = ("currency", "currencyCode", "priceCurrency", "currency_code", "currencyIsoCode")
_BRANDS = ("brand", "brandName", "brand_name", "manufacturer", "vendor", "item_brand", "productBrand", "product_brand")
_SKUS = ("sku", "productSku", "product_sku", "skuId", "articleNumber", "itemNumber", "modelNumber")
_STOCKS = ("availability", "availabilityStatus", "inStock", "in_stock", "isInStock", "stockStatus", "isAvailable")
_GTINS = ("gtin13", "gtin", "gtin12", "ean", "upc", "barcode", "isbn", "ean13")


def read_embedded(evidence: Evidence) -> Draft | None:
    """Return the draft of the best record of the page's subject in its embedded data; None without one."""
    names = [name for name in (evidence.view.name, *evidence.titles) if name]
    best: tuple[float, Node, str] | None = None
    for node, where in evidence.embedded_nodes[:4_000]:
        fit = _fit(node, names)
        if fit > 0 and (best is None or fit > best[0]):
            best = (fit, node, where)
    return _draft(best[1], best[2], evidence) if best else None


def _fit(node: Node, names: list[str]) -> float:
    name = text_of(first(node, *_NAMES))
    if len(name) < 4 or len(name) > 300:
        return 0.0
    alike = max((likeness(name, each) for each in names), default=0.0)
    if alike < 0.6:
        return 0.0
    rich = sum(first(node, *group) is not None for group in (_PRICES, _BRANDS, _SKUS, _STOCKS, _CURRENCIES, _GTINS))
    return alike + rich / 4 if rich else 0.0


def _draft(node: Node, where: str, evidence: Evidence) -> Draft:
    currency = parse_currency(text_of(_first_of(node, _CURRENCIES)))
    price = _in_major_units(_price(first(node, *_PRICES)), evidence)
    return Draft(
        tier=TIER,
        brand=_found(_brand(node), where, "brand"),
        sku=_found(text_of(first(node, *_SKUS))[:60], where, "sku"),
        gtin=_found(parse_gtin(first(node, *_GTINS)) or "", where, "gtin"),
        price=Found(price, f"{where}.price", str(first(node, *_PRICES))[:200]) if price and price > 0 else None,
        currency=_found(currency or "", where, "currency"),
        availability=_found(parse_availability(first(node, *_STOCKS)) or "", where, "availability"),
    )


def _first_of(node: Node, names: tuple[str, ...]) -> object:
    """Return the first of these values on the node or on what it says of its price."""
    value = first(node, *names)
    price = first(node, *_PRICES)
    return first(price, *names) if value is None and isinstance(price, Mapping) else value


def _price(value: object) -> Decimal | None:
    if isinstance(value, Mapping):
        value = first(value, "value", "amount", "current", "sale", "final", "price")
    return None if isinstance(value, dict) else parse_machine_amount(value)


def _in_major_units(amount: Decimal | None, evidence: Evidence) -> Decimal | None:
    """Return a whole amount divided by a hundred where that is what the page shows: many states count in cents."""
    if amount is None or amount != amount.to_integral_value():
        return amount
    shown = {each.money.amount for each in evidence.view.own}
    return amount / 100 if amount not in shown and amount / 100 in shown else amount


def _brand(node: Node) -> str:
    brand = text_of(first(node, *_BRANDS))
    return brand if 1 < len(brand) <= 60 and not brand.startswith("http") else ""


def _found(value: str, where: str, name: str) -> Found[str] | None:
    return Found(value, f"{where}.{name}", value[:200]) if value else None
