import json
from collections import defaultdict
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.document import build_document
from arborist_pipeline.core.report.overlap import (
    NEAR_SHARE,
    PARTIAL_SHARE,
    OverlapKind,
    build_clusters,
    is_boilerplate,
)
from arborist_pipeline.core.web.page import parse_body


def clusters_of(texts):
    """Cluster documents given as {url: leaves}, leaves being any strings."""
    urls = sorted(texts)
    having = defaultdict(list)
    for number, url in enumerate(urls):
        for leaf in sorted(set(texts[url])):
            having[sha256(leaf.encode()).digest()].append(number)
    return build_clusters(urls, sorted(having.items()))


def shapes(texts):
    return [
        (cluster.kind, cluster.leader, [member.url for member in cluster.members]) for cluster in clusters_of(texts)
    ]


def test_pages_that_share_most_leaves_are_near_and_the_longest_leads():
    texts = {"/a": "pqrs", "/b": "pqrst", "/c": "xyz"}
    assert shapes(texts) == [(OverlapKind.NEAR, "/b", ["/a"])]
    assert clusters_of(texts)[0].members[0].share == 0.8


def test_a_short_page_whose_text_stands_in_a_long_one_is_partial():
    assert shapes({"/long": "abcdefghij", "/short": "abxy"}) == [(OverlapKind.PARTIAL, "/long", ["/short"])]


def test_many_near_pages_are_one_cluster_not_pairs():
    frames = {f"/other{n}": [f"text {n}"] for n in range(100)}
    texts = {f"/p{n}": ["a", "b", "c", f"own {n}"] for n in range(20)} | frames
    assert shapes(texts) == [(OverlapKind.NEAR, "/p0", sorted(f"/p{n}" for n in range(1, 20)))]


def test_a_near_page_takes_part_in_partial_overlap_only_through_its_leader():
    texts = {"/a": "abcdefgh", "/b": "abcdefgi", "/c": "abcxyzuvw"}
    assert shapes(texts) == [(OverlapKind.NEAR, "/a", ["/b"]), (OverlapKind.PARTIAL, "/c", ["/a"])]


def test_a_leaf_of_the_frame_says_nothing_about_two_pages():
    texts = {f"/p{n}": ["menu and footer", f"own {n}"] for n in range(6)}
    assert shapes(texts) == []


@pytest.mark.parametrize(
    ("having", "documents", "expected"),
    [(4, 4, False), (5, 5, True), (5, 16, True), (5, 17, False), (30, 100, False), (31, 100, True)],
)
def test_boilerplate_stands_on_more_than_thirty_percent_and_on_five_at_least(having, documents, expected):
    assert is_boilerplate(having, documents) is expected


def test_the_named_leaf_is_one_that_leader_and_member_share():
    (cluster,) = clusters_of({"/a": "pqrs", "/b": "pqrst"})
    assert cluster.leaf in {sha256(leaf.encode()).digest() for leaf in "pqrs"}


@given(st.dictionaries(st.text("abcde", min_size=1, max_size=3), st.text("pqrstuvwxyz", max_size=8), max_size=14))
def test_every_cluster_holds_what_its_kind_promises(texts):
    """Shares are counted again by plain sets, boilerplate left out."""
    leaves = {url: set(text) for url, text in texts.items()}
    counts = {leaf: sum(leaf in own for own in leaves.values()) for own in leaves.values() for leaf in own}
    own = {
        url: {leaf for leaf in found if not is_boilerplate(counts[leaf], len(texts))} for url, found in leaves.items()
    }
    near_members = set()
    for cluster in clusters_of(texts):
        leader = own[cluster.leader]
        for member in cluster.members:
            sizes = len(leader), len(own[member.url])
            whole = max(sizes) if cluster.kind is OverlapKind.NEAR else min(sizes)
            share = len(leader & own[member.url]) / whole
            assert share == pytest.approx(member.share, abs=1e-4)
            assert share >= (NEAR_SHARE if cluster.kind is OverlapKind.NEAR else PARTIAL_SHARE)
            assert sizes[0] >= sizes[1]
        urls = {member.url for member in cluster.members} | {cluster.leader}
        assert not (cluster.kind is OverlapKind.PARTIAL and urls & near_members)
        near_members |= {member.url for member in cluster.members} if cluster.kind is OverlapKind.NEAR else set()


@given(st.dictionaries(st.text("abcde", min_size=1, max_size=3), st.text("pqrstuvwxyz", max_size=8), max_size=14))
def test_a_pair_that_is_near_leaves_no_page_alone(texts):
    """With few documents no leader is passed over, so two near pages never both lead."""
    leaves = {url: set(text) for url, text in texts.items()}
    if any(is_boilerplate(sum(leaf in own for own in leaves.values()), len(texts)) for leaf in "pqrstuvwxyz"):
        return
    near = [cluster for cluster in clusters_of(texts) if cluster.kind is OverlapKind.NEAR]
    members = {member.url for cluster in near for member in cluster.members}
    leaders = [url for url in texts if url not in members]
    for one in leaders:
        for other in leaders:
            if one < other and leaves[one] | leaves[other]:
                assert len(leaves[one] & leaves[other]) / max(len(leaves[one]), len(leaves[other])) < NEAR_SHARE


@pytest.mark.shared
def test_labelled_pairs_of_pages_come_out_near_partial_or_apart(shared):
    """Near: all 48. Excerpts: 13 of 16, the rest share no whole leaf. Unrelated pages in one frame: none of 28."""
    folder = shared / "conformance" / "near-duplicates"
    documents = {}
    for line in (folder / "pages.jsonl").read_text().splitlines():
        row = json.loads(line)
        page = parse_body(
            row["html"].encode(), url="https://x.example/", headers={"content-type": "text/html; charset=utf-8"}
        )
        documents[row["id"]] = [chunk.text for chunk in build_document(row["id"], page).chunks]
    found = defaultdict(list)
    for line in (folder / "pairs.jsonl").read_text().splitlines():
        pair = json.loads(line)
        kinds = [kind for kind, _, _ in shapes({end: documents[pair[end]] for end in ("a", "b")})]
        relation = "excerpt" if "other heading" in pair["note"] else pair["relation"]
        found[relation].append(kinds[0] if kinds else None)
    assert found["near"] == [OverlapKind.NEAR] * 48
    assert sum(kind is not None for kind in found["excerpt"]) == 13
    assert found["distinct"] == [None] * 28
