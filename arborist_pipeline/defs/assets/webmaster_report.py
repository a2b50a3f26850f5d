"""What is wrong with a site, for its webmaster."""

import dagster as dg

from arborist_pipeline.core.report.report import WebmasterReport
from arborist_pipeline.core.web.url import redact
from arborist_pipeline.defs.failures import explained_failures, find_site
from arborist_pipeline.defs.metadata import report_metadata
from arborist_pipeline.defs.partitions import sites_partitions
from arborist_pipeline.defs.progress import Pulse
from arborist_pipeline.defs.report_files import write_report_files
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline.workflows.host_leases import HostLeases
from arborist_pipeline.workflows.report import report_site


@dg.asset(
    group_name="arborist",
    partitions_def=sites_partitions,
    kinds={"python"},
    deps=["product_extractions", "document_store"],
)
def webmaster_report(
    context: dg.AssetExecutionContext, adapters: dg.ResourceParam[Adapters]
) -> dg.MaterializeResult[None]:
    """Broken links, redirects, duplicates, orphans and the like, as Markdown, HTML and JSON.

    The site's sitemap is read once for it; nothing else is asked for but listed pages that no page links to. What is
    a `candidate` may be settled by pages not fetched so far: the report is `complete` where none is left.
    """
    with explained_failures(), adapters.open_store() as store:
        site = find_site(store.sites, context.partition_key)
        pulse = Pulse(adapters.say or context.log.info, adapters.clock.monotonic)

        async def report(hosts: HostLeases) -> WebmasterReport:
            async with adapters.open_fetcher() as fetcher:
                return await report_site(
                    site, store=store.reports, fetcher=fetcher, clock=adapters.clock, hosts=hosts,
                    tell=lambda what: pulse.beat(f"report: {redact(what)}"),
                )  # fmt: skip

        with HostLeases(
            store.leases, adapters.clock, holder=adapters.holder(f"Dagster run {context.run.run_id}")
        ) as hosts:
            hosts.take(store.sites.seed_of(site.key))
            made = adapters.run(report(hosts))
        paths = write_report_files(made, adapters.settings.reports)
    return dg.MaterializeResult(metadata=report_metadata(made, paths))
