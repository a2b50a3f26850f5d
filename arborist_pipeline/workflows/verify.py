"""Recompute every root and every hash of the store from what lies in it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from arborist_pipeline.core.documents.audit import (
    BodyRow,
    Damage,
    LeafRow,
    MainRow,
    VersionRow,
    audit_body,
    audit_documents,
    audit_main_text,
    audit_versions,
)
from arborist_pipeline.core.documents.document import parser_mismatch
from arborist_pipeline.core.documents.site_tree import SiteState


class AuditStore(Protocol):
    """The streams of a store that an audit reads; `site_key` None means all sites."""

    def leaf_rows(self, site_key: str | None) -> Iterator[LeafRow]:
        """Yield the leaves of all versions of all documents, by document and position."""
        ...

    def version_rows(self, site_key: str | None) -> Iterator[VersionRow]:
        """Yield all versions of all documents, by URI and recipe."""
        ...

    def body_rows(self, site_key: str | None) -> Iterator[BodyRow]:
        """Yield the bodies that lie in the database."""
        ...

    def main_rows(self, site_key: str | None) -> Iterator[MainRow]:
        """Yield the documents that have landmarks, with the body that each was read from last, where it is kept."""
        ...

    def site_states(self, site_key: str | None) -> Sequence[SiteState]:
        """Return every site root that was kept."""
        ...

    def compute_site(self, state: SiteState) -> tuple[bytes, int]:
        """Return the root and size that a site's stored leaves lead to."""
        ...

    def lost_pages(self, site_key: str | None) -> Iterator[str]:
        """Yield the URLs of the newest site trees whose document is not in the store under that root."""
        ...

    def urls_without_body(self, site_key: str | None) -> Iterator[str]:
        """Yield the URLs whose latest body is named and not there."""
        ...

    def urls_of_body(self, body_sha256: bytes) -> tuple[str, ...]:
        """Return the URLs that ever answered with a body."""
        ...


@dataclass(slots=True, kw_only=True)
class Audit:
    """How much was recomputed so far, and how many damages were found."""

    documents: int = 0
    bodies: int = 0
    main_texts: int = 0
    site_roots: int = 0
    damages: int = 0


def verify_store(
    store: AuditStore,
    *,
    site_key: str | None = None,
    report: Callable[[Damage], None],
    advance: Callable[[], None] = lambda: None,
    audit: Audit | None = None,
) -> Audit:
    """Recompute the roots and body hashes of one site or all; `report` is told each damage as it is found.

    `advance` is called after each step. Nothing is kept: memory does not grow with the store. Whoever hands in `audit`
    finds there how far it came, should something stop it.
    """
    audit = audit or Audit()
    main_roots_tell = parser_mismatch() is None

    def tell(damage: Damage) -> None:
        audit.damages += 1
        report(damage)

    for found in audit_documents(store.leaf_rows(site_key)):
        audit.documents += 1
        for damage in found:
            tell(damage)
        advance()
    for damage in audit_versions(store.version_rows(site_key)):
        tell(damage)
    for row in store.body_rows(site_key):
        audit.bodies += 1
        what = audit_body(row)
        if what is not None:
            audit.damages += 1
            for url in store.urls_of_body(row.sha256) or (None,):
                report(Damage(url, what))
        advance()
    for url in store.urls_without_body(site_key):
        tell(Damage(url, "its latest body is missing"))
    for document in store.main_rows(site_key) if main_roots_tell else ():
        audit.main_texts += 1
        what = audit_main_text(document)
        if what is not None:
            tell(Damage(document.uri, what))
        advance()
    _verify_sites(store, site_key, audit, tell)
    return audit


def _verify_sites(store: AuditStore, site_key: str | None, audit: Audit, tell: Callable[[Damage], None]) -> None:
    for state in store.site_states(site_key):
        audit.site_roots += 1
        root, size = store.compute_site(state)
        if (root, size) != (state.root, state.size):
            after = f"the site's pages after crawl {state.crawl_id}"
            tell(Damage(None, f"{after} lead to the root {root.hex()} of {size}, stored is {state.root.hex()} of "
                              f"{state.size}"))  # fmt: skip
    for url in store.lost_pages(site_key):
        tell(Damage(url, "the site's tree has it, the documents have not"))
