"""Proofs that need no database: a chunk stands in a document, a page in a site, an older tree begins a newer one.

Building asks a tree for the hashes at a proof's coordinates; computing a root and comparing it are two functions.
RFC 9162 §2.1.3.2 and §2.1.4.2, with the stricter rules of certificate transparency: an empty root or leaf hash and a
tree of size 0 prove nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from arborist_pipeline.core.documents.document import KNOWN_RECIPES, Document
from arborist_pipeline.core.documents.merkle import (
    EMPTY_ROOT,
    HASH_BYTES,
    consistency_coordinates,
    hash_children,
    hash_leaf,
    inclusion_coordinates,
)
from arborist_pipeline.core.documents.site_tree import SITE_RECIPE, hash_page
from arborist_pipeline.core.errors import MalformedProof, RootMismatch

MAX_TREE_SIZE = 2**64 - 1
_HEX_HASH = re.compile("[0-9a-f]{64}")  # one spelling only: bytes.fromhex would take blanks and capitals too


@dataclass(frozen=True, slots=True, kw_only=True)
class InclusionProof:
    """The claim that `chunk` is leaf `leaf_index` of the `tree_size` leaves under `root`, and what proves it.

    A root does not hold its leaf count: a proof binds chunk and place, its tree size only as far as the path's shape.
    """

    recipe: str
    root: bytes
    tree_size: int
    leaf_index: int
    chunk: str
    path: tuple[bytes, ...]

    def to_json(self) -> dict[str, object]:
        """Return the proof as JSON values, hashes as lower-case hex; `parse_proof` reads it back."""
        return {
            "recipe": self.recipe,
            "root": self.root.hex(),
            "tree_size": self.tree_size,
            "leaf_index": self.leaf_index,
            "chunk": self.chunk,
            "path": [node.hex() for node in self.path],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PageProof:
    """The claim that a site's tree, of `tree_size` pages under `root`, has a URL with a document root at `leaf_index`.

    Pages stand in order of their URLs; a leaf is the document root's 32 bytes, then the URL in UTF-8.
    """

    root: bytes
    tree_size: int
    leaf_index: int
    url: str
    document_root: bytes
    path: tuple[bytes, ...]

    def to_json(self) -> dict[str, object]:
        """Return the proof as JSON values, hashes as lower-case hex; `parse_page_proof` reads it back."""
        return {
            "recipe": SITE_RECIPE,
            "root": self.root.hex(),
            "tree_size": self.tree_size,
            "leaf_index": self.leaf_index,
            "url": self.url,
            "document_root": self.document_root.hex(),
            "path": [node.hex() for node in self.path],
        }


def is_page_proof(data: object) -> bool:
    """Whether JSON values claim to be a proof of a page, not of a chunk."""
    return isinstance(data, dict) and data.get("recipe") == SITE_RECIPE


def parse_page_proof(data: object) -> PageProof:
    """Read the JSON values of a page's proof. Raises MalformedProof, naming the field."""
    if not isinstance(data, dict) or not is_page_proof(data):
        raise MalformedProof(f"a page's proof is an object with the recipe {SITE_RECIPE}")
    return PageProof(
        root=_hash(data.get("root"), "root"),
        tree_size=_count(data, "tree_size"),
        leaf_index=_count(data, "leaf_index"),
        url=_string(data, "url"),
        document_root=_hash(data.get("document_root"), "document_root"),
        path=_path(data),
    )


def verify_page(proof: PageProof) -> None:
    """Return if the proof holds; raise RootMismatch if it leads elsewhere, MalformedProof if no tree can have it."""
    _require_root(proof.root)
    try:
        leaf = hash_page(proof.url, proof.document_root)
    except UnicodeEncodeError as error:
        raise MalformedProof("url is no Unicode text") from error
    computed = root_from_path(leaf, proof.leaf_index, proof.tree_size, proof.path)
    if computed != proof.root:
        raise RootMismatch(expected=proof.root, computed=computed)


def build_proof(document: Document, index: int) -> InclusionProof:
    """Prove that a chunk stands in a document; raises IndexError unless 0 <= index < len(chunks)."""
    path = document.tree.inclusion_path(index)
    return InclusionProof(
        recipe=document.recipe,
        root=document.document_root,
        tree_size=len(document.chunks),
        leaf_index=index,
        chunk=document.chunks[index].text,
        path=path,
    )


def parse_proof(data: object) -> InclusionProof:
    """Read the JSON values of a proof; fields beside the six are left aside.

    Raises MalformedProof, naming the field, for anything that `InclusionProof.to_json` cannot have written.
    """
    if not isinstance(data, dict):
        raise MalformedProof("a proof is an object")
    return InclusionProof(
        recipe=_string(data, "recipe"),
        root=_hash(data.get("root"), "root"),
        tree_size=_count(data, "tree_size"),
        leaf_index=_count(data, "leaf_index"),
        chunk=_string(data, "chunk"),
        path=_path(data),
    )


def verify_inclusion(proof: InclusionProof) -> None:
    """Return if the proof holds; raise RootMismatch if it leads elsewhere, MalformedProof if no tree can have it."""
    if proof.recipe not in KNOWN_RECIPES:
        raise MalformedProof(f"unknown recipe {proof.recipe!r}")
    _require_root(proof.root)
    computed = root_from_proof(proof)
    if computed != proof.root:
        raise RootMismatch(expected=proof.root, computed=computed)


def root_from_proof(proof: InclusionProof) -> bytes:
    """Return the root that a proof leads to, whatever root it claims; raises MalformedProof."""
    try:
        leaf = proof.chunk.encode()
    except UnicodeEncodeError as error:
        raise MalformedProof("chunk is no Unicode text") from error
    return root_from_path(hash_leaf(leaf), proof.leaf_index, proof.tree_size, proof.path)


def root_from_path(leaf_hash: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Return the root that a leaf's audit path leads to.

    Raises MalformedProof unless 0 <= index < size, all hashes are 32 bytes and the path is as long as it must be.
    """
    if not 0 <= index < size <= MAX_TREE_SIZE:
        raise MalformedProof(f"no leaf {index} in a tree of {size}")
    nodes = inclusion_coordinates(index, size)
    _require_hashes(path, len(nodes))
    _require_hashes([leaf_hash], 1)
    computed = leaf_hash
    for (_, position), sibling in zip(nodes, path, strict=True):
        computed = hash_children(computed, sibling) if position % 2 else hash_children(sibling, computed)
    return computed


def verify_consistency(*, old_size: int, size: int, old_root: bytes, root: bytes, path: Sequence[bytes]) -> None:
    """Return if the tree under `old_root` is the beginning of that under `root`.

    Raises MalformedProof unless 0 < old_size <= size and the path is as long as it must be, else RootMismatch.
    """
    if not 0 < old_size <= size <= MAX_TREE_SIZE:
        raise MalformedProof(f"a tree of {old_size} is no beginning of one of {size}")
    nodes = consistency_coordinates(old_size, size)
    _require_hashes(path, len(nodes))
    steps = list(zip(nodes, path, strict=True))
    old_is_one_node = old_size == size or old_size & (old_size - 1) == 0
    old = new = old_root if old_is_one_node else steps.pop(0)[1]
    for (_, position), sibling in steps:
        if position % 2:  # what stands to the right came later
            new = hash_children(new, sibling)
        else:
            old, new = hash_children(sibling, old), hash_children(sibling, new)
    for expected, computed in ((old_root, old), (root, new)):
        if expected != computed:
            raise RootMismatch(expected=expected, computed=computed)


def _require_root(root: bytes) -> None:
    if len(root) != HASH_BYTES or root == EMPTY_ROOT:
        raise MalformedProof("the root of an empty tree, or none at all, holds no leaf")


def _require_hashes(hashes: Sequence[bytes], count: int) -> None:
    if len(hashes) != count:
        raise MalformedProof(f"{len(hashes)} hashes where {count} are needed")
    if any(len(node) != HASH_BYTES for node in hashes):
        raise MalformedProof("a hash is not of 32 bytes")


def _path(data: dict[object, object]) -> tuple[bytes, ...]:
    path = data.get("path")
    if not isinstance(path, list):
        raise MalformedProof("path is no list")
    return tuple(_hash(node, "path") for node in path)


def _string(data: dict[object, object], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise MalformedProof(f"{name} is no string")
    return value


def _count(data: dict[object, object], name: str) -> int:
    value = data.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_TREE_SIZE:
        raise MalformedProof(f"{name} is no count")
    return value


def _hash(value: object, name: str) -> bytes:
    if not isinstance(value, str) or not _HEX_HASH.fullmatch(value):
        raise MalformedProof(f"{name} is no SHA-256 hash in lower-case hex")
    return bytes.fromhex(value)
