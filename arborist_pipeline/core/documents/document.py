"""A text as a Merkle document: canonical text, chunks, roots. The URI and the title are no part of a root."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from lxml import etree

from arborist_pipeline.core.documents.chunking import split_chunks
from arborist_pipeline.core.documents.merkle import MerkleTree, build_tree, hash_leaf
from arborist_pipeline.core.documents.text import BodyText, body_text, normalize_text
from arborist_pipeline.core.web.page import Page

RECIPE = "norm-v1/body-v1/blocks-v1/rfc6962-sha256"
KNOWN_RECIPES = frozenset({RECIPE})  # old ones stay, so that old proofs still verify
RECIPE_LIBXML2 = (2, 14, 6)


class DocumentStatus(StrEnum):
    """Whether there is any text; empty documents share one root and are no duplicates of each other."""

    OK = "ok"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of canonical text and its leaf hash (32 bytes)."""

    text: str
    leaf_hash: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What one URI said, by one recipe.

    `document_root` is the root over all text, `main_root` over the text without landmarks (navigation, page header
    and footer); 32 bytes each, equal where there is nothing to leave out. `chunks` are those of the whole text;
    `main_characters` counts the code points of the text without landmarks.
    Roots of different recipes are never compared.
    """

    uri: str
    title: str | None
    recipe: str
    document_root: bytes
    main_root: bytes
    chunks: tuple[Chunk, ...]
    main_characters: int
    status: DocumentStatus

    @property
    def characters(self) -> int:
        """The length of all text in code points, line feeds between chunks left out."""
        return sum(len(chunk.text) for chunk in self.chunks)

    @property
    def tree(self) -> MerkleTree:
        """The tree over the chunks; its root is `document_root`."""
        return build_tree(chunk.leaf_hash for chunk in self.chunks)


def build_document(uri: str, page: Page, *, author: str | None = None) -> Document | None:
    """Build the document of a page; None where the page is nested too deep to be read whole."""
    text = body_text(page.tree)
    return None if text is None else _document(uri, text, title_with_author(page.title, author))


def build_document_from_text(uri: str, text: str, *, title: str | None = None, author: str | None = None) -> Document:
    """Build the document of a plain text; it has no landmarks, so its main root is its document root."""
    body = normalize_text(text)
    return _document(uri, BodyText(body=body, main=body, main_characters=len(body)), title_with_author(title, author))


def title_with_author(title: str | None, author: str | None) -> str | None:
    """Append an author's surname to a title unless it stands there as a word, in any letter case.

    A title that is absent stays so: a page without one is worth knowing.
    """
    name = " ".join((author or "").split())
    if title is None or not name or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", title, re.IGNORECASE):
        return title
    return f"{title} — {name}"


def text_root(text: str) -> bytes:
    """Return the root over the chunks of a norm-v1 text (32 bytes)."""
    return build_tree(hash_leaf(chunk.encode()) for chunk in split_chunks(text)).root


def site_root(documents: Iterable[tuple[str, bytes]]) -> bytes:
    """Return one hash for the state of a site: pairs of URI and document root, in any order, repeated or not.

    It is the Merkle root over the sorted pairs; a leaf is the root's 32 bytes, then the URI in UTF-8.
    """
    return build_tree(hash_leaf(root + uri.encode()) for uri, root in sorted(set(documents))).root


def parser_mismatch(libxml2: tuple[int, ...] = etree.LIBXML_VERSION) -> str | None:
    """Say why roots made here may differ from the recipe's, None where they cannot.

    The recipe depends on the parser: a build of lxml over another libxml2 reads some mark-up otherwise.
    """
    if libxml2 == RECIPE_LIBXML2:
        return None
    found, wanted = (".".join(map(str, version)) for version in (libxml2, RECIPE_LIBXML2))
    return f"libxml2 {found} is not the {wanted} that {RECIPE} is pinned to: roots may differ; install lxml's wheel"


def _document(uri: str, text: BodyText, title: str | None) -> Document:
    chunks = tuple(Chunk(text=chunk, leaf_hash=hash_leaf(chunk.encode())) for chunk in split_chunks(text.body))
    document_root = build_tree(chunk.leaf_hash for chunk in chunks).root
    return Document(
        uri=uri,
        title=title,
        recipe=RECIPE,
        document_root=document_root,
        main_root=document_root if text.main == text.body else text_root(text.main),
        chunks=chunks,
        main_characters=text.main_characters,
        status=DocumentStatus.OK if chunks else DocumentStatus.EMPTY,
    )
