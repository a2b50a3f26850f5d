"""Full text of the documents: FTS5 in SQLite, tsvector in PostgreSQL, one and the same from outside.

The index is no part of the schema: `refresh` makes it and brings it up to date, in the time of whoever asks and not of
the crawl. It cannot go stale, since an entry is of a root and a title, and neither ever changes: what a document says
now is either there or missing. Both tables may be dropped at any time; the next `refresh` makes them again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import groupby
from typing import Any, NamedTuple, Protocol

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Engine,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    String,
    Table,
    Text,
    and_,
    column,
    func,
    insert,
    literal_column,
    select,
    table,
    text,
)

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.schema import chunks, document_chunks, documents, sites
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.documents.words import Hit, find_snippet, split_words

PART_CHARACTERS = 200_000
"""A longer text is indexed in parts, each an entry: PostgreSQL takes no more than 1 MB of words in one."""
_BATCH = 100  # documents a transaction
_LOCK = 7_265_004  # names the lock for whoever adds to the index

_metadata = MetaData()
search_texts = Table(
    "search_texts",
    _metadata,
    Column("id", Integer, primary_key=True),
    Column("recipe", String(64), nullable=False),
    Column("document_root", LargeBinary(32), nullable=False),
    Column("title", Text, nullable=False),
    Column("first_chunk", Integer, nullable=False),
    Column("chunk_count", Integer, nullable=False),
    Index("ix_search_texts_root", "document_root"),
)
_INDEX = table("search_index")
_SAME_TEXT = and_(
    search_texts.c.document_root == documents.c.document_root,
    search_texts.c.recipe == documents.c.recipe,
    search_texts.c.title == func.coalesce(documents.c.title, ""),
)


class Entry(NamedTuple):
    """A text as the index takes it: words separated by spaces."""

    row_id: int
    title: str
    body: str


class _Index(Protocol):
    """What the two databases do each in its own way."""

    def create(self, connection: Connection) -> None: ...

    def add(self, connection: Connection, entries: Sequence[Entry]) -> None: ...

    def matches(self, phrases: Sequence[Sequence[str]]) -> Select[Any]: ...

    def size_query(self) -> str: ...


class _Fts5:
    """A contentless FTS5 table: the texts stay in `chunks` alone."""

    def create(self, connection: Connection) -> None:
        connection.exec_driver_sql("CREATE VIRTUAL TABLE IF NOT EXISTS search_index USING fts5(title, body, content='',"
                                   ' tokenize="unicode61 remove_diacritics 0")')  # fmt: skip

    def add(self, connection: Connection, entries: Sequence[Entry]) -> None:
        connection.execute(
            text("INSERT INTO search_index (rowid, title, body) VALUES (:row_id, :title, :body)"),
            [entry._asdict() for entry in entries],
        )

    def matches(self, phrases: Sequence[Sequence[str]]) -> Select[Any]:
        asked = " ".join(f'"{" ".join(words)}"' for words in phrases)  # words are letters and digits: nothing to escape
        score = -func.bm25(literal_column("search_index"), 4.0, 1.0)
        found = select(column("rowid", Integer).label("id"), score.label("score")).select_from(_INDEX)
        return found.where(literal_column("search_index").op("MATCH")(asked))

    def size_query(self) -> str:
        return "SELECT sum(length(block)) FROM search_index_data"


class _TsVector:
    """A table of tsvectors under a GIN index."""

    def create(self, connection: Connection) -> None:
        connection.exec_driver_sql(
            "CREATE TABLE IF NOT EXISTS search_index (id integer PRIMARY KEY, words tsvector NOT NULL)"
        )
        connection.exec_driver_sql(
            "CREATE INDEX IF NOT EXISTS ix_search_index_words ON search_index USING gin (words) WITH (fastupdate = off)"
        )

    def add(self, connection: Connection, entries: Sequence[Entry]) -> None:
        connection.execute(
            text("INSERT INTO search_index (id, words) VALUES (:row_id, setweight(to_tsvector('simple', :title), 'A')"
                 " || to_tsvector('simple', :body))"),
            [entry._asdict() for entry in entries],
        )  # fmt: skip

    def matches(self, phrases: Sequence[Sequence[str]]) -> Select[Any]:
        simple: ColumnElement[Any] = literal_column("'simple'")
        each = [func.phraseto_tsquery(simple, " ".join(words)) for words in phrases]
        asked: ColumnElement[Any] = reduce(lambda left, right: left.op("&&")(right), each)
        score = func.ts_rank(literal_column("'{0.1, 0.2, 0.4, 1.0}'::real[]"), column("words"), asked, 1)
        found = select(column("id", Integer), score.label("score")).select_from(_INDEX)
        return found.where(column("words").op("@@")(asked))

    def size_query(self) -> str:
        return "SELECT pg_total_relation_size('search_index')"


class SqlSearch:
    """Search over the documents of a store."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._index: _Index = _TsVector() if engine.dialect.name == "postgresql" else _Fts5()

    def count_missing(self) -> int:
        """Return how many documents the index does not have yet."""
        with reading(self._engine) as connection:
            query = _missing() if self._is_there(connection) else select(documents.c.id).where(_HAS_TEXT)
            return connection.scalar(select(func.count()).select_from(query.subquery())) or 0

    def refresh(self, advance: Callable[[int], None] = lambda _: None) -> int:
        """Index what is missing, in short transactions; return how many documents that were."""
        with writing(self._engine) as connection:
            self._lock(connection)
            _metadata.create_all(connection)
            self._index.create(connection)
        total = 0
        last = 0
        while True:
            with writing(self._engine) as connection:
                self._lock(connection)
                batch = connection.execute(_missing().where(documents.c.id > last).limit(_BATCH)).all()
                if not batch:
                    return total
                self._add(connection, {(row.recipe, row.document_root, row.title) for row in batch})
            last = batch[-1].id
            total += len(batch)
            advance(len(batch))

    def find(
        self, phrases: Sequence[Sequence[str]], *, limit: int, site_key: str | None = None, all_versions: bool = False
    ) -> tuple[Hit, ...]:
        """Return the best documents that have every phrase, current ones unless all versions are asked for."""
        with reading(self._engine) as connection:
            if not phrases or not self._is_there(connection):
                return ()
            found = self._index.matches(phrases).cte("found")
            query = (
                select(documents.c.id, documents.c.recipe, sites.c.key, documents.c.document_uri, documents.c.title,
                       documents.c.document_root, documents.c.is_current, documents.c.first_seen_at,
                       documents.c.last_seen_at, found.c.score, search_texts.c.first_chunk, search_texts.c.chunk_count)
                .select_from(found)
                .join(search_texts, search_texts.c.id == found.c.id)
                .join(documents, _SAME_TEXT)
                .join(sites, sites.c.id == documents.c.site_id)
                .order_by(found.c.score.desc(), documents.c.document_uri, documents.c.id)
            )  # fmt: skip
            if not all_versions:
                query = query.where(documents.c.is_current)
            if site_key is not None:
                query = query.where(documents.c.site_id == site_id_of(connection, site_key))
            wanted = frozenset(word for words in phrases for word in words)
            best = _best(connection.execute(query), limit)
            return tuple(
                Hit(row.key, row.document_uri, row.title, row.document_root, row.is_current, row.first_seen_at,
                    row.last_seen_at, row.score, find_snippet(_load_part(connection, row), wanted))
                for row in best
            )  # fmt: skip

    def size_bytes(self) -> int:
        """Return how much room the index takes in the database; 0 where there is none."""
        with reading(self._engine) as connection:
            return (connection.scalar(text(self._index.size_query())) or 0) if self._is_there(connection) else 0

    def _is_there(self, connection: Connection) -> bool:
        return self._engine.dialect.has_table(connection, "search_texts")

    def _lock(self, connection: Connection) -> None:
        if self._engine.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")

    def _add(self, connection: Connection, wanted: set[tuple[str, bytes, str | None]]) -> None:
        texts = _load_texts(connection, wanted)
        rows: list[dict[str, Any]] = []
        entries = []
        last_id = connection.scalar(select(func.max(search_texts.c.id))) or 0
        for recipe, root, title in sorted(wanted, key=lambda each: (each[1], each[0], each[2] or "")):
            for first_chunk, part in _parts(texts.get((recipe, root), [])):
                last_id += 1
                rows.append({"id": last_id, "recipe": recipe, "document_root": root, "title": title or "",
                             "first_chunk": first_chunk, "chunk_count": len(part)})  # fmt: skip
                body = " ".join(word for chunk in part for word in split_words(chunk))
                entries.append(Entry(last_id, " ".join(split_words(title or "")), body))
        connection.execute(insert(search_texts), rows)
        self._index.add(connection, entries)


_HAS_TEXT = documents.c.leaf_count > 0


def _missing() -> Select[Any]:
    known = select(search_texts.c.id).where(_SAME_TEXT).exists()
    columns = (documents.c.id, documents.c.recipe, documents.c.document_root, documents.c.title)
    return select(*columns).where(_HAS_TEXT, ~known).order_by(documents.c.id)


def _load_texts(
    connection: Connection, wanted: Iterable[tuple[str, bytes, str | None]]
) -> dict[tuple[str, bytes], list[str]]:
    recipes, roots, _ = map(set, zip(*wanted, strict=True))
    query = (
        select(document_chunks.c.recipe, document_chunks.c.document_root, chunks.c.text)
        .join(chunks, chunks.c.leaf_hash == document_chunks.c.leaf_hash)
        .where(document_chunks.c.recipe.in_(recipes), document_chunks.c.document_root.in_(roots))  # as the key begins
        .order_by(document_chunks.c.recipe, document_chunks.c.document_root, document_chunks.c.position)
    )
    groups = groupby(connection.execute(query), lambda row: (row.recipe, row.document_root))
    return {key: [row.text for row in rows] for key, rows in groups}


def _parts(texts: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield runs of chunks, each with the position of its first; a text without any gives one empty run."""
    start = characters = 0
    for position, chunk in enumerate(texts):
        if characters + len(chunk) > PART_CHARACTERS and position > start:
            yield start, texts[start:position]
            start, characters = position, 0
        characters += len(chunk)
    yield start, texts[start:]


def _best(rows: Any, limit: int) -> list[Any]:  # noqa: ANN401  # SQLAlchemy's result and its rows
    """Return the first rows of so many different documents: a long text may have several."""
    best: dict[int, Any] = {}
    for row in rows:
        best.setdefault(row.id, row)
        if len(best) == limit:
            break
    return list(best.values())


def _load_part(connection: Connection, row: Any) -> str:  # noqa: ANN401  # SQLAlchemy's row
    query = (
        select(chunks.c.text)
        .join(document_chunks, document_chunks.c.leaf_hash == chunks.c.leaf_hash)
        .where(document_chunks.c.recipe == row.recipe, document_chunks.c.document_root == row.document_root)
        .where(document_chunks.c.position >= row.first_chunk)
        .where(document_chunks.c.position < row.first_chunk + row.chunk_count)
        .order_by(document_chunks.c.position)
    )
    return "\n".join(connection.scalars(query))
