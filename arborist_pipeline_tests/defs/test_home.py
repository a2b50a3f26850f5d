"""The home is made at first use and is a person's from then on."""

import subprocess
import sys

import dagster as dg
import pytest
import yaml

from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.defs.home import DAGSTER_YAML, ensure_dagster_home, main

AS_A_MODULE = """
import runpy, sys
try:
    runpy.run_module("arborist_pipeline.defs.home", run_name="__main__")
except SystemExit as end:
    assert "dagster" not in sys.modules
    raise
"""


def test_the_file_is_written_once_and_an_edit_stays(tmp_path):
    folder = ensure_dagster_home(str(tmp_path / "a" / "dagster"))
    assert folder.is_absolute()
    file = folder / "dagster.yaml"
    assert file.read_text() == DAGSTER_YAML
    file.write_text("telemetry: {enabled: false}\n")
    assert ensure_dagster_home(str(folder)) == folder
    assert file.read_text() == "telemetry: {enabled: false}\n"
    assert [path.name for path in folder.iterdir()] == ["dagster.yaml"]


def test_dagster_takes_the_file_and_is_quiet_and_limited_by_it(tmp_path):
    folder = ensure_dagster_home(str(tmp_path))
    with dg.DagsterInstance.from_config(str(folder)) as instance:
        assert not instance.telemetry_enabled
        assert not instance.nux_enabled
        assert instance.run_monitoring_enabled
        queue = instance.get_concurrency_config()
        assert queue.pool_config.default_pool_limit == 2
        limits = queue.run_queue_config.tag_concurrency_limits
        assert limits == [{"key": "dagster/partition", "value": {"applyLimitPerUniqueValue": True}, "limit": 1}]


def test_every_limit_of_the_file_is_one_that_dagster_knows():
    written = yaml.safe_load(DAGSTER_YAML)
    assert set(written) == {"telemetry", "nux", "concurrency", "run_monitoring", "retention"}
    assert written["concurrency"]["pools"] == {"granularity": "op", "default_limit": 2}


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"DAGSTER_HOME=.*file/home"):
        ensure_dagster_home(str(tmp_path / "file" / "home"))


def test_as_a_module_it_prints_the_folder_made_ready_and_loads_no_dagster(home):
    done = subprocess.run([sys.executable, "-c", AS_A_MODULE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{home.folder / 'dagster'}\n", "")
    assert (home.folder / "dagster" / "dagster.yaml").exists()


def test_a_bad_setting_is_one_line_and_exit_code_2(home, monkeypatch, capsys):
    monkeypatch.setenv("CRAWL_MAX_PAGES", "many")
    assert main() == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("CRAWL_MAX_PAGES='many'")
    assert not (home.folder / "dagster").exists()
