"""Whether a site's stored pages are still what it serves."""

from collections import Counter

import dagster as dg

from arborist_pipeline.core.web.freshness import Freshness
from arborist_pipeline.defs.config import RecheckConfig
from arborist_pipeline.defs.failures import explained_failures, find_site
from arborist_pipeline.defs.metadata import check_metadata
from arborist_pipeline.defs.partitions import sites_partitions
from arborist_pipeline.defs.progress import CheckProgress, Pulse
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline.workflows.recrawl import recheck_pages


@dg.asset(group_name="arborist", partitions_def=sites_partitions, kinds={"python"}, deps=["crawled_pages"])
def recrawl_checks(
    context: dg.AssetExecutionContext, config: RecheckConfig, adapters: dg.ResourceParam[Adapters]
) -> dg.MaterializeResult[None]:
    """Verdicts by conditional HEAD: fresh, stale, gone, moved, blocked, unknown. No page is fetched.

    Each verdict is stored as it is given, so a check that is cut short is not lost; stale pages become due.
    """
    with explained_failures(), adapters.open_store() as store:
        site = find_site(store.sites, context.partition_key)
        targets = store.checks.check_targets(None, site_key=site.key, limit=config.limit)
        progress = CheckProgress(Pulse(context.log.info, adapters.clock.monotonic), len(targets))

        async def check() -> Counter[Freshness]:
            async with adapters.open_fetcher() as fetcher:
                return await recheck_pages(
                    [site], targets, fetcher=fetcher, store=store, clock=adapters.clock,
                    holder=adapters.holder(f"Dagster run {context.run.run_id}"), watch=progress,
                )  # fmt: skip

        counts = adapters.run(check())
    return dg.MaterializeResult(metadata=check_metadata(counts, progress))
