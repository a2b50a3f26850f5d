"""How assets come by their adapters. Here, and nowhere else on this floor, adapters and the environment are met."""

import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import dagster as dg

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.adapters.models.openai import OpenAiModel
from arborist_pipeline.adapters.processes import this_process
from arborist_pipeline.adapters.signals import run_interruptibly
from arborist_pipeline.adapters.site_list_file import SiteListFile
from arborist_pipeline.adapters.stores.retention import SqlRetention
from arborist_pipeline.adapters.stores.search import SqlSearch
from arborist_pipeline.adapters.stores.store import SqlStore, open_store
from arborist_pipeline.adapters.stores.verify import SqlAudit
from arborist_pipeline.core.crawl.holder import name_holder
from arborist_pipeline.core.crawl.records import Site, SiteType
from arborist_pipeline.core.errors import ArboristError
from arborist_pipeline.core.ports import Clock
from arborist_pipeline.core.settings import Settings, read_settings

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapters:
    """What an asset may ask for: the store, a fetcher, the clock, the site list.

    `say` hears how a crawl goes on. `at_hand` tells that somebody sits before it, who may well ask twice to end it.
    """

    settings: Settings
    clock: Clock = field(default_factory=SystemClock)
    say: Callable[[str], None] | None = None
    at_hand: bool = False

    @property
    def cpus(self) -> int:
        """How many CPUs this process may use."""
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

    def holder(self, what: str) -> str:
        """Return how something in this process names itself to others that want a host it is crawling."""
        return name_holder(what, this_process())

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run to the end. SIGINT or SIGTERM cancels the work, and is raised again once it has closed its books.

        So Dagster, whose handler raises, ends the run as cancelled.
        """
        try:
            result, received = run_interruptibly(work, second_ends=self.at_hand)
        except KeyboardInterrupt:
            signal.raise_signal(signal.SIGINT)
            raise
        if received is not None:
            signal.raise_signal(received)
        return result

    @contextmanager
    def open_store(self, *, read_only: bool = False) -> Iterator[SqlStore]:
        """Open the store inside the context. Raises ConfigError or StoreError; `read_only` never makes one."""
        store = open_store(self.settings.store, read_only=read_only)
        try:
            yield store
        finally:
            store.close()

    def retention_of(self, store: SqlStore) -> SqlRetention:
        """Return what deletes from a store what its sites no longer keep."""
        return SqlRetention(store.engine)

    def audit_of(self, store: SqlStore) -> SqlAudit:
        """Return the streams of a store that an audit reads."""
        return SqlAudit(store.engine)

    def search_in(self, store: SqlStore) -> SqlSearch:
        """Return the full-text search of a store."""
        return SqlSearch(store.engine)

    def open_fetcher(self, *, connections: int = 1) -> HttpFetcher:
        """Return a fetcher; it is an async context manager."""
        return HttpFetcher(
            user_agent=self.settings.user_agent, connections=connections, allow_private=self.settings.allow_private
        )

    @property
    def model(self) -> OpenAiModel | None:
        """The language model that is configured, None for none; nothing is loaded before it is asked."""
        return None if self.settings.llm_model is None else OpenAiModel(self.settings.llm_model)

    @property
    def site_list(self) -> SiteListFile:
        """The site list, whether it exists or not."""
        return SiteListFile(self.settings.site_lists, max_pages=self.settings.max_pages)

    @property
    def site_list_name(self) -> str:
        """The absolute path of the site list: the name under which the store knows it."""
        return str(self.site_list.path.resolve())

    def keys_of_other_lists(self) -> tuple[str, ...]:
        """Return the keys of active sites that another list than this one has; none where there is no store yet."""
        try:
            with self.open_store(read_only=True) as store:
                lists = store.sites.load_lists()
        except ArboristError:
            return ()
        return tuple(key for key, place in lists.items() if place not in (None, self.site_list_name))

    def load_site_list(self) -> tuple[Site, ...]:
        """Return the sites of sites.yaml that share the store: textbooks have a database each (make crawl-textbooks).

        Raises ConfigError: file, line, key, the mend.
        """
        return tuple(site for site in self.site_list.load() if site.kind is not SiteType.TEXTBOOK)


@dg.resource(description="Store, fetcher, clock and site list, by the environment of the process that runs.")
def adapters_resource(context: dg.InitResourceContext) -> Adapters:
    """Read the settings of contract §1 and open nothing. Raises ConfigError naming the variable."""
    del context
    return Adapters(settings=read_settings(os.environ, user_home=str(Path.home())))


@dg.definitions
def resources() -> dg.Definitions:
    """The one resource, `adapters`."""
    return dg.Definitions(resources={"adapters": adapters_resource})
