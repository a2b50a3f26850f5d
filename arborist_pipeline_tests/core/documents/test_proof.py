"""Proofs: every honest one verifies, no spoiled one does, and foreign vectors agree."""

import json
from base64 import b64decode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.document import RECIPE, build_document_from_text
from arborist_pipeline.core.documents.merkle import EMPTY_ROOT, build_tree, hash_leaf
from arborist_pipeline.core.documents.proof import (
    MAX_TREE_SIZE,
    PageProof,
    build_proof,
    is_page_proof,
    parse_page_proof,
    parse_proof,
    root_from_path,
    root_from_proof,
    verify_consistency,
    verify_inclusion,
    verify_page,
)
from arborist_pipeline.core.documents.site_tree import hash_page
from arborist_pipeline.core.errors import MalformedProof, MerkleError, RootMismatch

# 4,000 letters a line make a chunk a line, so a document of any number of chunks.
LETTERS = "abcdefghijklmnopqrstu"
SIZES = st.integers(1, len(LETTERS))


def document(size):
    return build_document_from_text("https://oak.example/", "\n".join(letter * 4_000 for letter in LETTERS[:size]))


def proof(size=5, index=2):
    return build_proof(document(size), index)


def leaves(size):
    return [hash_leaf(f"leaf-{number}".encode()) for number in range(size)]


def flip(data, bit):
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def holds(inclusion_proof):
    try:
        verify_inclusion(inclusion_proof)
    except MerkleError:
        return False
    return True


@given(SIZES, st.data())
def test_every_chunk_of_a_document_has_a_proof_that_survives_json(size, data):
    built = build_proof(document(size), data.draw(st.integers(0, size - 1)))
    verify_inclusion(built)
    assert root_from_proof(built) == built.root
    again = parse_proof(json.loads(json.dumps(built.to_json())))
    assert again == built
    verify_inclusion(again)


def test_a_proof_is_these_json_values():
    assert build_proof(build_document_from_text("urn:x", "oak"), 0).to_json() == {
        "recipe": RECIPE,
        "root": hash_leaf(b"oak").hex(),
        "tree_size": 1,
        "leaf_index": 0,
        "chunk": "oak",
        "path": [],
    }


@pytest.mark.parametrize("index", [-1, 5, 6])
def test_a_chunk_that_is_not_there_has_no_proof(index):
    with pytest.raises(IndexError):
        build_proof(document(5), index)


@pytest.mark.parametrize("index", range(5))
def test_no_one_bit_change_of_hashes_chunk_index_or_recipe_verifies(index):
    good = proof(index=index)
    spoiled = [replace(good, root=flip(good.root, bit)) for bit in range(256)]
    for place, node in enumerate(good.path):
        spoiled += [
            replace(good, path=(*good.path[:place], flip(node, bit), *good.path[place + 1 :])) for bit in range(256)
        ]
    spoiled += [replace(good, leaf_index=good.leaf_index ^ 1 << bit) for bit in range(64)]
    spoiled += [replace(good, chunk=flip(good.chunk.encode(), bit).decode("latin-1")) for bit in range(0, 32_000, 997)]
    spoiled += [
        replace(good, recipe=flip(good.recipe.encode(), bit).decode("latin-1")) for bit in range(len(RECIPE) * 8)
    ]
    assert [change for change in spoiled if holds(change)] == []


def test_a_changed_tree_size_verifies_only_where_the_path_has_the_same_shape():
    """RFC 6962 roots do not hold the leaf count; the size is bound as far as the path tells sizes apart."""
    assert {size for size in range(70) if holds(replace(proof(size=5, index=4), tree_size=size))} == {5}
    assert {size for size in range(70) if holds(replace(proof(size=5, index=0), tree_size=size))} == {5, 6, 7, 8}


@given(SIZES, st.data())
def test_a_path_too_short_or_too_long_is_malformed(size, data):
    good = build_proof(document(size), data.draw(st.integers(0, size - 1)))
    extra = data.draw(st.sampled_from([good.root, good.path[0] if good.path else b"\x00" * 32]))
    for path in ((*good.path, extra), (extra, *good.path), good.path[:-1] if good.path else (extra,)):
        with pytest.raises(MalformedProof, match="hashes where"):
            verify_inclusion(replace(good, path=path))


def test_a_mismatch_names_both_roots():
    good = proof()
    with pytest.raises(RootMismatch) as caught:
        verify_inclusion(replace(good, chunk="other"))
    assert caught.value.expected == good.root
    assert caught.value.computed == root_from_proof(replace(good, chunk="other"))
    assert caught.value.expected.hex() in str(caught.value)


@pytest.mark.parametrize(
    "change",
    [
        {"root": b""},
        {"root": EMPTY_ROOT},
        {"root": b"\x00" * 31},
        {"tree_size": 0},
        {"tree_size": -1},
        {"tree_size": 2, "path": ()},
        {"tree_size": MAX_TREE_SIZE + 1},
        {"leaf_index": 5},
        {"leaf_index": -1},
        {"path": (b"", b"", b"")},
        {"path": (b"\x00" * 32, b"\x00" * 33, b"\x00" * 32)},
        {"chunk": "\ud800"},
        {"recipe": ""},
        {"recipe": "norm-v0/body-v1/blocks-v1/rfc6962-sha256"},
    ],
)
def test_what_no_tree_can_have_is_malformed(change):
    with pytest.raises(MalformedProof):
        verify_inclusion(replace(proof(), **change))


@pytest.mark.parametrize("leaf_hash", [b"", b"\x00" * 31, b"\x00" * 33])
def test_a_leaf_hash_of_another_length_is_malformed(leaf_hash):
    with pytest.raises(MalformedProof, match="32 bytes"):
        root_from_path(leaf_hash, 0, 1, ())


GOOD = proof().to_json()


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "proof",
        {},
        *[{name: value for name, value in GOOD.items() if name != absent} for absent in GOOD],
        *[GOOD | {name: None} for name in GOOD],
        GOOD | {"recipe": 1},
        GOOD | {"chunk": ["a"]},
        GOOD | {"root": str(GOOD["root"]).upper()},
        GOOD | {"root": str(GOOD["root"])[:-2]},
        GOOD | {"root": " " + str(GOOD["root"])[1:]},
        GOOD | {"tree_size": 5.0},
        GOOD | {"tree_size": "5"},
        GOOD | {"leaf_index": True},
        GOOD | {"leaf_index": -1},
        GOOD | {"leaf_index": 2**64},
        GOOD | {"path": "ab"},
        GOOD | {"path": {}},
        GOOD | {"path": [1]},
        GOOD | {"path": [""]},
    ],
)
def test_other_json_is_malformed(data):
    with pytest.raises(MalformedProof):
        parse_proof(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "uri"]) | st.text(), inner),
)


@given(JSON | st.dictionaries(st.sampled_from(list(GOOD)), JSON | st.sampled_from(list(GOOD.values()))))
def test_any_json_is_a_proof_or_malformed(data):
    try:
        parsed = parse_proof(data)
    except MalformedProof:
        return
    assert parse_proof(parsed.to_json()) == parsed
    assert holds(parsed) == (parsed == proof())


def test_fields_beside_the_six_are_left_aside():
    assert parse_proof(GOOD | {"uri": "https://oak.example/"}) == proof()


@given(st.integers(1, 70), st.data())
def test_an_older_tree_is_proved_to_begin_a_newer_one(size, data):
    old_size = data.draw(st.integers(1, size))
    tree, old = build_tree(leaves(size)), build_tree(leaves(old_size))
    path = tree.consistency_path(old_size)
    verify_consistency(old_size=old_size, size=size, old_root=old.root, root=tree.root, path=path)
    bit = data.draw(st.integers(0, 255))
    spoiled = [(flip(old.root, bit), tree.root, path), (old.root, flip(tree.root, bit), path)]
    spoiled += [(old.root, tree.root, (*path[:n], flip(node, bit), *path[n + 1 :])) for n, node in enumerate(path)]
    spoiled += [(old.root, tree.root, (*path, old.root)), (old.root, tree.root, path[1:] if path else (old.root,))]
    for old_root, root, changed in spoiled:
        with pytest.raises(MerkleError):
            verify_consistency(old_size=old_size, size=size, old_root=old_root, root=root, path=changed)


def unpack(value):
    return b64decode(value) if value else b""


@pytest.mark.shared
def test_foreign_inclusion_vectors_hold_and_the_spoiled_ones_fail(shared):
    path = shared / "conformance" / "merkle" / "inclusion.jsonl"
    vectors = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(vectors) == 98
    for vector in vectors:
        try:
            hashes = [unpack(node) for node in vector["proof"] or []]
            computed = root_from_path(unpack(vector["leafHash"]), vector["leafIdx"], vector["treeSize"], hashes)
            fails = computed != unpack(vector["root"])
        except MalformedProof:
            fails = True
        assert fails == vector["wantErr"], vector["id"]


@pytest.mark.shared
def test_generated_and_large_tree_inclusion_vectors_hold(shared):
    folder = shared / "conformance" / "merkle"
    vectors = [json.loads(line) for line in (folder / "generated-inclusion.jsonl").read_text().splitlines()]
    assert len(vectors) == 213
    large = json.loads((folder / "ct-large-tree-inclusion.json").read_text())
    assert hash_leaf(bytes.fromhex(large["leaf_data_hex"])).hex() == large["leaf_hash"]
    for vector in (*vectors, large):
        path = [bytes.fromhex(node) for node in vector["proof"]]
        leaf = bytes.fromhex(vector["leaf_hash"])
        assert root_from_path(leaf, vector["leaf_index"], vector["tree_size"], path).hex() == vector["root"]
    for vector in vectors:
        tree = build_tree(leaves(vector["tree_size"]))
        assert [node.hex() for node in tree.inclusion_path(vector["leaf_index"])] == vector["proof"]


@pytest.mark.shared
def test_foreign_consistency_vectors_hold_and_the_spoiled_ones_fail(shared):
    folder = shared / "conformance" / "merkle"
    foreign = [json.loads(line) for line in (folder / "consistency.jsonl").read_text().splitlines()]
    generated = [json.loads(line) for line in (folder / "generated-consistency.jsonl").read_text().splitlines()]
    assert (len(foreign), len(generated)) == (98, 101)
    for vector in (*foreign, *generated):
        read = unpack if "wantErr" in vector else bytes.fromhex
        try:
            verify_consistency(
                old_size=vector["size1"],
                size=vector["size2"],
                old_root=read(vector["root1"]),
                root=read(vector["root2"]),
                path=[read(node) for node in vector["proof"] or []],
            )
            fails = False
        except MerkleError:
            fails = True
        assert fails == vector.get("wantErr", False), vector
    for vector in generated:
        path = build_tree(leaves(vector["size2"])).consistency_path(vector["size1"])
        assert [node.hex() for node in path] == vector["proof"]


PAGES = [(f"https://a.example/{number}", bytes([number]) * 32) for number in range(7)]
SITE = build_tree(hash_page(url, root) for url, root in PAGES)


def page_proof(index):
    url, root = PAGES[index]
    return PageProof(root=SITE.root, tree_size=SITE.size, leaf_index=index, url=url, document_root=root,
                     path=SITE.inclusion_path(index))  # fmt: skip


def test_a_page_of_a_site_has_a_proof_that_comes_through_json():
    for index in range(len(PAGES)):
        proof = parse_page_proof(json.loads(json.dumps(page_proof(index).to_json())))
        assert proof == page_proof(index)
        verify_page(proof)


@pytest.mark.parametrize("change", [
    {"url": "https://a.example/other"}, {"document_root": "00" * 32}, {"root": "00" * 32}, {"leaf_index": 4},
    {"tree_size": 3}, {"tree_size": 0}, {"tree_size": 10**9}, {"path": []}, {"path": ["00" * 32] * 3}, {"path": None},
    {"root": EMPTY_ROOT.hex()}, {"leaf_index": -1}, {"leaf_index": True}, {"url": 3}, {"url": "\ud800"},
    {"recipe": "x"}, {"document_root": "AB" * 32}, {"root": None},
])  # fmt: skip
def test_a_changed_proof_of_a_page_does_not_hold(change):
    with pytest.raises(MerkleError):
        verify_page(parse_page_proof(page_proof(3).to_json() | change))


@pytest.mark.parametrize("claim", [None, [], "proof", {}, 3])
def test_what_is_no_object_is_no_proof_of_a_page(claim):
    assert not is_page_proof(claim)
    with pytest.raises(MalformedProof):
        parse_page_proof(claim)
