"""The product record (contract §5.2). Money is Decimal here and a decimal string at borders; absent is None."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One thing a buyer can choose: its options by name, and what differs from the product."""

    title: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    sku: str | None = None
    mpn: str | None = None
    gtin: str | None = None
    price: Decimal | None = None
    regular_price: Decimal | None = None
    availability: str | None = None
    url: str | None = None
    image: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """Mean rating, the best that can be given, and how many gave one."""

    value: Decimal
    best: Decimal | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSource:
    """Where a field's value was read: which tier, where on the page, and the raw text."""

    tier: str
    where: str
    raw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A field on which sources disagreed: what was taken, and what another source said."""

    field: str
    taken: str
    other: str
    tier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    """One product as its page shows it; field names, order and meaning are those of contract §5.2.

    `handle_reason`, which is ours, says why there is no handle.

    `price` is what a buyer pays now for the default variant; `availability` a schema.org name such as InStock.
    """

    url: str
    canonical_url: str | None = None
    tenant: str | None = None
    handle: str | None = None
    product_id: str | None = None
    group_id: str | None = None
    name: str
    description: str | None = None
    brand: str | None = None
    category: tuple[str, ...] = ()
    sku: str | None = None
    mpn: str | None = None
    gtin: str | None = None
    price: Decimal | None = None
    regular_price: Decimal | None = None
    low_price: Decimal | None = None
    high_price: Decimal | None = None
    currency: str | None = None
    availability: str | None = None
    condition: str | None = None
    images: tuple[str, ...] = ()
    rating: Rating | None = None
    options: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    sources: Mapping[str, FieldSource] = field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()
    handle_reason: str | None = None


def to_json(value: object) -> object:
    """Return a value of this module as plain JSON data: decimals as strings, tuples as lists, absent as null."""
    if value is None or isinstance(value, str):  # most
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: to_json(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    return value


def decimal_text(value: Decimal) -> str:
    """Return a decimal without exponent, digits as given (12.50 stays 12.50)."""
    return format(value, "f")
