"""A home of its own for each test, a small site on loopback to crawl, and the definitions as the UI loads them."""

import dagster as dg
import pytest

from arborist_pipeline_tests.defs.runs import DEFINITIONS, VARIABLES, Home, Run, shop_routes
from arborist_pipeline_tests.support.site_server import LocalSite


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home that the environment names, and no other setting."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    home = Home(tmp_path / "home")
    home.folder.mkdir()
    for name, value in home.environment.items():
        monkeypatch.setenv(name, value)
    return home


@pytest.fixture
def shop():
    with LocalSite(shop_routes()) as site:
        yield site


@pytest.fixture
def definitions():
    return DEFINITIONS


@pytest.fixture
def instance():
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


@pytest.fixture
def run(definitions, instance):
    return Run(definitions, instance)
