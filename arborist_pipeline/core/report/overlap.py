"""Which documents share passages: the join over leaves, as clusters, in time that grows with the number of leaves.

Leaves on more than 30 % of the documents, and on 5 at least, are boilerplate: they say nothing about two pages and
are set apart first. Each document is then compared with the leaders of the clusters that it shares leaves with, not
with every other document.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

BOILERPLATE_SHARE = 0.3
BOILERPLATE_DOCUMENTS = 5
NEAR_SHARE = 0.5
"""Of the leaves of the larger page. One edited block costs one leaf of four, or two where a chunk ended in it; pages
that only share a frame stay below 0.15."""
PARTIAL_SHARE = 0.3
"""Of the leaves of the smaller page."""
LEADERS_A_LEAF = 16  # a leaf points at so many leaders at most, which bounds the work for one posting
CANDIDATES = 8  # so many of the leaders that share most leaves are compared in full


class OverlapKind(StrEnum):
    """How much two pages have in common."""

    NEAR = "near"
    PARTIAL = "partial"


class ClusterMember(NamedTuple):
    """A page of a cluster and its share of leaves in common with the leader, 0 to 1."""

    url: str
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapCluster:
    """Pages that share leaves with `leader`, the one with the most text; members are sorted by URL, leader left out.

    `leaf` is one leaf that the leader has in common with its closest member, `passage` the beginning of its text.
    """

    kind: OverlapKind
    leader: str
    members: tuple[ClusterMember, ...]
    leaf: bytes
    passage: str = ""


@dataclass(slots=True)
class _Texts:
    """The documents without boilerplate: shared leaves (numbers into `hashes`) and the count of all, by document."""

    leaves: list[list[int]]
    totals: list[int]
    hashes: list[bytes]


def build_clusters(urls: Sequence[str], leaves: Iterable[tuple[bytes, Sequence[int]]]) -> tuple[OverlapCluster, ...]:
    """Cluster documents by the leaves they share.

    `urls` names the documents, each text once; `leaves` gives each distinct leaf hash once, with the numbers of the
    documents that have it (each once). A page in a cluster of near duplicates takes part in partial overlap only as
    its leader.
    """
    texts = _set_boilerplate_apart(len(urls), leaves)
    order = [n for n in range(len(urls)) if texts.leaves[n]]
    order.sort(key=lambda n: (-texts.totals[n], urls[n]))
    near = _cluster(order, texts, NEAR_SHARE, max)
    members = {n for cluster in near.values() for n, _ in cluster}
    partial = _cluster([n for n in order if n not in members], texts, PARTIAL_SHARE, min)
    return tuple(
        _named(kind, leader, cluster, urls, texts)
        for kind, clusters in ((OverlapKind.NEAR, near), (OverlapKind.PARTIAL, partial))
        for leader, cluster in sorted(clusters.items(), key=lambda item: urls[item[0]])
    )


def is_boilerplate(having: int, documents: int) -> bool:
    """Whether a leaf that so many of a host's documents have is part of the frame, not of the content."""
    return having >= BOILERPLATE_DOCUMENTS and having > BOILERPLATE_SHARE * documents


def _set_boilerplate_apart(count: int, leaves: Iterable[tuple[bytes, Sequence[int]]]) -> _Texts:
    texts = _Texts(leaves=[[] for _ in range(count)], totals=[0] * count, hashes=[])
    for leaf, having in leaves:
        if is_boilerplate(len(having), count):
            continue
        for document in having:
            texts.totals[document] += 1
        if len(having) > 1:
            for document in having:
                texts.leaves[document].append(len(texts.hashes))
            texts.hashes.append(leaf)
    return texts


def _cluster(
    order: Iterable[int], texts: _Texts, threshold: float, whole: Callable[[int, int], int]
) -> dict[int, list[tuple[int, float]]]:
    """Put each document to the leader it shares most with, if that is enough; else it leads. Lone leaders stay out."""
    leaders_of: defaultdict[int, list[int]] = defaultdict(list)
    leader_leaves: dict[int, frozenset[int]] = {}
    clusters: defaultdict[int, list[tuple[int, float]]] = defaultdict(list)
    for document in order:
        own = texts.leaves[document]
        hits = Counter(leader for leaf in own for leader in leaders_of.get(leaf, ()))
        shares = {
            leader: len(leader_leaves[leader].intersection(own)) / whole(texts.totals[leader], texts.totals[document])
            for leader, _ in hits.most_common(CANDIDATES)
        }
        best = max(shares, key=lambda leader: shares[leader], default=None)
        if best is not None and shares[best] >= threshold:
            clusters[best].append((document, shares[best]))
            continue
        leader_leaves[document] = frozenset(own)
        for leaf in own:
            if len(leaders_of[leaf]) < LEADERS_A_LEAF:
                leaders_of[leaf].append(document)
    return dict(clusters)


def _named(
    kind: OverlapKind, leader: int, cluster: list[tuple[int, float]], urls: Sequence[str], texts: _Texts
) -> OverlapCluster:
    closest, _ = max(cluster, key=lambda member: member[1])
    shared = min(set(texts.leaves[leader]) & set(texts.leaves[closest]))
    return OverlapCluster(
        kind=kind,
        leader=urls[leader],
        members=tuple(sorted(ClusterMember(urls[n], round(share, 4)) for n, share in cluster)),
        leaf=texts.hashes[shared],
    )
