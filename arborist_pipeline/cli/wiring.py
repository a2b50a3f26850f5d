"""The one place of the command line that reads the environment and opens adapters."""

import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import Any, TypeVar

from sqlalchemy import make_url
from sqlalchemy.exc import NoSuchModuleError

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.models.openai import OpenAiModel
from arborist_pipeline.adapters.processes import this_process
from arborist_pipeline.adapters.signals import run_interruptibly
from arborist_pipeline.adapters.site_list_file import SiteListFile
from arborist_pipeline.adapters.stores.history import SqlHistory
from arborist_pipeline.adapters.stores.lookup import SqlLookup
from arborist_pipeline.adapters.stores.replays import SqlReplays
from arborist_pipeline.adapters.stores.search import SqlSearch
from arborist_pipeline.adapters.stores.site_trees import SqlSiteTrees
from arborist_pipeline.adapters.stores.store import HEAD, SqlStore, open_store
from arborist_pipeline.adapters.stores.upkeep import SqlUpkeep
from arborist_pipeline.adapters.stores.url_records import SqlUrlRecords
from arborist_pipeline.adapters.stores.verify import SqlAudit
from arborist_pipeline.core.crawl.holder import name_holder
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.ports import Fetcher
from arborist_pipeline.core.settings import Settings, read_settings
from arborist_pipeline.workflows.model_tier import ModelTier

Result = TypeVar("Result")

SCHEMA = HEAD
"""The migration that this program works with."""


def load_settings(db: str | None) -> Settings:
    """Read the settings from the environment; `db` stands for ARBORIST_DB. Raises ConfigError."""
    return read_settings(os.environ, user_home=os.path.expanduser("~"), store=db)  # noqa: PTH111  # "~" where there is no home


def open_site_list(settings: Settings) -> SiteListFile:
    """Return the site list, whether it exists or not."""
    return SiteListFile(settings.site_lists, max_pages=settings.max_pages)


@contextmanager
def opened_store(settings: Settings, *, read_only: bool = False) -> Iterator[SqlStore]:
    """Open the store for a while. Raises ConfigError or StoreError."""
    try:
        store = open_store(settings.store, read_only=read_only)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise ConfigError(
            f"the store {store_name(settings)} needs a database driver that is not here ({error})"
        ) from error
    try:
        yield store
    finally:
        store.close()


def store_name(settings: Settings) -> str:
    """Return the store's address fit for people: without a password."""
    location = settings.store
    return make_url(location).render_as_string(hide_password=True) if "://" in location else location


def lookup_in(store: SqlStore) -> SqlLookup:
    """Return the answers to "which site, which page" of a store."""
    return SqlLookup(store.engine)


def history_of(store: SqlStore) -> SqlHistory:
    """Return the past of a store's documents."""
    return SqlHistory(store.engine)


def url_records_in(store: SqlStore) -> SqlUrlRecords:
    """Return what a store has of each URL."""
    return SqlUrlRecords(store.engine)


def replays_in(store: SqlStore) -> SqlReplays:
    """Return the crawls of a store as they were decided."""
    return SqlReplays(store.engine)


def site_trees_in(store: SqlStore) -> SqlSiteTrees:
    """Return the trees of a store's sites."""
    return SqlSiteTrees(store.engine)


def upkeep_of(store: SqlStore) -> SqlUpkeep:
    """Return what keeps a store's database sound."""
    return SqlUpkeep(store.engine)


def search_in(store: SqlStore) -> SqlSearch:
    """Return the full-text search of a store."""
    return SqlSearch(store.engine)


def audit_of(store: SqlStore) -> SqlAudit:
    """Return the streams that `verify` reads."""
    return SqlAudit(store.engine)


def open_fetcher(settings: Settings, *, connections: int) -> AbstractAsyncContextManager[Fetcher]:
    """Return the HTTP client, to be entered."""
    with _without_extras():
        from arborist_pipeline.adapters.fetchers.http import (  # noqa: PLC0415  # 0.1 s that commands without network save
            HttpFetcher,
        )

    return HttpFetcher(user_agent=settings.user_agent, connections=connections, allow_private=settings.allow_private)


@contextmanager
def _without_extras() -> Iterator[None]:
    """Have the HTTP libraries imported without what no crawl uses of them: 0.08 s and 5 MB a process.

    httpx would load a command line of its own, and all that draws it; where a module's entry is None, importing it
    fails, and httpx does without. aiohttp would read the machine's certificates, twice, into contexts that no request
    of ours goes out with; OpenSSL looks for them where these variables say. HTTPS reads them later, once.
    """
    module, variables = "httpx._main", ("SSL_CERT_FILE", "SSL_CERT_DIR")
    before = {name: os.environ[name] for name in variables if name in os.environ}
    modules: dict[str, Any] = sys.modules
    is_loaded = modules.setdefault(module, None) is not None
    os.environ.update(dict.fromkeys(variables, os.devnull))
    try:
        yield
    finally:
        if not is_loaded:
            del modules[module]
        for name in variables:
            del os.environ[name]
        os.environ.update(before)


def language_model(settings: Settings) -> OpenAiModel | None:
    """Return the configured model, None for none: nothing is loaded before it is asked."""
    return OpenAiModel(settings.llm_model) if settings.llm_model else None


def last_tier(site: Site, settings: Settings, store: SqlStore, *, warn: Callable[[str], None]) -> ModelTier:
    """Return the tier that asks the configured model, if there is one: nothing is loaded before it is asked.

    What the last crawl read on the way and left open is made pending again where there is a model to ask about it.
    """
    model = language_model(settings) if site.llm else None
    since = store.crawls.last_start(site.key)
    if model is not None and since is not None:
        store.products.reopen(site.key, since)
    return ModelTier(site, model=model, store=store.calls, clock=system_clock(), warn=warn)


def system_clock() -> SystemClock:
    """Return the machine's clock."""
    return SystemClock()


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end and return what came of it; Ctrl-C or SIGTERM cancels it, the second time it ends the process.

    Raises KeyboardInterrupt where the work has nothing to return when it is cancelled.
    """
    return run_interruptibly(work, second_ends=True)[0]


def cpu_count() -> int:
    """Return how many CPUs this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def holder_name(command: str) -> str:
    """Return how a command of this process names itself to others that want a host it is asking."""
    return name_holder(f"arborist {command}", this_process())
