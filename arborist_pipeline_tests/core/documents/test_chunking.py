"""Chunk borders: the rule restated slowly, its laws under random edits, and the shared vectors."""

import json
import os
import random
import subprocess
import sys
from hashlib import sha256

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arborist_pipeline.core.documents.chunking import MAX_CHUNK_CHARACTERS, split_chunks
from arborist_pipeline.core.documents.merkle import build_tree, hash_leaf

WORDS = (
    "oak elm ash yew bark root leaf seed graft prune mulch soil frost bloom trunk sap twig spade hedge orchard".split()
)


def prose(seed, count):
    """Lines like those of a page: many short ones, some paragraphs, now and then a very long one."""
    dice = random.Random(seed)
    lines = []
    for _ in range(count):
        words = dice.choices([2, 12, 60, 900], weights=[50, 30, 19, 1])[0]
        lines.append(" ".join(dice.choice(WORDS) for _ in range(dice.randint(1, words))))
    return lines


def mark(line):
    return int(sha256(line.encode()).hexdigest()[:8], 16)


def line_with(length, *, thirds=False, eighths=False):
    """A line of this many digits whose mark is divisible by 3, by 8, or not, as asked."""
    lines = (f"{number:0{length}d}" for number in range(1_000))
    return next(line for line in lines if ((mark(line) % 3 == 0), (mark(line) % 8 == 0)) == (thirds, eighths))


def test_an_empty_text_has_no_chunks():
    assert split_chunks("") == ()


@pytest.mark.parametrize(
    ("lines", "lengths"),
    [
        pytest.param([line_with(40, thirds=True), "b"], [40, 1], id="a line of 40 closes by its own hash"),
        pytest.param([line_with(40, eighths=True), "b"], [42], id="and stays open by it"),
        pytest.param([line_with(39, thirds=True), "b"], [41], id="a line of 39 never closes a short chunk"),
        pytest.param([line_with(1_499), line_with(5, eighths=True), "b"], [1_505, 1], id="but may a chunk of 1,500"),
        pytest.param([line_with(1_494), line_with(5, eighths=True), "b"], [1_500, 1], id="of 1,500 to the letter"),
        pytest.param([line_with(1_493), line_with(5, eighths=True), "b"], [1_501], id="not of 1,499"),
        pytest.param([line_with(1_499), line_with(5, thirds=True), "b"], [1_507], id="there a third does not count"),
        pytest.param(["x" * 4_000, "b"], [4_000, 1], id="a chunk at the cap takes no more"),
        pytest.param([line_with(2_000), line_with(1_999), "b"], [4_000, 1], id="a chunk may reach the cap"),
        pytest.param([line_with(2_000), line_with(1_999, eighths=True)], [4_000], id="and close there once"),
        pytest.param([line_with(2_000), line_with(1_998), "bb"], [3_999, 2], id="not pass it by a letter"),
    ],
)
def test_chunks_close_where_the_rule_says(lines, lengths):
    chunks = split_chunks("\n".join(lines))
    assert [len(chunk) for chunk in chunks] == lengths
    assert "\n".join(chunks) == "\n".join(lines)


@pytest.mark.parametrize(
    ("line", "lengths"),
    [
        ("x" * 4_000, [4_000]),
        ("x" * 9_001, [4_000, 4_000, 1_001]),
        ("x" * 4_000 + " " + "y" * 10, [4_000, 10]),
        ("x" * 3_999 + " " + "y" * 10, [3_999, 10]),
        ("x" * 10 + " " + "y" * 4_000, [10, 4_000]),
        ("é" * 4_001, [4_000, 1]),
    ],
)
def test_a_line_over_the_cap_is_cut_at_its_last_space_that_fits(line, lengths):
    chunks = split_chunks(line)
    assert [len(piece) for chunk in chunks for piece in chunk.split("\n")] == lengths
    assert "".join(chunks).replace("\n", "").replace(" ", "") == line.replace(" ", "")


@given(st.text(alphabet="ab \n\u00e9\U0001f33f", max_size=300).map(lambda text: text * 60))
@example("x " * 5_000)
@example("\n" * 5_000)
def test_chunks_are_small_and_joined_give_the_text_again(text):
    chunks = split_chunks(text)
    assert all(len(chunk) <= MAX_CHUNK_CHARACTERS for chunk in chunks)
    if all(len(line) <= MAX_CHUNK_CHARACTERS for line in text.split("\n")):
        assert "\n".join(chunks) == text
    else:
        assert "".join("".join(chunks).split()) == "".join(text.split())


@settings(max_examples=300)
@given(
    st.integers(0, 10**6),
    st.integers(1, 200),
    st.sampled_from(["insert", "delete", "edit", "append a word"]),
    st.data(),
)
def test_one_edited_line_changes_at_most_six_old_chunks(seed, count, edit, data):
    lines = prose(seed, count)
    before = split_chunks("\n".join(lines))
    position = data.draw(st.integers(0, count - 1))
    new = prose(seed + 1, 1)[0]
    if edit == "insert":
        lines.insert(position, new)
    elif edit == "delete":
        del lines[position]
    else:
        lines[position] = new if edit == "edit" else f"{lines[position]} {new.split()[0]}"
    after = split_chunks("\n".join(lines))
    assert len(set(before) - set(after)) <= 6


def test_the_same_text_gives_the_same_chunks_in_any_process():
    program = (
        "from arborist_pipeline.core.documents.chunking import split_chunks\n"
        "from hashlib import sha256\n"
        "text = '\\n'.join('line %d ' % n * (n % 30 + 1) for n in range(400))\n"
        "print(sha256(repr(split_chunks(text)).encode()).hexdigest())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1


def test_chunks_of_a_fixed_text_are_these():
    lines = [" ".join(WORDS[(n * n + k * 7) % 20] for k in range(n * 13 % 47 + 1)) for n in range(60)]
    chunks = split_chunks("\n".join(lines))
    lengths = [75, 145, 515, 238, 60, 946, 182, 452, 789, 120, 781, 1089, 579, 80, 350, 128, 172, 296, 425]
    assert [len(chunk) for chunk in chunks] == lengths
    root = build_tree(hash_leaf(chunk.encode()) for chunk in chunks).root
    assert root.hex() == "34a3de9f28d43bded8436f11e59565b5cee724aca77b39e1c580ae008074ea71"


@pytest.mark.shared
def test_all_shared_vectors_hold(shared):
    path = shared / "conformance" / "normalisation" / "blocks-v1-vectors.jsonl"
    vectors = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(vectors) == 31
    for vector in vectors:
        chunks = split_chunks(vector["text"])
        hashes = [hash_leaf(chunk.encode()) for chunk in chunks]
        assert [len(chunk) for chunk in chunks] == vector["chunk_lengths"], vector["id"]
        assert [leaf.hex() for leaf in hashes] == vector["leaf_hashes"], vector["id"]
        assert build_tree(hashes).root.hex() == vector["document_root"], vector["id"]
