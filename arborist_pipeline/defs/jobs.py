"""What is run as a whole."""

import dagster as dg

from arborist_pipeline.defs.ops import apply_retention_op, clear_runs_op

catalog_refresh_job = dg.define_asset_job(
    "catalog_refresh",
    selection=["seed_sites", "crawled_pages", "product_extractions", "document_store", "webmaster_report"],
    description="One site's night: the site list, its crawl, products, documents and the webmaster's report.",
    tags={"arborist/workflow": "catalog_refresh"},
)

recrawl_check_job = dg.define_asset_job(
    "recrawl_check",
    selection=["recrawl_checks"],
    description="Ask one site, by HEAD, whether its stored pages still hold.",
    tags={"arborist/workflow": "recrawl_check"},
)

reextract_job = dg.define_asset_job(
    "reextract",
    selection=["product_extractions", "document_store"],
    config={
        "ops": {
            "product_extractions": {"config": {"again": True, "ask_model": False}},
            "document_store": {"config": {"again": True}},
        }
    },
    description="Read one site's stored pages again, all of them, without network.",
    tags={"arborist/workflow": "reextract"},
)


@dg.job(name="maintenance", tags={"arborist/workflow": "maintenance"})
def maintenance_job() -> None:
    """Apply each site's retention, forget leases long expired, and clear old runs with their events."""
    apply_retention_op()
    clear_runs_op()
