"""A store opened: new, old, newer, busy, read only, by two at once."""

import importlib.util
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from arborist_pipeline.adapters.stores import store as store_module
from arborist_pipeline.adapters.stores.engine import build_engine, writing
from arborist_pipeline.adapters.stores.store import HEAD, open_store, schema_version
from arborist_pipeline.core.errors import ConfigError, StoreError
from arborist_pipeline_tests.adapters.stores.conftest import SITE, dump, prose, visit
from arborist_pipeline_tests.support.builders import NOON

NEXT = f"{int(HEAD) + 1:04}"


def at_version(location, version):
    open_store(location).close()
    engine = build_engine(location)
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :v"), {"v": version})
    engine.dispose()


def test_a_store_is_made_where_there_is_none_folders_included(tmp_path):
    path = tmp_path / "a" / "b" / "web.db"
    store = open_store(str(path))
    assert schema_version(store.engine) == HEAD
    store.close()
    assert path.exists()


def test_opening_again_finds_what_was_stored(location):
    store = open_store(location)
    store.sites.put_site(SITE, NOON)
    store.close()
    store = open_store(location)
    assert store.sites.load_sites() == (SITE,)
    store.close()


def test_a_store_in_memory_is_a_store(tmp_path):
    del tmp_path
    store = open_store("sqlite://")
    store.sites.put_site(SITE, NOON)
    visit(store, {"/": prose()})
    assert len(dump(store)["pages"]) == 1
    store.close()


@pytest.mark.parametrize("read_only", [False, True])
def test_a_store_of_a_newer_program_is_refused_by_name(location, read_only):
    at_version(location, NEXT)
    newer = rf"web\.db was made by a newer Arborist \(schema {NEXT}, this one knows {HEAD}\)"
    with pytest.raises(StoreError, match=newer):
        open_store(location, read_only=read_only)


def test_a_refused_store_is_left_as_it_was(location):
    at_version(location, NEXT)
    before = Path(location).read_bytes()
    with pytest.raises(StoreError):
        open_store(location)
    assert Path(location).read_bytes() == before


def test_an_older_store_is_migrated_when_it_is_opened(location, monkeypatch):
    open_store(location).close()
    monkeypatch.setattr(store_module, "HEAD", NEXT)  # a program with one more migration
    upgraded = []
    monkeypatch.setattr("arborist_pipeline.adapters.stores.migrate.upgrade", upgraded.append)
    open_store(location).close()
    assert len(upgraded) == 1
    with pytest.raises(StoreError, match=f"older schema {HEAD}: run arborist db upgrade"):
        open_store(location, read_only=True)


class TestReadOnly:
    def test_it_reads_and_cannot_write(self, location, store):
        visit(store, {"/": prose()})
        reader = open_store(location, read_only=True)
        assert dump(reader) == dump(store)
        with pytest.raises(StoreError, match="readonly"):
            reader.sites.retire_site("shop", NOON)
        reader.close()

    def test_a_path_of_odd_characters_is_a_path(self, tmp_path):
        path = str(tmp_path / "50% off? #1 & more.db")
        open_store(path).close()
        reader = open_store(path, read_only=True)
        assert reader.sites.load_sites() == ()
        reader.close()

    def test_a_store_that_is_not_there_is_not_made(self, location):
        with pytest.raises(ConfigError, match=r"there is no store at .*crawl a site first"):
            open_store(location, read_only=True)
        assert not Path(location).exists()

    def test_an_empty_file_is_no_store_yet(self, location):
        sqlite3.connect(location).close()
        Path(location).touch()
        with pytest.raises(StoreError, match="is empty: crawl a site first"):
            open_store(location, read_only=True)


class TestTrouble:
    def test_a_file_that_is_no_database_is_a_store_error(self, location):
        Path(location).write_text("this is a letter, not a database\n" * 200)
        with pytest.raises(StoreError, match=r"web\.db.*not a database"):
            open_store(location)

    def test_a_folder_is_no_store(self, tmp_path):
        with pytest.raises(StoreError, match="unable to open"):
            open_store(str(tmp_path))

    def test_a_folder_that_cannot_be_made_names_the_path(self, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(ConfigError, match=r"folder of the store .*web\.db cannot be made"):
            open_store(str(tmp_path / "file" / "web.db"))

    def test_an_address_that_is_none_is_a_configuration_error(self):
        with pytest.raises(ConfigError, match="neither a path nor an SQLAlchemy URL"):
            open_store("postgresql+psycopg:://x:y:z@/")

    def test_a_locked_store_says_who_to_look_for_and_for_how_long_it_waited(self, location, monkeypatch):
        open_store(location).close()
        monkeypatch.setattr("arborist_pipeline.adapters.stores.engine.BUSY_SECONDS", 0.05)
        holder = sqlite3.connect(location, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        store = open_store(location)  # reading goes on
        with pytest.raises(StoreError, match=r"web\.db is locked: another program has held it .*close that program"):
            store.sites.put_site(SITE, NOON)
        holder.execute("ROLLBACK")
        holder.close()
        store.sites.put_site(SITE, NOON)
        store.close()

    @pytest.mark.parametrize("address", ["nosuch://reader:hunter2@db.example/web", "postgresql+nosuch://r:hunter2@h/w"])
    def test_a_kind_of_database_that_is_unknown_is_a_configuration_error_without_the_password(self, address):
        with pytest.raises(ConfigError, match="names no kind of database") as caught:
            open_store(address)
        assert "hunter2" not in str(caught.value)

    @pytest.mark.skipif(importlib.util.find_spec("psycopg") is not None, reason="the driver is installed")
    def test_a_driver_that_is_not_installed_is_named(self):
        with pytest.raises(ConfigError, match=r"needs a driver: pip install psycopg") as caught:
            open_store("postgresql+psycopg://reader:hunter2@db.example/web")
        assert "hunter2" not in str(caught.value)


OPENER = """
import sys
from arborist_pipeline.adapters.stores.store import open_store, schema_version
store = open_store(sys.argv[1])
print(schema_version(store.engine))
store.close()
"""
WRITER = """
import sys
from datetime import timedelta
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline_tests.adapters.stores.conftest import SITE, prose, visit
from arborist_pipeline_tests.support.builders import NOON
from dataclasses import replace
key = sys.argv[2]
store = open_store(sys.argv[1])
site = replace(SITE, key=key)
store.sites.put_site(site, NOON)
for n in range(40):
    visit(store, {f"/{key}/{n}": prose(f"Text {n} of {key}", links=[f"/{key}/{n + 1}"])}, site=site, ingest=True)
store.close()
"""
ROOT = Path(__file__).parents[3]


def _together(code, *argument_lists):
    running = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", code, *arguments], cwd=ROOT, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for arguments in argument_lists
    ]  # fmt: skip
    return [(*process.communicate(), process.returncode) for process in running]


def test_two_processes_may_open_a_new_store_at_once(location):
    answers = _together(OPENER, *[(location,)] * 4)
    assert [(out.strip(), code) for out, _, code in answers] == [(HEAD, 0)] * 4, answers
    store = open_store(location)
    assert dump(store)["sites"] == []
    store.close()


def test_two_writers_at_once_lose_nothing_and_are_never_turned_away(location):
    open_store(location).close()
    answers = _together(WRITER, (location, "one"), (location, "two"))
    assert [code for _, _, code in answers] == [0, 0], answers
    store = open_store(location)
    found = dump(store)
    assert len(found["pages"]) == len(found["bodies"]) == len(found["documents"]) == 80
    assert len(found["links"]) == 80
    assert len(found["crawls"]) == 80
    store.close()
