"""Sites as partitions: one dynamic key a site, a projection of sites.yaml into the Dagster instance."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import dagster as dg

from arborist_pipeline.core.crawl.records import Site

SITES_NAME = "sites"
sites_partitions = dg.DynamicPartitionsDefinition(name=SITES_NAME)

_FINISHED = (dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)
_UNDER_WAY = [status for status in dg.DagsterRunStatus if status not in _FINISHED]
_BACKFILL_UNDER_WAY = ("REQUESTED", "CANCELING", "FAILING")
_RECENT_BACKFILLS = 50  # the newest; an older one has asked for its runs long ago, and those count by themselves
_PARTITION_TAG = "dagster/partition"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionChanges:
    """Keys to add, keys to delete now, and keys whose deletion waits for a run."""

    add: tuple[str, ...]
    delete: tuple[str, ...]
    deferred: tuple[str, ...]


def partition_changes(wanted: Sequence[str], existing: Collection[str], in_flight: Collection[str]) -> PartitionChanges:
    """Decide what makes the existing keys those that are wanted.

    A key goes only while no run of it is queued or under way: deleting it then would lose that run's work.
    """
    known, listed = set(existing), set(wanted)
    unwanted = [key for key in existing if key not in listed]
    return PartitionChanges(
        add=tuple(key for key in dict.fromkeys(wanted) if key not in known),
        delete=tuple(key for key in unwanted if key not in in_flight),
        deferred=tuple(key for key in unwanted if key in in_flight),
    )


def put_keys(instance: dg.DagsterInstance, listed: Sequence[str], elsewhere: Collection[str]) -> PartitionChanges:
    """Make the keys those of the list, and of the sites of other lists that have one already; return what changed."""
    existing = existing_keys(instance)
    wanted = [*listed, *(key for key in elsewhere if key in existing)]
    changes = partition_changes(wanted, existing, keys_in_flight(instance))
    instance.add_dynamic_partitions(SITES_NAME, changes.add)
    for key in changes.delete:
        instance.delete_dynamic_partition(SITES_NAME, key)
    return changes


def list_digest(listed: Sequence[Site]) -> str:
    """Return a text that changes with any setting of any site, and with nothing else."""
    return hashlib.sha256("\n".join(sorted(map(repr, listed))).encode()).hexdigest()


def existing_keys(instance: dg.DagsterInstance) -> Sequence[str]:
    """Return the keys that the instance knows, in order of insertion."""
    return instance.get_dynamic_partitions(SITES_NAME)


def keys_in_flight(instance: dg.DagsterInstance) -> Collection[str]:
    """Return the keys with a run queued or under way; all keys while a backfill still has runs to ask for."""
    recent = instance.get_backfills(limit=_RECENT_BACKFILLS)
    if any(backfill.status.value in _BACKFILL_UNDER_WAY for backfill in recent):
        return frozenset(existing_keys(instance))
    runs = instance.get_runs(filters=dg.RunsFilter(statuses=_UNDER_WAY))
    return frozenset(run.tags[_PARTITION_TAG] for run in runs if _PARTITION_TAG in run.tags)
