"""An address as long as a crawl takes one is stored, found and unique, on both databases."""

import subprocess
import sys
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import inspect

from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.history import SqlHistory
from arborist_pipeline.adapters.stores.server_indexes import statements_for
from arborist_pipeline_tests.adapters.stores.conftest import at, product_page, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON

LONG = "/" + "".join(Random(7).choices("abcdefghijklmnopqrstuvwxyz0123456789-_", k=8_000))  # nothing compresses it


def test_sqlite_needs_none_of_them():
    assert list(statements_for("sqlite")) == []


def test_a_store_on_sqlite_loads_no_other_dialect(tmp_path):
    program = f"""
import sys
from arborist_pipeline.adapters.stores.store import open_store
open_store({str(tmp_path / "web.db")!r}).close()
print([name for name in sys.modules if name.startswith("sqlalchemy.dialects.postgresql")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_only_answered_pages_are_in_the_index_of_due_ones(store):
    with reading(store.engine) as connection:
        (index,) = (each for each in inspect(connection).get_indexes("frontier") if each["name"] == "ix_frontier_due")
    assert index["column_names"] == ["site_id", "bucket", "due_at", "seq"]
    assert "state" in str(index["dialect_options"][f"{store.engine.dialect.name}_where"])


@pytest.mark.parametrize("path", [LONG, f"{LONG[:4_000]}?a=%5C\\b"])
def test_a_long_address_is_stored_and_found(store, path):
    path = at(path).removeprefix("https://shop.example")
    visit(store, {"/": prose("Home", links=(path,)), path: product_page(text="One")}, ingest=True)
    visit(store, {path: product_page("25.00", text="Two")}, when=NOON + timedelta(days=1), ingest=True)
    store.documents.settle("shop", now=NOON + timedelta(days=1))
    assert len(SqlHistory(store.engine).load_versions(at(path))) == 2
    assert {uri for uri, _ in store.documents.roots("shop")} == {at("/"), at(path)}
    assert rows(store, "SELECT count(*) FROM frontier WHERE url = :url", url=at(path)) == [(1,)]
    assert rows(store, "SELECT count(*) FROM links WHERE url = :url", url=at(path)) == [(1,)]
    assert rows(store, "SELECT count(*) FROM products WHERE url = :url", url=at(path)) == [(2,)]
