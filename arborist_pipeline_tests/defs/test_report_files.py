"""A report is written whole, below its folder whatever its site is called."""

import json

import pytest

from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.report.report import WebmasterReport
from arborist_pipeline.defs.report_files import write_report_files
from arborist_pipeline_tests.support.builders import NOON, SHOP_URL


def report(site="shop"):
    return WebmasterReport(
        site=site, seed_url=SHOP_URL, generated_at=NOON, complete=True, unfetched=0, summary={}, findings=()
    )


def test_each_form_is_a_file_and_nothing_else_is_left(tmp_path):
    paths = write_report_files(report(), str(tmp_path))
    assert list(paths) == ["md", "html", "json"]
    assert sorted((tmp_path / "shop").iterdir()) == sorted(paths.values())
    assert json.loads(paths["json"].read_text(encoding="utf-8"))["site"] == "shop"
    assert paths["md"].read_text(encoding="utf-8").startswith("# Webmaster report: shop\n")


@pytest.mark.parametrize("site", [".", "..", "...", ".shop"])
def test_no_key_leads_out_of_the_folder(site, tmp_path):
    folder = tmp_path / "reports"
    paths = write_report_files(report(site), str(folder))
    assert {path.parent for path in paths.values()} == {folder / f"_{site}"}
    assert [path.name for path in tmp_path.iterdir()] == ["reports"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "reports").write_text("")
    with pytest.raises(ConfigError, match="cannot be written below"):
        write_report_files(report(), str(tmp_path / "reports"))
