"""The catalogue of a site, current and historical."""

import dagster as dg

from arborist_pipeline.defs.config import ProductReadingConfig
from arborist_pipeline.defs.failures import explained_failures, find_site
from arborist_pipeline.defs.metadata import product_metadata
from arborist_pipeline.defs.partitions import sites_partitions
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline.workflows.model_tier import ModelTier


@dg.asset(group_name="arborist", partitions_def=sites_partitions, kinds={"python"}, deps=["crawled_pages"])
def product_extractions(
    context: dg.AssetExecutionContext, config: ProductReadingConfig, adapters: dg.ResourceParam[Adapters]
) -> dg.MaterializeResult[None]:
    """A site's products with prices, variants and where each field was read; a version a change.

    Reads the stored pages that were not read yet; what they leave open is asked of the configured model, once a
    template. A product whose page is gone, or shows none any more, is retired.
    """
    with explained_failures(), adapters.open_store() as store:
        site = find_site(store.sites, context.partition_key)
        if config.again:
            store.products.forget_readings(site.key)
        tier = ModelTier(site, model=adapters.model if config.ask_model else None, store=store.calls,
                         clock=adapters.clock, warn=context.log.warning, max_calls=config.max_model_calls)  # fmt: skip
        puts = extract_products(site, store=store.products, clock=adapters.clock, tier=tier)
        since = store.crawls.last_start(site.key)
        changes = store.products.price_changes(site.key, since) if since is not None else ()
        metadata = product_metadata(puts, store.products.load_products(site.key), changes, tier)
    return dg.MaterializeResult(metadata=metadata)
