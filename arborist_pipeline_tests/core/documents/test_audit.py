"""Stored rows are what their hashes say, or what is wrong with them is said."""

import zlib
from datetime import timedelta
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.audit import (
    BodyRow,
    LeafRow,
    MainRow,
    VersionRow,
    audit_body,
    audit_documents,
    audit_main_text,
    audit_versions,
)
from arborist_pipeline.core.documents.document import build_document, build_document_from_text
from arborist_pipeline.core.documents.merkle import EMPTY_ROOT
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline_tests.support.builders import NOON

URI = "https://shop.example/a"


def leaf_rows(text, *, number=1):
    document = build_document_from_text(URI, text)
    head = (number, URI, document.recipe, document.document_root, len(document.chunks))
    if not document.chunks:
        return [LeafRow(*head, None, None, None)]
    return [LeafRow(*head, position, chunk.leaf_hash, chunk.text.encode())
            for position, chunk in enumerate(document.chunks)]  # fmt: skip


LONG = "\n".join(f"Line {number} of a text that is long enough to be cut into several chunks." for number in range(60))


@given(texts=st.lists(st.text(), max_size=4))
def test_what_was_built_is_sound(texts):
    rows = [row for number, text in enumerate(texts) for row in leaf_rows(text, number=number)]
    assert list(audit_documents(rows)) == [()] * len(texts)


def test_an_empty_document_is_sound_and_one_that_lost_its_chunks_is_not():
    (row,) = leaf_rows("")
    assert list(audit_documents([row])) == [()]
    (found,) = audit_documents([row._replace(root=leaf_rows("x")[0].root, leaf_count=1)])
    assert len(found) == 2


@given(data=st.data())
def test_no_change_of_one_byte_of_any_chunk_goes_unseen(data):
    rows = leaf_rows(LONG)
    place = data.draw(st.integers(0, len(rows) - 1))
    text = bytearray(rows[place].text)
    text[data.draw(st.integers(0, len(text) - 1))] ^= data.draw(st.integers(1, 255))
    rows[place] = rows[place]._replace(text=bytes(text))
    (found,) = audit_documents(rows)
    assert [damage.uri for damage in found] == [URI]
    assert f"chunk {place} " in found[0].what


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda rows: rows[1:], "chunks are stored"),
        (lambda rows: rows[:-1], "chunks are stored"),
        (lambda rows: [*rows, rows[-1]], "chunks are stored"),
        (lambda rows: [rows[1], rows[0], *rows[2:]], "lead to the root"),
        (lambda rows: [row._replace(root=bytes(32)) for row in rows], "lead to the root"),
        (lambda rows: [row._replace(recipe="norm-v0") for row in rows], "recipe 'norm-v0' is unknown"),
        (lambda rows: [rows[0]._replace(text=None), *rows[1:]], "chunk 0 is missing"),
    ],
)
def test_each_kind_of_damage_is_named(change, words):
    (found,) = audit_documents(change(leaf_rows(LONG)))
    assert any(words in damage.what for damage in found)


def test_damage_of_one_document_says_nothing_of_the_next():
    rows = [*leaf_rows(LONG, number=1)[1:], *leaf_rows("Sound.", number=2)]
    first, second = audit_documents(rows)
    assert first
    assert second == ()


def test_a_body_that_is_what_its_name_says_is_sound():
    body = b"<p>Hello" * 100
    assert audit_body(BodyRow(sha256(body).digest(), len(body), zlib.compress(body))) is None


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (BodyRow(sha256(b"a").digest(), 1, zlib.compress(b"b")), "does not hash"),
        (BodyRow(sha256(b"a").digest(), 2, zlib.compress(b"a")), "1 bytes, 2 are noted"),
        (BodyRow(sha256(b"a").digest(), 1, b"\xff\x00"), "cannot be decompressed"),
        (BodyRow(sha256(b"a").digest(), 1, zlib.compress(b"a")[:-6]), "does not hash"),
        (BodyRow(sha256(b"a").digest(), 1, zlib.compress(b"a")[:-1]), "cut short"),
        (BodyRow(sha256(b"a").digest(), 1, b""), "does not hash"),
        (BodyRow(sha256(b"a").digest(), 1, None), "no content"),
        (BodyRow(sha256(b"a").digest(), 1, zlib.compress(bytes(10**8))), "does not hash"),
    ],
)
def test_a_damaged_body_is_named(row, words):
    assert words in audit_body(row)


MARKUP = f"<title>t</title><body><nav>Home Shop Cart</nav><main><p>{'A lamp for a desk. ' * 20}</main>".encode()


def main_row(markup=MARKUP, **changes):
    document = build_document("u", parse_body(markup, url="u", headers={}))
    stored = BodyRow(sha256(markup).digest(), len(markup), zlib.compress(markup))
    return MainRow("u", document.document_root, document.main_root, document.main_characters, None, stored)._replace(
        **changes
    )


def test_a_main_text_is_read_again_from_its_body():
    assert main_row().main_root != main_row().root
    assert audit_main_text(main_row()) is None


@pytest.mark.parametrize(("changes", "words"), [
    ({"main_root": b"x" * 32}, "its main text leads to the root"),
    ({"main_characters": 7}, "7 are noted"),
    ({"root": b"x" * 32}, None),  # another document by now: `audit_documents` tells whether that is damage
    ({"body": BodyRow(sha256(b"a").digest(), 1, b"no zlib")}, None),  # `audit_body` tells
])  # fmt: skip
def test_what_is_wrong_with_a_main_text_is_said(changes, words):
    said = audit_main_text(main_row(**changes))
    assert said is None if words is None else words in said


def test_a_body_that_came_with_another_content_type_than_the_newest_is_read_by_its_own_marks():
    markup = b"<meta charset=utf-8>" + MARKUP.replace(b"lamp", "lämp".encode())
    row = main_row(markup, content_type="text/html; charset=windows-1251")
    assert audit_main_text(row) is None
    assert "7 are noted" in (audit_main_text(row._replace(main_characters=7)) or "")


OLD, NEW = b"o" * 32, b"n" * 32


def version(root, *, is_current, shown=NEW, uri=URI, hours=1):
    return VersionRow(1, uri, "r", root, is_current, NOON, NOON + timedelta(hours=hours), shown)


@pytest.mark.parametrize("versions", [
    [version(OLD, is_current=False), version(NEW, is_current=True)],
    [version(OLD, is_current=False, shown=None), version(NEW, is_current=False, shown=None)],  # gone
    [version(OLD, is_current=True, shown=b"x" * 32)],  # what was read is not stored
    [version(EMPTY_ROOT, is_current=False, shown=EMPTY_ROOT), version(NEW, is_current=True, shown=EMPTY_ROOT)],
    [version(NEW, is_current=True), version(NEW, is_current=True, uri="https://shop.example/b")],
    [version(NEW, is_current=True)._replace(site_id=site) for site in (2, 1)],
])  # fmt: skip
def test_versions_of_which_the_one_read_last_is_current_are_sound(versions):
    assert list(audit_versions(versions)) == []


@pytest.mark.parametrize(("versions", "words"), [
    ([version(OLD, is_current=True), version(NEW, is_current=True)], "2 of its versions are marked"),
    ([version(OLD, is_current=True), version(NEW, is_current=False)], "its current version is not 6e6e"),
    ([version(OLD, is_current=False), version(NEW, is_current=False)], "its current version is not 6e6e"),
    ([version(NEW, is_current=True, hours=-1)], "was seen last before it was seen first"),
])  # fmt: skip
def test_a_version_that_stands_where_another_should_is_named(versions, words):
    (damage,) = audit_versions(versions)
    assert damage.uri == URI
    assert words in damage.what


@pytest.mark.parametrize(("changes", "words"), [
    ({"characters": 3}, "3 are noted"), ({"status": "empty"}, "its status is 'empty'"),
])  # fmt: skip
def test_what_a_row_notes_of_its_chunks_is_held_against_them(changes, words):
    ((damage,),) = audit_documents(row._replace(**changes) for row in rows_of("One lamp."))
    assert words in damage.what


def rows_of(text):
    document = build_document_from_text("u", text)
    return [LeafRow(1, "u", document.recipe, document.document_root, len(document.chunks), position, chunk.leaf_hash,
                    chunk.text.encode(), document.characters, document.status)
            for position, chunk in enumerate(document.chunks)]  # fmt: skip


def test_a_row_that_notes_what_its_chunks_have_is_sound():
    assert list(audit_documents(rows_of("Öne lamp."))) == [()]
