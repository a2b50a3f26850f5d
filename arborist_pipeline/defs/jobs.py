"""What is run as a whole."""

import dagster as dg

catalog_refresh_job = dg.define_asset_job(
    "catalog_refresh",
    selection=["seed_sites", "crawled_pages", "product_extractions", "document_store"],
    description="One site's night: the site list, its crawl, products, documents and the webmaster's report.",
)
