"""Crawls of whole sites over sockets, and what they measured: printed at the end of a run."""

import pytest

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
