"""Inserts: ON CONFLICT DO NOTHING, which SQLAlchemy spells once a dialect, and many small rows at once."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Insert, Table
from sqlalchemy.dialects import sqlite


def insert_new(connection: Connection, table: Table) -> Insert:
    """Return an insert that leaves rows alone that are there already."""
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415  # loading it costs what a SQLite store saves

        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


def insert_rows(connection: Connection, statement: Insert, rows: Sequence[tuple[Any, ...]]) -> None:
    """Insert rows that have a value for each column of their table, in its order, as the driver takes it.

    That is text, bytes, whole numbers and None. A page has dozens of links and chunks: where the driver takes values by
    place, as SQLite's does, they are spared the dictionary and the conversions that SQLAlchemy makes of each row.
    """
    names = [column.name for column in statement.table.columns]
    if not rows:
        return
    if connection.dialect.positional:
        compiled = statement.compile(dialect=connection.dialect, column_keys=names)
        connection.exec_driver_sql(str(compiled), rows)
    else:
        connection.execute(statement, [dict(zip(names, row, strict=True)) for row in rows])
