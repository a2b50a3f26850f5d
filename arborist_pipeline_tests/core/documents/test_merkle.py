"""Trees against the RFC's own recursion, kept here as the slow oracle, and against published roots."""

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.merkle import (
    EMPTY_ROOT,
    Node,
    build_tree,
    compute_root,
    consistency_coordinates,
    hash_children,
    hash_leaf,
    inclusion_coordinates,
)

SIZES = st.integers(min_value=1, max_value=70)


def leaves(size):
    return [hash_leaf(f"leaf-{number}".encode()) for number in range(size)]


def split_below(size):
    """The largest power of two below a size (RFC 9162 §2.1.1)."""
    half = 1
    while half * 2 < size:
        half *= 2
    return half


def slow_root(hashes):
    if len(hashes) < 2:
        return hashes[0] if hashes else sha256(b"").digest()
    half = split_below(len(hashes))
    return sha256(b"\x01" + slow_root(hashes[:half]) + slow_root(hashes[half:])).digest()


def slow_path(index, hashes):
    if len(hashes) == 1:
        return []
    half = split_below(len(hashes))
    if index < half:
        return [*slow_path(index, hashes[:half]), slow_root(hashes[half:])]
    return [*slow_path(index - half, hashes[half:]), slow_root(hashes[:half])]


def slow_consistency(old_size, hashes, *, known=True):
    if old_size == len(hashes):
        return [] if known else [slow_root(hashes)]
    half = split_below(len(hashes))
    if old_size <= half:
        return [*slow_consistency(old_size, hashes[:half], known=known), slow_root(hashes[half:])]
    return [*slow_consistency(old_size - half, hashes[half:], known=False), slow_root(hashes[:half])]


def test_leaf_and_node_hashes_carry_different_prefixes():
    assert hash_leaf(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert hash_leaf(b"ab" * 32) != hash_children(b"ab" * 16, b"ab" * 16)


def test_an_empty_tree_has_the_hash_of_nothing_and_one_leaf_is_its_own_root():
    assert build_tree([]).root == EMPTY_ROOT == sha256(b"").digest()
    assert build_tree([]).size == 0
    assert build_tree(leaves(1)).root == leaves(1)[0]


def test_a_last_leaf_is_never_doubled():
    three = leaves(3)
    assert build_tree(three).root != build_tree([*three, three[-1]]).root


@pytest.mark.parametrize("size", range(70))
def test_roots_are_those_of_the_recursive_definition(size):
    assert build_tree(leaves(size)).root == slow_root(leaves(size))


@given(SIZES, st.data())
def test_paths_are_those_of_the_recursive_definition(size, data):
    index = data.draw(st.integers(0, size - 1))
    old_size = data.draw(st.integers(1, size))
    tree = build_tree(leaves(size))
    assert list(tree.inclusion_path(index)) == slow_path(index, leaves(size))
    assert list(tree.consistency_path(old_size)) == slow_consistency(old_size, leaves(size))


def test_coordinates_are_those_of_the_drawing():
    assert inclusion_coordinates(2, 5) == (Node(0, 3), Node(1, 0), Node(2, 1))
    assert inclusion_coordinates(4, 5) == (Node(2, 0),)
    assert consistency_coordinates(3, 5) == (Node(0, 2), Node(0, 3), Node(1, 0), Node(2, 1))
    assert consistency_coordinates(4, 5) == (Node(2, 1),)
    assert consistency_coordinates(5, 5) == ()


@pytest.mark.parametrize(("index", "size"), [(0, 0), (1, 1), (5, 5), (-1, 5)])
def test_a_leaf_outside_the_tree_has_no_path(index, size):
    with pytest.raises(IndexError, match="no leaf"):
        build_tree(leaves(size)).inclusion_path(index)


@pytest.mark.parametrize(("old_size", "size"), [(0, 0), (0, 3), (4, 3), (-1, 3)])
def test_what_is_no_older_tree_has_no_consistency_path(old_size, size):
    with pytest.raises(IndexError, match="no beginning"):
        build_tree(leaves(size)).consistency_path(old_size)


@given(st.lists(st.binary(max_size=3), max_size=20), st.lists(st.binary(max_size=3), max_size=20))
def test_different_contents_have_different_roots(first, second):
    same = build_tree(map(hash_leaf, first)).root == build_tree(map(hash_leaf, second)).root
    assert same == (first == second)


def test_published_roots_of_certificate_transparency_hold():
    contents = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    hashes = [hash_leaf(bytes.fromhex(content)) for content in contents]
    assert build_tree(hashes).root.hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    assert build_tree(hashes[:7]).root.hex() == "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"


@pytest.mark.shared
def test_all_shared_roots_hold(shared):
    folder = shared / "conformance" / "merkle"
    published = json.loads((folder / "rfc6962-roots.json").read_text())
    hashes = [hash_leaf(bytes.fromhex(content)) for content in published["leaves_hex"]]
    assert [build_tree(hashes[:size]).root.hex() for size in range(9)] == published["roots_by_size"]
    generated = json.loads((folder / "generated-roots-0-300.json").read_text())["roots_by_size"]
    assert len(generated) == 301
    assert [build_tree(leaves(size)).root.hex() for size in range(301)] == generated


def test_a_root_computed_on_the_way_is_the_tree_s():
    for size in range(70):
        leaves = [hash_leaf(bytes([number])) for number in range(size)]
        assert compute_root(iter(leaves)) == (build_tree(leaves).root, size)
