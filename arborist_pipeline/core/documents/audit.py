"""Is a stored document still what its root says? Rows in, what is wrong out; no database is known here.

A root is recomputed from the stored text of the chunks: text to leaf hash, leaf hashes to root. A main root is
recomputed from the stored body, since chunks do not tell landmarks from the rest.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

from arborist_pipeline.core.documents.document import KNOWN_RECIPES, DocumentStatus, text_root
from arborist_pipeline.core.documents.merkle import EMPTY_ROOT, build_tree, hash_leaf
from arborist_pipeline.core.documents.packing import unpack_body
from arborist_pipeline.core.documents.text import BodyText, body_text
from arborist_pipeline.core.web.charset import html_in_utf_8
from arborist_pipeline.core.web.html import parse_html


class LeafRow(NamedTuple):
    """One stored leaf of one stored document; a document without leaves is one row without position.

    `text` is the chunk's UTF-8 as it lies in the store, None where it is missing. `characters` and `status` are what
    the document's row notes; None: not asked.
    """

    document_id: int
    uri: str
    recipe: str
    root: bytes
    leaf_count: int
    position: int | None
    leaf_hash: bytes | None
    text: bytes | None
    characters: int | None = None
    status: str | None = None


class VersionRow(NamedTuple):
    """One stored document as a version of its URI at a site.

    `shown_root` is what the URI's page was read as last under this recipe, None where that is not known or the page
    is no more.
    """

    site_id: int
    uri: str
    recipe: str
    root: bytes
    is_current: bool
    first_seen_at: datetime
    last_seen_at: datetime
    shown_root: bytes | None


class BodyRow(NamedTuple):
    """One stored body: its name, its size before compression in bytes, and the compressed bytes."""

    sha256: bytes
    size: int
    content: bytes | None


class MainRow(NamedTuple):
    """A document whose main text is not all of its text, with the body that it was read from last."""

    uri: str
    root: bytes
    main_root: bytes
    main_characters: int
    content_type: str | None
    body: BodyRow


class Damage(NamedTuple):
    """What is wrong, and with which page; `uri` None where no page is known to use it."""

    uri: str | None
    what: str


def audit_documents(rows: Iterable[LeafRow]) -> Iterator[tuple[Damage, ...]]:
    """Yield what is wrong with each document, nothing for a sound one; rows come by document and position."""
    for _, group in groupby(rows, lambda row: row.document_id):
        yield tuple(_audit_document(group))


def _audit_document(rows: Iterator[LeafRow]) -> Iterator[Damage]:
    head = next(rows)
    leaves: list[bytes] = []
    characters = 0
    row: LeafRow | None = head
    while row is not None and row.position is not None and row.leaf_hash is not None:
        if row.text is None:
            yield Damage(row.uri, f"the text of chunk {row.position} is missing")
        elif hash_leaf(row.text) != row.leaf_hash:
            yield Damage(row.uri, f"the text of chunk {row.position} does not hash to its leaf {row.leaf_hash.hex()}")
        leaves.append(row.leaf_hash)
        characters += len((row.text or b"").decode(errors="replace"))
        row = next(rows, None)
    if head.recipe not in KNOWN_RECIPES:
        yield Damage(head.uri, f"its recipe {head.recipe!r} is unknown")
    if len(leaves) != head.leaf_count:
        yield Damage(head.uri, f"{len(leaves)} chunks are stored, {head.leaf_count} were")
    if head.characters not in (None, characters):
        yield Damage(head.uri, f"its chunks have {characters} characters, {head.characters} are noted")
    if head.status is not None and (head.status == DocumentStatus.OK) != bool(head.leaf_count):
        yield Damage(head.uri, f"its status is {head.status!r} with {head.leaf_count} chunks")
    root = build_tree(leaves).root
    if root != head.root:
        yield Damage(head.uri, f"its chunks lead to the root {root.hex()}, stored is {head.root.hex()}")


def audit_versions(rows: Iterable[VersionRow]) -> Iterator[Damage]:
    """Yield what is wrong with which version is current, and since when; rows come by URI and recipe.

    Titles are in no hash, and times are whatever the clock said: of these only the order can be wrong.
    """
    for _, group in groupby(rows, lambda row: (row.uri, row.recipe)):
        by_site = sorted(group, key=lambda row: row.site_id)
        for _, versions in groupby(by_site, lambda row: row.site_id):
            yield from _audit_versions(tuple(versions))


def _audit_versions(versions: Sequence[VersionRow]) -> Iterator[Damage]:
    uri, shown = versions[0].uri, versions[0].shown_root
    current = [row.root for row in versions if row.is_current]
    if len(current) > 1:
        yield Damage(uri, f"{len(current)} of its versions are marked as current")
    elif shown not in (None, EMPTY_ROOT, *current) and any(row.root == shown for row in versions):
        # an empty reading takes the place of no text, so it tells nothing
        yield Damage(uri, f"its current version is not {shown.hex() if shown else ''}, which it was read as last")
    for row in versions:
        if row.first_seen_at > row.last_seen_at:
            yield Damage(uri, f"its version {row.root.hex()} was seen last before it was seen first")


def audit_main_text(row: MainRow) -> str | None:
    """Say what is wrong with what is noted of a main text, None where it is what the body gives.

    A body that is damaged (`audit_body` says so), or that gives another document by now, tells nothing. The content
    type is that of the newest answer: an older body may have come without it, and is then read by its own marks.
    """
    if audit_body(row.body) is not None:
        return None
    body, _ = unpack_body(row.body.content or b"")
    for content_type in dict.fromkeys((row.content_type or "", "")):
        decoded, encoding = html_in_utf_8(body, content_type)
        text = body_text(parse_html(decoded, encoding=encoding))
        if text is not None and text_root(text.body) == row.root:
            return _compare_main_text(row, text)
    return None


def _compare_main_text(row: MainRow, text: BodyText) -> str | None:
    main_root = text_root(text.main)
    if main_root != row.main_root:
        return f"its main text leads to the root {main_root.hex()}, stored is {row.main_root.hex()}"
    if text.main_characters != row.main_characters:
        return f"its main text has {text.main_characters} characters, {row.main_characters} are noted"
    return None


def audit_body(row: BodyRow) -> str | None:
    """Say what is wrong with a stored body, None where it is what its name says."""
    if row.content is None:
        return "its body has no content"
    try:
        body, is_whole = unpack_body(row.content, row.size + 1)  # damage must not become a bomb
    except ValueError as error:
        return f"its body cannot be decompressed ({error})"
    if sha256(body).digest() != row.sha256:
        return f"its body does not hash to {row.sha256.hex()}"
    if len(body) != row.size:
        return f"its body has {len(body)} bytes, {row.size} are noted"
    return None if is_whole else "its compressed body is cut short"
