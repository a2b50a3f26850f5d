"""The whole store over one database, opened and kept at the schema this program knows."""

import re
from dataclasses import dataclass

from sqlalchemy import Engine, inspect, text

from arborist_pipeline.adapters.stores.checks import SqlRecheckStore
from arborist_pipeline.adapters.stores.crawls import SqlCrawlStore
from arborist_pipeline.adapters.stores.documents import SqlDocumentStore
from arborist_pipeline.adapters.stores.engine import (
    build_engine,
    is_file_with_content,
    lock_schema,
    reading,
    store_name,
    writing,
)
from arborist_pipeline.adapters.stores.leases import SqlLeaseStore
from arborist_pipeline.adapters.stores.model_calls import SqlModelCallStore
from arborist_pipeline.adapters.stores.products import SqlProductStore
from arborist_pipeline.adapters.stores.reports import SqlReportStore
from arborist_pipeline.adapters.stores.robots import SqlRobotsStore
from arborist_pipeline.adapters.stores.schema import metadata
from arborist_pipeline.adapters.stores.server_indexes import statements_for
from arborist_pipeline.adapters.stores.sites import SqlSiteStore
from arborist_pipeline.adapters.stores.views import VIEWS
from arborist_pipeline.core.errors import StoreError

HEAD = "0010"
"""The newest migration; a test holds it equal to Alembic's own head."""

_OURS = re.compile("[0-9]{4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlStore:
    """One port for each kind of work, all over one engine."""

    engine: Engine
    sites: SqlSiteStore
    leases: SqlLeaseStore
    crawls: SqlCrawlStore
    documents: SqlDocumentStore
    products: SqlProductStore
    calls: SqlModelCallStore
    checks: SqlRecheckStore
    reports: SqlReportStore
    robots: SqlRobotsStore

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()


def open_store(location: str, *, read_only: bool = False) -> SqlStore:
    """Open the store at a path or SQLAlchemy URL, made or migrated first unless it is opened for reading only.

    Raises ConfigError for an address that cannot be one, StoreError where the database cannot be used, belongs to
    another program or is newer than this one; then it is left as it was.
    """
    engine = build_engine(location, read_only=read_only)
    try:
        if not read_only and is_file_with_content(engine):  # opening it for writing would already change it
            _look(location)
        version = schema_version(engine)
        if version != HEAD:
            _refuse(engine, version, read_only=read_only)
            prepare(engine, version)
    except BaseException:
        engine.dispose()
        raise
    return SqlStore(
        engine=engine,
        sites=SqlSiteStore(engine),
        leases=SqlLeaseStore(engine),
        crawls=SqlCrawlStore(engine),
        documents=SqlDocumentStore(engine),
        products=SqlProductStore(engine),
        calls=SqlModelCallStore(engine),
        checks=SqlRecheckStore(engine),
        reports=SqlReportStore(engine),
        robots=SqlRobotsStore(engine),
    )


def schema_version(engine: Engine) -> str | None:
    """Return the migration that the database stands at, None for an empty one."""
    with reading(engine) as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return found


def _look(location: str) -> None:
    """Raise StoreError where a database file is not for this program, without a trace in it."""
    engine = build_engine(location, read_only=True)
    try:
        version = schema_version(engine)
        if version != HEAD:
            _refuse(engine, version, read_only=False)
    finally:
        engine.dispose()


def _refuse(engine: Engine, version: str | None, *, read_only: bool) -> None:
    """Raise StoreError where a store of this version cannot be opened; migrations are numbered, so they compare."""
    name = store_name(engine)
    foreign = _foreign_schema(engine, version)
    if foreign is not None:
        raise StoreError(f"the store {name} belongs to another program ({foreign}): name another one with --db")
    if version is not None and version > HEAD:
        raise StoreError(f"the store {name} was made by a newer Arborist (schema {version}, this one knows {HEAD}): "
                         "install that one, or name another store with --db")  # fmt: skip
    if read_only:
        found = (
            "is empty: crawl a site first"
            if version is None
            else f"has the older schema {version}: run arborist db upgrade"
        )
        raise StoreError(f"the store {name} {found}")


def _foreign_schema(engine: Engine, version: str | None) -> str | None:
    """Say what another program has in a database; None for an empty one, and for one of ours of any version.

    A server's database may be shared, as long as nothing in it has a name of ours.
    """
    if version is not None:
        return None if _OURS.fullmatch(version) else f"its schema is {version}"
    with reading(engine) as connection:
        names = set(inspect(connection).get_table_names())
    if "alembic_version" in names and schema_version(engine) is not None:
        return None  # another process has just made it
    if engine.dialect.name != "sqlite":
        names &= {*metadata.tables, "alembic_version"}
    return f"it has tables such as {min(names)}" if names else None


def prepare(engine: Engine, version: str | None) -> None:
    """Bring a database to this program's schema: an empty one at once, an older one by its migrations."""
    if version is not None:
        from arborist_pipeline.adapters.stores.migrate import upgrade  # noqa: PLC0415  # alembic costs a second

        upgrade(engine)
        return
    with writing(engine) as connection:
        lock_schema(connection)
        if engine.dialect.has_table(connection, "alembic_version"):
            return  # another process was faster
        metadata.create_all(connection, checkfirst=False)
        for statement in VIEWS:
            connection.execute(text(statement))
        for statement in statements_for(engine.dialect.name):
            connection.exec_driver_sql(statement)
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
                                "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"))  # fmt: skip
        connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": HEAD})
