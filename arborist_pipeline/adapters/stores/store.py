"""The whole store over one database, opened and kept at the schema this program knows."""

from dataclasses import dataclass

from sqlalchemy import Engine, text

from arborist_pipeline.adapters.stores.checks import SqlRecheckStore
from arborist_pipeline.adapters.stores.crawls import SqlCrawlStore
from arborist_pipeline.adapters.stores.documents import SqlDocumentStore
from arborist_pipeline.adapters.stores.engine import build_engine, lock_schema, reading, store_name, writing
from arborist_pipeline.adapters.stores.leases import SqlLeaseStore
from arborist_pipeline.adapters.stores.model_calls import SqlModelCallStore
from arborist_pipeline.adapters.stores.products import SqlProductStore
from arborist_pipeline.adapters.stores.reports import SqlReportStore
from arborist_pipeline.adapters.stores.schema import metadata
from arborist_pipeline.adapters.stores.sites import SqlSiteStore
from arborist_pipeline.adapters.stores.views import VIEWS
from arborist_pipeline.core.errors import StoreError

HEAD = "0004"
"""The newest migration; a test holds it equal to Alembic's own head."""


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

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()


def open_store(location: str, *, read_only: bool = False) -> SqlStore:
    """Open the store at a path or SQLAlchemy URL, made or migrated first unless it is opened for reading only.

    Raises ConfigError for an address that cannot be one, StoreError where the database cannot be used or is newer
    than this program.
    """
    engine = build_engine(location, read_only=read_only)
    try:
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
    )


def schema_version(engine: Engine) -> str | None:
    """Return the migration that the database stands at, None for an empty one."""
    with reading(engine) as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return found


def _refuse(engine: Engine, version: str | None, *, read_only: bool) -> None:
    """Raise StoreError where a store of this version cannot be opened; migrations are numbered, so they compare."""
    name = store_name(engine)
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
        metadata.create_all(connection)
        for statement in VIEWS:
            connection.execute(text(statement))
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
                                "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"))  # fmt: skip
        connection.execute(text("INSERT INTO alembic_version VALUES (:version)"), {"version": HEAD})
