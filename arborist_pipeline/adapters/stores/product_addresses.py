"""Which row of the catalogue is current where several pages of a site show one product: that of its own address."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, or_, select, update

from arborist_pipeline.adapters.stores.prepared import Prepared
from arborist_pipeline.adapters.stores.schema import products
from arborist_pipeline.core.products.identity import Showing, choose_addresses, is_same_product

STANDS = products.c.retired_at.is_(None)
"""Whether a row is the latest that its page showed, and the page is still there."""

COLUMNS: tuple[ColumnElement[Any], ...] = (
    products.c.id, products.c.url, products.c.canonical_url, products.c.handle, products.c.name, products.c.sku,
    products.c.gtin, products.c.price, products.c.is_current, products.c.digest,
    products.c.record["product_id"].as_string().label("product_id"),
)  # fmt: skip
"""What tells which product a row shows."""

_IN_CHUNK = 300  # rows looked for at once: three values each, below every database's limit on parameters


class Election(NamedTuple):
    """What an election found: the pages that stand by, and the products that were listed under another address before.

    `listed_before` has the winners' addresses, `goes_on` those of retired rows whose product stands elsewhere.
    """

    stand_by: set[str]
    listed_before: set[str]
    goes_on: set[str]


def elect(connection: Connection, site_id: int, touched: Sequence[Row[Any]], retired: Sequence[Row[Any]]) -> Election:
    """Make current one row a product among those that may show the products of these rows; say what that changed."""
    election = Election(set(), set(), set())
    for chunk in _chunks([*touched, *retired]):
        before: defaultdict[str, list[Row[Any]]] = defaultdict(list)
        for row in retired:
            before[_key(row)].append(row)
        groups: dict[str, list[Row[Any]]] = {_key(row): [] for row in chunk}
        for row in connection.execute(_select_rivals(site_id, chunk)):
            groups.get(_key(row), []).append(row)
        changed = [
            {"row_id": row.id, "is_current_": is_current}
            for key, rivals in groups.items()
            for row, is_current in _elect_among(rivals, before[key], election)
        ]
        _CHANGED.run(connection, changed)
    return election


_CHANGED = Prepared(
    update(products).where(products.c.id == bindparam("row_id")).values(is_current=bindparam("is_current_"))
)


def _chunks(rows: Sequence[Row[Any]]) -> Iterator[Sequence[Row[Any]]]:
    for start in range(0, len(rows), _IN_CHUNK):
        yield rows[start : start + _IN_CHUNK]


def _select_rivals(site_id: int, rows: Sequence[Row[Any]]) -> Select[Any]:
    handles = {row.handle for row in rows if row.handle}
    targets = {row.canonical_url for row in rows if row.canonical_url}
    may_be = or_(products.c.handle.in_(handles), products.c.canonical_url.in_(targets),
                 products.c.url.in_(targets | {row.url for row in rows}))  # fmt: skip
    return select(*COLUMNS).where(products.c.site_id == site_id, STANDS, may_be)


def _elect_among(
    rivals: Sequence[Row[Any]], retired: Sequence[Row[Any]], election: Election
) -> list[tuple[Row[Any], bool]]:
    """Choose among the rows of one handle, or of one canonical address where they have no handle; say what changes."""
    chosen = choose_addresses(map(_showing, rivals))
    current_before = {chosen[row.url] for row in rivals if row.is_current}
    winners = {row.url: row for row in rivals if chosen[row.url] == row.url}
    election.stand_by.update(row.url for row in rivals if row.url not in winners)
    election.listed_before.update(url for url, row in winners.items() if not row.is_current and url in current_before)
    for row in retired:
        heir = next((winner for winner in winners.values() if is_same_product(_showing(winner), _showing(row))), None)
        if heir is not None and heir.url != row.url:
            election.goes_on.add(row.url)
            election.listed_before.update({heir.url} if row.is_current and not heir.is_current else ())
    return [(row, row.url in winners) for row in rivals if row.is_current is not (row.url in winners)]


def _key(row: Row[Any]) -> str:
    return f"handle {row.handle}" if row.handle else f"address {row.canonical_url or row.url}"


def _showing(row: Row[Any]) -> Showing:
    return Showing(url=row.url, canonical_url=row.canonical_url, handle=row.handle, name=row.name,
                   product_id=row.product_id, sku=row.sku, gtin=row.gtin, price=row.price)  # fmt: skip
