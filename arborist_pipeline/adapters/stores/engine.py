"""The connection to the store: a SQLite file in WAL mode, or any SQLAlchemy URL.

Write transactions on SQLite start with BEGIN IMMEDIATE, so that two writers queue for the lock (30 s) instead of
failing when a read turns into a write; they are short, and none spans a fetch. On a server those of one site queue for
the site's row, and what several sites share is written in order of its hash, so that no two wait for each other.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import Any, ParamSpec, TypeVar
from urllib.parse import quote, unquote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, OperationalError
from sqlalchemy.pool import StaticPool

from arborist_pipeline.core.errors import ConfigError, StoreError
from arborist_pipeline.core.web.url import redact

BUSY_SECONDS = 30.0
RECONNECT_SECONDS = (0.2, 1.0, 3.0, 5.0)
"""Waits before a server that was there is asked for a connection again."""
_MOMENT_SECONDS = 0.02
_SCHEMA_LOCK = 7_265_003  # names the lock for whoever makes or migrates the tables; any number that is ours

_IN_MEMORY = RLock()

Given = ParamSpec("Given")
Result = TypeVar("Result")


class DroppedConnection(StoreError):
    """The server went away before a transaction was asked to commit: nothing of it is stored."""


def build_engine(location: str, *, read_only: bool = False) -> Engine:
    """Open the store at a path or URL. Raises ConfigError for a URL that is none; connects at first use."""
    url = location if "://" in location else f"sqlite:///{location}"
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError) as error:  # the latter for a port that is no number
        raise ConfigError(f"the store address {redact(location)!r} is neither a path nor an SQLAlchemy URL") from error
    if parsed.get_backend_name() != "sqlite":
        try:
            return create_engine(parsed, pool_pre_ping=True, execution_options={"postgresql_readonly": read_only})
        except ArgumentError as error:
            raise ConfigError(f"the store address {parsed!r} names no kind of database that is known here") from error
        except ImportError as error:
            package = "'arborist-pipeline[postgres]'" if error.name == "psycopg" else error.name
            raise ConfigError(f"the store {parsed!r} needs a driver: pip install {package}") from error
    if parsed.database in (None, "", ":memory:"):
        engine = create_engine(parsed, poolclass=StaticPool, connect_args={"check_same_thread": False})
    elif read_only:
        path = Path(str(parsed.database)).resolve()
        if not path.exists():
            raise ConfigError(f"there is no store at {path}: crawl a site first, or name the store with --db")
        _refuse_what_is_no_file(path)
        address = f"sqlite:///file:{quote(str(path))}?mode=ro&uri=true"
        engine = create_engine(address, connect_args={"timeout": BUSY_SECONDS})
    else:
        path = Path(str(parsed.database)).expanduser().resolve()
        _refuse_what_is_no_file(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ConfigError(f"the folder of the store {path} cannot be made: {error.strerror}") from error
        engine = create_engine(
            parsed.set(database=str(path)), connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False}
        )
    event.listen(engine, "connect", _prepare_read_only if read_only else _prepare_sqlite)
    return engine


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a connection for queries; database errors become StoreError with the mend."""
    with _mapped_errors(engine), _alone(engine), _connect(engine) as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open one short write transaction, committed at the end and rolled back on any error."""
    with _mapped_errors(engine), _alone(engine), _connect(engine) as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection.execution_options(writes=True)
        try:
            connection.commit()
        except DBAPIError as error:
            if error.connection_invalidated:  # nobody can tell whether it was stored: to do it again may do it twice
                raise StoreError(f"the store {store_name(engine)} went away while it was committing") from error
            raise


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """Let one thread at a time use a store in memory: it is one connection, and so one transaction, for all of them."""
    if not isinstance(engine.pool, StaticPool):
        yield
        return
    with _IN_MEMORY:
        yield


def is_writing(connection: Connection) -> bool:
    """Whether a connection is one of `writing`."""
    return bool(connection.get_execution_options().get("writes"))


def lock_schema(connection: Connection) -> None:
    """Let one at a time make or migrate the tables; on SQLite a write transaction does that by itself."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})")


def retried(method: Callable[Given, Result]) -> Callable[Given, Result]:
    """Call a method that is one transaction again where the server dropped the connection on the way."""

    @wraps(method)
    def call(*arguments: Given.args, **named: Given.kwargs) -> Result:
        for _ in RECONNECT_SECONDS:
            try:
                return method(*arguments, **named)
            except DroppedConnection:
                continue
        return method(*arguments, **named)

    return call


def _connect(engine: Engine) -> Connection:
    """Return a connection; a server that was there before is waited for while it restarts."""
    was_there = engine.dialect.name != "sqlite" and getattr(engine.dialect, "server_version_info", None) is not None
    for seconds in RECONNECT_SECONDS if was_there else ():
        try:
            return engine.connect()
        except OperationalError:
            time.sleep(seconds)
    return engine.connect()


def _refuse_what_is_no_file(path: Path) -> None:
    if path.is_dir():
        raise ConfigError(f"the store {path} is a folder: name a file in it, such as {path / 'web.db'}")
    if path.exists() and not path.is_file():
        raise ConfigError(f"the store {path} is no file: name one with --db")


def _prepare_sqlite(connection: sqlite3.Connection, record: Any) -> None:  # noqa: ANN401  # SQLAlchemy's record
    del record
    connection.isolation_level = None  # we say BEGIN ourselves
    # pages of 8 kB, in a file that is not made yet: a batch touches fewer of them, and commits in fewer writes
    connection.execute("PRAGMA page_size=8192")
    _turn_to_wal(connection)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


def _turn_to_wal(connection: sqlite3.Connection) -> None:
    """Have a file keep a write-ahead log, as every store does but one that is being made.

    SQLite does not wait for whoever is making it, as it does for writers later on.
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
            time.sleep(_MOMENT_SECONDS)
        else:
            return


def _prepare_read_only(connection: sqlite3.Connection, record: Any) -> None:  # noqa: ANN401  # SQLAlchemy's record
    del record
    connection.execute("PRAGMA query_only=ON")


@contextmanager
def _mapped_errors(engine: Engine) -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        if error.connection_invalidated:
            raise DroppedConnection(f"the store {store_name(engine)} went away: does its server run?") from error
        text = str(error.orig)
        if "locked" in text:
            mend = f"another program has held it for {BUSY_SECONDS:.0f} s; close that program, or try again later"
            raise StoreError(f"the store {store_name(engine)} is locked: {mend}") from error
        mend = "" if engine.dialect.name != "sqlite" else (
            "; check that the file and its folder may be read and written, and that the disk has room"
        )  # fmt: skip
        raise StoreError(f"the store {store_name(engine)} cannot be used: {text}{mend}") from error
    except DatabaseError as error:
        if error.connection_invalidated:
            raise DroppedConnection(f"the store {store_name(engine)} went away: does its server run?") from error
        if "not a database" in str(error.orig) or "malformed" in str(error.orig):
            raise StoreError(f"the store {store_name(engine)} is no SQLite database, or a damaged one ({error.orig}): "
                             "name another file with --db, or restore a backup") from error  # fmt: skip
        raise StoreError(f"the store {store_name(engine)} answered with an error: {error.orig}") from error


def is_file_with_content(engine: Engine) -> bool:
    """Whether a store is a file that something is in already."""
    path = Path(store_name(engine))
    return engine.dialect.name == "sqlite" and path.is_file() and path.stat().st_size > 0


def store_name(engine: Engine) -> str:
    """Return what to call a store in a message: the path of a file, the URL without its password of a server."""
    if engine.dialect.name != "sqlite":
        return engine.url.render_as_string(hide_password=True)
    path = engine.url.database or ":memory:"
    return unquote(path.removeprefix("file:")) if path.startswith("file:") else path
