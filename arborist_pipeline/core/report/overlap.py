"""Which documents share passages: the join over leaves, as clusters, in time that grows with the number of leaves.

What stands on more than 30 % of the documents, and on 5 at least, is boilerplate and says nothing about two pages:
leaves by their count, and lines of the frame by a sample of whole texts, since a menu ends up in one leaf with
whatever follows it. A leaf weighs as many characters as it has beside such lines. Each document is compared with the
leaders of the clusters that it shares leaves with, not with every other document.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

BOILERPLATE_SHARE = 0.3
BOILERPLATE_DOCUMENTS = 5
FRAME_SAMPLE = 60
"""So many documents show which lines belong to a site's frame."""
NEAR_SHARE = 0.5
"""Of the main text of the larger page. A changed word costs its whole leaf, so half is much."""
PARTIAL_SHARE = 0.25
"""Of the main text of the smaller page."""
MIN_SHARED_CHARACTERS = 200
LEADERS_A_LEAF = 16  # a leaf points at so many leaders at most, which bounds the work for one posting
CANDIDATES = 8  # so many of the leaders that share most are compared in full


class OverlapKind(StrEnum):
    """How much two pages have in common."""

    NEAR = "near"
    PARTIAL = "partial"


class Text(NamedTuple):
    """A document to compare: its URL and the length of its main text in characters."""

    url: str
    characters: int


class SharedLeaf(NamedTuple):
    """A leaf that several documents have: the characters it adds to a page beside the frame, the documents' numbers."""

    leaf: bytes
    characters: int
    documents: Sequence[int]


class ClusterMember(NamedTuple):
    """A page of a cluster and the share of text it has in common with the leader, 0 to 1."""

    url: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapCluster:
    """Pages that share text with `leader`, the one with most text; members are sorted by URL, leader left out.

    `leaf` is the longest leaf that the leader has in common with its closest member, `passage` its beginning.
    """

    kind: OverlapKind
    leader: str
    members: tuple[ClusterMember, ...]
    leaf: bytes
    passage: str = ""


def is_boilerplate(having: int, documents: int) -> bool:
    """Whether what so many of a host's documents have is part of the frame, not of the content."""
    return having >= BOILERPLATE_DOCUMENTS and having > BOILERPLATE_SHARE * documents


def frame_lines(texts: Sequence[str]) -> frozenset[str]:
    """Return the lines that are boilerplate in these texts, a sample of a host's documents."""
    counts = Counter(line for text in texts for line in set(text.split("\n")))
    return frozenset(line for line, having in counts.items() if is_boilerplate(having, len(texts)))


def content_characters(text: str, frame: frozenset[str]) -> int:
    """Return the length of a leaf's text without the lines of the frame."""
    return sum(len(line) for line in text.split("\n") if line not in frame)


def build_clusters(texts: Sequence[Text], leaves: Iterable[SharedLeaf]) -> tuple[OverlapCluster, ...]:
    """Cluster documents by the leaves they share.

    `leaves` has each leaf once; those of one document only may be left out. A page in a cluster of near duplicates
    takes part in partial overlap only as its leader.
    """
    shared = [
        leaf for leaf in leaves if len(leaf.documents) > 1 and not is_boilerplate(len(leaf.documents), len(texts))
    ]
    join = _Join(texts, [leaf for leaf in shared if leaf.characters])
    order = sorted((n for n in range(len(texts)) if join.own[n]), key=lambda n: (-texts[n].characters, texts[n].url))
    near = join.cluster(order, NEAR_SHARE, max)
    members = {n for cluster in near.values() for n, _ in cluster}
    partial = join.cluster([n for n in order if n not in members], PARTIAL_SHARE, min)
    return tuple(
        join.named(kind, leader, clusters[leader])
        for kind, clusters in ((OverlapKind.NEAR, near), (OverlapKind.PARTIAL, partial))
        for leader in sorted(clusters, key=lambda n: texts[n].url)
    )


class _Join:
    """The documents with the shared leaves that each has (numbers into `leaves`)."""

    def __init__(self, texts: Sequence[Text], leaves: Sequence[SharedLeaf]) -> None:
        self.texts = texts
        self.leaves = leaves
        self.own: list[list[int]] = [[] for _ in texts]
        for number, leaf in enumerate(leaves):
            for document in leaf.documents:
                self.own[document].append(number)

    def cluster(
        self, order: Iterable[int], threshold: float, whole: Callable[[int, int], int]
    ) -> dict[int, list[tuple[int, float]]]:
        """Put each document to the leader it shares most with, if that is enough; else it leads, alone or not."""
        leaders_of: defaultdict[int, list[int]] = defaultdict(list)
        clusters: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
        for document in order:
            shares = {leader: self._share(leader, document, whole) for leader in self._candidates(document, leaders_of)}
            best = max(shares, key=lambda leader: shares[leader], default=None)
            if best is not None and shares[best] >= threshold:
                clusters[best].append((document, shares[best]))
                continue
            for leaf in self.own[document]:
                if len(leaders_of[leaf]) < LEADERS_A_LEAF:
                    leaders_of[leaf].append(document)
        return dict(clusters)

    def named(self, kind: OverlapKind, leader: int, cluster: list[tuple[int, float]]) -> OverlapCluster:
        closest, _ = max(cluster, key=lambda member: member[1])
        longest = max(self._common(leader, closest), key=lambda number: (self.leaves[number].characters, -number))
        return OverlapCluster(
            kind=kind,
            leader=self.texts[leader].url,
            members=tuple(sorted(ClusterMember(self.texts[n].url, round(share, 4)) for n, share in cluster)),
            leaf=self.leaves[longest].leaf,
        )

    def _candidates(self, document: int, leaders_of: dict[int, list[int]]) -> list[int]:
        hits: Counter[int] = Counter()
        for leaf in self.own[document]:
            for leader in leaders_of.get(leaf, ()):
                hits[leader] += self.leaves[leaf].characters
        return [leader for leader, _ in hits.most_common(CANDIDATES)]

    def _common(self, one: int, other: int) -> set[int]:
        return set(self.own[one]).intersection(self.own[other])

    def _share(self, leader: int, document: int, whole: Callable[[int, int], int]) -> float:
        shared = sum(self.leaves[leaf].characters for leaf in self._common(leader, document))
        if shared < MIN_SHARED_CHARACTERS:
            return 0.0
        return min(1.0, shared / max(1, whole(self.texts[leader].characters, self.texts[document].characters)))
