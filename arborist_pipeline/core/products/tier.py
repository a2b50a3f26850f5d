"""A tier reads one kind of evidence to a draft: a partial product with the source of each value."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.product import Rating, Variant
from arborist_pipeline.core.web.url import Url

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """A value, where on the page it was read, and the raw text it was read from."""

    value: T
    where: str
    raw: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What one tier knows of the page's product; absent is None.

    `certain` says that the source itself names this the product of the page (not one item among others).
    `price` is the asking price as this source has it, `regular_price` one that is struck or called the list price.
    """

    tier: str
    certain: bool = False
    handle: Found[str] | None = None
    product_id: Found[str] | None = None
    group_id: Found[str] | None = None
    name: Found[str] | None = None
    description: Found[str] | None = None
    brand: Found[str] | None = None
    category: Found[tuple[str, ...]] | None = None
    sku: Found[str] | None = None
    mpn: Found[str] | None = None
    gtin: Found[str] | None = None
    price: Found[Decimal] | None = None
    regular_price: Found[Decimal] | None = None
    low_price: Found[Decimal] | None = None
    high_price: Found[Decimal] | None = None
    currency: Found[str] | None = None
    availability: Found[str] | None = None
    condition: Found[str] | None = None
    images: Found[tuple[str, ...]] | None = None
    rating: Found[Rating] | None = None
    options: Found[tuple[str, ...]] | None = None
    variants: Found[tuple[Variant, ...]] | None = None


Tier = Callable[[Evidence], Draft | None]
EndpointFinder = Callable[[Evidence], Url | None]
