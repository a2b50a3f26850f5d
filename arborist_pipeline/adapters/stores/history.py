"""The versions of a document and their texts. Only SELECTs."""

from sqlalchemy import Engine, func, select

from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.schema import chunks, document_chunks, documents, sites, supersedes
from arborist_pipeline.core.documents.document import Chunk
from arborist_pipeline.core.documents.history import DocumentFacts, Edge, Version, build_versions
from arborist_pipeline.core.web.url import Url


class SqlHistory:
    """What a store knows of a URI's past; nothing of it is ever overwritten."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def load_versions(self, uri: Url) -> tuple[Version, ...]:
        """Return what was seen of a URI, oldest first; nothing where it never had a document.

        Of sites that share the URI the one counts that saw it last.
        """
        mine = (documents.c.site_id.in_(select(sites.c.id)), documents.c.document_uri == uri)  # as the index begins
        last = select(documents.c.site_id).where(*mine).order_by(documents.c.last_seen_at.desc(), documents.c.id.desc())
        with reading(self._engine) as connection:
            site_id = connection.scalar(last.limit(1))
            held = _HELD.where(documents.c.site_id == site_id, documents.c.document_uri == uri)
            changed = (
                select(supersedes.c.recipe, supersedes.c.from_root, supersedes.c.to_root, supersedes.c.observed_at)
                .where(supersedes.c.uri == uri, func.coalesce(supersedes.c.site_id, site_id) == site_id)
                .order_by(supersedes.c.id)
            )
            return build_versions(
                [DocumentFacts._make(row) for row in connection.execute(held)],
                [Edge(*row) for row in connection.execute(changed)],
            )

    def load_chunks(self, document: DocumentFacts) -> tuple[Chunk, ...]:
        """Return the chunks of a version in order, as they lie in the store."""
        query = (
            select(chunks.c.text, chunks.c.leaf_hash)
            .join(document_chunks, document_chunks.c.leaf_hash == chunks.c.leaf_hash)
            .where(document_chunks.c.recipe == document.recipe, document_chunks.c.document_root == document.root)
            .order_by(document_chunks.c.position)
        )
        with reading(self._engine) as connection:
            return tuple(Chunk(text=text, leaf_hash=leaf_hash) for text, leaf_hash in connection.execute(query))


_HELD = select(
    documents.c.recipe, documents.c.document_root, documents.c.main_root, documents.c.title, documents.c.status,
    documents.c.leaf_count, documents.c.characters, documents.c.is_current, documents.c.first_seen_at,
    documents.c.last_seen_at,
).order_by(documents.c.id)  # fmt: skip
