"""Crawls of whole sites over sockets, and what they measured: printed at the end of a run."""

import pytest

from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline_tests.support.clock import ManualClock

FIGURES = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def figures(request):
    """Append a line to have it printed when all tests are done; no test depends on it."""
    return request.config.stash.setdefault(FIGURES, [])


def pytest_terminal_summary(terminalreporter, config):
    lines = config.stash.get(FIGURES, [])
    if lines:
        terminalreporter.section("crawls of whole sites")
        for line in lines:
            terminalreporter.write_line(line)


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def store(tmp_path):
    opened = open_store(str(tmp_path / "web.db"))
    yield opened
    opened.close()
