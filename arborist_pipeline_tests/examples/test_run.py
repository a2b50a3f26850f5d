"""`make run` on the demo shop tells its story of three nights, and the story is the shop's truth."""

import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arborist_pipeline.core.settings import read_settings
from arborist_pipeline.defs.resources import Adapters
from arborist_pipeline.workflows.sites import sync_sites
from arborist_pipeline_tests.conftest import REPOSITORY
from arborist_pipeline_tests.support.builders import NOON
from examples.demo_shop.shop import build_shop

OWN_LIST = "sites:\n  - {key: mine, seed_url: 'https://mine.example/'}\n"


class Story:
    """What `make run` printed, and where it left its things, beside a site list of somebody's own."""

    def __init__(self, home):
        self.home = home
        (home / "sites.yaml").write_text(OWN_LIST)
        settings = read_settings({"ARBORIST_HOME": str(home)}, user_home=str(home))
        adapters = Adapters(settings=replace(settings, site_lists=(str(home / "sites.yaml"),)))
        with adapters.open_store() as store:
            sync_sites(adapters.load_site_list(), source=adapters.site_list_name, store=store.sites, now=NOON)
        environment = {
            **os.environ,
            "ARBORIST_HOME": str(home),
            "ARBORIST_SITES": str(home / "sites.yaml"),
            "TZ": "UTC",
        }
        self.done = subprocess.run([sys.executable, "-m", "examples.run"], check=False, capture_output=True, text=True,
                                   cwd=REPOSITORY, env=environment)  # fmt: skip

    def row(self, label):
        """Return the three figures of a line of the table."""
        line = next(line for line in self.done.stdout.splitlines() if line.startswith(label + " "))
        return [int(figure) for figure in re.findall(r"\s(\d+)(?=\s|$)", line)]


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    return Story(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def truth():
    return build_shop().truth


def test_it_ends_well(story):
    assert story.done.returncode == 0, story.done.stdout + story.done.stderr


def test_products_come_first_where_a_breadth_first_walk_has_none(story):
    assert story.row("products among the first 60 fetches")[0] >= 30
    assert "0 products among its first 60" in story.done.stdout


def test_the_catalogue_is_the_shops(story, truth):
    linked = len(truth.products) - sum(path in truth.products for path in truth.orphans)
    first, still, changed = story.row("products in the catalogue")
    assert (first, still, changed) == (linked, linked, linked - 1)
    assert story.row("… with a price")[0] >= 0.98 * linked


def test_a_still_shop_writes_nothing_and_a_changed_one_makes_versions(story):
    assert story.row("documents: new")[1:] == [0, 0]
    assert story.row("documents: superseded") == [0, 0, len(build_changed().touched)]
    assert story.row("documents: gone") == [0, 0, 1]


def build_changed():
    """Return what the change of the shop touches."""
    return build_shop().change()


def test_the_report_finds_what_was_planted(story, truth):
    planted = {"report: orphans": len(truth.orphans), "report: exact duplicates": 1,
               "report: broken links": len(truth.broken), "report: redirect chains": 1, "report: thin pages": 1,
               "report: untitled pages": 1}  # fmt: skip
    assert {label: story.row(label)[0] for label in planted} == planted


def test_price_version_and_proof_of_the_change_are_shown(story):
    change = build_changed()
    assert f"{change.price_before} → {change.price_after}" in story.done.stdout
    assert "superseded by" in story.done.stdout
    assert "is proved against root" in story.done.stdout


def test_a_list_of_ones_own_and_its_sites_are_left_alone(story):
    assert (story.home / "sites.yaml").read_text() == OWN_LIST
    with closing(sqlite3.connect(story.home / "crawl" / "web.db")) as store:
        active = store.execute("SELECT key FROM sites WHERE active").fetchall()
    assert active == [("mine",)]


def test_everything_lies_where_it_says(story):
    (report,) = re.findall(r"^report\s+(\S+)$", story.done.stdout, re.MULTILINE)
    assert "Orphan pages" in Path(report).read_text(encoding="utf-8")
    with closing(sqlite3.connect(story.home / "crawl" / "web.db")) as store:
        assert store.execute("SELECT count(*) FROM crawls").fetchone() == (3,)
    assert (story.home / "dagster" / "dagster.yaml").is_file()
