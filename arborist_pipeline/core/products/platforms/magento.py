"""Magento: the configuration of a configurable product.

Version 2 puts it into text/x-magento-init scripts as jsonConfig or spConfig (Magento_Swatches renderer.phtml), version
1 into `new Product.Config({...})`. Both list attributes, their options, and the products behind each option.
"""

from collections.abc import Mapping
from decimal import Decimal

from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.nodes import Node, as_list, first, text_of
from arborist_pipeline.core.products.prices import parse_machine_amount
from arborist_pipeline.core.products.product import Variant
from arborist_pipeline.core.products.text import fold_text
from arborist_pipeline.core.products.tier import Draft, Found

TIER = "magento"
MAX_VARIANTS = 2_000


def read_magento(evidence: Evidence) -> Draft | None:
    """Return the variants of the page's configurable product; None where the page has no configuration."""
    for node, where in evidence.embedded_nodes:
        if _is_configuration(node):
            return _draft(node, where, evidence)
    return None


def _is_configuration(node: Node) -> bool:
    attributes = node.get("attributes")
    if not isinstance(attributes, dict) or not attributes:
        return False
    some = next(iter(attributes.values()))
    return isinstance(some, dict) and {"code", "label", "options"} <= some.keys() and (
        "basePrice" in node or "optionPrices" in node or "prices" in node or "template" in node
    )  # fmt: skip


def _draft(node: Node, where: str, evidence: Evidence) -> Draft:
    variants = _variants(node, evidence)
    amounts = [variant.price for variant in variants if variant.price]
    price = _asked(node) or min(amounts, default=None)
    regular = parse_machine_amount(_path(node, "prices", "oldPrice", "amount")) or parse_machine_amount(
        node.get("oldPrice")
    )
    names = tuple(dict.fromkeys(name for variant in variants for name in variant.options))
    return Draft(
        tier=TIER,
        certain=True,
        product_id=_found(fold_text(node.get("productId")), where, "productId"),
        price=_amount(price, where, "finalPrice"),
        regular_price=_amount(regular if regular and price and regular > price else None, where, "oldPrice"),
        low_price=_amount(min(amounts), where, "optionPrices") if len(set(amounts)) > 1 else None,
        high_price=_amount(max(amounts), where, "optionPrices") if len(set(amounts)) > 1 else None,
        options=Found(names, f"{where}.attributes", ", ".join(names)) if names else None,
        variants=Found(variants, f"{where}.attributes", f"{len(variants)} products") if variants else None,
    )


def _asked(node: Node) -> Decimal | None:
    return parse_machine_amount(_path(node, "prices", "finalPrice", "amount")) or parse_machine_amount(
        node.get("basePrice")
    )


def _variants(node: Node, evidence: Evidence) -> tuple[Variant, ...]:
    """Return one variant for each product id that stands behind an option of every attribute."""
    rows: dict[str, dict[str, str]] = {}
    extra: dict[str, Decimal] = {}
    attributes = [each for each in _values(node.get("attributes")) if isinstance(each, dict)]
    for attribute in attributes[:8]:
        name = text_of(first(attribute, "label", "code"))
        for option in as_list(attribute.get("options"))[:500]:
            if not isinstance(option, dict):
                continue
            for number in as_list(option.get("products"))[:MAX_VARIANTS]:
                identity = fold_text(number)
                rows.setdefault(identity, {})[name] = text_of(first(option, "label"))
                extra[identity] = extra.get(identity, Decimal(0)) + (parse_machine_amount(option.get("price")) or 0)
    whole = {key: options for key, options in rows.items() if len(options) == len(attributes)}
    return tuple(
        _variant(node, key, options, extra[key], evidence) for key, options in list(whole.items())[:MAX_VARIANTS]
    )


def _variant(node: Node, key: str, options: dict[str, str], extra: Decimal, evidence: Evidence) -> Variant:
    price = parse_machine_amount(_path(node, "optionPrices", key, "finalPrice", "amount"))
    regular = parse_machine_amount(_path(node, "optionPrices", key, "oldPrice", "amount"))
    base = parse_machine_amount(node.get("basePrice"))
    if price is None and base:
        price = base + extra
    images = as_list(_path(node, "images", key))
    source = first(images[0], "full", "img") if images and isinstance(images[0], dict) else None
    return Variant(
        title=" / ".join(options.values()),
        options=options,
        sku=fold_text(_path(node, "sku", key) or _path(node, "skus", key)) or None,
        price=price or None,
        regular_price=regular if regular and price and regular > price else None,
        availability=_stock(node, key),
        image=evidence.scan.url(source) if isinstance(source, str) else None,
    )


def _stock(node: Node, key: str) -> str | None:
    """Return the stock of a product where the configuration lists the salable ones."""
    salable = node.get("salable")
    if not isinstance(salable, dict) or not salable:
        return None
    is_listed = any(key in map(str, as_list(numbers)) for options in _values(salable) for numbers in _values(options))
    return "InStock" if is_listed else "OutOfStock"


def _path(node: object, *names: str) -> object:
    for name in names:
        node = node.get(name) if isinstance(node, Mapping) else None
    return node


def _values(value: object) -> list[object]:
    return list(value.values()) if isinstance(value, Mapping) else as_list(value)


def _found(value: str, where: str, name: str) -> Found[str] | None:
    return Found(value, f"{where}.{name}", value[:200]) if value else None


def _amount(value: Decimal | None, where: str, name: str) -> Found[Decimal] | None:
    return Found(value, f"{where}.{name}", str(value)) if value else None
