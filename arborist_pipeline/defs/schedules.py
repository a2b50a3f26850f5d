"""When sites are refreshed by themselves."""

from collections.abc import Collection, Iterable, Sequence

import dagster as dg

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.errors import ArboristError
from arborist_pipeline.defs.jobs import catalog_refresh_job
from arborist_pipeline.defs.partitions import existing_keys
from arborist_pipeline.defs.resources import Adapters

_AFTERWARDS_SECONDS = 3600  # for extraction, documents and report, when the crawl has used all its minutes


@dg.schedule(name="nightly_catalog_refresh", job=catalog_refresh_job, cron_schedule="0 2 * * *")
def nightly_catalog_refresh_schedule(
    context: dg.ScheduleEvaluationContext, adapters: dg.ResourceParam[Adapters]
) -> Sequence[dg.RunRequest] | dg.SkipReason:
    """Ask for one run a site at 02:00 UTC, so that a failure stays inside its site.

    It starts switched off, as all that sends traffic to other people's servers does: switch it on in the UI.
    """
    try:
        with adapters.open_store(read_only=True) as store:
            sites = store.sites.load_sites()
    except ArboristError as error:
        return dg.SkipReason(str(error))
    night = context.scheduled_execution_time.date().isoformat()
    requests = nightly_requests(sites, existing_keys(context.instance), night)
    return requests or dg.SkipReason("no site is listed: add one to sites.yaml")


def nightly_requests(sites: Iterable[Site], keys: Collection[str], night: str) -> Sequence[dg.RunRequest]:
    """Return one request for each active site that is a partition; `night` is a date and makes it once a night."""
    known = set(keys)
    return [
        dg.RunRequest(run_key=f"{night}:{site.key}", partition_key=site.key, tags=runtime_tags(site))
        for site in sites
        if site.key in known
    ]


def runtime_tags(site: Site) -> dict[str, str]:
    """Return the tag by which run monitoring ends a run that outlives its site's minutes by far."""
    return {"dagster/max_runtime": str(int(site.max_minutes * 60) + _AFTERWARDS_SECONDS)}
