"""What products cost when: a row for each price or stock that is not what was said of it last."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from arborist_pipeline.adapters.stores.prepared import prepare_insert
from arborist_pipeline.adapters.stores.schema import price_history, products
from arborist_pipeline.core.products.product import Product, Variant, decimal_text

_LATEST = (
    select(price_history)
    .where(price_history.c.site_id == bindparam("site"))
    .where(price_history.c.url.in_(bindparam("urls", expanding=True)))
    .order_by(price_history.c.id)
)
_NEW = prepare_insert(price_history, *(column.name for column in price_history.columns if column.name != "id"))


def write_prices(connection: Connection, site_id: int, shown: Sequence[tuple[str, Product, object]]) -> None:
    """Add to the history what products say at their URLs, each with its moment as the driver takes it."""
    if not shown:
        return
    asked = {"site": site_id, "urls": [url for url, _, _ in shown]}
    last: dict[tuple[str, str], tuple[Any, ...]] = {
        (row.url, row.variant): _said(row) for row in connection.execute(_LATEST, asked)
    }
    rows = []
    for url, product, seen_at in shown:
        for name, offer in _offers(product):
            said = (money_text(offer.price), money_text(offer.regular_price), product.currency, offer.availability)
            if last.get((url, name)) != said:
                last[url, name] = said
                rows.append((site_id, url, name, *said, seen_at))
    _NEW.run_in_order(connection, rows)


def _said(row: Row[Any]) -> tuple[Any, ...]:
    return row.price, row.regular_price, row.currency, row.availability


def _offers(product: Product) -> Iterator[tuple[str, Product | Variant]]:
    """Yield the product itself under no name, and its variants; of variants of one name the last."""
    offers: dict[str, Product | Variant] = {"": product}
    offers.update((_variant_name(variant), variant) for variant in product.variants)
    yield from offers.items()


def _variant_name(variant: Variant) -> str:
    return variant.sku or "; ".join(f"{name}: {value}" for name, value in sorted(variant.options.items())) or "variant"


def money_text(value: Decimal | None) -> str | None:
    """Return an amount as its columns have it."""
    return None if value is None else decimal_text(value)


def load_price_changes(connection: Connection, site_id: int, since: datetime) -> tuple[dict[str, Any], ...]:
    """Return prices and stock that moved since a moment, of listed products: what was said before and what is now."""
    earlier = price_history.alias("earlier")
    before = (
        select(func.max(earlier.c.id))
        .where(earlier.c.site_id == price_history.c.site_id, earlier.c.url == price_history.c.url)
        .where(earlier.c.variant == price_history.c.variant, earlier.c.id < price_history.c.id)
        .correlate(price_history)
        .scalar_subquery()
    )
    was = price_history.alias("was")
    same_page = (products.c.site_id == price_history.c.site_id, products.c.url == price_history.c.url)
    is_listed = select(products.c.id).where(*same_page, products.c.is_current).exists()
    query = (
        select(price_history, was.c.price.label("old_price"), was.c.availability.label("old_availability"))
        .select_from(price_history)
        .join(was, was.c.id == before)
        .where(is_listed, price_history.c.site_id == site_id, price_history.c.observed_at >= since)
        .order_by(price_history.c.id)
    )
    return tuple(dict(row) for row in connection.execute(query).mappings())
