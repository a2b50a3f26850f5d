"""The SiteStore over SQL."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection, Engine, insert, select, update

from arborist_pipeline.adapters.stores.engine import is_writing, reading, writing
from arborist_pipeline.adapters.stores.moves import leave_other_hosts
from arborist_pipeline.adapters.stores.schema import sites
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.crawl.seed import is_another_host
from arborist_pipeline.core.crawl.site_list import site_from_config, site_to_config
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline.core.web.url import Url, split_origin


class SqlSiteStore:
    """Sites by key; the settings stand as the JSON of their sites.yaml entry."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put_site(self, site: Site, now: datetime, *, listed_in: str | None = None) -> None:
        """Add the site or bring its settings up to date; a retired one is active again.

        `listed_in` None leaves the list that it stands in. A site of another host than before leaves that host.
        """
        values = {"seed_url": site.seed_url, "host": host_of(site.seed_url), "config": site_to_config(site),
                  "active": True, "retired_at": None, **({"listed_in": listed_in} if listed_in else {})}  # fmt: skip
        with writing(self._engine) as connection:
            known = connection.execute(select(sites.c.id, sites.c.config).where(sites.c.key == site.key)).first()
            if known is None:
                connection.execute(insert(sites).values(key=site.key, created_at=now, **values))
                return
            moved = known.config["seed_url"] != site.seed_url
            if not moved:  # a host found by redirect holds until the list itself names another
                del values["host"], values["seed_url"]
            connection.execute(update(sites).where(sites.c.id == known.id).values(**values))
            if is_another_host(Url(known.config["seed_url"]), site.seed_url):
                leave_other_hosts(connection, known.id, host_of(site.seed_url), now)

    def retire_site(self, key: str, now: datetime) -> None:
        """Mark a site as no longer listed; its history stays."""
        with writing(self._engine) as connection:
            connection.execute(
                update(sites).where(sites.c.key == key, sites.c.active).values(active=False, retired_at=now)
            )

    def load_sites(self) -> tuple[Site, ...]:
        """Return the active sites in order of key."""
        query = select(sites.c.config).where(sites.c.active).order_by(sites.c.key)
        with reading(self._engine) as connection:
            return tuple(site_from_config(config) for config in connection.scalars(query))

    def load_lists(self) -> Mapping[str, str | None]:
        """Return the list that each active site stands in, by key."""
        with reading(self._engine) as connection:
            found = connection.execute(select(sites.c.key, sites.c.listed_in).where(sites.c.active))
            return {key: place for key, place in found}  # noqa: C416  # dict() takes no rows

    def load_site(self, key: str) -> Site | None:
        """Return a site, retired or not."""
        with reading(self._engine) as connection:
            config = connection.scalar(select(sites.c.config).where(sites.c.key == key))
        return None if config is None else site_from_config(config)

    def record_host(self, key: str, seed: Url) -> None:
        """Remember that the site answers under another host."""
        with writing(self._engine) as connection:
            connection.execute(update(sites).where(sites.c.key == key).values(seed_url=seed, host=host_of(seed)))

    def seed_of(self, key: str) -> Url:
        """Return where the site's crawl starts: the listed seed, or where it was found to answer."""
        with reading(self._engine) as connection:
            seed = connection.scalar(select(sites.c.seed_url).where(sites.c.key == key))
        if seed is None:
            raise StoreError(f"the store knows no site {key!r}: add it to sites.yaml, then run arborist refresh {key}")
        return Url(seed)


def host_of(url: Url) -> str:
    """Return host or host:port, the name under which a site is leased."""
    return str(split_origin(url)).split("://", 1)[1]


def site_id_of(connection: Connection, key: str) -> int:
    """Return the row id of a site; of two that are about to write to it, the second waits for the first.

    Raises StoreError where the store does not know it.
    """
    query = select(sites.c.id).where(sites.c.key == key)
    if is_writing(connection):
        query = query.with_for_update(key_share=True)  # nothing on SQLite, where one writer is in at a time
    found = connection.scalar(query)
    if found is None:
        raise StoreError(f"the store knows no site {key!r}: add it to sites.yaml, then run arborist refresh {key}")
    return int(found)
