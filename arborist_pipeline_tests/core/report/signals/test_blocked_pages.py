import pytest

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.signals.blocked_pages import find_blocked_pages

SITE = "https://shop.example"


def test_pages_behind_one_wall_are_one_finding_that_says_what_to_ask_for(make_snapshot, make_page):
    walls = [make_page(path, Outcome.BLOCKED, status=403, reason="status 403") for path in ("/b", "/a")]
    (finding,) = find_blocked_pages(make_snapshot(*walls))
    assert finding.details["urls"] == [f"{SITE}/a", f"{SITE}/b"]
    assert "Ask the owner to allow" in finding.message


@pytest.mark.parametrize(
    ("status", "words"), [(401, "login"), (429, "rate limit"), (403, "firewall"), (200, "firewall")]
)
def test_the_advice_fits_the_refusal(make_snapshot, make_page, status, words):
    (finding,) = find_blocked_pages(make_snapshot(make_page("/a", Outcome.BLOCKED, status=status)))
    assert words in finding.message


def test_a_404_is_no_wall(make_snapshot, make_page):
    assert list(find_blocked_pages(make_snapshot(make_page("/a", Outcome.HTTP_ERROR, status=404)))) == []
