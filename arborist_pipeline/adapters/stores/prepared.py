"""Statements that are run for every page: compiled once for each kind of database, run with what its driver takes.

That is text, bytes, numbers, booleans and None; moments and JSON are brought into that form by whoever makes the rows,
once a page. SQLAlchemy is spared the conversions and dictionaries that it makes of each row.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, Insert, Table, Update, func, insert, select, text

Row = tuple[Any, ...]
_SERIALS = text("SELECT nextval(pg_get_serial_sequence(:table, 'id')) FROM generate_series(1, :count)")
_MOST_ROWS = 64  # more a statement gain nothing
_MOST_VALUES = 900  # below every database's limit on parameters


class _Compiled(NamedTuple):
    """A statement for one row, and the same for `group` rows (1: there is none)."""

    text: str
    group: int
    group_text: str
    take: Callable[[Mapping[str, Any]], Row]


class Prepared:
    """An UPDATE by named values, or an INSERT of named columns."""

    def __init__(self, statement: Insert | Update, columns: Sequence[str] | None = None, *, ending: str = "") -> None:
        self._statement, self._columns, self._ending = statement, columns, ending
        self._compiled: dict[str, _Compiled] = {}

    def run(self, connection: Connection, rows: Iterable[Mapping[str, Any]]) -> int:
        """Run the statement for rows that map names to values; return how many rows of the database that touched."""
        return self.run_in_order(connection, [*map(self._for(connection.dialect).take, rows)] if rows else ())

    def run_in_order(self, connection: Connection, rows: Sequence[Row]) -> int:
        """Run the statement for rows that are tuples; those of an INSERT are in the order of the table's columns."""
        if not rows:
            return 0
        text, group, group_text, _ = self._for(connection.dialect)
        whole = len(rows) // group * group if group > 1 else 0
        touched = 0
        if whole:
            flat = [tuple(chain.from_iterable(rows[start : start + group])) for start in range(0, whole, group)]
            touched = connection.exec_driver_sql(group_text, flat).rowcount
        return touched + (connection.exec_driver_sql(text, rows[whole:]).rowcount if whole < len(rows) else 0)

    def _for(self, dialect: Dialect) -> _Compiled:
        known = self._compiled.get(dialect.name)
        if known is None:
            known = self._compiled[dialect.name] = self._compile(dialect)
        return known

    def _compile(self, dialect: Dialect) -> _Compiled:
        by_place = dialect if dialect.positional else type(dialect)(paramstyle="format")  # type: ignore[call-arg]  # as those of all drivers
        made = self._statement.compile(dialect=by_place, column_keys=self._columns)
        names = made.positiontup or ()
        head, values, row = str(made).rpartition(" VALUES ")
        group = min(_MOST_ROWS, _MOST_VALUES // len(names)) if values else 1
        return _Compiled(f"{made}{self._ending}", group, f"{head}{values}{', '.join([row] * group)}{self._ending}",
                         _taking(names))  # fmt: skip


def _taking(names: Sequence[str]) -> Callable[[Mapping[str, Any]], Row]:
    """Return what makes a tuple of the values of some names; `itemgetter` makes none of one."""
    return itemgetter(*names) if len(names) > 1 else lambda row: tuple(row[name] for name in names)


def prepare_insert(table: Table, *columns: str, skips_known: bool = False) -> Prepared:
    """Prepare an INSERT of some of a table's columns (none: all); `skips_known` leaves rows alone that are there."""
    names = columns or [column.name for column in table.columns]
    return Prepared(insert(table).inline(), names, ending=" ON CONFLICT DO NOTHING" if skips_known else "")


def take_ids(connection: Connection, table: Table, count: int) -> Sequence[int]:
    """Return ids for new rows of a table: with them what hangs on a row need not wait for it."""
    if connection.dialect.name == "sqlite":  # one writer is in at a time
        last = connection.scalar(select(func.max(table.c.id))) or 0
        return range(last + 1, last + 1 + count)
    return connection.scalars(_SERIALS, {"table": table.name, "count": count}).all()
