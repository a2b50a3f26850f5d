"""The command line in this process or in one of its own, with a home of the test's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arborist_pipeline.cli import COMMANDS
from arborist_pipeline.cli.program import build_program

REPOSITORY = Path(__file__).resolve().parents[2]
_SETTINGS = ("ARBORIST_", "CRAWL_", "DAGSTER_")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home and working folder; loopback may be crawled, nothing else is set."""
    for name in [name for name in os.environ if name.startswith(_SETTINGS)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ARBORIST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ARBORIST_ALLOW_PRIVATE", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@pytest.fixture
def arborist(home):
    """Call a command line: the result has exit_code, stdout and stderr, and no exception that is not meant."""
    assert not home.exists()

    def call(*arguments, refresh=None, stdin=None):
        words = [str(each) for each in arguments]
        result = CliRunner().invoke(build_program(COMMANDS, refresh=refresh), words, input=stdin, prog_name="arborist")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert "Traceback" not in result.stderr
        return result

    return call


@pytest.fixture
def process(home):
    """Start `python -m arborist_pipeline` with these arguments; whoever starts it waits for its end."""
    assert not home.exists()
    started = []

    def start(*arguments):
        child = subprocess.Popen(
            [sys.executable, "-m", "arborist_pipeline", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )
        started.append(child)
        return child

    yield start
    for child in started:
        if child.poll() is None:
            child.kill()
        child.communicate()
