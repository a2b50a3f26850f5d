import pytest

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.signals.broken_links import find_broken_links
from arborist_pipeline.core.report.snapshot import Inlinks, LinkSource

SITE = "https://shop.example"
LINKED = Inlinks(120, (LinkSource(f"{SITE}/", "Sale"), LinkSource(f"{SITE}/a", "")))


def test_a_linked_404_is_an_error_with_the_linking_pages_their_anchors_and_the_number_of_all(make_snapshot, make_page):
    dead = make_page("/dead", Outcome.HTTP_ERROR, status=404)
    (finding,) = find_broken_links(make_snapshot(dead, inlinks={dead.url: LINKED}))
    assert (finding.signal, finding.url, finding.severity, finding.certainty) == (
        "broken_link", dead.url, "error", "certain",
    )  # fmt: skip
    assert finding.sources == LINKED.sources
    assert finding.details["source_count"] == 120
    assert finding.details["status"] == 404
    assert finding.evidence["fetched_at"] == "2026-01-15T12:00:00Z"


@pytest.mark.parametrize(
    "facts",
    [{"outcome": Outcome.HTTP_ERROR, "status": 503}, {"outcome": Outcome.NETWORK_ERROR, "status": None}],
)
def test_what_may_pass_is_a_candidate(make_snapshot, make_page, facts):
    dead = make_page("/dead", **facts)
    (finding,) = find_broken_links(make_snapshot(dead, inlinks={dead.url: LINKED}))
    assert (finding.severity, finding.certainty) == ("warning", "candidate")


@pytest.mark.parametrize(
    "facts",
    [
        {"outcome": Outcome.BLOCKED, "status": 403},
        {"outcome": Outcome.ROBOTS_DENIED, "status": None},
        {"outcome": Outcome.NOT_HTML, "status": 200},
        {"outcome": Outcome.OK, "status": 200},
        {"outcome": Outcome.TOO_LARGE, "status": 200},
    ],
)
def test_bot_walls_refusals_and_other_files_are_no_broken_links(make_snapshot, make_page, facts):
    page = make_page("/there", **facts)
    assert list(find_broken_links(make_snapshot(page, inlinks={page.url: LINKED}))) == []


def test_a_dead_page_that_nobody_links_to_is_no_broken_link(make_snapshot, make_page):
    assert list(find_broken_links(make_snapshot(make_page("/dead", Outcome.HTTP_ERROR, status=404)))) == []


def test_a_dead_start_page_needs_no_link(make_snapshot, make_page):
    (finding,) = find_broken_links(make_snapshot(make_page("/", Outcome.HTTP_ERROR, status=500)))
    assert finding.url == f"{SITE}/"


def test_a_redirect_to_a_dead_page_is_broken_where_it_is_linked(make_snapshot, make_page):
    old = make_page("/old", Outcome.REDIRECT, status=301, redirect_to=f"{SITE}/dead")
    dead = make_page("/dead", Outcome.HTTP_ERROR, status=410)
    (finding,) = find_broken_links(make_snapshot(old, dead, inlinks={old.url: LINKED}))
    assert (finding.url, finding.details["final_url"]) == (old.url, dead.url)
    assert "redirects to an address that answers with status 410" in finding.message


def test_an_href_no_browser_can_follow_is_a_finding_with_its_text_as_written(make_snapshot):
    (finding,) = find_broken_links(make_snapshot(malformed_links={"http://[sale": LINKED}))
    assert (finding.signal, finding.url, finding.sources) == ("malformed_link", "http://[sale", LINKED.sources)
