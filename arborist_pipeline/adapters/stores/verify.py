"""What `verify` reads: leaves and bodies as streams, and which pages a body belongs to. Only SELECTs."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Engine, LargeBinary, Row, Select, and_, cast, func, not_, select

from arborist_pipeline.adapters.stores.bodies import HAS_NO_PAGE
from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.schema import bodies, chunks, document_chunks, documents, frontier, pages
from arborist_pipeline.adapters.stores.site_trees import SqlSiteTrees
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.documents.audit import BodyRow, LeafRow, MainRow, VersionRow
from arborist_pipeline.core.documents.document import RECIPE
from arborist_pipeline.core.documents.site_tree import SiteState

_STREAMED_LEAVES = 2_000
_STREAMED_BODIES = 100


class SqlAudit:
    """Streams over one store; `site_key` None means all sites."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._trees = SqlSiteTrees(engine)

    def leaf_rows(self, site_key: str | None) -> Iterator[LeafRow]:
        """Yield the leaves of all versions of all documents, by document and position."""
        placed = (document_chunks.c.recipe == documents.c.recipe) & (
            document_chunks.c.document_root == documents.c.document_root
        )
        query = (
            select(documents.c.id, documents.c.document_uri, documents.c.recipe, documents.c.document_root,
                   documents.c.leaf_count, document_chunks.c.position, document_chunks.c.leaf_hash, self._raw_text(),
                   documents.c.characters, documents.c.status)
            .outerjoin(document_chunks, placed)
            .outerjoin(chunks, chunks.c.leaf_hash == document_chunks.c.leaf_hash)
            .order_by(documents.c.id, document_chunks.c.position)
        )  # fmt: skip
        yield from map(LeafRow._make, self._stream(query, site_key))

    def version_rows(self, site_key: str | None) -> Iterator[VersionRow]:
        """Yield all versions of all documents, by site, URI and recipe, with what their pages were read as last."""
        stands = and_(
            frontier.c.site_id == documents.c.site_id,
            frontier.c.url == documents.c.document_uri,
            frontier.c.document_recipe == documents.c.recipe,
            frontier.c.document_body.is_not(None),
            not_(HAS_NO_PAGE),
        )
        keys = (documents.c.site_id, documents.c.document_uri, documents.c.recipe, documents.c.document_root)
        query = (
            select(*keys, documents.c.is_current, documents.c.first_seen_at,
                   documents.c.last_seen_at, frontier.c.document_root)
            .outerjoin(frontier, stands)
            .order_by(*keys)  # an index of SQLite's: nothing is sorted
        )  # fmt: skip
        yield from map(VersionRow._make, self._stream(query, site_key))

    def _stream(self, query: Select[Any], site_key: str | None) -> Iterator[Row[Any]]:
        """Yield the rows of a query over documents, of one site's where it is named, a portion in memory at a time."""
        with reading(self._engine) as connection:
            if site_key is not None:
                query = query.where(documents.c.site_id == site_id_of(connection, site_key))
            yield from connection.execution_options(yield_per=_STREAMED_LEAVES).execute(query)

    def body_rows(self, site_key: str | None) -> Iterator[BodyRow]:
        """Yield the bodies that lie in the database, in order of hash."""
        query = select(bodies.c.sha256, bodies.c.size, bodies.c.content).where(bodies.c.location.is_(None))
        with reading(self._engine) as connection:
            if site_key is not None:
                of_site = (
                    select(pages.c.body_sha256).join(frontier, frontier.c.id == pages.c.frontier_id)
                    .where(frontier.c.site_id == site_id_of(connection, site_key), pages.c.body_sha256.is_not(None))
                )  # fmt: skip
                query = query.where(bodies.c.sha256.in_(of_site))
            streamed = connection.execution_options(yield_per=_STREAMED_BODIES)
            yield from (BodyRow(*row) for row in streamed.execute(query.order_by(bodies.c.sha256)))

    def main_rows(self, site_key: str | None) -> Iterator[MainRow]:
        """Yield the documents that have landmarks, with the body that each was read from last, where it is kept."""
        read_last = (
            select(pages.c.body_sha256)
            .where(pages.c.frontier_id == frontier.c.id, pages.c.body_sha256.is_not(None))
            .where(pages.c.fetched_at <= documents.c.last_seen_at)
            .order_by(pages.c.fetched_at.desc(), pages.c.id.desc())
            .limit(1)
            .correlate(documents, frontier)
            .scalar_subquery()
        )
        of_page = (frontier.c.site_id == documents.c.site_id) & (frontier.c.url == documents.c.document_uri)
        query = (
            select(documents.c.document_uri, documents.c.document_root, documents.c.main_root,
                   documents.c.main_characters, frontier.c.content_type, bodies.c.sha256, bodies.c.size,
                   bodies.c.content)
            .join_from(documents, frontier, of_page)
            .join(bodies, bodies.c.sha256 == read_last)
            .where(documents.c.main_root != documents.c.document_root, documents.c.recipe == RECIPE)
            .where(bodies.c.location.is_(None))
            .order_by(documents.c.id)
        )  # fmt: skip
        with reading(self._engine) as connection:
            if site_key is not None:
                query = query.where(documents.c.site_id == site_id_of(connection, site_key))
            for row in connection.execution_options(yield_per=_STREAMED_BODIES).execute(query):
                yield MainRow(*row[:5], BodyRow(*row[5:]))

    def site_states(self, site_key: str | None) -> tuple[SiteState, ...]:
        """Return every site root that was kept."""
        return tuple(state for state, _ in self._trees.load_states(site_key))

    def compute_site(self, state: SiteState) -> tuple[bytes, int]:
        """Return the root and size that a site's stored leaves lead to."""
        return self._trees.compute(state)

    def lost_pages(self, site_key: str | None) -> Iterator[str]:
        """Yield the URLs of the newest site trees whose document is not in the store under that root."""
        return self._trees.lost_pages(site_key)

    def urls_without_body(self, site_key: str | None) -> Iterator[str]:
        """Yield the URLs whose latest body is named and not there."""
        query = (
            select(frontier.c.url)
            .outerjoin(bodies, bodies.c.sha256 == frontier.c.body_sha256)
            .where(frontier.c.body_sha256.is_not(None), bodies.c.sha256.is_(None))
            .order_by(frontier.c.id)
        )
        with reading(self._engine) as connection:
            if site_key is not None:
                query = query.where(frontier.c.site_id == site_id_of(connection, site_key))
            yield from connection.execution_options(yield_per=_STREAMED_LEAVES).scalars(query)

    def urls_of_body(self, body_sha256: bytes) -> tuple[str, ...]:
        """Return the URLs that ever answered with a body, each once."""
        query = (
            select(frontier.c.url).distinct()
            .join(pages, pages.c.frontier_id == frontier.c.id)
            .where(pages.c.body_sha256 == body_sha256)
            .order_by(frontier.c.url)
        )  # fmt: skip
        with reading(self._engine) as connection:
            return tuple(connection.scalars(query))

    def _raw_text(self) -> ColumnElement[bytes]:
        """The chunk's bytes: decoding them first would stop at the damage instead of naming it."""
        if self._engine.dialect.name == "postgresql":
            return func.convert_to(chunks.c.text, "UTF8")
        return cast(chunks.c.text, LargeBinary)
