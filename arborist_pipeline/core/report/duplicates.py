"""Which pages have one text: documents grouped by root, and by the root of the main text.

In SQL: GROUP BY recipe, document_root HAVING COUNT(*) > 1. Roots of two recipes are never compared.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple


class DocumentFacts(NamedTuple):
    """A page's current document, as far as comparing it needs. Empty documents have no place here."""

    url: str
    document_id: int
    recipe: str
    document_root: bytes
    main_root: bytes
    main_characters: int


class DuplicateGroup(NamedTuple):
    """Addresses whose documents have one root, sorted; at least two."""

    root: bytes
    urls: tuple[str, ...]


def group_by_root(documents: Iterable[DocumentFacts]) -> tuple[DuplicateGroup, ...]:
    """Return the groups of pages with the same text, in order of their first URL."""
    return _groups((document.recipe, document.document_root, document.url) for document in documents)


def group_by_main_root(documents: Iterable[DocumentFacts]) -> tuple[DuplicateGroup, ...]:
    """Return the groups with the same main text whose whole texts differ, in order of their first URL."""
    known = tuple(documents)
    wholes: defaultdict[tuple[str, bytes], set[bytes]] = defaultdict(set)
    for document in known:
        wholes[document.recipe, document.main_root].add(document.document_root)
    return _groups(
        (document.recipe, document.main_root, document.url)
        for document in known
        if len(wholes[document.recipe, document.main_root]) > 1
    )


def distinct_by_main_root(documents: Iterable[DocumentFacts]) -> tuple[DocumentFacts, ...]:
    """Return one document for each main text, that of the first URL, in order of URL."""
    first: dict[tuple[str, bytes], DocumentFacts] = {}
    for document in sorted(documents):
        first.setdefault((document.recipe, document.main_root), document)
    return tuple(first.values())


def _groups(rows: Iterable[tuple[str, bytes, str]]) -> tuple[DuplicateGroup, ...]:
    groups: defaultdict[tuple[str, bytes], list[str]] = defaultdict(list)
    for recipe, root, url in rows:
        groups[recipe, root].append(url)
    found = (DuplicateGroup(root, tuple(sorted(urls))) for (_, root), urls in groups.items() if len(urls) > 1)
    return tuple(sorted(found, key=lambda group: group.urls))
