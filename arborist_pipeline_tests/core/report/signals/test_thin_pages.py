import pytest

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.signals.thin_pages import THIN_CHARACTERS, find_thin_pages
from arborist_pipeline.core.web.page import PageKind


def found(snapshot):
    return [finding.signal for finding in find_thin_pages(snapshot)]


@pytest.mark.parametrize(
    ("facts", "signals"),
    [
        ({"main_characters": THIN_CHARACTERS - 1}, ["thin_page"]),
        ({"main_characters": THIN_CHARACTERS}, []),
        ({"main_characters": 0}, ["thin_page"]),
        ({"main_characters": None}, []),
        ({"main_characters": 80, "has_product": True}, []),
        ({"outcome": Outcome.EMPTY, "main_characters": None, "title": None}, ["thin_page"]),
        ({"outcome": Outcome.EMPTY, "main_characters": 4_000}, ["thin_page"]),
        ({"outcome": Outcome.NOT_MODIFIED, "status": 304, "main_characters": 5}, ["thin_page"]),
        ({"title": None}, ["untitled_page"]),
        ({"title": " "}, ["untitled_page"]),
        ({"title": None, "main_characters": 5}, ["thin_page", "untitled_page"]),
        ({"outcome": Outcome.HTTP_ERROR, "status": 404, "title": None, "main_characters": 5}, []),
        ({"outcome": Outcome.REDIRECT, "status": 301, "title": None, "main_characters": None}, []),
        ({"outcome": Outcome.BLOCKED, "status": 403, "title": None, "main_characters": 5}, []),
        ({"outcome": Outcome.NOT_HTML, "title": None, "main_characters": None}, []),
    ],
)
def test_pages_that_were_read_are_thin_or_untitled_by_their_own_text_and_title(
    make_snapshot, make_page, facts, signals
):
    assert found(make_snapshot(make_page("/p", **facts))) == signals


def test_a_page_drawn_by_script_is_a_candidate_and_the_advice_fits(make_snapshot, make_page):
    (finding,) = find_thin_pages(make_snapshot(make_page("/p", main_characters=10, needs_rendering=True)))
    assert finding.certainty == "candidate"
    assert "Without scripts" in finding.message


@pytest.mark.parametrize(
    ("facts", "severity"),
    [({}, "warning"), ({"kind": PageKind.LISTING}, "notice"), ({"noindex": True}, "notice")],
)
def test_overviews_and_hidden_pages_may_be_short(make_snapshot, make_page, facts, severity):
    (finding,) = find_thin_pages(make_snapshot(make_page("/p", main_characters=200, **facts)))
    assert finding.severity == severity


def test_a_page_that_sends_its_visitors_on_needs_no_text(make_snapshot, make_page):
    moved = make_page("/old", redirect_to="https://shop.example/new", main_characters=6, title=None)
    assert not list(find_thin_pages(make_snapshot(moved)))
