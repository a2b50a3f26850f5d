"""Moments as columns: aware in the program, in UTC in every database."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

from sqlalchemy import DateTime, Dialect, TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC datetime; SQLite keeps it naive, so the zone is taken off and put back here."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuse naive datetimes, bring the others to UTC."""
        if value is None:
            return None
        value = _to_utc(value)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back an aware datetime."""
        del dialect
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def moment_writer(dialect: Dialect) -> Callable[[datetime], datetime | str]:
    """Return what makes of a moment what a database's driver takes for such a column (`prepared`)."""
    return _to_text if dialect.name == "sqlite" else _to_utc


def _to_utc(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise ValueError("a naive datetime has no place in the store")
    return value.astimezone(UTC)


@lru_cache(maxsize=512)  # a page's rows in several tables share its moment
def _to_text(value: datetime) -> str:
    return _to_utc(value).replace(tzinfo=None).isoformat(" ", "microseconds")
