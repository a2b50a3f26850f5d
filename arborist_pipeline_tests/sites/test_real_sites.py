"""Documentation that lies on this machine, behind nginx, crawled whole by the command line, twice, and reported on."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from urllib.parse import urlsplit

import pytest

from arborist_pipeline_tests.conftest import REPOSITORY
from arborist_pipeline_tests.support.doc_sites import find_doc_sites, linked_targets
from arborist_pipeline_tests.support.nginx import NginxSite, find_nginx

pytestmark = pytest.mark.nginx
FOLDERS = find_doc_sites()
PROBE = "/no-such-page-"  # the one address a crawl makes up, to learn how the site says "not found"
TABLES = ("documents", "chunks", "document_chunks", "links", "bodies", "supersedes")


class Walk:
    """One run of `arborist crawl`: its lines, what nginx answered meanwhile, and the rows that the store has after."""

    def __init__(self, site, home):
        began = time.monotonic()
        output = arborist(home, "crawl", "--seed-url", site.url(), "--fast", "--ingest", "--depth", "50", "--json")
        self.seconds = time.monotonic() - began
        *pages, last = [json.loads(line) for line in output.splitlines()]
        self.summary = last["summary"]
        self.outcomes = {urlsplit(page["url"]).path: page["outcome"] for page in pages}
        asked = site.take_log()
        self.log = [each for each in asked if PROBE not in each.target]
        self.probes = len(asked) - len(self.log)
        self.rows = count_rows(home)

    @property
    def targets(self):
        return {each.target for each in self.log} - {"/robots.txt"}

    def paths(self, outcome):
        return {path for path, ended in self.outcomes.items() if ended == outcome}


class Proof:
    """A site crawled, crawled again, and reported on."""

    def __init__(self, folder, home):
        self.folder = folder
        with NginxSite(folder, home / "nginx") as site:
            self.first, self.second = Walk(site, home), Walk(site, home)
            self.report = json.loads(arborist(home, "crawl-report", "--seed-url", site.url(), "--format", "json"))
            self.asked_for_the_report = site.take_log()


def arborist(home, *arguments):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ARBORIST_", "CRAWL_"))}
    settings = {"ARBORIST_HOME": str(home), "ARBORIST_ALLOW_PRIVATE": "1", "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run([sys.executable, "-m", "arborist_pipeline", *arguments], cwd=home, env=kept | settings,
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def count_rows(home):
    database = sqlite3.connect(home / "crawl" / "web.db")
    try:
        return {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES}
    finally:
        database.close()


@pytest.fixture(scope="module", params=FOLDERS or [None], ids=lambda folder: folder.parent.name if folder else "none")
def proof(request, tmp_path_factory, figures):
    if request.param is None:
        pytest.skip("no package with HTML documentation is here (Debian: python3-doc, postgresql-doc)")
    if find_nginx() is None:
        pytest.skip("no nginx is here (Debian: nginx-light)")
    done = Proof(request.param, tmp_path_factory.mktemp("real"))
    first, second = done.first, done.second
    figures.append(
        f"{done.folder}: {first.summary['pages']} pages in {first.seconds:.1f} s, again in {second.seconds:.1f} s; "
        f"{sum(each.body_bytes for each in first.log):,} bytes of bodies, again "
        f"{sum(each.body_bytes for each in second.log):,}; {done.report['summary']['broken_link']} broken links"
    )
    return done


@pytest.mark.parametrize("which", ["first", "second"])
def test_every_address_is_asked_for_once_in_a_crawl_and_robots_txt_too(proof, which):
    walk = getattr(proof, which)
    assert [key for key, number in Counter((each.method, each.target) for each in walk.log).items() if number > 1] == []
    assert {each.method for each in walk.log} == {"GET"}
    assert walk.log[0].target == "/robots.txt"
    assert walk.probes <= 1
    assert {urlsplit(target).path for target in walk.targets} == set(walk.outcomes)


@pytest.mark.parametrize("which", ["first", "second"])
def test_outcomes_add_up_and_the_crawl_runs_to_its_end(proof, which):
    walk = getattr(proof, which)
    assert walk.summary["stopped_by"] == "exhausted"
    assert walk.summary["unfetched"] == 0
    assert sum(walk.summary["by_outcome"].values()) == walk.summary["pages"] == len(walk.log) - 1
    assert Counter(walk.outcomes.values()) == walk.summary["by_outcome"]


def test_what_is_found_is_what_a_walk_of_the_files_finds(proof):
    there, missing = linked_targets(proof.folder)
    assert proof.first.paths("ok") == there
    assert proof.first.paths("http_error") == missing
    broken = {urlsplit(finding["url"]).path for finding in proof.report["findings"]
              if finding["signal"] == "broken_link"}  # fmt: skip
    assert broken == missing


def test_every_good_page_is_a_document(proof):
    ok = proof.first.summary["by_outcome"]["ok"]
    assert proof.first.summary["documents"] == proof.first.rows["documents"] == ok


def test_pages_come_compressed_over_a_few_connections(proof):
    pages = [each for each in proof.first.log if each.target in proof.first.paths("ok")]
    assert {each.coding for each in pages} == {"gzip"}
    assert len({each.connection for each in proof.first.log}) < len(proof.first.log) / 10


def test_a_second_crawl_transfers_no_page_that_is_stored(proof):
    stored = proof.first.paths("ok")
    again = [each for each in proof.second.log if each.target in stored]
    assert {each.status for each in again} == {304}
    assert sum(each.body_bytes for each in again) == 0
    assert proof.second.paths("not_modified") == stored
    assert proof.second.targets == proof.first.targets


def test_a_second_crawl_writes_no_document_chunk_or_link(proof):
    assert proof.second.rows == proof.first.rows
    assert proof.first.rows["links"] > proof.first.rows["documents"]
    assert proof.second.summary["documents"] == 0


def test_the_report_is_made_of_the_whole_site_and_asks_for_its_sitemap_alone(proof):
    assert proof.report["complete"] is True
    assert proof.report["unfetched"] == 0
    assert [each.target for each in proof.asked_for_the_report] == ["/robots.txt", "/sitemap.xml"]
