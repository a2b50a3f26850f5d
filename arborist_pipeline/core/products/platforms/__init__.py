"""Readers of what shop platforms put into their pages, best first. A new platform is a new file and a line here."""

from arborist_pipeline.core.products.platforms.bigcommerce import read_bigcommerce
from arborist_pipeline.core.products.platforms.magento import read_magento
from arborist_pipeline.core.products.platforms.shopify import find_shopify_endpoint, read_shopify
from arborist_pipeline.core.products.platforms.variations import read_variations
from arborist_pipeline.core.products.platforms.woocommerce import read_woocommerce
from arborist_pipeline.core.products.tier import EndpointFinder, Tier

PLATFORMS: tuple[Tier, ...] = (read_shopify, read_woocommerce, read_magento, read_bigcommerce, read_variations)

ENDPOINTS: tuple[EndpointFinder, ...] = (find_shopify_endpoint,)
"""Finders of the addresses at which platforms tell of a product what its page may leave open."""
