"""JSON-LD scripts to nodes."""

import json
from pathlib import Path

import pytest

from arborist_pipeline.core.products.linked_data import MAX_SCRIPTS, parse_linked_data


def linked(page_of, *blocks: str, kind: str = "application/ld+json"):
    page = page_of("".join(f'<script type="{kind}">{block}</script>' for block in blocks))
    return parse_linked_data([*page.tree.iter("script")])


def test_the_values_of_all_scripts_are_read_in_order(page_of):
    assert linked(page_of, '{"a": 1}', "null", '[{"b": 2}]') == ({"a": 1}, None, [{"b": 2}])


def test_scripts_of_other_types_are_left_alone(page_of):
    assert linked(page_of, '{"a": 1}', kind="application/json") == ()


def test_the_type_may_have_parameters_and_capitals(page_of):
    assert linked(page_of, '{"a": 1}', kind="Application/LD+JSON; charset=utf-8") == ({"a": 1},)


def test_a_bare_reference_becomes_the_node_it_names(page_of):
    (graph,) = linked(page_of, '{"@graph": [{"@id": "#b", "name": "Alder"}, {"@id": "#p", "brand": {"@id": "#b"}}]}')
    assert graph["@graph"][1]["brand"] == {"@id": "#b", "name": "Alder"}


def test_a_reference_to_nothing_stays(page_of):
    assert linked(page_of, '{"brand": {"@id": "#none"}}') == ({"brand": {"@id": "#none"}},)


def test_more_scripts_than_the_bound_are_not_read(page_of):
    assert len(linked(page_of, *['{"a": 1}'] * (MAX_SCRIPTS + 20))) == MAX_SCRIPTS


@pytest.mark.shared
def test_published_examples_give_the_same_values(page_of, shared: Path):
    rows = [
        json.loads(line)
        for line in (shared / "conformance/structured-data/extruct-jsonld.jsonl").read_text("utf-8").splitlines()
    ]
    for row in rows:
        values = parse_linked_data([*page_of(row["html"]).tree.iter("script")])
        flat = [item for value in values for item in (value if isinstance(value, list) else [value])]
        assert [sorted(item) for item in flat if item is not None] == [sorted(item) for item in row["expected"]]
