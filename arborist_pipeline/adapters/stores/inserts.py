"""INSERT ... ON CONFLICT DO NOTHING, which SQLAlchemy spells once a dialect."""

from sqlalchemy import Connection, Insert, Table
from sqlalchemy.dialects import sqlite


def insert_new(connection: Connection, table: Table) -> Insert:
    """Return an insert that leaves rows alone that are there already."""
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415  # loading it costs what a SQLite store saves

        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()
