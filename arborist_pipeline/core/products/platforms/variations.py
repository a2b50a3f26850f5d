"""Inline variation lists: an array in a script with one object a variation, its values those of the form's selects.

Cartridge writes `var variations = [{"option1": …, "sku": …}]` and shows the price of each in an element that bears
its article number; others write price and stock into the objects themselves.
"""

from collections.abc import Mapping, Sequence

from lxml import etree

from arborist_pipeline.core.products.availability import find_stock_words, parse_availability
from arborist_pipeline.core.products.choices import Choice, read_selects
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.nodes import Node, first, text_of
from arborist_pipeline.core.products.prices import Money, parse_machine_amount
from arborist_pipeline.core.products.product import Variant
from arborist_pipeline.core.products.text import fold_text
from arborist_pipeline.core.products.tier import Draft, Found

TIER = "variations"
MAX_VARIANTS = 1_000
MAX_TEXTS, MAX_STOCK_TEXT = 120, 80


def read_variations(evidence: Evidence) -> Draft | None:
    """Return the variations that a script lists; None where no list fits the page's form."""
    for embedded in evidence.embedded:
        rows = _rows(embedded.value)
        if not rows:
            continue
        choices = {choice.key: choice for root in evidence.page.tree.roots for choice in read_selects(root)}
        # Sold out, and the form is gone: the list alone names the options. With ids or prices it is another platform's.
        if choices.keys().isdisjoint(rows[0]) and not {"id", "price"} & rows[0].keys() and _is_gone(evidence):
            choices = {key: Choice(key=key, name=key, values={}) for key in map(str, rows[0]) if _is_option(key)}
        variants = tuple(_variant(row, choices, evidence) for row in rows)
        real = tuple(variant for variant in variants if variant.options)
        if (real and len(real) == len(variants)) or len(variants) == 1:
            return _draft(variants, real, embedded.where)
    return None


def _rows(value: object) -> list[Node]:
    """Return the objects of a list of variations: each with an article number of its own and options by number."""
    if not isinstance(value, list) or not value or not all(isinstance(row, dict) for row in value[:MAX_VARIANTS]):
        return []
    rows: list[Node] = [row for row in value[:MAX_VARIANTS] if isinstance(row, dict)]
    skus = {fold_text(row.get("sku")) for row in rows}
    has_options = all(any(map(_is_option, map(str, row))) for row in rows)
    return rows if has_options and "" not in skus and len(skus) == len(rows) else []


def _is_gone(evidence: Evidence) -> bool:
    """Whether a short text after the heading says that the thing cannot be had."""
    texts = evidence.scan.texts[evidence.view.start : evidence.view.start + MAX_TEXTS]
    said = find_stock_words([text if len(text) <= MAX_STOCK_TEXT else "" for text in texts])
    return any(value == "OutOfStock" for _, value in said)


def _is_option(key: str) -> bool:
    return key.lower().startswith("option")


def _draft(variants: Sequence[Variant], real: tuple[Variant, ...], where: str) -> Draft:
    chosen = variants[0]
    names = tuple(dict.fromkeys(name for variant in real for name in variant.options))
    amounts = [variant.price for variant in variants if variant.price]
    several = len(set(amounts)) > 1
    return Draft(
        tier=TIER,
        certain=True,
        sku=Found(chosen.sku, f"{where}[0].sku", chosen.sku) if chosen.sku else None,
        price=Found(chosen.price, f"{where}[0].price", str(chosen.price)) if chosen.price else None,
        low_price=Found(min(amounts), where, str(min(amounts))) if several else None,
        high_price=Found(max(amounts), where, str(max(amounts))) if several else None,
        options=Found(names, where, ", ".join(names)) if names else None,
        variants=Found(real, where, f"{len(real)} variations") if len(real) > 1 else None,
    )


def _variant(row: Node, choices: Mapping[str, Choice], evidence: Evidence) -> Variant:
    options: dict[str, str] = {}
    for key, value in row.items():
        stated = fold_text(value)
        choice = choices.get(str(key))
        if stated and choice is not None:
            options[choice.name] = choice.values.get(stated, stated)
    sku = fold_text(row.get("sku"))
    shown = _price_of(sku, evidence)
    return Variant(
        title=" / ".join(options.values()) or None,
        options=options,
        sku=sku,
        price=parse_machine_amount(row.get("price")) or (shown.amount if shown else None),
        availability=parse_availability(first(row, "availability", "available", "in_stock", "inStock")),
        gtin=None,
        mpn=text_of(row.get("mpn")) or None,
    )


def _price_of(sku: str, evidence: Evidence) -> Money | None:
    """Return the price in sight in the element that bears an article number in its id."""
    for each in evidence.view.sightings:
        node: etree._Element | None = each.element
        for _ in range(3):
            if node is None:
                break
            if (node.get("id") or "").endswith(sku) and not each.is_struck and not each.is_called_old:
                return each.money
            node = node.getparent()
    return None
