"""Statements that are run for every page: compiled once for each kind of database, run with what its driver takes.

That is text, bytes, numbers, booleans and None; moments and JSON are brought into that form by whoever makes the rows,
once a page. SQLAlchemy is spared the conversions and dictionaries that it makes of each row.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, Insert, Table, Update, insert

Row = tuple[Any, ...]


class Prepared:
    """An UPDATE by named values, or an INSERT of named columns."""

    def __init__(self, statement: Insert | Update, columns: Sequence[str] | None = None, *, ending: str = "") -> None:
        self._statement, self._columns, self._ending = statement, columns, ending
        self._compiled: dict[str, tuple[str, Callable[[Mapping[str, Any]], Row]]] = {}

    def run(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> int:
        """Run the statement once a row, each a mapping of names to values; return how many rows that touched."""
        if not rows:
            return 0
        text, take = self._for(connection.dialect)
        return connection.exec_driver_sql(text, [*map(take, rows)]).rowcount

    def run_in_order(self, connection: Connection, rows: Sequence[Row]) -> int:
        """Run an INSERT once a row, each a tuple of values in the order of the table's columns."""
        return connection.exec_driver_sql(self._for(connection.dialect)[0], rows).rowcount if rows else 0

    def _for(self, dialect: Dialect) -> tuple[str, Callable[[Mapping[str, Any]], Row]]:
        known = self._compiled.get(dialect.name)
        if known is None:
            by_place = dialect if dialect.positional else type(dialect)(paramstyle="format")  # type: ignore[call-arg]  # as those of all drivers
            made = self._statement.compile(dialect=by_place, column_keys=self._columns)
            known = self._compiled[dialect.name] = f"{made}{self._ending}", _taking(made.positiontup or ())
        return known


def _taking(names: Sequence[str]) -> Callable[[Mapping[str, Any]], Row]:
    """Return what makes a tuple of the values of some names; `itemgetter` makes none of one."""
    return itemgetter(*names) if len(names) > 1 else lambda row: tuple(row[name] for name in names)


def prepare_insert(table: Table, *columns: str, skips_known: bool = False) -> Prepared:
    """Prepare an INSERT of some of a table's columns (none: all); `skips_known` leaves rows alone that are there."""
    names = columns or [column.name for column in table.columns]
    return Prepared(insert(table), names, ending=" ON CONFLICT DO NOTHING" if skips_known else "")
