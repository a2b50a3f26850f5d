import pytest

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.signals.canonicals import find_canonical_problems

SITE = "https://shop.example"


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        ({"outcome": Outcome.REDIRECT, "status": 301, "redirect_to": f"{SITE}/guide"}, f"redirects to {SITE}/guide"),
        ({"outcome": Outcome.HTTP_ERROR, "status": 404}, "answers with status 404"),
        ({"outcome": Outcome.NETWORK_ERROR, "status": None}, "does not answer"),
        ({"outcome": Outcome.ROBOTS_DENIED, "status": None}, "is forbidden by robots.txt"),
        ({"noindex": True}, "is kept out of the index (noindex)"),
        ({"canonical_url": f"{SITE}/third"}, f"names yet another one ({SITE}/third)"),
    ],
)
def test_a_canonical_that_does_not_show_the_page_is_a_problem(make_snapshot, make_page, facts, fault):
    guide = make_page("/guide", canonical_url=f"{SITE}/named")
    found = [finding for finding in find_canonical_problems(make_snapshot(guide, make_page("/named", **facts)))
             if finding.url == guide.url]  # fmt: skip
    assert [finding.details["fault"] for finding in found] == [fault]


def test_a_canonical_that_shows_a_page_or_was_never_seen_is_none(make_snapshot, make_page):
    pages = [
        make_page("/named"),
        make_page("/same", canonical_url=f"{SITE}/same"),
        make_page("/good", canonical_url=f"{SITE}/named"),
        make_page("/unseen", canonical_url=f"{SITE}/elsewhere"),
    ]
    assert list(find_canonical_problems(make_snapshot(*pages))) == []
