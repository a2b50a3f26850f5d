"""JSON-LD (schema.org): the product node of the page, and the breadcrumb trail."""

from collections.abc import Sequence

from arborist_pipeline.core.products.evidence import Evidence, choose_product
from arborist_pipeline.core.products.nodes import Node, as_list, first, text_of, types_of
from arborist_pipeline.core.products.schema_org import build_draft, read_trail
from arborist_pipeline.core.products.tier import Draft

TIER = "jsonld"


def read_jsonld(evidence: Evidence) -> Draft | None:
    """Return the draft of the page's product node; None where the page has none of its own."""
    node = choose_product(evidence.linked_products, evidence)
    if node is None:
        return None
    kind = "ProductGroup" if "productgroup" in types_of(node) else "Product"
    node = _with_siblings(node, evidence.linked_products)
    draft = build_draft(node, evidence.scan, tier=TIER, where=f"script[ld+json] {kind}")
    return read_trail(draft, evidence.linked)


def _with_siblings(node: Node, nodes: Sequence[Node]) -> Node:
    """Return the node with those beside it of the same name and other article numbers as its variants.

    Some shops write one Product a size, side by side, where the vocabulary has ProductGroup.
    """
    name = text_of(first(node, "name")).lower()
    alike = [each for each in nodes if "hasVariant" not in each and text_of(first(each, "name")).lower() == name]
    skus = {text_of(first(each, "sku")) for each in alike}
    if len(alike) < 2 or "" in skus or len(skus) < len(alike):
        return node
    offers = [offer for each in alike for offer in as_list(each.get("offers"))]
    return {**node, "hasVariant": [dict(each) for each in alike], "offers": offers}
