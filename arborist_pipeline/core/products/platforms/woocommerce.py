"""WooCommerce: the variations form of a variable product (templates/single-product/add-to-cart/variable.php).

`data-product_variations` lists all variations, or says false above the shop's threshold: then there is nothing to
read. An attribute left empty stands for any of its values.
"""

from collections.abc import Mapping
from decimal import Decimal
from itertools import product

from arborist_pipeline.core.products.availability import parse_stock_words
from arborist_pipeline.core.products.choices import Choice, read_selects
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.nodes import Node, first, text_of
from arborist_pipeline.core.products.prices import parse_machine_amount
from arborist_pipeline.core.products.product import Variant
from arborist_pipeline.core.products.text import fold_text
from arborist_pipeline.core.products.tier import Draft, Found

TIER = "woocommerce"
MAX_VARIANTS = 2_000
MAX_EXPANDED = 200
_WHERE = "form[data-product_variations]"


def read_woocommerce(evidence: Evidence) -> Draft | None:
    """Return the variations of the page's form; None without one."""
    found = next(
        (
            each
            for each in evidence.embedded
            if each.element.get("data-product_variations") and isinstance(each.value, list)
        ),
        None,
    )
    if found is None or not isinstance(found.value, list):
        return None
    choices = {choice.key: choice for choice in read_selects(found.element)}
    nodes = [node for node in found.value[:MAX_VARIANTS] if isinstance(node, dict)]
    variants = tuple(variant for node in nodes for variant in _variants(node, choices, evidence))
    if not variants:
        return None
    amounts = [variant.price for variant in variants if variant.price]
    open_ = [variant.price for variant in variants if variant.price and variant.availability != "OutOfStock"]
    chosen = _selected(variants, choices)
    price = chosen.price if chosen else min(open_ or amounts, default=None)
    names = tuple(dict.fromkeys(name for variant in variants for name in variant.options))
    return Draft(
        tier=TIER,
        certain=True,
        product_id=_found(found.element.get("data-product_id") or "", "data-product_id"),
        price=_amount(price, "display_price"),
        regular_price=_amount(chosen.regular_price if chosen else None, "display_regular_price"),
        low_price=_amount(min(amounts), "display_price") if len(set(amounts)) > 1 else None,
        high_price=_amount(max(amounts), "display_price") if len(set(amounts)) > 1 else None,
        availability=_found(_stock(variants) or "", "is_in_stock"),
        options=Found(names, _WHERE, ", ".join(names)) if names else None,
        variants=Found(variants, _WHERE, f"{len(variants)} variations"),
    )


def _variants(node: Node, choices: Mapping[str, Choice], evidence: Evidence) -> list[Variant]:
    raw = node.get("attributes")
    attributes = raw if isinstance(raw, dict) else {}
    columns: list[list[tuple[str, str]]] = []
    for key, value in list(attributes.items())[:8]:
        choice = choices.get(str(key))
        name = choice.name if choice else str(key).removeprefix("attribute_").removeprefix("pa_").replace("-", " ")
        stated = fold_text(value)
        if stated:
            columns.append([(name, choice.values.get(stated, stated) if choice else stated)])
        elif choice and choice.values:
            columns.append([(name, label) for label in choice.values.values()])
    size = 1
    for column in columns:
        size *= len(column)
    rows = product(*columns) if size <= MAX_EXPANDED else ()
    return [_variant(node, dict(row), evidence) for row in rows]


def _variant(node: Node, options: dict[str, str], evidence: Evidence) -> Variant:
    price, regular = (parse_machine_amount(node.get(name)) for name in ("display_price", "display_regular_price"))
    image = first(node, "image")
    source = first(image, "url", "src") if isinstance(image, dict) else None
    return Variant(
        title=" / ".join(options.values()) or None,
        options=options,
        sku=text_of(node.get("sku")) or None,
        price=price or None,
        regular_price=regular if regular and price and regular > price else None,
        availability=_availability(node),
        image=evidence.scan.url(source) if isinstance(source, str) else None,
    )


def _availability(node: Node) -> str | None:
    stock = node.get("is_in_stock")
    said = parse_stock_words(fold_text(node.get("availability_html"))[:200])
    if stock is True:
        return said if said in ("BackOrder", "PreOrder") else "InStock"
    return "OutOfStock" if stock is False else said


def _selected(variants: tuple[Variant, ...], choices: Mapping[str, Choice]) -> Variant | None:
    chosen = {choice.name: choice.values[choice.selected] for choice in choices.values() if choice.selected}
    if not chosen or len(chosen) < len(choices):
        return None
    return next((variant for variant in variants if variant.options == chosen), None)


def _stock(variants: tuple[Variant, ...]) -> str | None:
    known = [variant.availability for variant in variants if variant.availability]
    return "InStock" if "InStock" in known else (known[0] if known else None)


def _found(value: str, name: str) -> Found[str] | None:
    return Found(value, f"{_WHERE} {name}", value) if value else None


def _amount(value: Decimal | None, name: str) -> Found[Decimal] | None:
    return Found(value, f"{_WHERE} {name}", str(value)) if value else None
