import csv
import io
import json
import re
from dataclasses import replace

import pytest

from arborist_pipeline.core.report.render import CSV_COLUMNS, RENDERERS, SHOWN_FINDINGS, csv_rows
from arborist_pipeline.core.report.report import to_json


def test_there_is_a_renderer_for_each_format_of_the_command_line():
    assert list(RENDERERS) == ["md", "html", "json", "csv", "sarif"]


@pytest.mark.parametrize("name", RENDERERS)
def test_equal_reports_give_equal_text_that_ends_with_a_line(report, name):
    text = RENDERERS[name](report)
    assert text == RENDERERS[name](replace(report))
    assert text.endswith("\n")


def test_json_is_the_report_in_the_shape_that_others_rely_on(report):
    assert json.loads(RENDERERS["json"](report)) == json.loads(json.dumps(to_json(report)))


def test_csv_has_a_row_for_each_source_and_one_for_a_finding_without_any(report):
    rows = list(csv.DictReader(io.StringIO(RENDERERS["csv"](report), newline="")))
    assert [(row["signal"], row["source_url"]) for row in rows] == [
        ("broken_link", "https://shop.example/"),
        ("broken_link", "https://shop.example/b"),
        ("malformed_link", 'https://shop.example/?q="><script>'),
        ("redirect_chain", ""),
        ("near_duplicate", ""),
    ]
    assert tuple(rows[0]) == CSV_COLUMNS
    assert rows[0]["source_count"] == "120"
    assert json.loads(rows[0]["details"])["status"] == 404


def test_csv_keeps_hostile_text_whole_and_lets_no_cell_be_a_formula(report, hostile):
    rows = list(csv.DictReader(io.StringIO(RENDERERS["csv"](report), newline="")))
    assert rows[0]["source_anchor"] == hostile
    assert rows[2]["source_anchor"] == "'=1+1"
    assert csv_rows(report)[2]["source_anchor"] == "=1+1"


def test_markdown_keeps_hostile_text_from_being_mark_up(report):
    text = RENDERERS["md"](report)
    assert not re.search(r"(?<!\\)<(?!https?://)", text)
    assert not re.search(r"(?<!\\)\]\(", text)
    assert not [line for line in text.splitlines() if line.startswith("# Big")]


def test_markdown_has_counts_histogram_findings_and_sources(report):
    text = RENDERERS["md"](report)
    assert "| Broken links | 1 |" in text
    assert "| Orphan pages" not in text
    assert "| 1 | 3,000 |" in text
    assert "| no path known | 2 |" in text
    assert "1,234 known addresses are not fetched yet" in text
    assert "- **error** <https://shop.example/dead>" in text
    assert "- **warning, candidate** <https://shop.example/a>" in text
    assert "  - linked from <https://shop.example/> “" in text
    assert "  - and from 118 more pages" in text


def test_markdown_counts_what_it_leaves_out(report):
    many = replace(report, findings=(report.findings[0],) * (SHOWN_FINDINGS + 3))
    assert "… and 3 more" in RENDERERS["md"](many)


def test_markdown_says_that_nothing_is_wrong(report):
    text = RENDERERS["md"](replace(report, findings=(), summary={"orphan": 0}, complete=True))
    assert "No faults found" in text
    assert "The walk was exhausted" in text
