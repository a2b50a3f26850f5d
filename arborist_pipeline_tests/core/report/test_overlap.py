import json
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.document import build_document
from arborist_pipeline.core.report.overlap import (
    LEADERS_A_LEAF,
    NEAR_SHARE,
    PARTIAL_SHARE,
    OverlapKind,
    SharedLeaf,
    Text,
    build_clusters,
    content_characters,
    frame_lines,
    is_boilerplate,
)
from arborist_pipeline.core.web.page import parse_body


def thousand(_leaf):
    return 1_000


def clusters_of(texts, length=thousand):
    """Cluster documents given as {url: leaves}, leaves being any strings, 1,000 characters each unless told."""
    urls = sorted(texts)
    having = defaultdict(list)
    for number, url in enumerate(urls):
        for leaf in sorted(set(texts[url])):
            having[leaf].append(number)
    return build_clusters(
        [Text(url, sum(length(leaf) for leaf in set(texts[url]))) for url in urls],
        [SharedLeaf(leaf.encode(), length(leaf), documents) for leaf, documents in sorted(having.items())],
    )


def shapes(texts, length=thousand):
    return [
        (cluster.kind, cluster.leader, [member.url for member in cluster.members])
        for cluster in clusters_of(texts, length)
    ]


def test_pages_that_share_most_of_their_text_are_near_and_the_longest_leads():
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


def test_leaves_weigh_by_their_characters_so_that_a_short_common_line_joins_nobody():
    lengths = {"line": 150, "one": 4_000, "two": 4_000, "both": 250}
    assert shapes({"/a": ["line", "one"], "/b": ["line", "two"]}, lengths.get) == []
    assert shapes({"/a": ["line"], "/b": ["line"]}, lengths.get) == []
    assert shapes({"/a": ["both"], "/b": ["both"]}, lengths.get) == [(OverlapKind.NEAR, "/a", ["/b"])]


def test_more_leaders_of_one_leaf_than_are_looked_at_still_give_clusters():
    count = LEADERS_A_LEAF * 3
    texts = {f"/p{n:02}": ["common", *(f"{n}-{k}" for k in range(9))] for n in range(count)}
    twins = {f"/q{n:02}": ["common", *(f"{n}-{k}" for k in range(8)), f"own {n}"] for n in range(count)}
    others = {f"/r{n}": [f"r{n}"] for n in range(400)}
    near = [cluster for cluster in clusters_of(texts | twins | others) if cluster.kind is OverlapKind.NEAR]
    assert [(cluster.leader, [member.url for member in cluster.members]) for cluster in near] == [
        (f"/p{n:02}", [f"/q{n:02}"]) for n in range(count)
    ]


@pytest.mark.parametrize(
    ("having", "documents", "expected"),
    [(4, 4, False), (5, 5, True), (5, 16, True), (5, 17, False), (30, 100, False), (31, 100, True)],
)
def test_boilerplate_stands_on_more_than_thirty_percent_and_on_five_at_least(having, documents, expected):
    assert is_boilerplate(having, documents) is expected


def test_lines_of_the_frame_add_nothing_to_a_leaf():
    texts = [f"Home\nCart\nPage {n}\nAll rights reserved" for n in range(6)]
    frame = frame_lines(texts)
    assert frame == {"Home", "Cart", "All rights reserved"}
    assert content_characters("Home\nCart\nOak", frame) == 3
    assert frame_lines(texts[:4]) == frozenset()


def test_the_named_leaf_is_the_longest_that_leader_and_member_share():
    lengths = {"p": 300, "q": 900, "r": 500, "s": 2_000}
    (cluster,) = clusters_of({"/a": "pqr", "/b": "pqrs"}, lengths.get)
    assert cluster.leaf == b"q"


some_texts = st.dictionaries(st.text("abcde", min_size=1, max_size=3), st.text("pqrstuvwxyz", max_size=8), max_size=14)


@given(some_texts)
def test_every_cluster_holds_what_its_kind_promises(texts):
    """Shares are counted again by plain sets; boilerplate counts for the length of a page and for nothing else."""
    leaves = {url: set(text) for url, text in texts.items()}
    counts = {leaf: sum(leaf in own for own in leaves.values()) for own in leaves.values() for leaf in own}
    near_members = set()
    for cluster in clusters_of(texts):
        for member in cluster.members:
            one, other = leaves[cluster.leader], leaves[member.url]
            common = {leaf for leaf in one & other if not is_boilerplate(counts[leaf], len(texts))}
            is_near = cluster.kind is OverlapKind.NEAR
            share = len(common) / (max if is_near else min)(len(one), len(other))
            assert share == pytest.approx(member.share, abs=1e-4)
            assert share >= (NEAR_SHARE if is_near else PARTIAL_SHARE)
            assert len(one) >= len(other)
        urls = {member.url for member in cluster.members} | {cluster.leader}
        assert not (cluster.kind is OverlapKind.PARTIAL and urls & near_members)
        near_members |= {member.url for member in cluster.members} if cluster.kind is OverlapKind.NEAR else set()


@given(some_texts)
def test_of_two_near_pages_one_at_least_is_a_member(texts):
    """With few documents no leader is passed over, so two near pages never both stay outside."""
    leaves = {url: set(text) for url, text in texts.items()}
    counts = {leaf: sum(leaf in own for own in leaves.values()) for own in leaves.values() for leaf in own}
    near = [cluster for cluster in clusters_of(texts) if cluster.kind is OverlapKind.NEAR]
    members = {member.url for cluster in near for member in cluster.members}
    outside = sorted(set(texts) - members)
    for one, other in combinations(outside, 2):
        common = {leaf for leaf in leaves[one] & leaves[other] if not is_boilerplate(counts[leaf], len(texts))}
        assert len(common) < NEAR_SHARE * max(len(leaves[one]), len(leaves[other]), 1)


@pytest.mark.shared
def test_labelled_pairs_of_pages_come_out_near_partial_or_apart(shared):
    """Near: 46 of 48, the rest partial. Excerpts: 13 of 16, the others share no whole leaf. Unrelated: none of 28."""
    folder = shared / "conformance" / "near-duplicates"
    documents, lengths = {}, {}
    for line in (folder / "pages.jsonl").read_text().splitlines():
        row = json.loads(line)
        body, headers = row["html"].encode(), {"content-type": "text/html; charset=utf-8"}
        chunks = build_document(row["id"], parse_body(body, url="https://x.example/", headers=headers)).chunks
        documents[row["id"]] = [chunk.text for chunk in chunks]
        lengths |= {chunk.text: len(chunk.text) for chunk in chunks}
    found = defaultdict(Counter)
    for line in (folder / "pairs.jsonl").read_text().splitlines():
        pair = json.loads(line)
        kinds = [kind for kind, _, _ in shapes({end: documents[pair[end]] for end in ("a", "b")}, lengths.get)]
        relation = "excerpt" if "other heading" in pair["note"] else pair["relation"]
        found[relation][kinds[0] if kinds else None] += 1
    assert found["near"] == {OverlapKind.NEAR: 46, OverlapKind.PARTIAL: 2}
    assert found["excerpt"][None] == 3
    assert found["distinct"] == {None: 28}
