"""arborist query: words in, pages with snippets out; the index follows the store by itself."""

import json
import sqlite3

import pytest

from arborist_pipeline_tests.support.site_server import LocalSite, html


@pytest.fixture
def site(arborist):
    pages = {
        "/": html("Home \x1b[31m", "<p>Oak desks and lamps, on one \u202epage.</p>", links=["/oak"]),
        "/oak": html("Oak", "<p>A desk made of oak.</p>"),
    }
    with LocalSite(pages) as served:
        arborist("crawl", "--seed-url", served.url(), "--fast", "--ingest")
        yield served


def test_pages_are_shown_with_the_words_in_brackets_and_nothing_that_steers_a_terminal(arborist, site):
    result = arborist("query", "oak", "DESK")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"{site.url('/oak')}  Oak", "    A [desk] made of [oak]."]
    result = arborist("query", "lamps")
    assert "[lamps]" in result.stdout
    assert not any(mark in result.stdout for mark in ("\x1b", "\u202e"))


def test_the_same_as_json(arborist, site):
    (hit,) = map(json.loads, arborist("query", '"made of oak"', "--json").stdout.splitlines())
    assert (hit["url"], hit["title"], hit["current"]) == (site.url("/oak"), "Oak", True)
    assert [hit["snippet"][start:end] for start, end in hit["marks"]] == ["made", "of", "oak"]
    assert hit["first_seen_at"].endswith("Z")


@pytest.mark.usefixtures("site")
def test_no_page_is_no_failure(arborist):
    result = arborist("query", "nothing")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no page has all of these words" in result.stderr


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (
            "--",
            "-- ;",
        ),
        ("oak", "--site", "nobody"),
        ("oak", "--limit", "0"),
    ],
)
def test_wrong_use_ends_with_2(arborist, arguments):
    result = arborist("query", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.usefixtures("site")
def test_a_question_of_ten_thousand_characters_is_a_question(arborist):
    assert arborist("query", "oak " * 2_500).exit_code == 0


def test_a_store_that_is_not_there_is_not_made(arborist, home):
    assert arborist("query", "oak").exit_code == 2
    assert not home.exists()


@pytest.mark.usefixtures("site")
def test_a_store_that_cannot_be_written_is_searched_as_it_is(arborist, home):
    holder = sqlite3.connect(home / "crawl/web.db", isolation_level=None)
    arborist("query", "oak")
    holder.execute("UPDATE documents SET title = 'Elm' WHERE title = 'Oak'")
    holder.execute("CREATE TRIGGER refuse BEFORE INSERT ON search_texts BEGIN SELECT RAISE(ABORT, 'full'); END")
    holder.close()
    result = arborist("query", "lamps")
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 2)
    assert "1 documents are not searched" in result.stderr
