"""Is a stored document still what its root says? Rows in, what is wrong out; no database is known here.

A root is recomputed from the stored text of the chunks: text to leaf hash, leaf hashes to root. A main root is
recomputed from the stored body, since chunks do not tell landmarks from the rest.
"""

import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

from arborist_pipeline.core.documents.document import KNOWN_RECIPES, DocumentStatus, text_root
from arborist_pipeline.core.documents.merkle import build_tree, hash_leaf
from arborist_pipeline.core.documents.text import body_text
from arborist_pipeline.core.web.charset import decode_html
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


def audit_main_text(row: MainRow) -> str | None:
    """Say what is wrong with what is noted of a main text, None where it is what the body gives.

    A body that is damaged (`audit_body` says so), or that gives another document by now, tells nothing.
    """
    if audit_body(row.body) is not None:
        return None
    body = zlib.decompress(row.body.content or b"")
    decoded, encoding = decode_html(body, row.content_type or "")
    text = body_text(parse_html(decoded, encoding=encoding))
    if text is None or text_root(text.body) != row.root:
        return None
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
    reader = zlib.decompressobj()
    try:
        body = reader.decompress(row.content, row.size + 1)  # damage must not become a bomb
    except zlib.error as error:
        return f"its body cannot be decompressed ({error})"
    if sha256(body).digest() != row.sha256:
        return f"its body does not hash to {row.sha256.hex()}"
    if len(body) != row.size:
        return f"its body has {len(body)} bytes, {row.size} are noted"
    return None if reader.eof else "its compressed body is cut short"
