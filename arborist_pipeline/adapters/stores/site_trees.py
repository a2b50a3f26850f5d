"""The tree of each site after each crawl, kept as what changed: a row a page and a root for as long as it stood.

So the leaves of any state are one query, and what two states differ in costs as much as was changed between them.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Select,
    Table,
    Text,
    and_,
    collate,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from arborist_pipeline.adapters.stores.columns import HASH_BYTES
from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.moments import UtcDateTime
from arborist_pipeline.adapters.stores.schema import crawls, documents, metadata
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.documents.document import DocumentStatus
from arborist_pipeline.core.documents.merkle import build_tree, compute_root
from arborist_pipeline.core.documents.proof import PageProof
from arborist_pipeline.core.documents.site_tree import PageStep, SiteState, compare_pages, hash_page

_STREAMED = 10_000

site_roots = Table(
    "site_roots",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("site_id", Integer, ForeignKey("sites.id"), nullable=False, index=True),
    Column("crawl_id", Integer),  # the site's newest at that time; retention may have taken it since
    Column("root", LargeBinary(HASH_BYTES), nullable=False),
    Column("size", Integer, nullable=False),
    Column("taken_at", UtcDateTime, nullable=False),
)
site_leaves = Table(
    "site_leaves",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("site_id", Integer, ForeignKey("sites.id"), nullable=False),
    Column("url", Text, nullable=False),
    Column("document_root", LargeBinary(HASH_BYTES), nullable=False),
    Column("since", Integer, nullable=False),  # the first of site_roots that has it
    Column("until", Integer),  # the first that has it no more
    Index("ix_site_leaves_since", "site_id", "since"),
    Index("ix_site_leaves_until", "site_id", "until"),
    Index("ix_site_leaves_root", "document_root"),
)
_CURRENT = (documents.c.is_current, documents.c.status == DocumentStatus.OK)
_SAME_PAGE = and_(
    # a sum, for an index by site would be tried first, and read all of the site's leaves for each page
    documents.c.site_id == site_leaves.c.site_id + 0,
    documents.c.document_uri == site_leaves.c.url,
    documents.c.document_root == site_leaves.c.document_root,
)


def take_site_root(connection: Connection, site_id: int, now: datetime) -> None:
    """Keep the tree over a site's current documents; nothing where the newest crawl has it already."""
    last = connection.execute(
        select(site_roots).where(site_roots.c.site_id == site_id).order_by(site_roots.c.id.desc()).limit(1)
    ).first()
    crawl_id = connection.scalar(select(func.max(crawls.c.id)).where(crawls.c.site_id == site_id))
    pages = select(documents.c.document_uri, documents.c.document_root).where(documents.c.site_id == site_id, *_CURRENT)
    root, size = compute_root(hash_page(url, each) for url, each in _ordered(connection, pages.distinct()))
    if last is None and not size:
        return
    is_same = last is not None and last.root == root
    if is_same and last is not None and last.crawl_id == crawl_id:
        return
    values = {"site_id": site_id, "crawl_id": crawl_id, "root": root, "size": size, "taken_at": now}
    number = connection.execute(insert(site_roots).returning(site_roots.c.id), values).scalar_one()
    if is_same:
        return
    stands = select(documents.c.id).where(_SAME_PAGE, *_CURRENT).exists()
    known = select(site_leaves.c.id).where(_SAME_PAGE, site_leaves.c.until.is_(None)).exists()
    is_open = (site_leaves.c.site_id == site_id, site_leaves.c.until.is_(None))
    connection.execute(update(site_leaves).where(*is_open, ~stands).values(until=number))
    came = (
        select(documents.c.site_id, documents.c.document_uri, documents.c.document_root, literal(number))
        .where(documents.c.site_id == site_id, *_CURRENT, ~known)
        .distinct()
    )
    connection.execute(insert(site_leaves).from_select(["site_id", "url", "document_root", "since"], came))


class SqlSiteTrees:
    """The trees of a store's sites. Only SELECTs."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def load_states(self, site_key: str | None) -> tuple[tuple[SiteState, datetime], ...]:
        """Return the states of a site (None: of all), oldest first, each with the moment when it was taken."""
        with reading(self._engine) as connection:
            query = select(site_roots).order_by(site_roots.c.id)
            if site_key is not None:
                query = query.where(site_roots.c.site_id == site_id_of(connection, site_key))
            return tuple(
                (SiteState(row.id, row.site_id, row.crawl_id, row.root, row.size), row.taken_at)
                for row in connection.execute(query)
            )

    def compute(self, state: SiteState) -> tuple[bytes, int]:
        """Return the root and size that the stored leaves of a state lead to."""
        with reading(self._engine) as connection:
            return compute_root(hash_page(url, root) for url, root in _ordered(connection, _leaves_of(state)))

    def compare(self, before: SiteState, after: SiteState) -> tuple[PageStep, ...]:
        """Return what became of pages from one state to a later one of the same site; nothing for equal roots."""
        if before.root == after.root:
            return ()
        span = (before.number, after.number)
        moved = or_(*(and_(each > span[0], each <= span[1]) for each in (site_leaves.c.since, site_leaves.c.until)))
        query = select(site_leaves.c.url, site_leaves.c.document_root).where(site_leaves.c.site_id == before.site_id)
        with reading(self._engine) as connection:
            was, now = (
                [(url, root) for url, root in connection.execute(query.where(moved, _stood_at(state)))]
                for state in (before, after)
            )
        return tuple(compare_pages(was, now))

    def prove(self, state: SiteState, url: str) -> PageProof | None:
        """Prove that a page stands in a state's tree; None where it does not."""
        with reading(self._engine) as connection:
            pages = [(each, root) for each, root in _ordered(connection, _leaves_of(state))]
        index = next((number for number, page in enumerate(pages) if page[0] == url), None)
        if index is None:
            return None
        tree = build_tree(hash_page(each, root) for each, root in pages)
        return PageProof(root=tree.root, tree_size=tree.size, leaf_index=index, url=url,
                         document_root=pages[index][1], path=tree.inclusion_path(index))  # fmt: skip

    def lost_pages(self, site_key: str | None) -> Iterator[str]:
        """Yield the URLs of the newest trees whose document is not in the store under that root."""
        kept = select(documents.c.id).where(_SAME_PAGE).exists()
        query = select(site_leaves.c.url).where(site_leaves.c.until.is_(None), ~kept).order_by(site_leaves.c.id)
        with reading(self._engine) as connection:
            if site_key is not None:
                query = query.where(site_leaves.c.site_id == site_id_of(connection, site_key))
            yield from connection.execute(query, execution_options={"yield_per": _STREAMED}).scalars()


def _stood_at(state: SiteState) -> ColumnElement[bool]:
    until = site_leaves.c.until
    return and_(site_leaves.c.since <= state.number, or_(until.is_(None), until > state.number))


def _leaves_of(state: SiteState) -> Select[Any]:
    mine = site_leaves.c.site_id == state.site_id
    return select(site_leaves.c.url, site_leaves.c.document_root).where(mine, _stood_at(state))


def _ordered(connection: Connection, pages: Select[Any]) -> Iterator[tuple[str, bytes]]:
    """Yield (URL, root) in order of code points, whatever language the database sorts by."""
    found = pages.subquery()
    url: ColumnElement[Any] = found.c[0]
    if connection.dialect.name == "postgresql":
        url = collate(url, "C")
    query = select(found.c[0], found.c[1]).order_by(url, found.c[1])
    for row in connection.execute(query, execution_options={"yield_per": _STREAMED}):
        yield row[0], row[1]
