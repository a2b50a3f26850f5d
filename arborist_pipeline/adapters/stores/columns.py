"""The kinds of columns that the tables share."""

from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, Integer, LargeBinary

HASH_BYTES = 32
Id = BigInteger().with_variant(Integer(), "sqlite")  # only INTEGER is an alias of SQLite's rowid


def id_column() -> Column[int]:
    """Return the primary key of a table, counted by the database."""
    return Column("id", Id, primary_key=True)


def site_column(**options: Any) -> Column[int]:  # noqa: ANN401  # SQLAlchemy's own keyword arguments
    """Return the site that a row belongs to."""
    return Column("site_id", Id, ForeignKey("sites.id"), nullable=False, **options)


def hash_column(name: str, **options: Any) -> Column[bytes]:  # noqa: ANN401  # SQLAlchemy's own keyword arguments
    """Return a column of raw SHA-256 hashes."""
    return Column(name, LargeBinary(HASH_BYTES), **options)


def is_hash(column: str) -> CheckConstraint:
    """Hold a column to hashes of the right length."""
    return CheckConstraint(f"length({column}) = {HASH_BYTES}", name=f"{column}_is_a_hash")
