"""Merkle trees of RFC 6962 §2.1 (the same in RFC 9162 §2.1) over SHA-256, so that foreign verifiers apply.

A tree of five leaves, as its levels lie here; a last node without a sibling moves up as it is, never doubled, which
is the RFC's split at the largest power of two below the size:

    level 3                  0
    level 2          0               1
    level 1      0       1           2
    level 0    0   1   2   3         4

Where a proof's hashes lie (`inclusion_coordinates`, `consistency_coordinates`) is a question about positions alone;
whoever keeps the nodes elsewhere than in a `MerkleTree` can fetch them by it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()
_LEAF_PREFIX = b"\x00"  # leaf and node prefixes differ, so that no leaf can pose as a node
_NODE_PREFIX = b"\x01"


class Node(NamedTuple):
    """A place in a tree: `level` 0 holds the leaves, `position` counts from the left."""

    level: int
    position: int


def hash_leaf(data: bytes) -> bytes:
    """Return the hash of a leaf's content (32 bytes)."""
    return sha256(_LEAF_PREFIX + data).digest()


def hash_children(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node above two others (32 bytes)."""
    return sha256(_NODE_PREFIX + left + right).digest()


@dataclass(frozen=True, slots=True, kw_only=True)
class MerkleTree:
    """A tree over leaf hashes, made by `build_tree`. `levels[0]` are the leaves, each next level its parents."""

    levels: tuple[tuple[bytes, ...], ...]

    @property
    def size(self) -> int:
        """The number of leaves."""
        return len(self.levels[0])

    @property
    def root(self) -> bytes:
        """The root hash; of one leaf the leaf's own, of none `EMPTY_ROOT`."""
        return self.levels[-1][0] if self.size else EMPTY_ROOT

    def inclusion_path(self, index: int) -> tuple[bytes, ...]:
        """Return the audit path of a leaf, lowest sibling first (RFC 9162 §2.1.3); 0 <= index < size."""
        return self._hashes(inclusion_coordinates(index, self.size))

    def consistency_path(self, old_size: int) -> tuple[bytes, ...]:
        """Return the proof that the first leaves are the whole of an older tree; 0 < old_size <= size."""
        return self._hashes(consistency_coordinates(old_size, self.size))

    def _hashes(self, nodes: Iterable[Node]) -> tuple[bytes, ...]:
        return tuple(self.levels[node.level][node.position] for node in nodes)


def build_tree(leaf_hashes: Iterable[bytes]) -> MerkleTree:
    """Build the tree over leaf hashes in their order; no leaves make the empty tree."""
    levels = [tuple(leaf_hashes)]
    while len(levels[-1]) > 1:
        below = levels[-1]
        parents = [hash_children(left, right) for left, right in zip(below[::2], below[1::2], strict=False)]
        levels.append((*parents, *below[len(parents) * 2 :]))
    return MerkleTree(levels=tuple(levels))


def compute_root(leaf_hashes: Iterable[bytes]) -> tuple[bytes, int]:
    """Return the root over leaf hashes and their number, keeping no more than one hash a level."""
    peaks: list[bytes] = []  # roots of the full subtrees so far, as the bits of the size: largest first
    size = 0
    for node in leaf_hashes:
        for _ in range((~size & size + 1).bit_length() - 1):
            node = hash_children(peaks.pop(), node)  # noqa: PLW2901  # the subtree that the leaf completes
        peaks.append(node)
        size += 1
    if not peaks:
        return EMPTY_ROOT, 0
    root = peaks.pop()
    while peaks:
        root = hash_children(peaks.pop(), root)
    return root, size


def inclusion_coordinates(index: int, size: int) -> tuple[Node, ...]:
    """Return the nodes of a leaf's audit path (RFC 9162 §2.1.3.1), lowest first.

    Raises IndexError unless 0 <= index < size.
    """
    if not 0 <= index < size:
        raise IndexError(f"no leaf {index} in a tree of {size}")
    return _siblings(Node(0, index), size)


def consistency_coordinates(old_size: int, size: int) -> tuple[Node, ...]:
    """Return the nodes of a consistency proof (RFC 9162 §2.1.4.1), lowest first; none for equal sizes.

    Raises IndexError unless 0 < old_size <= size.
    """
    if not 0 < old_size <= size:
        raise IndexError(f"a tree of {old_size} is no beginning of one of {size}")
    if old_size == size:
        return ()
    level = (old_size & -old_size).bit_length() - 1  # of the largest full subtree that ends with the old last leaf
    last_full = Node(level, (old_size >> level) - 1)
    path = _siblings(last_full, size)
    return path if last_full.position == 0 else (last_full, *path)  # at position 0 it is the old root, which is known


def _siblings(node: Node, size: int) -> tuple[Node, ...]:
    """Return the siblings of a node and of its ancestors, where they exist, lowest first."""
    level, position = node
    last = (size - 1) >> level
    found = []
    while last:
        if position ^ 1 <= last:
            found.append(Node(level, position ^ 1))
        level, position, last = level + 1, position >> 1, last >> 1
    return tuple(found)
