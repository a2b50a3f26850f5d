"""Raw bodies: once, compressed, and read back to the byte."""

import hashlib
import os
import zlib

import pytest

from arborist_pipeline.adapters.stores.bodies import put_bodies
from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.schema import bodies
from arborist_pipeline.core.documents.document import RECIPE
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline_tests.adapters.stores.conftest import at, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON


def put(store, *contents):
    with writing(store.engine) as connection:
        return put_bodies(connection, contents, NOON)


def test_the_hash_is_that_of_the_bytes_and_nothing_is_stored_for_nothing(store):
    assert put(store, b"lamp", None, b"") == [hashlib.sha256(b"lamp").digest(), None, hashlib.sha256(b"").digest()]
    assert rows(store, "SELECT size, coding FROM bodies ORDER BY size") == [(0, "zstd"), (4, "zstd")]


def test_what_is_stored_already_is_not_stored_again(store):
    put(store, b"lamp", b"lamp")
    put(store, b"desk", b"lamp")
    assert rows(store, "SELECT count(*) FROM bodies") == [(2,)]


def test_text_takes_less_room_than_it_has_bytes(store):
    put(store, prose("A lamp for a desk. " * 500).encode())
    ((size, stored),) = rows(store, "SELECT size, length(content) FROM bodies")
    assert stored < size / 5


def test_a_body_comes_back_to_the_byte_with_what_reading_it_takes(store):
    raw = prose("Äöü \x00 \x7f") + "\r\n  "
    visit(store, {"/a": raw})
    (stored,) = store.documents.pending_bodies("shop", RECIPE, limit=5)
    assert stored.body == raw.encode()
    assert stored.body_sha256 == hashlib.sha256(stored.body).digest()
    assert (stored.url, stored.fetched_at) == (at("/a"), NOON)
    assert stored.headers == {"content-type": "text/html; charset=utf-8"}


def test_a_body_of_an_older_store_is_read_as_zlib(store):
    visit(store, {"/a": prose()})
    with writing(store.engine) as connection:
        connection.execute(bodies.update().values(coding="zlib", content=zlib.compress(prose().encode())))
    (stored,) = store.documents.pending_bodies("shop", RECIPE, limit=5)
    assert stored.body == prose().encode()


@pytest.mark.parametrize("kept", [slice(0, 0), slice(0, 3), slice(0, -1)])
def test_a_body_that_is_cut_short_is_an_error(store, kept):
    visit(store, {"/a": prose()})
    ((content,),) = rows(store, "SELECT content FROM bodies")
    with writing(store.engine) as connection:
        connection.execute(bodies.update().values(content=bytes(content)[kept]))
    with pytest.raises(StoreError, match="run arborist verify"):
        store.documents.pending_bodies("shop", RECIPE, limit=5)


def test_a_damaged_body_is_an_error_that_names_the_page(store):
    visit(store, {"/a": prose()})
    with writing(store.engine) as connection:
        connection.execute(bodies.update().values(content=os.urandom(40)))
    with pytest.raises(StoreError, match=r"stored body of https://shop\.example/a is damaged: run arborist verify"):
        store.documents.pending_bodies("shop", RECIPE, limit=5)


def test_a_body_without_a_hash_of_32_bytes_is_refused(store):
    with pytest.raises(StoreError, match=r"(?i)check constraint"), writing(store.engine) as connection:
        connection.execute(bodies.insert().values(sha256=b"short", size=1, coding="zlib", content=b"", stored_at=NOON))


def test_times_without_a_zone_are_refused_and_come_back_in_utc(store):
    put(store, b"lamp")
    assert rows(store, "SELECT stored_at FROM bodies") == [("2026-01-15 12:00:00.000000",)]
    with reading(store.engine) as connection:
        assert connection.scalar(bodies.select().with_only_columns(bodies.c.stored_at)) == NOON
    with pytest.raises(ValueError, match="naive"):
        put_naive(store)


def put_naive(store):
    with writing(store.engine) as connection:
        put_bodies(connection, [b"desk"], NOON.replace(tzinfo=None))
