"""What a shop platform tells of a product at an address of its own, where the page leaves its variants open.

The page says which platform it is of, the platform's documentation which address that is; what stands there is read
like any data that the page carries for its scripts.
"""

import json

from arborist_pipeline.core.products.product import Product

MAX_ENDPOINT_BYTES = 4 * 1024 * 1024


def lacks_variants(product: Product) -> bool:
    """Whether a page leaves open which forms of its product there are, what one costs, or whether it can be had."""
    if product.options and not product.variants:
        return True
    if not product.variants:
        return product.availability is None
    return any(variant.price is None or variant.availability is None for variant in product.variants)


def parse_endpoint(body: bytes) -> dict[str, object] | None:
    """Read what an endpoint answered; None for what is not one JSON object."""
    try:
        value = json.loads(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
