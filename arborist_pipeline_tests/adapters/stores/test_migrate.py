"""A store made by migrations is the store that this program makes at once."""

import re

import pytest
from sqlalchemy import MetaData, inspect, text, types

from arborist_pipeline.adapters.stores import migrate
from arborist_pipeline.adapters.stores.engine import build_engine, reading, writing
from arborist_pipeline.adapters.stores.schema import metadata
from arborist_pipeline.adapters.stores.store import HEAD, open_store, prepare, schema_version
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline_tests.support.builders import NOON


@pytest.fixture
def engine(location):
    made = build_engine(location)
    yield made
    made.dispose()


@pytest.fixture
def migrated(new_location):
    made = build_engine(new_location())
    migrate.upgrade(made)
    yield made
    made.dispose()


def structure(engine):
    """Tables with all that hangs on them, and views, as the database itself tells."""
    found = inspect(engine)
    tables = {
        table: {
            "columns": [(each["name"], str(each["type"]), each["nullable"], each["default"], each.get("primary_key"))
                        for each in found.get_columns(table)],
            "primary key": found.get_pk_constraint(table),
            "foreign keys": sorted(found.get_foreign_keys(table), key=repr),
            "unique": sorted(found.get_unique_constraints(table), key=repr),
            "checks": sorted(found.get_check_constraints(table), key=repr),
            "indexes": sorted(map(index_structure, found.get_indexes(table)), key=repr),
            "options": found.get_table_options(table),
        }
        for table in found.get_table_names()
    }  # fmt: skip
    return tables, {view: re.sub(r"\s+", " ", found.get_view_definition(view)) for view in found.get_view_names()}


def index_structure(index):
    options = {name: str(value) for name, value in index.get("dialect_options", {}).items()}  # a condition is a clause
    return index | {"dialect_options": options}


def test_a_migrated_store_equals_a_fresh_one(engine, migrated):
    prepare(engine, None)
    fresh, moved = structure(engine), structure(migrated)
    assert moved[0].keys() == fresh[0].keys()
    for table, parts in fresh[0].items():
        assert moved[0][table] == parts, table
    assert moved[1] == fresh[1]
    assert {"current_products", "current_documents"} == set(fresh[1])
    assert set(metadata.tables) < set(fresh[0])


def test_what_this_program_takes_for_the_newest_migration_is_alembics_own_head():
    assert migrate.head() == HEAD


def test_migrating_leaves_the_version_that_a_fresh_store_has(engine, migrated):
    prepare(engine, None)
    assert schema_version(engine) == schema_version(migrated) == HEAD


def test_migrating_again_changes_nothing(migrated):
    before = structure(migrated)
    migrate.upgrade(migrated)
    assert structure(migrated) == before


def test_a_migrated_store_opens_and_works(migrated):
    store = open_store(migrated.url.render_as_string(hide_password=False))
    assert store.sites.load_sites() == ()
    store.close()


def test_a_version_that_no_migration_knows_is_refused(migrated):
    with writing(migrated) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    with pytest.raises(StoreError, match="cannot be migrated"):
        migrate.upgrade(migrated)


def test_the_views_answer(migrated):
    with reading(migrated) as connection:
        assert connection.execute(text("SELECT * FROM current_products")).all() == []
        assert connection.execute(text("SELECT * FROM current_documents")).all() == []


def test_products_of_an_older_store_keep_their_place(engine):
    with writing(engine) as connection:
        migrate.upgrade_in(connection, "0002")
        connection.execute(text("INSERT INTO sites (id, key, seed_url, host, config, active, created_at) "
                                "VALUES (1, 'shop', 'http://a/', 'a', '{}', true, '2026-01-15')"))  # fmt: skip
        for number, is_current in enumerate((False, True)):
            connection.execute(
                text("INSERT INTO products (site_id, url, digest, is_current, name, record, first_seen_at, "
                     "last_seen_at) VALUES (1, 'https://a.example/p', :digest, :is_current, 'Lamp', '{}', "
                     "'2026-01-15', :seen)"),
                {"digest": b"d" * 32, "is_current": is_current, "seen": f"2026-01-1{number + 6}"},
            )  # fmt: skip
    migrate.upgrade(engine)
    with reading(engine) as connection:
        rows = connection.execute(text("SELECT is_current, retired_at FROM products ORDER BY id")).all()
    assert [(is_current, str(retired_at)[:10]) for is_current, retired_at in rows] == [(0, "2026-01-16"), (1, "None")]


@pytest.mark.parametrize(("state", "kind", "due_at", "bucket", "due"), [
    ("done", "product", "2026-01-20", 0, "2026-01-20"),
    ("done", "listing", None, 2, "2026-01-16"),
    ("done", None, "2026-01-20", 2, "2026-01-20"),
    ("queued", None, None, 3, "None"),
])  # fmt: skip
def test_answered_pages_of_an_older_store_get_their_place_among_those_that_are_due(
    engine, state, kind, due_at, bucket, due
):
    with writing(engine) as connection:
        migrate.upgrade_in(connection, "0006")
        connection.execute(text("INSERT INTO sites (id, key, seed_url, host, config, active, created_at) "
                                "VALUES (1, 'shop', 'http://a/', 'a', '{}', true, '2026-01-15')"))  # fmt: skip
        connection.execute(
            text("INSERT INTO frontier (site_id, url, state, bucket, seq, depth, anchor, tier, score, why, "
                 "discovered_at, fetched_at, kind, due_at) VALUES (1, 'http://a/', :state, 3, 1, 0, '', 'seed', 1, '', "
                 "'2026-01-15', '2026-01-16', :kind, :due_at)"),
            {"state": state, "kind": kind, "due_at": due_at},
        )  # fmt: skip
    migrate.upgrade(engine)
    with reading(engine) as connection:
        ((found, moment),) = connection.execute(text("SELECT bucket, due_at FROM frontier")).all()
    assert (found, str(moment)[:10]) == (bucket, due)


def test_documents_that_two_sites_of_a_host_shared_become_each_ones_own(engine):
    root, body, none = b"r" * 32, b"b" * 32, b"n" * 32
    with writing(engine) as connection:
        migrate.upgrade_in(connection, "0009")
        tables = MetaData()
        tables.reflect(connection)
        for number in (1, 2):
            fill(connection, tables.tables["sites"], id=number, key=f"site {number}")
            for page, held in (("a", root), ("b", root), ("c", None)):
                fill(connection, tables.tables["frontier"], id=None, site_id=number, url=page, page_id=None,
                     document_root=held, document_body=body)  # fmt: skip
        for page, site_id in (("a", 1), ("b", 2)):
            fill(connection, tables.tables["documents"], id=None, site_id=site_id, document_uri=page, recipe="r",
                 document_root=root)  # fmt: skip
        for page, to_root in (("a", root), ("b", root), ("b", none)):
            fill(connection, tables.tables["supersedes"], id=None, uri=page, recipe="r", to_root=to_root)
    migrate.upgrade(engine)
    with writing(engine) as connection:
        unread = "SELECT site_id, url FROM frontier WHERE document_body IS NULL ORDER BY site_id"
        assert connection.execute(text(unread)).all() == [(1, "b"), (2, "a")]
        steps = connection.execute(text("SELECT site_id FROM supersedes ORDER BY id")).scalars().all()
        assert steps == [1, 2, None]
        copied = "INSERT INTO documents SELECT id + 10, {}, document_uri, {} FROM documents WHERE site_id = 1"
        rest = ", ".join(column.name for column in list(tables.tables["documents"].columns)[3:])
        connection.execute(text(copied.format("2", rest)))
    with pytest.raises(StoreError, match=r"(?i)unique"), writing(engine) as connection:
        connection.execute(text(copied.format("1", rest)))


def test_views_of_others_over_an_older_store_go_on_answering(engine):
    with writing(engine) as connection:
        migrate.upgrade_in(connection, "0001")
        connection.execute(text("CREATE VIEW texts AS SELECT uri.title, leaves.position FROM documents AS uri "
                                "JOIN document_chunks AS leaves USING (document_root)"))  # fmt: skip
    migrate.upgrade(engine)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT * FROM texts")).all() == []


def fill(connection, table, **given):
    """Insert a row with a sample in each column that is not given."""
    values = {column.name: sample(column) for column in table.columns} | given
    connection.execute(table.insert().values({name: value for name, value in values.items() if value is not None}))


def sample(column):
    """A value that a column of this type takes."""
    kinds = ((types.LargeBinary, b"h" * 32), (types.JSON, {"a": ["é", None]}), (types.Boolean, True),
             (types.Integer, 1), (types.Float, 0.5), (types.DateTime, NOON.replace(tzinfo=None)))  # fmt: skip
    return next((value for kind, value in kinds if isinstance(column.type, kind)), "é" * 8)


def everything(engine, tables):
    with reading(engine) as connection:
        return {table.name: connection.execute(table.select()).all() for table in tables}


@pytest.mark.parametrize("revision", [f"{number:04}" for number in range(1, int(HEAD))])
def test_data_of_every_earlier_schema_comes_through_each_migration_as_it_was(engine, revision):
    with writing(engine) as connection:
        migrate.upgrade_in(connection, revision)
        earlier = MetaData()
        earlier.reflect(connection)
        tables = [table for table in earlier.sorted_tables if table.name != "alembic_version"]
        for table in tables:
            connection.execute(table.insert().values({column.name: sample(column) for column in table.columns}))
    before = everything(engine, tables)
    migrate.upgrade(engine)
    assert everything(engine, tables) == before
    assert all(len(rows) == 1 for rows in before.values())
    assert schema_version(engine) == HEAD
