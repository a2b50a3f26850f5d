"""arborist refresh: hands the nightly job its sites, and tells what came of them."""

import json

import pytest

from arborist_pipeline.core.crawl.refresh import SiteRefresh


class Job:
    """A nightly job that notes what it was asked and answers as it was told."""

    def __init__(self, *results):
        self.results = results
        self.calls = []

    def __call__(self, keys, *, full, settings, say):
        self.calls.append((keys, full, settings.store))
        say("lamps: begins")
        return self.results


GOOD = SiteRefresh(
    key="lamps", ok=True, counts={"pages": 60, "products": 41, "findings": {"orphan": 2, "deep_page": 1}}
)
BAD = SiteRefresh(key="chairs", ok=False, reason="robots.txt\nforbids the seed")


def test_a_table_tells_what_each_site_came_to(arborist, tmp_path):
    job = Job(GOOD)
    result = arborist("--db", tmp_path / "my.db", "refresh", "lamps", "--full", refresh=job)
    assert result.exit_code == 0
    assert job.calls == [(("lamps",), True, str(tmp_path / "my.db"))]
    heading, line = result.stdout.splitlines()
    assert heading.split()[:4] == ["SITE", "RESULT", "PAGES", "PRODUCTS"]
    assert line.split() == ["lamps", "ok", "60", "41", "-", "3", "-", "-"]
    assert "lamps: begins" in result.stderr


def test_all_means_every_listed_site(arborist):
    job = Job(GOOD)
    assert arborist("refresh", "--all", refresh=job).exit_code == 0
    assert job.calls[0][:2] == (None, False)


def test_a_site_that_failed_ends_with_1_and_its_reason(arborist):
    result = arborist("refresh", "lamps", "chairs", "--json", refresh=Job(GOOD, BAD))
    assert result.exit_code == 1
    assert [(line["site"], line["ok"]) for line in map(json.loads, result.stdout.splitlines())] == [
        ("lamps", True),
        ("chairs", False),
    ]
    assert "chairs failed: robots.txt forbids the seed" in result.stderr


@pytest.mark.parametrize("arguments", [(), ("lamps", "--all")])
def test_sites_or_all_must_be_named(arborist, arguments):
    job = Job(GOOD)
    result = arborist("refresh", *arguments, refresh=job)
    assert (result.exit_code, result.stdout, job.calls) == (2, "", [])


def test_without_a_job_in_hand_that_is_said(arborist):
    assert arborist("refresh", "--all").exit_code == 2
