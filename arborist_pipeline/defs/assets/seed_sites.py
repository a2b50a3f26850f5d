"""The site list in the store and as partitions: where everything else begins."""

import dagster as dg

from arborist_pipeline.core.web.url import redact
from arborist_pipeline.defs.failures import explained_failures
from arborist_pipeline.defs.partitions import list_digest, put_keys
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline.workflows.sites import describe_changes, sync_sites


@dg.asset(group_name="arborist", kinds={"yaml"})
def seed_sites(context: dg.AssetExecutionContext, adapters: dg.ResourceParam[Adapters]) -> dg.MaterializeResult[None]:
    """The sites of sites.yaml, in the store and as partition keys.

    A site that left the list is retired: its history stays, and its key goes when no run of it is queued or under way.
    Sites of other lists are left as they are.
    """
    with explained_failures():
        listed = adapters.load_site_list()
        with adapters.open_store() as store:
            synced = sync_sites(listed, source=adapters.site_list_name, store=store.sites, now=adapters.clock.now())
    say = adapters.say or context.log.info
    for line in describe_changes(synced):
        say(line)
    changes = put_keys(context.instance, [site.key for site in listed], synced.elsewhere)
    return dg.MaterializeResult(
        data_version=dg.DataVersion(list_digest(listed)),
        metadata={
            "dagster/row_count": len(listed),
            "added": list(synced.added),
            "retired": list(synced.retired),
            "moved": [redact(f"{key}: {former} to {seed}") for key, former, seed in synced.moved],
            "partitions_added": list(changes.add),
            "partitions_deleted": list(changes.delete),
            "partitions_kept_for_their_runs": list(changes.deferred),
        },
    )
