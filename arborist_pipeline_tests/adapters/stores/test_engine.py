"""The connection: what is set on it, and what a transaction promises."""

import sqlite3
import threading
import time
from contextlib import closing

import pytest
from sqlalchemy import event, text

from arborist_pipeline.adapters.stores.engine import build_engine, reading, store_name, writing
from arborist_pipeline.core.errors import ConfigError, StoreError
from arborist_pipeline_tests.adapters.stores.conftest import on_sqlite


@pytest.fixture
def engine(location):
    made = build_engine(location)
    with writing(made) as connection:
        connection.execute(text("CREATE TABLE lamps (name TEXT UNIQUE)"))
    yield made
    made.dispose()


def names(engine):
    with reading(engine) as connection:
        return list(connection.scalars(text("SELECT name FROM lamps ORDER BY name")))


def put(connection, name):
    connection.execute(text("INSERT INTO lamps VALUES (:name)"), {"name": name})


def put_and_break(engine):
    with writing(engine) as connection:
        put(connection, "c")
        raise RuntimeError


def put_twice(engine):
    with writing(engine) as connection:
        put(connection, "a")
        put(connection, "a")


@on_sqlite
@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("foreign_keys", 1), ("synchronous", 1)])
def test_each_connection_is_prepared(engine, pragma, value):
    with reading(engine) as connection:
        assert connection.scalar(text(f"PRAGMA {pragma}")) == value


def test_a_transaction_is_kept_whole_or_not_at_all(engine):
    with writing(engine) as connection:
        put(connection, "a")
        put(connection, "b")
    with pytest.raises(RuntimeError):
        put_and_break(engine)
    assert names(engine) == ["a", "b"]


@pytest.mark.parametrize("address", [
    "postgresql+psycopg://me:hunter2@db.example:port/web", "no such kind://me:hunter2@db.example/web",
    "nosuch+kind://me:hunter2@db.example/web", "://me:hunter2@db.example/web",
])  # fmt: skip
def test_an_address_that_names_no_database_is_refused_without_showing_its_password(address):
    with pytest.raises(ConfigError, match="store address") as caught:
        build_engine(address)
    assert "hunter2" not in str(caught.value)
    assert "db.example" in str(caught.value)


def test_an_error_of_the_database_is_a_store_error_that_names_the_store(engine):
    with pytest.raises(StoreError, match=r"(?i)unique constraint") as caught:
        put_twice(engine)
    assert store_name(engine) in str(caught.value)
    assert names(engine) == []


@on_sqlite
def test_a_write_takes_the_lock_before_it_reads(engine):
    statements = []
    event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    with writing(engine) as connection:
        connection.execute(text("SELECT 1"))
    assert statements == ["BEGIN IMMEDIATE", "SELECT 1"]


def test_readers_see_what_was_committed_while_a_writer_is_at_work(engine):
    with writing(engine) as connection:
        put(connection, "a")
        seen = []
        thread = threading.Thread(target=lambda: seen.extend(names(engine)))
        thread.start()
        thread.join()
        assert seen == []
    assert names(engine) == ["a"]


def test_threads_that_write_at_once_queue(engine):
    def write(number):
        for step in range(20):
            with writing(engine) as connection:
                put(connection, f"{number}-{step}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(engine)) == 100


@on_sqlite
def test_a_file_that_another_is_just_making_is_waited_for(location):
    engine, opened = build_engine(location), []

    def open_it():
        with reading(engine) as connection:
            opened.append(connection.scalar(text("SELECT count(*) FROM lamps")))

    with closing(sqlite3.connect(location, isolation_level=None)) as maker:  # as one stands before it turns to a log
        maker.execute("BEGIN IMMEDIATE")
        thread = threading.Thread(target=open_it)
        thread.start()
        time.sleep(0.3)  # whoever does not wait has given up by now
        assert thread.is_alive()
        maker.execute("CREATE TABLE lamps (name TEXT)")
        maker.execute("COMMIT")
    thread.join()
    engine.dispose()
    assert opened == [0]


@on_sqlite
def test_a_store_is_named_by_its_path(location, engine):
    assert store_name(engine) == location
    reader = build_engine(location, read_only=True)
    assert store_name(reader) == location
    reader.dispose()
    memory = build_engine("sqlite://")
    assert store_name(memory) == ":memory:"
    memory.dispose()
