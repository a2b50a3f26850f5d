"""The versions of a document and their texts. Only SELECTs."""

from sqlalchemy import Engine, select

from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.schema import chunks, document_chunks, documents, supersedes
from arborist_pipeline.core.documents.document import Chunk
from arborist_pipeline.core.documents.history import DocumentFacts, Edge, Version, build_versions
from arborist_pipeline.core.web.url import Url


class SqlHistory:
    """What a store knows of a URI's past; nothing of it is ever overwritten."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def load_versions(self, uri: Url) -> tuple[Version, ...]:
        """Return what was seen of a URI, oldest first; nothing where it never had a document."""
        held = select(
            documents.c.recipe, documents.c.document_root, documents.c.main_root, documents.c.title,
            documents.c.status, documents.c.leaf_count, documents.c.characters, documents.c.is_current,
            documents.c.first_seen_at, documents.c.last_seen_at,
        ).where(documents.c.document_uri == uri).order_by(documents.c.id)  # fmt: skip
        changed = (
            select(supersedes.c.recipe, supersedes.c.from_root, supersedes.c.to_root, supersedes.c.observed_at)
            .where(supersedes.c.uri == uri)
            .order_by(supersedes.c.id)
        )
        with reading(self._engine) as connection:
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
