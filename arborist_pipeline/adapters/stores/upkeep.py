"""The database as a whole: is it sound, how large is it, and a copy of it while others write."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from sqlalchemy import Engine, inspect, text

from arborist_pipeline.adapters.stores.engine import reading, store_name
from arborist_pipeline.adapters.stores.schema import metadata
from arborist_pipeline.core.errors import ConfigError, StoreError

_SHOWN = 20
_COPIED_PAGES = 2_000  # at a time; others write in between


class SqlUpkeep:
    """Questions about a store's database, and its backup."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def find_damage(self) -> Iterator[str]:
        """Yield what is wrong with the database's own structures; rows are `verify`'s work."""
        with reading(self._engine) as connection:
            found = inspect(connection)
            there = set(found.get_table_names())
            for table in metadata.sorted_tables:
                if table.name not in there:
                    yield f"the table {table.name} is missing"
                    continue
                columns = {column["name"] for column in found.get_columns(table.name)}
                yield from (
                    f"the column {table.name}.{column.name} is missing"
                    for column in table.columns
                    if column.name not in columns
                )
            if self._engine.dialect.name != "sqlite":
                return
            yield from (line for line in connection.scalars(text(f"PRAGMA integrity_check({_SHOWN})")) if line != "ok")
            for row in connection.execute(text("PRAGMA foreign_key_check")).fetchmany(_SHOWN):
                yield f"row {row[1]} of {row[0]} names a row of {row[2]} that is not there"

    def size_bytes(self) -> int:
        """Return how much room the database takes on disk."""
        query = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        if self._engine.dialect.name == "postgresql":
            query = "SELECT pg_database_size(current_database())"
        with reading(self._engine) as connection:
            return int(connection.scalar(text(query)) or 0)

    def back_up(self, target: Path) -> None:
        """Copy the store to a file that is not there yet, as it stands at one moment, while crawls write on.

        Raises ConfigError where there can be no copy of that kind, StoreError where it fails; then no file is left.
        """
        if self._engine.dialect.name != "sqlite":
            raise ConfigError(f"{store_name(self._engine)} is backed up by its server's own tool: "
                              f"pg_dump --format=custom --file {target} DATABASE")  # fmt: skip
        if target.exists():
            raise ConfigError(f"{target} is there already: name a file that is not")
        unfinished = target.with_name(f"{target.name}.unfinished")
        try:
            with reading(self._engine) as connection, closing(sqlite3.connect(unfinished)) as copy:
                source = connection.connection.driver_connection
                assert isinstance(source, sqlite3.Connection)  # noqa: S101  # of the dialect asked for above
                source.backup(copy, pages=_COPIED_PAGES)
                copy.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
            unfinished.rename(target)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"the store cannot be copied to {target}: {error}") from error
        finally:
            unfinished.unlink(missing_ok=True)
