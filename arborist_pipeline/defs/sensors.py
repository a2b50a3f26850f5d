"""What asks for runs between the nights. Sensors read the site list and the store; none of them uses the network.

Beside each stands the decision it makes, as a function of values. The two that lead to traffic start switched off.
"""

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import TypeVar

import dagster as dg

from arborist_pipeline.core.errors import ArboristError
from arborist_pipeline.core.web.url import Url
from arborist_pipeline.defs.jobs import catalog_refresh_job, recrawl_check_job
from arborist_pipeline.defs.partitions import (
    existing_keys,
    keys_in_flight,
    list_digest,
    partition_changes,
    sites_partitions,
)
from arborist_pipeline.defs.resources import Adapters

MAX_REQUESTS = 20  # a tick has a minute at most; the next one goes on behind the cursor
MAX_STALE_URLS = 200  # of one site in one run

Due = TypeVar("Due", bound=tuple[object, ...])


@dg.sensor(
    name="site_registry_sensor",
    target="seed_sites",
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def site_registry_sensor(
    context: dg.SensorEvaluationContext, adapters: dg.ResourceParam[Adapters]
) -> dg.SensorResult | dg.SkipReason:
    """Bring the partitions to what sites.yaml lists, and the store by a run of seed_sites when the list has changed.

    A list that cannot be read is no empty list: nothing happens, and the tick says what is wrong with it.
    """
    try:
        listed = adapters.load_site_list()
    except ArboristError as error:
        return dg.SkipReason(str(error))
    keys = [site.key for site in listed]
    existing = existing_keys(context.instance)
    kept = [key for key in adapters.keys_of_other_lists() if key in existing]
    changes = partition_changes([*keys, *kept], existing, keys_in_flight(context.instance))
    requests: list[dg.AddDynamicPartitionsRequest | dg.DeleteDynamicPartitionsRequest] = []
    if changes.add:
        requests.append(sites_partitions.build_add_request(list(changes.add)))
    if changes.delete:
        requests.append(sites_partitions.build_delete_request(list(changes.delete)))
    digest = list_digest(listed)
    return dg.SensorResult(
        run_requests=[] if digest == context.cursor else [dg.RunRequest()],
        dynamic_partitions_requests=requests,
        cursor=digest,
    )


@dg.sensor(name="recrawl_check_sensor", job=recrawl_check_job, minimum_interval_seconds=300)
def recrawl_check_sensor(
    context: dg.SensorEvaluationContext, adapters: dg.ResourceParam[Adapters]
) -> dg.SensorResult | dg.SkipReason:
    """Ask for a check of each site that has pages unchecked for hours."""
    try:
        with adapters.open_store(read_only=True) as store:
            due = store.checks.sites_to_check(adapters.clock.now())
    except ArboristError as error:
        return dg.SkipReason(str(error))
    chosen = next_in_turn(_listed(due, existing_keys(context.instance)), context.cursor)
    if not chosen:
        return dg.SkipReason("every stored page was checked within the last hours")
    return dg.SensorResult(run_requests=[check_request(*item) for item in chosen], cursor=chosen[-1][0])


@dg.sensor(name="stale_pages_sensor", job=catalog_refresh_job, minimum_interval_seconds=300)
def stale_pages_sensor(
    context: dg.SensorEvaluationContext, adapters: dg.ResourceParam[Adapters]
) -> dg.SensorResult | dg.SkipReason:
    """Ask for a refresh of each site with pages found stale, moved or gone, limited to these pages."""
    try:
        with adapters.open_store(read_only=True) as store:
            stale = store.checks.stale_pages(limit=MAX_STALE_URLS)
    except ArboristError as error:
        return dg.SkipReason(str(error))
    chosen = next_in_turn(_listed(stale, existing_keys(context.instance)), context.cursor)
    if not chosen:
        return dg.SkipReason("no check has found a stale page that was not fetched since")
    return dg.SensorResult(run_requests=[stale_request(*item) for item in chosen], cursor=chosen[-1][0])


def next_in_turn(due: Sequence[Due], after: str | None, limit: int = MAX_REQUESTS) -> Sequence[Due]:
    """Choose up to `limit` of what is due (the site's key comes first in each), beginning behind the key `after`.

    So every site has its turn, though those at the beginning may be due for ever.
    """
    ordered = sorted(due, key=lambda item: str(item[0]))
    later = [item for item in ordered if after is not None and str(item[0]) > after]
    earlier = [item for item in ordered if after is None or str(item[0]) <= after]
    return [*later, *earlier][:limit]


def check_request(key: str, oldest: datetime) -> dg.RunRequest:
    """Return the request to check a site, once for each oldest check: after a run that moment is another."""
    return dg.RunRequest(run_key=f"{key}:{oldest.isoformat()}", partition_key=key)


def stale_request(key: str, urls: Sequence[Url], latest: datetime) -> dg.RunRequest:
    """Return the request to fetch stale pages, once for each set of them and the check that found the last."""
    digest = hashlib.sha256("\n".join(urls).encode()).hexdigest()[:16]
    config = {"urls": list(urls), "max_pages": 0}
    return dg.RunRequest(
        run_key=f"{key}:{latest.isoformat()}:{digest}",
        partition_key=key,
        run_config={"ops": {"crawled_pages": {"ops": {"crawl_site": {"config": config}}}}},
    )


def _listed(due: Sequence[Due], keys: Collection[str]) -> Sequence[Due]:
    known = set(keys)
    return [item for item in due if item[0] in known]
