"""JSON-LD (schema.org): the product node of the page, and the breadcrumb trail."""

from arborist_pipeline.core.products.evidence import Evidence, choose_product
from arborist_pipeline.core.products.nodes import types_of
from arborist_pipeline.core.products.schema_org import build_draft, read_trail
from arborist_pipeline.core.products.tier import Draft

TIER = "jsonld"


def read_jsonld(evidence: Evidence) -> Draft | None:
    """Return the draft of the page's product node; None where the page has none of its own."""
    node = choose_product(evidence.linked_products, evidence)
    if node is None:
        return None
    kind = "ProductGroup" if "productgroup" in types_of(node) else "Product"
    draft = build_draft(node, evidence.scan, tier=TIER, where=f"script[ld+json] {kind}")
    return read_trail(draft, evidence.linked)
