"""The site list brought into the store: listed sites are active, the others are retired with their history kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import SiteStore


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteChanges:
    """Keys that came, and keys that went."""

    added: tuple[str, ...]
    retired: tuple[str, ...]


def sync_sites(listed: Sequence[Site], *, store: SiteStore, now: datetime) -> SiteChanges:
    """Make the store's active sites those of the list; idempotent."""
    before = {site.key: site for site in store.load_sites()}
    wanted = {site.key for site in listed}
    for site in listed:
        if before.get(site.key) != site:
            store.put_site(site, now)
    retired = tuple(sorted(before.keys() - wanted))
    for key in retired:
        store.retire_site(key, now)
    return SiteChanges(added=tuple(sorted(wanted - before.keys())), retired=retired)
