"""The ProductStore over SQL: a version a change, price history beside it.

A page's product *stands* from the answer that showed it until another version, or none, takes its place (`retired_at`).
Of the pages that show one product one row is current, that of its own address: the others stand by, and one of them
takes over where that page goes.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import JSON, Connection, Engine, Row, bindparam, false, func, or_, select, update

from arborist_pipeline.adapters.stores.bodies import HAS_NO_PAGE, load_unread_bodies
from arborist_pipeline.adapters.stores.engine import reading, retried, writing
from arborist_pipeline.adapters.stores.moments import moment_writer
from arborist_pipeline.adapters.stores.prepared import Prepared, prepare_insert, take_ids
from arborist_pipeline.adapters.stores.price_rows import load_price_changes, money_text, write_prices
from arborist_pipeline.adapters.stores.product_addresses import COLUMNS, STANDS, Election, elect
from arborist_pipeline.adapters.stores.schema import frontier, products, sites, variants
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.ports import ProductItem, Put, StoredBody
from arborist_pipeline.core.products.extract import READER
from arborist_pipeline.core.products.product import Product, to_json
from arborist_pipeline.core.web.page import PageKind

_ABOUT_THE_READING = ("sources", "conflicts", "handle_reason")
_TEXTS = ("canonical_url", "tenant", "handle", "name", "sku", "gtin", "currency", "availability")


class SqlProductStore:
    """Products, variants and what they cost when."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def pending_bodies(self, site_key: str, reader: str, *, limit: int) -> tuple[StoredBody, ...]:
        """Return up to `limit` pages whose latest body was not yet read by this version of the reader."""
        with reading(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            seen = (frontier.c.product_body, frontier.c.product_reader == reader)
            return load_unread_bodies(connection, site_id, seen=seen, limit=limit)

    @retried
    def put_products(self, site_key: str, items: Sequence[ProductItem], *, now: datetime) -> Counter[Put]:
        """Store products (None: no product's page) in one transaction; say what that did."""
        del now  # a version begins with the answer that showed it
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            puts = write_products(connection, site_id, items)
            _mark_read(connection, site_id, items)
            return puts

    @retried
    def settle(self, site_key: str, *, now: datetime) -> Counter[Put]:
        """Renew what was seen unchanged and retire the products of pages that are gone; say how many of each."""
        del now  # each product is renewed as of the answer that showed it
        with writing(self._engine) as connection:
            return _settle(connection, site_id_of(connection, site_key))

    @retried
    def forget_readings(self, site_key: str) -> None:
        """Make every stored body of a site pending again; products stay as they are until they are read anew."""
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            connection.execute(update(frontier).where(frontier.c.site_id == site_id).values(product_body=None))

    @retried
    def reopen(self, site_key: str, since: datetime) -> None:
        """Make pages pending again that were fetched since and left something open, or what they are."""
        lacks = or_(*(products.c[name].is_(None) for name in ("price", "currency", "availability", "sku")),
                    products.c.record["brand"].as_string().is_(None))  # fmt: skip
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            gaps = select(products.c.url).where(products.c.site_id == site_id, STANDS, lacks)
            is_open = or_(frontier.c.kind == PageKind.OTHER, frontier.c.url.in_(gaps))
            connection.execute(
                update(frontier)
                .where(frontier.c.site_id == site_id, frontier.c.fetched_at >= since, is_open)
                .values(product_body=None)
            )

    def load_products(self, site_key: str | None = None) -> Iterator[dict[str, Any]]:
        """Yield the current records (contract §5.2) in order of site and URL, each with its `site`."""
        query = select(sites.c.key, products.c.record).select_from(products).join(sites).where(products.c.is_current)
        if site_key is not None:
            query = query.where(sites.c.key == site_key)
        with reading(self._engine) as connection:
            for key, record in connection.execute(query.order_by(sites.c.key, products.c.url)):
                yield {"site": key, **record}

    def load_versions(self, url: str) -> tuple[dict[str, Any], ...]:
        """Return every version of the product at a URL, oldest first, with when it was seen."""
        query = select(products).where(products.c.url == url).order_by(products.c.first_seen_at, products.c.id)
        with reading(self._engine) as connection:
            return tuple(
                {"record": row.record, "is_current": row.is_current, "first_seen_at": row.first_seen_at,
                 "last_seen_at": row.last_seen_at}
                for row in connection.execute(query)
            )  # fmt: skip

    def price_changes(self, site_key: str, since: datetime) -> tuple[dict[str, Any], ...]:
        """Return prices and stock that moved since a moment: what was said before and what is said now."""
        with reading(self._engine) as connection:
            return load_price_changes(connection, site_id_of(connection, site_key), since)


class _Version(NamedTuple):
    source: StoredBody
    product: Product
    record: str
    digest: bytes
    seen_at: object


@dataclass(slots=True)
class _Write:
    """The rows that a batch of products adds or changes."""

    came: list[_Version]
    retired: list[dict[str, Any]]
    renewed: list[dict[str, Any]]


def write_products(connection: Connection, site_id: int, items: Sequence[ProductItem]) -> Counter[Put]:
    """Store products inside an open transaction; say what that did. The rows of their URLs are not touched."""
    asked = {"site": site_id, "urls": [item.source.url for item in items]}
    standing = {row.url: row for row in connection.execute(_STANDING, asked)}
    if not standing and all(item.product is None for item in items):  # most batches of most sites
        return Counter()
    write = _Write([], [], [])
    puts: dict[str, Put] = {}
    moment = moment_writer(connection.dialect)
    for item in items:
        put = _place(write, item, standing.get(item.source.url), moment(item.source.fetched_at))
        if put is not None:
            puts[item.source.url] = put
    _RETIRED.run(connection, write.retired)
    _RENEWED.run(connection, write.renewed)
    _insert(connection, site_id, write.came)
    write_prices(connection, site_id, [(each.source.url, each.product, each.seen_at) for each in write.came])
    retired = [row for url, row in standing.items() if puts.get(url) is Put.GONE]
    election = elect(connection, site_id, list(connection.execute(_STANDING, asked)), retired)
    return _count(puts, election)


_BY_ID = update(products).where(products.c.id == bindparam("row_id"))
_RETIRED = Prepared(_BY_ID.values(is_current=false(), retired_at=bindparam("seen_at")))
_RENEWED = Prepared(_BY_ID.values(last_seen_at=bindparam("seen_at"), record=bindparam("record_", type_=JSON)))
_CAME = prepare_insert(products)
_VARIANTS = prepare_insert(variants)
_STANDING = select(*COLUMNS).where(
    products.c.site_id == bindparam("site"), products.c.url.in_(bindparam("urls", expanding=True)), STANDS
)
_MARKED = Prepared(
    update(frontier)
    .where(frontier.c.site_id == bindparam("site"), frontier.c.url == bindparam("known_url"))
    .values(product_body=bindparam("body_"), product_reader=bindparam("reader_"))
)


def _mark_read(connection: Connection, site_id: int, items: Sequence[ProductItem]) -> None:
    _MARKED.run(connection, [{"site": site_id, "known_url": item.source.url, "body_": item.source.body_sha256,
                              "reader_": READER} for item in items])  # fmt: skip


def _count(puts: Mapping[str, Put], election: Election) -> Counter[Put]:
    """Count products, not pages: what only stands by is no product more, what stands elsewhere is not gone."""
    counts: Counter[Put] = Counter()
    for url, put in puts.items():
        if url in election.stand_by or (put is Put.GONE and url in election.goes_on):
            continue
        counts[Put.UNCHANGED if put is Put.NEW and url in election.listed_before else put] += 1
    return counts


def _place(write: _Write, item: ProductItem, standing: Row[Any] | None, seen_at: object) -> Put | None:
    if item.product is None and standing is None:  # most pages
        return None
    if item.product is None:
        write.retired.append({"row_id": standing.id if standing else 0, "seen_at": seen_at})
        return Put.GONE if standing is not None and standing.is_current else None
    record = to_json(item.product)
    digest = record_digest(record)
    if standing is not None and standing.digest == digest:
        write.renewed.append({"row_id": standing.id, "seen_at": seen_at, "record_": json.dumps(record)})
        return Put.UNCHANGED
    if standing is not None:
        write.retired.append({"row_id": standing.id, "seen_at": seen_at})
    write.came.append(_Version(item.source, item.product, json.dumps(record), digest, seen_at))
    return Put.NEW if standing is None else Put.SUPERSEDED


def _insert(connection: Connection, site_id: int, came: Sequence[_Version]) -> None:
    ids = take_ids(connection, products, len(came))
    _CAME.run(connection, [
        {"id": row_id, "site_id": site_id, "url": source.url, "digest": digest, "is_current": False, "record": record,
         "price": money_text(product.price), "regular_price": money_text(product.regular_price),
         "page_id": source.page_id, "first_seen_at": seen_at, "last_seen_at": seen_at, "retired_at": None,
         **{name: getattr(product, name) for name in _TEXTS}}
        for row_id, (source, product, record, digest, seen_at) in zip(ids, came, strict=True)
    ])  # fmt: skip
    _VARIANTS.run(connection, [
        {"product_id": row_id, "position": position, "title": variant.title,
         "options": json.dumps(dict(variant.options)), "sku": variant.sku, "gtin": variant.gtin,
         "price": money_text(variant.price), "regular_price": money_text(variant.regular_price),
         "availability": variant.availability, "url": variant.url}
        for row_id, version in zip(ids, came, strict=True)
        for position, variant in enumerate(version.product.variants)
    ])  # fmt: skip


def record_digest(record: object) -> bytes:
    """Hash what a buyer could notice: the record without where it was read."""
    plain = {name: value for name, value in _as_mapping(record).items() if name not in _ABOUT_THE_READING}
    return hashlib.sha256(json.dumps(plain, sort_keys=True, ensure_ascii=False).encode()).digest()


def _as_mapping(record: object) -> Mapping[str, Any]:
    if not isinstance(record, Mapping):
        raise TypeError("a product's record is a mapping")
    return record


def _settle(connection: Connection, site_id: int) -> Counter[Put]:
    same_page = (frontier.c.site_id == site_id, frontier.c.url == products.c.url)
    standing = (products.c.site_id == site_id, STANDS)
    gone = select(frontier.c.id).where(*same_page, HAS_NO_PAGE).exists()
    doomed = list(connection.execute(select(*COLUMNS).where(*standing, gone)))
    latest = select(func.max(frontier.c.fetched_at)).where(*same_page).scalar_subquery()
    connection.execute(update(products).where(*standing, gone).values(is_current=False, retired_at=latest))
    election = elect(connection, site_id, (), doomed)
    unread = (frontier.c.site_id == site_id, HAS_NO_PAGE, frontier.c.product_body.is_not(None))
    connection.execute(
        update(frontier).where(*unread).values(product_body=None)
    )  # a page that comes back is read again
    again = (*same_page, frontier.c.fetched_at > products.c.last_seen_at,
             frontier.c.outcome.in_(("ok", "not_modified")),
             frontier.c.product_body == frontier.c.body_sha256)  # fmt: skip
    seen_again = (*standing, select(frontier.c.id).where(*again).exists())
    renewed = connection.scalar(select(func.count()).select_from(products).where(*seen_again, products.c.is_current))
    connection.execute(update(products).where(*seen_again).values(last_seen_at=latest))
    lost = sum(row.is_current and row.url not in election.goes_on for row in doomed)
    return Counter({Put.UNCHANGED: renewed or 0, Put.GONE: lost})
