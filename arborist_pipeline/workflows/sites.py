"""The site list brought into the store: listed sites are active, those that left it are retired, their history kept.

A site is retired by the list that had it and by no other: who refreshes with a second list, from another folder or for
a trial, takes nothing away from the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.crawl.seed import is_another_host
from arborist_pipeline.core.ports import SiteStore
from arborist_pipeline.core.web.url import Url, redact


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteChanges:
    """Keys that came, keys that went, keys that active sites of other lists have.

    `moved` has (key, former seed, seed) of sites whose seed is of another host than it was: what the store has of that
    host is retired.
    """

    added: tuple[str, ...]
    retired: tuple[str, ...]
    elsewhere: tuple[str, ...] = ()
    moved: tuple[tuple[str, Url, Url], ...] = ()


def sync_sites(listed: Sequence[Site], *, source: str, store: SiteStore, now: datetime) -> SiteChanges:
    """Make the store's active sites of this list (`source` names it) those that it has; idempotent."""
    before = {site.key: site for site in store.load_sites()}
    lists = store.load_lists()
    wanted = {site.key for site in listed}
    moved = []
    for site in listed:
        known = store.load_site(site.key)
        if known is not None and is_another_host(known.seed_url, site.seed_url):
            moved.append((site.key, known.seed_url, site.seed_url))
        if before.get(site.key) != site or lists.get(site.key) != source:
            store.put_site(site, now, listed_in=source)
    retired = tuple(sorted(key for key in before.keys() - wanted if lists[key] == source))
    for key in retired:
        store.retire_site(key, now)
    others = (key for key, place in lists.items() if place not in (None, source) and key not in wanted)
    return SiteChanges(added=tuple(sorted(wanted - before.keys())), retired=retired, elsewhere=tuple(sorted(others)),
                       moved=tuple(moved))  # fmt: skip


def describe_changes(changes: SiteChanges) -> tuple[str, ...]:
    """Return what a person should hear of the changes, a line each."""
    lines = [f"{key} has moved from {redact(former)} to {redact(seed)}: products and documents of the former host are "
             "retired, their history stays" for key, former, seed in changes.moved]  # fmt: skip
    if changes.retired:
        lines.append(f"no longer listed, so retired with their history kept: {', '.join(changes.retired)}")
    return tuple(lines)
