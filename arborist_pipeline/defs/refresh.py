"""`arborist refresh`: the jobs of the code location run in this process, on the instance that the UI shows.

Runs started here do not pass the queue: the host lease keeps two crawls of a host apart, the pool limits their number.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import dagster as dg

from arborist_pipeline.core.crawl.refresh import SiteRefresh
from arborist_pipeline.core.crawl.site_faults import find_doubts
from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.settings import Settings
from arborist_pipeline.defs.home import ensure_dagster_home
from arborist_pipeline.defs.partitions import SITES_NAME, existing_keys
from arborist_pipeline.defs.resources import Adapters

PROCESS_TAG = "arborist/process"
_FAILURE_TAG, _WAS_INTERRUPTED = "dagster/failure_reason", "UNEXPECTED_TERMINATION"
_QUIET = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}  # Dagster's own lines would flood a terminal
_COUNTS = {  # where each count stands: asset, name of its metadata
    "crawl_id": ("crawled_pages", "crawl_id"),
    "pages": ("crawled_pages", "pages"),
    "first_product_at": ("crawled_pages", "first_product_at"),
    "first_60_products": ("crawled_pages", "first_60_products"),
    "unfetched": ("crawled_pages", "unfetched"),
    "stopped_by": ("crawled_pages", "stopped_by"),
    "products": ("product_extractions", "products"),
    "with_price": ("product_extractions", "with_price"),
    "products_new": ("product_extractions", "new"),
    "products_changed": ("product_extractions", "changed"),
    "products_gone": ("product_extractions", "gone"),
    "price_changes": ("product_extractions", "price_changes"),
    "documents_new": ("document_store", "new"),
    "documents_unchanged": ("document_store", "unchanged"),
    "documents_superseded": ("document_store", "superseded"),
    "documents_gone": ("document_store", "gone"),
    "findings": ("webmaster_report", "findings"),
    "report": ("webmaster_report", "report"),
}


def refresh_sites(
    keys: Sequence[str] | None,
    *,
    full: bool,
    settings: Settings,
    say: Callable[[str], None],
    definitions: dg.Definitions,
) -> Sequence[SiteRefresh]:
    """Refresh these sites one after the other (None: all that are listed); return how each went.

    A site that fails stops no other. Interrupted, it returns what it has: the last entry is the site it was at.
    Raises ConfigError where the site list or a key cannot be used.
    """
    adapters = Adapters(settings=settings)
    listed = adapters.load_site_list()
    chosen = _chosen(keys, [site.key for site in listed])
    for site in listed:
        for doubt in find_doubts(site) if site.key in chosen else ():
            say(f"{site.key}: {doubt}")
    done: list[SiteRefresh] = []
    with _instance(settings) as instance:
        end_orphans(instance)
        instance.add_dynamic_partitions(SITES_NAME, [key for key in chosen if key not in existing_keys(instance)])
        for place, key in enumerate(chosen, 1):
            say(f"{key}: begins ({place} of {len(chosen)})")
            heard = Adapters(settings=settings, say=_with_name(say, key), at_hand=True)
            result = _refresh(key, full=full, definitions=definitions, instance=instance, adapters=heard)
            done.append(result or SiteRefresh(key=key, ok=False, reason=_interrupted(chosen[place - 1 :])))
            if result is None:
                break
    return done


def end_orphans(instance: dg.DagsterInstance) -> int:
    """Mark runs as failed whose process on this machine has ended without saying so, and free what they hold."""
    under_way = dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING])
    orphans = [run for run in instance.get_runs(filters=under_way) if _is_orphan(run.tags.get(PROCESS_TAG))]
    for run in orphans:
        instance.report_run_failed(run, "the process that ran this has ended; the next run goes on from what it stored")
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
    return len(orphans)


def _chosen(keys: Sequence[str] | None, listed: Sequence[str]) -> Sequence[str]:
    unknown = [key for key in keys or () if key not in listed]
    if unknown:
        raise ConfigError(f"no site has the key {unknown[0]!r}; the site list has: {', '.join(listed) or 'none'}")
    return listed if keys is None else tuple(dict.fromkeys(keys))


@contextmanager
def _instance(settings: Settings) -> Iterator[dg.DagsterInstance]:
    folder = ensure_dagster_home(settings.dagster_home)
    try:
        instance = dg.DagsterInstance.from_config(str(folder))
    except dg.DagsterInvalidConfigError as error:
        raise ConfigError(f"{folder / 'dagster.yaml'} cannot be used: {error}") from error
    with instance:
        yield instance


def _refresh(
    key: str, *, full: bool, definitions: dg.Definitions, instance: dg.DagsterInstance, adapters: Adapters
) -> SiteRefresh | None:
    """Run the job for one site; None where it was interrupted."""
    job = definitions.resolve_job_def("catalog_refresh")
    crawl = {"ops": {"crawl_site": {"config": {"full": full}}}}
    try:
        result = job.execute_in_process(
            instance=instance, partition_key=key, resources={"adapters": adapters}, tags=_tags(),
            run_config={"ops": {"crawled_pages": crawl}, **_QUIET}, raise_on_error=False,
        )  # fmt: skip
    except KeyboardInterrupt:  # before or after Dagster minds the signals
        return None
    run = instance.get_run_by_id(result.run_id)
    if run is not None and run.tags.get(_FAILURE_TAG) == _WAS_INTERRUPTED:
        instance.report_run_canceled(run, f"interrupted by hand; to go on: arborist refresh {key}")
        return None
    return SiteRefresh(
        key=key,
        ok=result.success,
        reason="" if result.success else _reason(result),
        counts={"run_id": result.run_id, **_counts(result)},
    )


def _counts(result: dg.ExecuteInProcessResult) -> Mapping[str, Any]:
    found: dict[str, Mapping[str, dg.MetadataValue[Any]]] = {
        event.materialization.asset_key.to_user_string(): event.materialization.metadata
        for event in result.get_asset_materialization_events()
    }
    return {
        name: found[asset][label].value
        for name, (asset, label) in _COUNTS.items()
        if asset in found and label in found[asset]
    }


def _reason(result: dg.ExecuteInProcessResult) -> str:
    """Return what the first failed step says: a Failure's own words, else the error's."""
    for event in result.get_step_failure_events():
        failure = event.step_failure_data
        if failure.user_failure_data is not None and failure.user_failure_data.description:
            return str(failure.user_failure_data.description)
        if failure.error is not None:
            error = failure.error.cause or failure.error
            return f"{error.message.strip()} (run {result.run_id} has the trace)"
    return f"run {result.run_id} failed; its log says why"


def _interrupted(rest: Sequence[str]) -> str:
    return f"interrupted; all that was fetched is kept. To go on: arborist refresh {' '.join(rest)}"


def _with_name(say: Callable[[str], None], key: str) -> Callable[[str], None]:
    return lambda line: say(f"{key}: {line}")


def _tags() -> Mapping[str, str]:
    return {"arborist/workflow": "refresh", PROCESS_TAG: f"{socket.gethostname()}:{os.getpid()}"}


def _is_orphan(process: str | None) -> bool:
    host, _, number = (process or "").rpartition(":")
    if host != socket.gethostname() or not number.isdecimal():
        return False
    if int(number) == os.getpid():
        return True  # this process has begun no run yet
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
