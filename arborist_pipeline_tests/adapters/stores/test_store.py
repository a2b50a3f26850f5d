"""A store opened: new, old, newer, busy, read only, by two at once."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, event, text

from arborist_pipeline.adapters.stores import store as store_module
from arborist_pipeline.adapters.stores.engine import build_engine, is_writing, reading, writing
from arborist_pipeline.adapters.stores.store import HEAD, open_store, schema_version
from arborist_pipeline.core.errors import ConfigError, StoreError
from arborist_pipeline.core.ports import Lease, ProductItem, StoredBody
from arborist_pipeline_tests.adapters.stores.conftest import SITE, at, dump, on_postgresql, on_sqlite, prose, visit
from arborist_pipeline_tests.support.builders import NOON, make_result

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
    newer = rf" was made by a newer Arborist \(schema {NEXT}, this one knows {HEAD}\)"
    with pytest.raises(StoreError, match=newer):
        open_store(location, read_only=read_only)


@on_sqlite
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
        with pytest.raises(StoreError, match=r"read-?only"):
            reader.sites.retire_site("shop", NOON)
        reader.close()

    def test_a_path_of_odd_characters_is_a_path(self, tmp_path):
        path = str(tmp_path / "50% off? #1 & more.db")
        open_store(path).close()
        reader = open_store(path, read_only=True)
        assert reader.sites.load_sites() == ()
        reader.close()

    @on_sqlite
    def test_a_store_that_is_not_there_is_not_made(self, location):
        with pytest.raises(ConfigError, match=r"there is no store at .*crawl a site first"):
            open_store(location, read_only=True)
        assert not Path(location).exists()

    @on_sqlite
    def test_an_empty_file_is_no_store_yet(self, location):
        sqlite3.connect(location).close()
        Path(location).touch()
        with pytest.raises(StoreError, match="is empty: crawl a site first"):
            open_store(location, read_only=True)


class TestTrouble:
    @on_sqlite
    def test_a_file_that_is_no_database_is_a_store_error(self, location):
        Path(location).write_text("this is a letter, not a database\n" * 200)
        with pytest.raises(StoreError, match=r"web\.db is no SQLite database.*name another file with --db"):
            open_store(location)

    @pytest.mark.parametrize("read_only", [False, True])
    def test_what_is_no_file_is_no_store(self, tmp_path, read_only):
        with pytest.raises(ConfigError, match="is a folder: name a file in it"):
            open_store(str(tmp_path), read_only=read_only)
        with pytest.raises(ConfigError, match="is no file"):
            open_store("/dev/null", read_only=read_only)

    @on_sqlite
    @pytest.mark.parametrize("read_only", [False, True])
    @pytest.mark.parametrize(("statements", "said"), [
        ("CREATE TABLE lamps (name TEXT)", "tables such as lamps"),
        ("CREATE TABLE sites (name TEXT)", "tables such as sites"),
        ("CREATE TABLE alembic_version (version_num TEXT)", "alembic_version"),
        ("CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('ae1027a6acf')",
         "its schema is ae1027a6acf"),
    ])  # fmt: skip
    def test_the_database_of_another_program_is_refused_and_left_as_it_was(self, location, statements, said, read_only):
        with closing(sqlite3.connect(location)) as connection:
            connection.executescript(statements)
        before = Path(location).read_bytes()
        with pytest.raises(StoreError, match=f"belongs to another program.*{said}"):
            open_store(location, read_only=read_only)
        assert Path(location).read_bytes() == before
        assert [path.name for path in Path(location).parent.iterdir()] == [Path(location).name]

    def test_a_folder_that_cannot_be_made_names_the_path(self, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(ConfigError, match=r"folder of the store .*web\.db cannot be made"):
            open_store(str(tmp_path / "file" / "web.db"))

    def test_an_address_that_is_none_is_a_configuration_error(self):
        with pytest.raises(ConfigError, match="neither a path nor an SQLAlchemy URL"):
            open_store("postgresql+psycopg:://x:y:z@/")

    @on_sqlite
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

    def test_a_driver_that_is_not_installed_is_named(self):
        with pytest.raises(ConfigError, match=r"needs a driver: pip install psycopg2") as caught:
            open_store("postgresql+psycopg2://reader:hunter2@db.example/web")
        assert "hunter2" not in str(caught.value)

    def test_the_driver_that_is_tested_here_comes_with_an_extra_of_ours(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "psycopg", None)
        with pytest.raises(ConfigError, match=r"pip install 'arborist-pipeline\[postgres\]'"):
            open_store("postgresql+psycopg://db.example/web")


ODD = b"""<!doctype html><title>T&#0; \xed\xa0\x80 \x00</title><h1>N</h1><p>x &#0; \x00 y</p><a href="/a%00b">\x00c</a>
<a href="http://[\x00">q</a><script type="application/ld+json">{"@context": "https://schema.org", "@type": "Product",
"name": "La\\u0000mp \\ud800", "sku": "L\\u00001", "offers": {"@type": "Offer", "price": "1.00"}}</script>"""


def test_nul_and_lone_surrogates_reach_no_database(store):
    visit(store, {"/products/odd": make_result(ODD, url=at("/products/odd"), fetched_at=NOON)}, ingest=True)
    found = dump(store)
    assert (len(found["documents"]), len(found["products"])) == (1, 1)
    texts = [value for rows_ in found.values() for row in rows_ for value in row if isinstance(value, str)]
    assert not any("\x00" in text or "\ud800" in text for text in texts)


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
from random import Random
key = sys.argv[2]
store = open_store(sys.argv[1])
site = replace(SITE, key=key)
store.sites.put_site(site, NOON)
for n in range(8):
    shared = [(f"/{key}/{n}/{m}", prose(f"Text {m} of visit {n}", links=["/all"])) for m in range(10)]
    Random(f"{key}{n}").shuffle(shared)
    visit(store, dict(shared), site=site, ingest=True)
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


def test_eight_writers_of_the_same_texts_lose_nothing_double_nothing_and_are_never_turned_away(location):
    answers = _together(WRITER, *[(location, f"site{number}") for number in range(8)])
    assert [code for _, _, code in answers] == [0] * 8, answers
    store = open_store(location)
    found = dump(store)
    assert {name: len(found[name]) for name in ("crawls", "pages", "documents", "links")} == {
        "crawls": 64, "pages": 640, "documents": 640, "links": 640,
    }  # fmt: skip
    assert {name: len(found[name]) for name in ("bodies", "chunks", "document_chunks")} == {
        "bodies": 80, "chunks": 80, "document_chunks": 80,
    }  # fmt: skip
    store.close()


def cut_connections(engine):
    """Have the server end every connection to a store's database, as a restart or a firewall would."""
    admin = create_engine(engine.url.set(database="postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(
            text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = :name"),
            {"name": engine.url.database},
        )
    admin.dispose()


@on_postgresql
@pytest.mark.parametrize("statement", ["SELECT sites.id", "INSERT INTO pages", "INSERT INTO document_chunks"])
def test_a_connection_that_drops_within_a_batch_is_made_anew_and_the_batch_stored_once(store, statement):
    cut = []

    def cut_once(connection, _, sent, *__):
        if sent.startswith(statement) and is_writing(connection) and not cut:
            cut.append(sent)
            cut_connections(store.engine)

    visit(store, {"/other": prose()})
    event.listen(store.engine, "before_cursor_execute", cut_once)
    visit(store, {"/a": prose("One"), "/b": prose("Two")}, ingest=True)
    assert cut
    assert [len(dump(store)[name]) for name in ("pages", "documents", "frontier")] == [3, 2, 3]


NOTHING = ProductItem(
    source=StoredBody(url=at("/"), page_id=1, body=b"", body_sha256=b"0" * 32, headers={}, fetched_at=NOON),
    product=None,
)


@on_postgresql
@pytest.mark.parametrize("call", [
    lambda store: store.products.put_products("shop", [NOTHING], now=NOON),
    lambda store: store.products.settle("shop", now=NOON),
    lambda store: store.products.forget_readings("shop"),
    lambda store: store.documents.forget_readings("shop"),
    lambda store: store.leases.acquire("shop.example", holder="one", seconds=9, now=NOON),
    lambda store: store.leases.renew(Lease(host="shop.example", holder="one", token=1), seconds=9, now=NOON),
    lambda store: store.leases.release(Lease(host="shop.example", holder="one", token=1), NOON),
])  # fmt: skip
def test_a_connection_that_drops_within_any_other_write_is_made_anew(store, call):
    cut = []

    def cut_once(*_):
        if not cut:
            cut.append(1)
            cut_connections(store.engine)

    event.listen(store.engine, "before_cursor_execute", cut_once)
    call(store)
    assert cut


@on_postgresql
def test_a_server_that_is_gone_is_said_to_be_gone(store, monkeypatch):
    monkeypatch.setattr("arborist_pipeline.adapters.stores.engine.RECONNECT_SECONDS", ())

    def ask():
        with reading(store.engine) as connection:
            cut_connections(store.engine)
            connection.execute(text("SELECT 1"))

    with pytest.raises(StoreError, match="went away"):
        ask()
