"""Prepared statements write what SQLAlchemy's own would, on both databases."""

import pytest
from sqlalchemy import bindparam, select, update

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.moments import moment_writer
from arborist_pipeline.adapters.stores.prepared import Prepared, prepare_insert, take_ids
from arborist_pipeline.adapters.stores.schema import arms, chunks, sites
from arborist_pipeline_tests.adapters.stores.conftest import SITE, rows
from arborist_pipeline_tests.support.builders import NOON

LEAF = b"\x00%s\xff" * 8


def written(store, statement, values):
    with writing(store.engine) as connection:
        return statement.run(connection, values)


def test_values_go_by_name_and_columns_left_out_are_null(store):
    with writing(store.engine) as connection:
        moment = moment_writer(connection.dialect)(NOON)
        new = prepare_insert(sites, "created_at", "key", "seed_url", "host", "config", "active")
        assert new.run(connection, [
            {"key": key, "host": "h", "seed_url": "%(x)s?:1", "active": False, "config": '{"a": ["%"]}',
             "created_at": moment}
            for key in ("one", "two")
        ]) == 2  # fmt: skip
    with reading(store.engine) as connection:
        found = connection.execute(select(sites).where(sites.c.key != SITE.key).order_by(sites.c.key)).all()
    assert [row[1:] for row in found] == [
        (key, "%(x)s?:1", "h", {"a": ["%"]}, False, NOON, None, None) for key in ("one", "two")
    ]


def test_rows_that_are_there_are_left_alone_and_not_counted(store):
    new = prepare_insert(chunks, skips_known=True)
    with writing(store.engine) as connection:
        assert new.run_in_order(connection, [(LEAF, "one %s")]) == 1
        assert new.run_in_order(connection, [(LEAF, "two"), (LEAF[::-1], "three")]) == 1
    assert sorted(rows(store, "SELECT text FROM chunks")) == [("one %s",), ("three",)]


@pytest.mark.parametrize("count", [1, 63, 64, 65, 128, 150])
def test_many_rows_are_written_and_counted_each_once(store, count):
    new = prepare_insert(chunks, skips_known=True)
    leaves = [number.to_bytes(32) for number in range(count)]
    with writing(store.engine) as connection:
        assert new.run_in_order(connection, [(leaf, leaf.hex()) for leaf in leaves]) == count
        again = [{"leaf_hash": leaf, "text": "again"} for leaf in [*leaves, bytes([255]) * 32, bytes([255]) * 32]]
        assert new.run(connection, again) == 1
    found = rows(store, "SELECT leaf_hash, text FROM chunks ORDER BY leaf_hash")
    assert [(bytes(leaf), text) for leaf, text in found] == [
        *((leaf, leaf.hex()) for leaf in leaves), (bytes([255]) * 32, "again"),
    ]  # fmt: skip


def test_a_value_may_stand_in_several_places_of_a_statement(store):
    new = prepare_insert(arms)
    assert written(store, new, [{"site_id": 1, "number": 16, "key": "a", "example": "b"}]) == 1
    both = Prepared(
        update(arms).where(arms.c.key != bindparam("said")).values(example=bindparam("said"), key=bindparam("said"))
    )
    assert written(store, both, [{"said": "a"}, {"said": "c"}]) == 1
    assert rows(store, "SELECT key, example FROM arms") == [("c", "c")]


def test_one_value_is_a_row_as_well(store):
    written(store, prepare_insert(chunks), [{"leaf_hash": LEAF, "text": "a"}])
    assert written(store, Prepared(update(chunks).values(text=bindparam("said"))), [{"said": "b"}]) == 1
    assert rows(store, "SELECT text FROM chunks") == [("b",)]


def test_ids_taken_are_new_ones_in_order(store):
    with writing(store.engine) as connection:
        first = list(take_ids(connection, sites, 3))
        rest = {"seed_url": "", "host": "", "config": "{}", "active": True, "created_at": moment_writer(
            connection.dialect)(NOON)}  # fmt: skip
        prepare_insert(sites, "id", "key", *rest).run(connection, [{"id": each, "key": str(each), **rest}
                                                                   for each in first])  # fmt: skip
        assert list(take_ids(connection, sites, 2)) == [first[-1] + 1, first[-1] + 2]
        assert list(take_ids(connection, sites, 0)) == []
    assert first[0] > 1
    assert first == list(range(first[0], first[0] + 3))


@pytest.mark.parametrize("run", ["run", "run_in_order"])
def test_nothing_is_run_for_no_rows(run):
    assert getattr(prepare_insert(chunks), run)(None, []) == 0
