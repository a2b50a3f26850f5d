"""Errors that have a mend become Dagster failures that say it, and are not retried."""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.errors import ArboristError, ConfigError
from arborist_pipeline.core.ports import SiteStore
from arborist_pipeline.core.web.url import redact


@contextmanager
def explained_failures() -> Iterator[None]:
    """Turn an ArboristError into a Failure with its text; every other exception is a fault of ours and goes on."""
    try:
        yield
    except ArboristError as error:
        raise dg.Failure(description=redact(str(error)), allow_retries=False) from error


def find_site(sites: SiteStore, key: str) -> Site:
    """Return the site of a partition. Raises ConfigError where the store does not know it."""
    site = sites.load_site(key)
    if site is None:
        raise ConfigError(f"the store knows no site {key!r}: list it in sites.yaml, then materialize seed_sites")
    return site
