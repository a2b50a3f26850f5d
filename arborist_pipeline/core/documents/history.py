"""What became of a document: its versions as they were seen, and what changed from one to the next, chunk by chunk.

A page that says A, then B, then A again has two documents and three versions.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher, unified_diff
from typing import NamedTuple

from arborist_pipeline.core.documents.document import Chunk
from arborist_pipeline.core.documents.merkle import build_tree, hash_leaf
from arborist_pipeline.core.errors import RootMismatch

_COMPARED_LINES = 5_000  # more are shown as gone and come, not compared line by line


class DocumentFacts(NamedTuple):
    """A stored document of one URI."""

    recipe: str
    root: bytes
    main_root: bytes
    title: str | None
    status: str
    leaf_count: int
    characters: int
    is_current: bool
    first_seen_at: datetime
    last_seen_at: datetime


class Edge(NamedTuple):
    """A change that was seen: `from_root` gave way to `to_root`."""

    recipe: str
    from_root: bytes
    to_root: bytes
    observed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A document for the time that its URI said it. `number` counts from 1, the oldest.

    `last_seen_at` is when it was last confirmed; of a version that another followed, no later than that.
    `supersedes` is the root that it took the place of, None where nothing stood there.
    """

    number: int
    document: DocumentFacts
    observed_at: datetime
    last_seen_at: datetime
    supersedes: bytes | None
    is_current: bool


class Change(NamedTuple):
    """A run of chunks that another run took the place of; either may be empty. Positions count from 0."""

    old_position: int
    new_position: int
    removed: tuple[str, ...]
    added: tuple[str, ...]


def build_versions(documents: Iterable[DocumentFacts], edges: Iterable[Edge]) -> tuple[Version, ...]:
    """Order what was seen of one URI, oldest first."""
    by_root = {(each.recipe, each.root): each for each in documents}
    came: dict[tuple[datetime, str, bytes], bytes | None] = {
        (each.first_seen_at, each.recipe, each.root): None for each in by_root.values()
    }
    for edge in edges:
        if (edge.recipe, edge.to_root) in by_root:
            came[edge.observed_at, edge.recipe, edge.to_root] = edge.from_root
    order = sorted(came)
    last = {(recipe, root): number for number, (_, recipe, root) in enumerate(order)}
    versions = []
    for number, (observed_at, recipe, root) in enumerate(order):
        document = by_root[recipe, root]
        until = order[number + 1][0] if number + 1 < len(order) else document.last_seen_at
        versions.append(
            Version(
                number=number + 1,
                document=document,
                observed_at=observed_at,
                last_seen_at=max(observed_at, min(document.last_seen_at, until)),
                supersedes=came[observed_at, recipe, root],
                is_current=document.is_current and last[recipe, root] == number,
            )
        )
    return tuple(versions)


def diff_chunks(old: Sequence[Chunk], new: Sequence[Chunk]) -> tuple[Change, ...]:
    """Return what changed between two texts, told by their leaf hashes."""
    matcher = SequenceMatcher(
        None, [chunk.leaf_hash for chunk in old], [chunk.leaf_hash for chunk in new], autojunk=False
    )
    return tuple(
        Change(i, j, tuple(chunk.text for chunk in old[i:i_end]), tuple(chunk.text for chunk in new[j:j_end]))
        for kind, i, i_end, j, j_end in matcher.get_opcodes()
        if kind != "equal"
    )


def diff_lines(change: Change) -> Iterator[str]:
    """Yield a change line by line: "-" before what went, "+" before what came, a space before a line beside them."""
    removed, added = ([line for text in texts for line in text.split("\n")] for texts in (change.removed, change.added))
    if len(removed) + len(added) > _COMPARED_LINES:
        yield from (f"-{line}" for line in removed)
        yield from (f"+{line}" for line in added)
        return
    for number, line in enumerate(unified_diff(removed, added, n=1, lineterm="")):
        if number > 1 and not line.startswith("@@"):  # the first two name files
            yield line


def restore_text(document: DocumentFacts, chunks: Sequence[Chunk]) -> str:
    """Return the text of a version, LF between chunks. Raises RootMismatch where the chunks are not those it had."""
    root = build_tree(hash_leaf(chunk.text.encode()) for chunk in chunks).root
    if root != document.root:
        raise RootMismatch(expected=document.root, computed=root)
    return "\n".join(chunk.text for chunk in chunks)
