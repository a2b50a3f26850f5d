"""What a reading lacks, and a draft of the last tier put into the gaps: what other tiers gave stays as it is."""

from dataclasses import replace
from typing import Any

from arborist_pipeline.core.products.handle import build_handle, explain_handle
from arborist_pipeline.core.products.product import FieldSource, Product
from arborist_pipeline.core.products.tier import Draft
from arborist_pipeline.core.web.page import Page

_FIELDS = ("price", "currency", "availability", "brand", "sku")


def find_gaps(product: Product | None) -> tuple[str, ...]:
    """Return the fields that a product lacks; None lacks its name too.

    Variants are lacking only where options are named: most products have none.
    """
    if product is None:
        return ("name", *_FIELDS)
    lacking = tuple(name for name in _FIELDS if getattr(product, name) is None)
    return (*lacking, "variants") if product.options and not product.variants else lacking


def fill_gaps(product: Product | None, draft: Draft, page: Page) -> Product | None:
    """Return a product with its gaps filled as far as a draft goes, and where that was read.

    Without a product there is one only where the draft names it and says what it costs or whether it can be had.
    """
    if product is None:
        if draft.name is None or (draft.price is None and draft.availability is None):
            return None
        handle = build_handle(page.canonical_url or page.url) or build_handle(page.url)
        product = Product(url=page.url, canonical_url=page.canonical_url, handle=handle, name=draft.name.value,
                          handle_reason=None if handle else explain_handle(page.url, page.canonical_url),
                          sources={"name": _source(draft, "name")})  # fmt: skip
    found = {name: getattr(draft, name) for name in find_gaps(product)}
    values: dict[str, Any] = {name: each.value for name, each in found.items() if each is not None}
    if product.price is None and "price" not in values:
        values.pop("currency", None)
    sources = {name: _source(draft, name) for name in values}
    return replace(product, **values, sources={**product.sources, **sources}) if values else product


def _source(draft: Draft, name: str) -> FieldSource:
    found = getattr(draft, name)
    return FieldSource(tier=draft.tier, where=found.where, raw=found.raw[:200])
