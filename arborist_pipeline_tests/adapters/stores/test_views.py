"""The views hold what is current and nothing else, on both databases, and pandas reads them as the example shows."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from arborist_pipeline.core.documents.document import RECIPE
from arborist_pipeline_tests.adapters.stores.conftest import at, product_page, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON
from examples.views import load_views, summarize

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def changed(store):
    """A product that went from 19.90 to 25.00, and two pages with one text."""
    visit(store, {"/products/lamp": product_page("19.90"), "/a": prose("Terms."), "/b": prose("Terms.")}, ingest=True)
    visit(store, {"/products/lamp": product_page("25.00")}, when=NOON + timedelta(days=1), ingest=True)
    return store


def test_products_are_those_that_stand_now(changed):
    assert rows(changed, "SELECT site, url, price, currency, availability FROM current_products") == [
        ("shop", at("/products/lamp"), "25.00", "AUD", "InStock")
    ]
    assert rows(changed, "SELECT count(*) FROM products") == [(2,)]


def test_documents_are_those_that_stand_now(changed):
    query = "SELECT site, document_uri, recipe, status, leaf_count FROM current_documents ORDER BY document_uri"
    assert rows(changed, query) == [
        ("shop", at(path), RECIPE, "ok", 1) for path in ("/a", "/b", "/products/lamp")
    ]  # fmt: skip


def test_pandas_reads_them(changed, location):
    products, documents = load_views(location)
    assert list(products["price"]) == [25.0]
    assert set(documents["document_root"].str.len()) == {64}
    told = summarize(products, documents)
    assert f"{at('/a')}, {at('/b')}" in told
    done = subprocess.run([sys.executable, "-W", "error", "-m", "examples.views", location], cwd=REPOSITORY,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, told.strip()), done.stderr
    assert changed


def test_a_store_that_is_not_there_is_said(tmp_path):
    done = subprocess.run([sys.executable, "-m", "examples.views", tmp_path / "none.db"], cwd=REPOSITORY,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 1
    assert "there is no store" in done.stderr
