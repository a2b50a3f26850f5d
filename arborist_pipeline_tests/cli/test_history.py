"""arborist history: what a page said, when, and what changed."""

import json
import sqlite3

import pytest

from arborist_pipeline.core.crawl.site_list import site_key_for
from arborist_pipeline_tests.support.site_server import LocalSite, html

LINES = [f"<p>Paragraph {number} tells at some length of lamp number {number}.</p>" for number in range(30)]
CHANGED = [*LINES[:7], "<p>Paragraph 7 is another one now, about \x1b[31mdesks\u202e.</p>", *LINES[8:]]


@pytest.fixture
def page(arborist):
    """A page that changed once and went back."""
    said = []
    with LocalSite({"/": lambda _: html("Lamps", "".join(said))}) as site:
        for lines in (LINES, CHANGED, LINES):
            said[:] = lines
            arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
        yield site.url()


def test_versions_are_shown_with_what_changed_and_nothing_that_steers_a_terminal(arborist, page):
    result = arborist("history", page)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    heads = [line for line in lines if line.startswith("version ")]
    assert [head.split()[1] for head in heads] == ["1", "2", "3"]
    assert [head.endswith("current") for head in heads] == [False, False, True]
    assert [line[:3] for line in lines].count("  -") == [line[:3] for line in lines].count("  +") == 2
    assert "  - Paragraph 7 tells at some length of lamp number 7." in lines
    assert not any(mark in result.stdout for mark in ("\x1b", "\u202e"))


def test_the_same_as_json(arborist, page):
    first, second, third = map(json.loads, arborist("history", page, "--json").stdout.splitlines())
    assert (first["version"], first["current"], first["changes"], first["supersedes"]) == (1, False, [], None)
    assert second["supersedes"] == first["document_root"] == third["document_root"]
    (there,), (back,) = second["changes"], third["changes"]
    assert (there["removed"], there["added"]) == (back["added"], back["removed"])
    assert third["current"]
    assert first["observed_at"].endswith("Z")


def test_the_text_of_every_version_comes_back(arborist, page):
    texts = [arborist("history", page, "--version", number, "--text").stdout for number in (1, 2, 3)]
    assert texts[0] == texts[2] == arborist("history", page, "--text").stdout
    assert "Paragraph 7 is another one now" in texts[1]
    assert texts[0].count("\n") == 30


def test_one_version_may_be_named(arborist, page):
    (second,) = map(json.loads, arborist("history", page, "--version", 2, "--json").stdout.splitlines())
    assert (second["version"], len(second["changes"])) == (2, 1)


@pytest.mark.parametrize("arguments", [("--version", "4"), ("--version", "0"), ("--version", "many")])
def test_a_version_that_is_not_there_ends_with_2(arborist, page, arguments):
    result = arborist("history", page, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_page_that_is_not_there_ends_with_2(arborist, page):
    for url in (page + "nothing", "nonsense"):
        result = arborist("history", url)
        assert (result.exit_code, result.stdout) == (2, "")


def test_a_text_that_is_damaged_is_not_passed_off_as_the_page(arborist, page, home):
    with sqlite3.connect(home / "crawl/web.db") as connection:
        connection.execute("UPDATE chunks SET text = replace(text, 'lamp', 'lump')")
    connection.close()
    result = arborist("history", page, "--text")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "run arborist verify" in result.stderr


def test_a_site_has_a_root_a_crawl_and_two_crawls_are_the_same_or_told_apart(arborist, page):
    site = site_key_for(page)
    lines = arborist("history", "--site", site).stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [["crawl", "1"], ["crawl", "2"], ["crawl", "3"]]
    assert arborist("history", "--site", site, "--between", 1, 3).stdout == "same\n"
    assert arborist("history", "--site", site, "--between", 2, 1).stdout == f"changed {page}\n"
    (step,) = map(json.loads, arborist("history", "--site", site, "--between", 1, 2, "--json").stdout.splitlines())
    assert (step["url"], step["step"]) == (page, "changed")


@pytest.mark.parametrize("arguments", [
    (), ("http://127.0.0.1/", "--site", "x"), ("http://127.0.0.1/", "--between", "1", "2"), ("--site", "nobody"),
])  # fmt: skip
def test_neither_page_nor_site_or_both_is_wrong_use(arborist, page, arguments):
    assert page
    result = arborist("history", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
