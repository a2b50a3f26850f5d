"""The DocumentStore over SQL: content-addressed, nothing overwritten, the same content written once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, bindparam, false, func, select, true, update

from arborist_pipeline.adapters.stores.bodies import HAS_NO_PAGE, load_unread_bodies
from arborist_pipeline.adapters.stores.engine import reading, retried, writing
from arborist_pipeline.adapters.stores.moments import moment_writer
from arborist_pipeline.adapters.stores.prepared import Prepared, prepare_insert
from arborist_pipeline.adapters.stores.schema import (
    chunks,
    document_chunks,
    document_http_meta,
    documents,
    frontier,
    supersedes,
)
from arborist_pipeline.adapters.stores.site_trees import take_site_root
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.documents.document import RECIPE, Document, DocumentStatus
from arborist_pipeline.core.ports import DocumentItem, Put, StoredBody


class SqlDocumentStore:
    """Documents, chunks, supersedes edges and the validators of what is stored."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def pending_bodies(self, site_key: str, recipe: str, *, limit: int) -> tuple[StoredBody, ...]:
        """Return up to `limit` pages whose latest body was not yet read under this recipe."""
        with reading(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            seen = (frontier.c.document_body, frontier.c.document_recipe == recipe)
            return load_unread_bodies(connection, site_id, seen=seen, limit=limit)

    @retried
    def put_documents(self, site_key: str, items: Sequence[DocumentItem], *, now: datetime) -> Counter[Put]:
        """Store documents (None: no document, too deep) in one transaction; say what that did."""
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            puts = write_documents(connection, site_id, items, now)
            _mark_read(connection, site_id, items)
            return puts

    @retried
    def settle(self, site_key: str, *, now: datetime) -> Counter[Put]:
        """Renew what was seen unchanged and retire the documents of pages that are gone; say how many of each.

        Each document is renewed as of the answer that showed it; `now` dates the tree over what stands after that.
        """
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            puts = _settle(connection, site_id)
            take_site_root(connection, site_id, now)
            return puts

    @retried
    def forget_readings(self, site_key: str) -> None:
        """Make every stored body of a site pending again; documents stay as they are until they are read anew."""
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            connection.execute(update(frontier).where(frontier.c.site_id == site_id).values(document_body=None))

    def roots(self, site_key: str) -> tuple[tuple[str, bytes], ...]:
        """Return (uri, document_root) of the site's current documents in order of URI."""
        with reading(self._engine) as connection:
            query = (
                select(documents.c.document_uri, documents.c.document_root)
                .where(documents.c.site_id == site_id_of(connection, site_key), documents.c.is_current)
                .where(documents.c.status == DocumentStatus.OK)
                .order_by(documents.c.document_uri)
            )
            return tuple((uri, root) for uri, root in connection.execute(query))


@dataclass(slots=True)
class _Write:
    """The rows that a batch of documents adds, and what became of each."""

    inserted: list[dict[str, Any]]
    promoted: list[dict[str, Any]]
    demoted: list[dict[str, Any]]
    renewed: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    puts: Counter[Put]


def write_documents(connection: Connection, site_id: int, items: Sequence[DocumentItem], now: datetime) -> Counter[Put]:
    """Store documents inside an open transaction; say what that did. The rows of their URLs are not touched."""
    uris = [item.source.url for item in items]
    versions: dict[str, list[Any]] = {uri: [] for uri in uris}
    for row in connection.execute(_VERSIONS, {"site": site_id, "uris": uris}):
        versions[row.document_uri].append(row)
    write = _Write([], [], [], [], [], Counter())
    moment = moment_writer(connection.dialect)
    for item in items:
        if item.document is not None:
            _place(write, site_id, item, item.document, versions[item.source.url], moment(item.source.fetched_at))
    _flush(connection, write)
    _write_chunks(connection, [item.document for item in items if item.document is not None])
    _write_validators(connection, items, moment(now))
    return write.puts


def _place(  # private, called once
    write: _Write, site_id: int, item: DocumentItem, document: Document, versions: list[Row[Any]], seen_at: object
) -> None:
    """Decide what a document is to the versions of its URI that are known (oldest first)."""
    current = next((row for row in versions if row.is_current), None)
    latest = current or (versions[-1] if versions else None)
    same = next((row for row in versions if row.document_root == document.document_root), None)
    if document.status is DocumentStatus.EMPTY and latest is not None and latest.status == DocumentStatus.OK:
        write.puts[Put.EMPTIED] += 1
        return
    if current is not None and current.document_root == document.document_root:
        write.renewed.append({"row_id": current.id, "title_": document.title, "main_root_": document.main_root,
                              "seen_at": seen_at})  # fmt: skip
        write.puts[Put.UNCHANGED] += 1
        return
    if current is not None:
        write.demoted.append({"row_id": current.id})
    if same is not None:
        write.promoted.append({"row_id": same.id, "seen_at": seen_at})
    else:
        write.inserted.append(_row(site_id, item, document, seen_at))
    if latest is not None and latest.status == DocumentStatus.OK and latest.document_root != document.document_root:
        write.edges.append({"site_id": site_id, "uri": item.source.url, "recipe": document.recipe,
                            "from_root": latest.document_root, "to_root": document.document_root,
                            "observed_at": seen_at})  # fmt: skip
        write.puts[Put.SUPERSEDED] += 1
    else:
        write.puts[Put.NEW] += 1


def _row(site_id: int, item: DocumentItem, document: Document, seen_at: object) -> dict[str, Any]:
    return {
        "site_id": site_id, "document_uri": item.source.url, "recipe": document.recipe,
        "document_root": document.document_root, "main_root": document.main_root,
        "leaf_count": len(document.chunks), "characters": document.characters,
        "main_characters": document.main_characters, "status": document.status.value, "is_current": True,
        "title": document.title, "page_id": item.source.page_id, "first_seen_at": seen_at, "last_seen_at": seen_at,
    }  # fmt: skip


def _flush(connection: Connection, write: _Write) -> None:
    _DEMOTED.run(connection, write.demoted)
    _INSERTED.run(connection, write.inserted)
    _PROMOTED.run(connection, write.promoted)
    _RENEWED.run(connection, write.renewed)
    _EDGES.run(connection, write.edges)


_VERSIONS: Select[Any] = (
    select(documents.c.id, documents.c.document_uri, documents.c.document_root, documents.c.status,
           documents.c.is_current)
    .where(documents.c.site_id == bindparam("site"), documents.c.document_uri.in_(bindparam("uris", expanding=True)))
    .where(documents.c.recipe == RECIPE)
    .order_by(documents.c.last_seen_at, documents.c.id)
)  # fmt: skip
_BY_ID = update(documents).where(documents.c.id == bindparam("row_id"))
_SEEN: dict[str, Any] = {"last_seen_at": bindparam("seen_at")}
_DEMOTED = Prepared(_BY_ID.values(is_current=false()))
_INSERTED = prepare_insert(documents, *(column.name for column in documents.columns if column.name != "id"))
_PROMOTED = Prepared(_BY_ID.values(is_current=true(), **_SEEN))
_RENEWED = Prepared(_BY_ID.values(title=bindparam("title_"), main_root=bindparam("main_root_"), **_SEEN))
_EDGES = prepare_insert(supersedes, "site_id", "uri", "recipe", "from_root", "to_root", "observed_at")
_CHUNKS = prepare_insert(chunks, skips_known=True)
_PLACES = prepare_insert(document_chunks, skips_known=True)
_VALIDATORS = prepare_insert(document_http_meta, skips_known=True)
_NEW_VALIDATORS = Prepared(
    update(document_http_meta)
    .where(
        document_http_meta.c.document_uri == bindparam("document_uri_"),
        document_http_meta.c.document_root == bindparam("document_root_"),
    )
    .values({name: bindparam(f"{name}_") for name in ("etag", "last_modified", "expires", "checked_at")})
)


def _write_chunks(connection: Connection, found: Sequence[Document]) -> None:
    texts = {chunk.leaf_hash: chunk.text for document in found for chunk in document.chunks}
    places = [
        (document.recipe, document.document_root, position, chunk.leaf_hash)
        for _, document in sorted({document.document_root: document for document in found}.items())
        for position, chunk in enumerate(document.chunks)
    ]
    _CHUNKS.run_in_order(connection, sorted(texts.items()))
    _PLACES.run_in_order(connection, places)


def _write_validators(connection: Connection, items: Sequence[DocumentItem], checked_at: object) -> None:
    """Keep the validators with the root that they came with (one row a URI and root)."""
    values = [
        {"document_uri": item.source.url, "document_root": item.document.document_root,
         **_http_meta(item.source), "checked_at": checked_at}
        for item in sorted(items, key=lambda item: item.source.url)
        if item.document is not None
    ]  # fmt: skip
    if _VALIDATORS.run(connection, values) < len(values):  # some are there already
        _NEW_VALIDATORS.run(connection, [{f"{name}_": value for name, value in row.items()} for row in values])


def _http_meta(source: StoredBody) -> Mapping[str, Any]:
    headers = source.headers
    return {"etag": headers.get("etag"), "last_modified": headers.get("last-modified"),
            "expires": headers.get("expires")}  # fmt: skip


_MARKED = Prepared(
    update(frontier)
    .where(frontier.c.site_id == bindparam("site"), frontier.c.url == bindparam("known_url"))
    .values({name: bindparam(f"{name}_") for name in ("document_body", "document_recipe", "document_root")})
)


def _mark_read(connection: Connection, site_id: int, items: Sequence[DocumentItem]) -> None:
    _MARKED.run(connection, [
        {"site": site_id, "known_url": item.source.url, "document_body_": item.source.body_sha256,
         "document_recipe_": RECIPE, "document_root_": item.document.document_root if item.document else None}
        for item in items
    ])  # fmt: skip


def _settle(connection: Connection, site_id: int) -> Counter[Put]:
    same_page = (frontier.c.site_id == site_id, frontier.c.url == documents.c.document_uri)
    current = (documents.c.site_id == site_id, documents.c.is_current)
    gone = select(frontier.c.id).where(*same_page, HAS_NO_PAGE).exists()
    retired = connection.execute(update(documents).where(*current, gone).values(is_current=False)).rowcount
    unread = (frontier.c.site_id == site_id, HAS_NO_PAGE, frontier.c.document_body.is_not(None))
    connection.execute(
        update(frontier).where(*unread).values(document_body=None)
    )  # a page that comes back is read again
    again = (*same_page, frontier.c.fetched_at > documents.c.last_seen_at,
             frontier.c.outcome.in_(("ok", "not_modified")),
             frontier.c.document_body == frontier.c.body_sha256)  # fmt: skip
    latest = select(func.max(frontier.c.fetched_at)).where(*same_page).scalar_subquery()
    renewed = connection.execute(
        update(documents).where(*current, select(frontier.c.id).where(*again).exists()).values(last_seen_at=latest)
    ).rowcount
    return Counter({Put.UNCHANGED: renewed, Put.GONE: retired})
