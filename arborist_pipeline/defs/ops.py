"""The ops of `maintenance`: what the store and the event log need not keep for ever."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import dagster as dg
from pydantic import Field

from arborist_pipeline.defs.failures import explained_failures
from arborist_pipeline.defs.resources import Adapters

_FINISHED = [dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED]


class ClearRunsConfig(dg.Config):
    """How long runs are kept."""

    keep_days: int = Field(default=30, ge=1, description="Days after which finished runs and their events are deleted.")


@dg.op(name="apply_retention")
def apply_retention_op(context: dg.OpExecutionContext, adapters: dg.ResourceParam[Adapters]) -> None:
    """Delete crawls and raw bodies that their sites' retention gives up, and leases long expired; index new texts."""
    with explained_failures(), adapters.open_store() as store:
        now = adapters.clock.now()
        swept = store.leases.sweep(now)
        retention = adapters.retention_of(store)
        done = retention.apply(now)
        indexed = adapters.search_in(store).refresh()
    if done is None:
        context.log.info("a crawl is under way: bodies and crawls are left for the next time")
    context.add_output_metadata({"leases": swept, "indexed": indexed, **(done or {})})


@dg.op(name="clear_runs")
def clear_runs_op(
    context: dg.OpExecutionContext, config: ClearRunsConfig, adapters: dg.ResourceParam[Adapters]
) -> None:
    """Delete finished runs older than some days, but for those that hold a partition's present state."""
    instance = context.instance
    records = instance.get_run_records(filters=dg.RunsFilter(statuses=_FINISHED))
    doomed = runs_to_delete(records, adapters.clock.now() - timedelta(days=config.keep_days))
    for run_id in doomed:
        instance.delete_run(run_id)
    context.add_output_metadata({"runs": len(doomed)})


def runs_to_delete(newest_first: Iterable[dg.RunRecord], before: datetime) -> Sequence[str]:
    """Choose the runs created before a moment whose work a later run did again.

    Deleting a run deletes its events, and with them what the UI knows of a partition: so the newest success of each
    job, partition and selection of assets stays, however old it is.
    """
    kept: set[object] = set()
    doomed = []
    for record in newest_first:
        run = record.dagster_run
        what = (run.job_name, run.tags.get("dagster/partition"), run.asset_selection)
        if run.status is dg.DagsterRunStatus.SUCCESS and what not in kept:
            kept.add(what)
        elif record.create_timestamp < before:
            doomed.append(run.run_id)
    return doomed
