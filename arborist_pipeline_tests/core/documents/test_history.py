"""Versions in the order they were seen; a diff that rebuilds the new text from the old one."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.document import build_document_from_text
from arborist_pipeline.core.documents.history import (
    Change,
    DocumentFacts,
    Edge,
    build_versions,
    diff_chunks,
    diff_lines,
    restore_text,
)
from arborist_pipeline.core.errors import RootMismatch
from arborist_pipeline_tests.support.builders import NOON

A, B, C = (bytes([number]) * 32 for number in (1, 2, 3))


def day(number):
    return NOON + timedelta(days=number)


def held(root, first, last, *, is_current=False, recipe="r"):
    return DocumentFacts(recipe, root, root, "t", "ok", 1, 9, is_current, day(first), day(last))


def edge(from_root, to_root, at, recipe="r"):
    return Edge(recipe, from_root, to_root, day(at))


def told(versions):
    return [
        (each.number, each.document.root, (each.observed_at - NOON).days, (each.last_seen_at - NOON).days,
         each.supersedes, each.is_current)
        for each in versions
    ]  # fmt: skip


@pytest.mark.parametrize(("documents", "edges", "expected"), [
    ([], [], []),
    ([held(A, 0, 3, is_current=True)], [], [(1, A, 0, 3, None, True)]),
    ([held(A, 0, 3), held(B, 4, 6, is_current=True)], [edge(A, B, 4)], [
        (1, A, 0, 3, None, False), (2, B, 4, 6, A, True)]),
    # A, B, A again: two documents, three versions
    ([held(A, 0, 9, is_current=True), held(B, 2, 4)], [edge(A, B, 2), edge(B, A, 5)], [
        (1, A, 0, 2, None, False), (2, B, 2, 4, A, False), (3, A, 5, 9, B, True)]),
    # gone since: nothing is current
    ([held(A, 0, 3)], [], [(1, A, 0, 3, None, False)]),
    # the same text under a new recipe stands beside the old one, without an edge
    ([held(A, 0, 1), held(B, 2, 2, is_current=True, recipe="s")], [], [
        (1, A, 0, 1, None, False), (2, B, 2, 2, None, True)]),
    # an edge to a document that is not there is left aside
    ([held(A, 0, 3, is_current=True)], [edge(A, C, 2)], [(1, A, 0, 3, None, True)]),
])  # fmt: skip
def test_versions_are_told_as_they_were_seen(documents, edges, expected):
    assert told(build_versions(documents, edges)) == expected
    assert told(build_versions(reversed(documents), reversed(edges))) == expected


texts = st.lists(st.sampled_from(["one", "two", "three", "four " * 20, "five " * 300]), max_size=12).map("\n".join)


@given(texts, texts)
def test_a_diff_turns_the_old_chunks_into_the_new_ones(old_text, new_text):
    old, new = (build_document_from_text("u", text).chunks for text in (old_text, new_text))
    changes = diff_chunks(old, new)
    rebuilt = [chunk.text for chunk in old]
    for change in reversed(changes):
        stop = change.old_position + len(change.removed)
        assert tuple(rebuilt[change.old_position : stop]) == change.removed
        rebuilt[change.old_position : stop] = change.added
    assert rebuilt == [chunk.text for chunk in new]
    assert bool(changes) == (old != new)


@given(texts, texts)
def test_the_lines_of_a_change_are_those_that_went_and_came(old, new):
    lines = list(diff_lines(Change(0, 0, tuple(old.split("\n")), tuple(new.split("\n")))))
    went = [line[1:] for line in lines if line[0] == "-"]
    came = [line[1:] for line in lines if line[0] == "+"]
    assert len(old.split("\n")) - len(went) == len(new.split("\n")) - len(came)
    assert {line[0] for line in lines} <= {"-", "+", " "}
    assert (went == came == []) == (old == new)


def test_a_change_of_thousands_of_lines_is_told_without_comparing_them():
    old, new = (tuple(f"{name} {number}" for number in range(4_000)) for name in ("old", "new"))
    assert list(diff_lines(Change(0, 0, old, new))) == [f"-{line}" for line in old] + [f"+{line}" for line in new]


def test_a_text_comes_back_and_a_wrong_one_does_not():
    document = build_document_from_text(
        "u", "\n".join(f"Line {number} of a text with some length." for number in range(99))
    )
    facts = DocumentFacts(document.recipe, document.document_root, document.main_root, None, "ok",
                          len(document.chunks), 1, True, NOON, NOON)  # fmt: skip
    assert restore_text(facts, document.chunks).count("\n") == 98
    with pytest.raises(RootMismatch):
        restore_text(facts, document.chunks[1:])
