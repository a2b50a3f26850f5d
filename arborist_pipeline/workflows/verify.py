"""Recompute every root and every hash of the store from what lies in it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from arborist_pipeline.core.documents.audit import BodyRow, Damage, LeafRow, audit_body, audit_documents


class AuditStore(Protocol):
    """The streams of a store that an audit reads; `site_key` None means all sites."""

    def leaf_rows(self, site_key: str | None) -> Iterator[LeafRow]:
        """Yield the leaves of all versions of all documents, by document and position."""
        ...

    def body_rows(self, site_key: str | None) -> Iterator[BodyRow]:
        """Yield the bodies that lie in the database."""
        ...

    def urls_without_body(self, site_key: str | None) -> Iterator[str]:
        """Yield the URLs whose latest body is named and not there."""
        ...

    def urls_of_body(self, body_sha256: bytes) -> tuple[str, ...]:
        """Return the URLs that ever answered with a body."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """How much was recomputed, and how much of it is damaged."""

    documents: int
    bodies: int
    damages: int


def verify_store(
    store: AuditStore,
    *,
    site_key: str | None = None,
    report: Callable[[Damage], None],
    advance: Callable[[], None] = lambda: None,
) -> Audit:
    """Recompute the roots and body hashes of one site or all; `report` is told each damage as it is found.

    `advance` is called after each document and body. Nothing is kept: memory does not grow with the store.
    """
    documents = bodies = damages = 0
    for found in audit_documents(store.leaf_rows(site_key)):
        documents += 1
        damages += len(found)
        for damage in found:
            report(damage)
        advance()
    for row in store.body_rows(site_key):
        bodies += 1
        what = audit_body(row)
        if what is not None:
            damages += 1
            for url in store.urls_of_body(row.sha256) or (None,):
                report(Damage(url, what))
        advance()
    for url in store.urls_without_body(site_key):
        damages += 1
        report(Damage(url, "its latest body is missing"))
    return Audit(documents=documents, bodies=bodies, damages=damages)
