"""The DocumentStore over SQL: content-addressed, nothing overwritten, the same content written once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Engine, Row, bindparam, func, insert, select, update

from arborist_pipeline.adapters.stores.bodies import HAS_NO_PAGE, load_unread_bodies
from arborist_pipeline.adapters.stores.engine import reading, retried, writing
from arborist_pipeline.adapters.stores.inserts import insert_new, insert_rows
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
            return write_documents(connection, site_id_of(connection, site_key), items, now)

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
    """Store documents inside an open transaction; say what that did."""
    uris = [item.source.url for item in items]
    versions: dict[str, list[Row[Any]]] = {uri: [] for uri in uris}
    query = select(documents).where(documents.c.document_uri.in_(uris), documents.c.recipe == RECIPE)
    for row in connection.execute(query.order_by(documents.c.last_seen_at, documents.c.id)):
        versions[row.document_uri].append(row)
    write = _Write([], [], [], [], [], Counter())
    for item in items:
        if item.document is not None:
            _place(write, site_id, item, item.document, versions[item.source.url])
    _flush(connection, write)
    _write_chunks(connection, [item.document for item in items if item.document is not None])
    _write_validators(connection, items, now)
    _mark_read(connection, site_id, items)
    return write.puts


def _place(write: _Write, site_id: int, item: DocumentItem, document: Document, versions: list[Row[Any]]) -> None:
    """Decide what a document is to the versions of its URI that are known (oldest first)."""
    seen_at = item.source.fetched_at
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
        write.edges.append({"uri": item.source.url, "recipe": document.recipe, "from_root": latest.document_root,
                            "to_root": document.document_root, "observed_at": seen_at})  # fmt: skip
        write.puts[Put.SUPERSEDED] += 1
    else:
        write.puts[Put.NEW] += 1


def _row(site_id: int, item: DocumentItem, document: Document, seen_at: datetime) -> dict[str, Any]:
    return {
        "site_id": site_id, "document_uri": item.source.url, "recipe": document.recipe,
        "document_root": document.document_root, "main_root": document.main_root,
        "leaf_count": len(document.chunks), "characters": document.characters,
        "main_characters": document.main_characters, "status": document.status, "is_current": True,
        "title": document.title, "page_id": item.source.page_id, "first_seen_at": seen_at, "last_seen_at": seen_at,
    }  # fmt: skip


def _flush(connection: Connection, write: _Write) -> None:
    by_id = documents.c.id == bindparam("row_id")
    seen: dict[str, Any] = {"last_seen_at": bindparam("seen_at")}
    if write.demoted:
        connection.execute(update(documents).where(by_id).values(is_current=False), write.demoted)
    if write.inserted:
        connection.execute(insert(documents), write.inserted)
    if write.promoted:
        connection.execute(update(documents).where(by_id).values(is_current=True, **seen), write.promoted)
    if write.renewed:
        titled: dict[str, Any] = {"title": bindparam("title_"), "main_root": bindparam("main_root_")}
        connection.execute(update(documents).where(by_id).values(**titled, **seen), write.renewed)
    if write.edges:
        connection.execute(insert(supersedes), write.edges)


def _write_chunks(connection: Connection, found: Sequence[Document]) -> None:
    texts = {chunk.leaf_hash: chunk.text for document in found for chunk in document.chunks}
    places = [
        (document.recipe, document.document_root, position, chunk.leaf_hash)
        for _, document in sorted({document.document_root: document for document in found}.items())
        for position, chunk in enumerate(document.chunks)
    ]
    insert_rows(connection, insert_new(connection, chunks), sorted(texts.items()))
    insert_rows(connection, insert_new(connection, document_chunks), places)


def _write_validators(connection: Connection, items: Sequence[DocumentItem], now: datetime) -> None:
    """Keep the validators with the root that they came with (one row a URI and root)."""
    values = [
        {"document_uri": item.source.url, "document_root": item.document.document_root, **_http_meta(item.source, now)}
        for item in items
        if item.document is not None
    ]
    if not values:
        return
    keys = (
        document_http_meta.c.document_uri == bindparam("uri_"),
        document_http_meta.c.document_root == bindparam("root_"),
    )
    connection.execute(insert_new(connection, document_http_meta), values)
    renamed = [{"uri_": row["document_uri"], "root_": row["document_root"], "etag_": row["etag"],
                "last_modified_": row["last_modified"], "expires_": row["expires"], "checked_": now}
               for row in values]  # fmt: skip
    connection.execute(
        update(document_http_meta)
        .where(*keys)
        .values(etag=bindparam("etag_"), last_modified=bindparam("last_modified_"), expires=bindparam("expires_"),
                checked_at=bindparam("checked_")),
        renamed,
    )  # fmt: skip


def _http_meta(source: StoredBody, now: datetime) -> Mapping[str, Any]:
    headers = source.headers
    return {"etag": headers.get("etag"), "last_modified": headers.get("last-modified"),
            "expires": headers.get("expires"), "checked_at": now}  # fmt: skip


def _mark_read(connection: Connection, site_id: int, items: Sequence[DocumentItem]) -> None:
    values = [
        {"url_": item.source.url, "body_": item.source.body_sha256,
         "root_": item.document.document_root if item.document else None}
        for item in items
    ]  # fmt: skip
    connection.execute(
        update(frontier)
        .where(frontier.c.site_id == site_id, frontier.c.url == bindparam("url_"))
        .values(document_body=bindparam("body_"), document_recipe=RECIPE, document_root=bindparam("root_")),
        values,
    )


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
