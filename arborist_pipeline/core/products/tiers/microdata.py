"""Microdata and RDFa Lite (schema.org): the product item of the page, and the breadcrumb trail."""

from arborist_pipeline.core.products.evidence import Evidence, choose_product
from arborist_pipeline.core.products.schema_org import build_draft, read_trail
from arborist_pipeline.core.products.tier import Draft

TIER = "microdata"


def read_microdata(evidence: Evidence) -> Draft | None:
    """Return the draft of the page's product item; None where the page has none of its own."""
    node = choose_product(evidence.item_products, evidence)
    if node is None:
        return None
    draft = build_draft(node, evidence.scan, tier=TIER, where="[itemtype=Product]")
    return read_trail(draft, evidence.items)
