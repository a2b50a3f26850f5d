"""Sentences about the data that Dagster asks after each materialization; what they say, workflows find out."""

import dagster as dg

from arborist_pipeline.core.documents.audit import Damage
from arborist_pipeline.defs.failures import explained_failures
from arborist_pipeline.defs.partitions import sites_partitions
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline.workflows.verify import verify_store

_SHOWN = 20


@dg.asset_check(asset="document_store", partitions_def=sites_partitions)
def every_root_is_that_of_what_is_stored(
    context: dg.AssetCheckExecutionContext, adapters: dg.ResourceParam[Adapters]
) -> dg.AssetCheckResult:
    """Recompute all roots and hashes of a site, as arborist verify does, and name the pages that are damaged."""
    found: list[Damage] = []
    with explained_failures(), adapters.open_store(read_only=True) as store:
        audit = verify_store(adapters.audit_of(store), site_key=context.op_execution_context.partition_key,
                             report=found.append)  # fmt: skip
    damaged = [{"url": damage.uri, "damage": damage.what} for damage in found[:_SHOWN]]
    return dg.AssetCheckResult(
        passed=not found,
        description=f"{audit.documents} documents, {audit.bodies} bodies and {audit.site_roots} site roots recomputed, "
        f"{audit.damages} damages",
        metadata={"damages": audit.damages, "damaged": dg.MetadataValue.json(damaged)},
    )
