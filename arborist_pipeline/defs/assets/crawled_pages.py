"""The pages of a site, as its crawl left them in the store."""

import dagster as dg

from arborist_pipeline.core.crawl.records import CrawlSummary
from arborist_pipeline.core.crawl.refresh import crawl_failure
from arborist_pipeline.core.web.url import redact
from arborist_pipeline.defs.config import CrawlConfig
from arborist_pipeline.defs.failures import explained_failures, find_site
from arborist_pipeline.defs.metadata import crawl_metadata
from arborist_pipeline.defs.partitions import sites_partitions
from arborist_pipeline.defs.progress import CrawlProgress, Pulse
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline.workflows.crawl import crawl_site


@dg.op(name="crawl_site", pool="crawl", ins={"seed_sites": dg.In(dg.Nothing)})
def crawl_site_op(
    context: dg.OpExecutionContext, config: CrawlConfig, adapters: dg.ResourceParam[Adapters]
) -> dg.MaterializeResult[None]:
    """Walk one site within its budget, products first; what was fetched is kept, whatever ends the walk."""
    progress = CrawlProgress(Pulse(adapters.say or context.log.info, adapters.clock.monotonic))
    with explained_failures(), adapters.open_store() as store:
        site = find_site(store.sites, context.partition_key)
        policy = config.to_policy(site, store.sites.seed_of(site.key), cpus=adapters.cpus)

        async def crawl() -> CrawlSummary:
            async with adapters.open_fetcher(connections=policy.concurrency) as fetcher:
                summary = await crawl_site(
                    site, policy, fetcher=fetcher, store=store, clock=adapters.clock, run_id=context.run_id,
                    holder=adapters.holder(f"Dagster run {context.run_id}"), watch=progress, model=adapters.model,
                    asks_after_pages=adapters.settings.fallback_after_pages, warn=context.log.warning,
                )  # fmt: skip
            progress.end(summary)
            return summary

        summary = adapters.run(crawl())
    metadata = crawl_metadata(summary, progress)
    reason = crawl_failure(summary, site.seed_url)
    if reason is not None:
        raise dg.Failure(description=redact(reason), metadata=metadata, allow_retries=False)
    return dg.MaterializeResult(metadata=metadata)


@dg.graph_asset(
    group_name="arborist",
    partitions_def=sites_partitions,
    kinds={"python"},
    ins={"seed_sites": dg.AssetIn("seed_sites", dagster_type=dg.Nothing)},
)
def crawled_pages(seed_sites: None) -> dg.MaterializeResult[None]:
    """A site's pages, links and redirects in the store, by a crawl that puts product pages first.

    `tiers` tells what put pages where they came, and how many of them were products': `regex` the shape of the address,
    `platform` the addresses of the shop's software, `learned` what pages of the kind turned out to be, `llm` a model's
    word, `order` discovery. `products_over_pages` is a picture of the run; under *Plots*, *Events* draws each number
    over the runs. What is `unfetched` is left to the next run.
    """
    result: dg.MaterializeResult[None] = crawl_site_op(seed_sites)
    return result
