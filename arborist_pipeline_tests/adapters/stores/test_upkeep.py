"""A database that is damaged, full or cut short says so and loses nothing more; a copy is whole while others write."""

import os
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, text

from arborist_pipeline.adapters.stores.engine import writing
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.adapters.stores.upkeep import SqlUpkeep
from arborist_pipeline.core.errors import ConfigError, StoreError
from arborist_pipeline_tests.adapters.stores.conftest import dump, on_postgresql, on_sqlite, prose, visit
from arborist_pipeline_tests.support.builders import NOON

PAGES = {f"/{number}": prose(f"Text {number}. " * 50, links=[f"/{number + 1}"]) for number in range(60)}


def test_a_sound_store_has_no_damage_and_a_size(store):
    visit(store, PAGES, ingest=True)
    upkeep = SqlUpkeep(store.engine)
    assert list(upkeep.find_damage()) == []
    assert 100_000 < upkeep.size_bytes() < 100_000_000


def test_what_is_missing_is_named(store):
    with writing(store.engine) as connection:
        connection.execute(text("DROP TABLE findings"))
        connection.execute(text("ALTER TABLE leases DROP COLUMN holder"))
    assert sorted(SqlUpkeep(store.engine).find_damage()) == [
        "the column leases.holder is missing", "the table findings is missing",
    ]  # fmt: skip


def damage(location, at, data):
    with Path(location).open("r+b") as file:
        file.seek(at)
        file.write(data)


@on_sqlite
def test_a_page_of_the_file_that_was_overwritten_is_found(store, location):
    visit(store, PAGES, ingest=True)
    store.close()
    size = Path(location).stat().st_size
    for at in range(20 * 4096, size - 4096, 10 * 4096):
        damage(location, at, os.urandom(512))
    try:
        reader = open_store(location, read_only=True)
        found = list(SqlUpkeep(reader.engine).find_damage())
        reader.close()
    except StoreError as error:  # the damage may lie where the check itself looks first
        found = [str(error)]
    assert found


@on_sqlite
def test_a_file_that_was_cut_short_is_a_store_error_or_a_damage_and_never_a_sound_store(store, location):
    visit(store, PAGES, ingest=True)
    store.close()
    whole = Path(location).read_bytes()
    for part in (0.9, 0.5, 0.1):
        Path(location).write_bytes(whole[: int(len(whole) * part)])
        try:
            reader = open_store(location, read_only=True)
            found = list(SqlUpkeep(reader.engine).find_damage())
            reader.close()
        except StoreError as error:
            found = [str(error)]
        assert found, part


@on_sqlite
def test_a_full_disk_refuses_a_batch_whole_and_the_next_one_goes_in_when_there_is_room(store):
    visit(store, {"/first": prose()}, ingest=True)
    before = dump(store)
    pages = []

    def limit(connection, _):
        connection.execute(f"PRAGMA max_page_count={pages[0]}")

    with writing(store.engine) as connection:
        pages.append(connection.scalar(text("PRAGMA page_count")))
    store.engine.dispose()
    event.listen(store.engine, "connect", limit)
    with pytest.raises(StoreError, match="full"):
        visit(store, PAGES, ingest=True)
    assert {name: rows for name, rows in dump(store).items() if name != "crawls"} == {
        name: rows for name, rows in before.items() if name != "crawls"
    }
    pages[0] = 1_000_000
    store.engine.dispose()
    visit(store, PAGES, ingest=True)
    assert len(dump(store)["documents"]) == 61


@on_sqlite
def test_a_copy_made_while_another_writes_is_sound_and_of_one_moment(store, tmp_path):
    visit(store, PAGES, ingest=True)
    stop = threading.Event()

    def write():
        day = 1
        while not stop.is_set():
            visit(store, {"/0": prose(f"Day {day}."), "/1": prose(f"Day {day}.")}, ingest=True,
                  when=NOON + timedelta(days=day))  # fmt: skip
            day += 1

    writer = threading.Thread(target=write)
    writer.start()
    try:
        SqlUpkeep(store.engine).back_up(tmp_path / "copy.db")
    finally:
        stop.set()
        writer.join()
    copy = open_store(str(tmp_path / "copy.db"), read_only=True)
    assert list(SqlUpkeep(copy.engine).find_damage()) == []
    roots = dict(copy.documents.roots("shop"))
    assert len(roots) == 60
    copy.close()
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("copy")) == ["copy.db"]


@on_sqlite
def test_a_copy_overwrites_nothing_and_one_that_fails_leaves_nothing(store, tmp_path):
    (tmp_path / "there.db").write_text("mine")
    with pytest.raises(ConfigError, match="is there already"):
        SqlUpkeep(store.engine).back_up(tmp_path / "there.db")
    with pytest.raises(StoreError, match="cannot be copied"):
        SqlUpkeep(store.engine).back_up(tmp_path / "no" / "folder.db")
    assert (tmp_path / "there.db").read_text() == "mine"


@on_postgresql
def test_a_server_is_copied_by_its_own_tool(store, tmp_path):
    with pytest.raises(ConfigError, match="pg_dump"):
        SqlUpkeep(store.engine).back_up(tmp_path / "copy.db")
