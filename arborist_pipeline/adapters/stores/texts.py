"""What the texts of a site share, and how much each says beside the site's frame.

Leaves are streamed once in order of their hash; what stays is the shared ones with the numbers of their documents.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Select, select

from arborist_pipeline.adapters.stores.schema import chunks, document_chunks, documents
from arborist_pipeline.core.report.duplicates import DocumentFacts, distinct_by_main_root
from arborist_pipeline.core.report.overlap import (
    FRAME_SAMPLE,
    OverlapCluster,
    SharedLeaf,
    Text,
    build_clusters,
    content_characters,
    frame_lines,
)

_BATCH = 500  # values in one IN list, below every database's limit on parameters
_STREAMED = 10_000
_PASSAGE_CHARACTERS = 300
_MEASURED_CHARACTERS = 4_000  # a longer text is not thin, whatever part of it is frame
_SAME_ROOT = (document_chunks.c.recipe == documents.c.recipe) & (
    document_chunks.c.document_root == documents.c.document_root
)
_SAME_LEAF = chunks.c.leaf_hash == document_chunks.c.leaf_hash


def load_frame(connection: Connection, texts: Sequence[DocumentFacts]) -> frozenset[str]:
    """Return the lines that belong to the site's frame, by a sample spread over its distinct texts."""
    distinct = distinct_by_main_root(texts)
    sample = distinct[:: max(1, len(distinct) // FRAME_SAMPLE)]
    return frame_lines([_load_text(connection, document) for document in sample])


def measure_without_frame(
    connection: Connection, site_id: int, texts: Sequence[DocumentFacts], frame: frozenset[str]
) -> list[DocumentFacts]:
    """Return the documents with the length of what they say beside the frame.

    Only short ones without landmarks are measured: where the mark-up sets the frame apart, the length is known.
    """
    own: Counter[int] = Counter()
    query = (
        select(documents.c.id, chunks.c.text)
        .join_from(documents, document_chunks, _SAME_ROOT)
        .join(chunks, _SAME_LEAF)
        .where(documents.c.site_id == site_id, documents.c.is_current)
        .where(documents.c.main_root == documents.c.document_root, documents.c.main_characters < _MEASURED_CHARACTERS)
    )
    for document_id, text in stream(connection, query) if frame else ():
        own[document_id] += content_characters(text, frame)
    return [
        text._replace(main_characters=min(text.main_characters, own.get(text.document_id, text.main_characters)))
        for text in texts
    ]


def load_overlaps(
    connection: Connection, site_id: int, texts: Sequence[DocumentFacts], frame: frozenset[str]
) -> tuple[OverlapCluster, ...]:
    """Cluster one document for each main text by shared leaves, and show the beginning of a shared passage."""
    distinct = distinct_by_main_root(texts)
    shared = dict(_stream_shared_leaves(connection, site_id, distinct))
    lengths = {leaf: content_characters(text, frame) for leaf, text in _stream_chunks(connection, shared)}
    clusters = build_clusters(
        [Text(document.url, document.main_characters) for document in distinct],
        (SharedLeaf(leaf, lengths.get(leaf, 0), having) for leaf, having in shared.items()),
    )
    passages = {
        leaf: text[:_PASSAGE_CHARACTERS]
        for leaf, text in _stream_chunks(connection, {cluster.leaf for cluster in clusters})
    }
    return tuple(replace(cluster, passage=passages.get(cluster.leaf, "")) for cluster in clusters)


def _stream_shared_leaves(
    connection: Connection, site_id: int, distinct: Sequence[DocumentFacts]
) -> Iterator[tuple[bytes, Sequence[int]]]:
    """Yield each leaf that two or more of the documents have, in order of hash, with their numbers."""
    numbers = {document.document_id: number for number, document in enumerate(distinct)}
    query = (
        select(document_chunks.c.leaf_hash, documents.c.id)
        .join_from(documents, document_chunks, _SAME_ROOT)
        .where(documents.c.site_id == site_id, documents.c.is_current)
        .order_by(document_chunks.c.leaf_hash)
    )
    for leaf, group in groupby(stream(connection, query), itemgetter(0)):
        having = sorted({numbers[document_id] for _, document_id in group if document_id in numbers})
        if len(having) > 1:
            yield leaf, array("i", having)


def _load_text(connection: Connection, document: DocumentFacts) -> str:
    query = (
        select(chunks.c.text)
        .join_from(document_chunks, chunks, _SAME_LEAF)
        .where(document_chunks.c.recipe == document.recipe, document_chunks.c.document_root == document.document_root)
        .order_by(document_chunks.c.position)
    )
    return "\n".join(connection.scalars(query))


def _stream_chunks(connection: Connection, leaves: Iterable[bytes]) -> Iterator[tuple[bytes, str]]:
    for batch in _batches(sorted(leaves)):
        query = select(chunks.c.leaf_hash, chunks.c.text).where(chunks.c.leaf_hash.in_(batch))
        yield from ((leaf, text) for leaf, text in connection.execute(query))


def stream(connection: Connection, query: Select[Any]) -> Any:  # noqa: ANN401  # a result of rows or of mappings
    """Run a query whose rows are fetched as they are read, not all at once."""
    return connection.execute(query, execution_options={"yield_per": _STREAMED})


def _batches(values: Iterable[Any]) -> Iterator[list[Any]]:
    waiting = iter(values)
    while batch := list(islice(waiting, _BATCH)):
        yield batch
