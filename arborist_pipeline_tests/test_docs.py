"""The docs cannot drift: tables, settings and site keys stand in them as they stand in the code."""

import re
from pathlib import Path

import pytest

import arborist_pipeline.adapters.stores.store  # noqa: F401  # with all rooms, and so with every table
from arborist_pipeline.adapters.stores.schema import metadata
from arborist_pipeline.core.crawl.site_list import _READERS

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize("table", metadata.tables.values(), ids=lambda table: table.name)
def test_every_table_and_column_is_documented_and_no_other(table):
    row = next(line for line in (DOCS / "tables.md").read_text().splitlines() if line.startswith(f"| `{table.name}` |"))
    named = set(re.findall(r"`(\w+)`", row.split("|", 3)[3]))
    assert {column.name for column in table.columns} <= named
    assert named <= {column.name for column in table.columns}


def test_no_table_is_documented_that_is_not_there():
    named = re.findall(r"^\| `(\w+)` \|", (DOCS / "tables.md").read_text(), re.MULTILINE)
    assert sorted(named) == sorted(metadata.tables)


def test_every_key_of_a_site_is_documented():
    rows = [line.split("|")[1] for line in (DOCS / "sites-yaml.md").read_text().splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert named == set(_READERS)
