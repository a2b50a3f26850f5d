"""arborist verify: sound stores pass, every damage is found and names its page."""

import json
import sqlite3

import pytest

from arborist_pipeline.workflows.verify import verify_store
from arborist_pipeline_tests.support.site_server import LocalSite, html


@pytest.fixture
def crawled(arborist):
    """A store with two sites; the second shares a page's text with the first."""
    shared = html("Terms", "<p>The same terms stand on both sites.</p>")
    first = {"/": html("One", "<p>First site.</p>", links=["/terms"]), "/terms": shared}
    second = {"/": html("Two", "<p>Second site.</p>", links=["/terms"]), "/terms": shared}
    with LocalSite(first) as one, LocalSite(second) as two:
        for site in (one, two):
            arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest")
        yield one, two


def tamper(home, statement, *values):
    with sqlite3.connect(home / "crawl/web.db") as connection:
        changed = connection.execute(statement, values).rowcount
    connection.close()
    assert changed


@pytest.mark.usefixtures("crawled")
def test_a_sound_store_passes_and_stays_as_it_is(arborist, home):
    before = (home / "crawl/web.db").read_bytes()
    result = arborist("verify")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "4 documents and 3 bodies recomputed, 0 damages" in result.stderr
    assert (home / "crawl/web.db").read_bytes() == before


DAMAGES = [
    ("a text", "UPDATE chunks SET text = text || '!' WHERE text LIKE '%First site%'", "does not hash to its leaf"),
    ("bytes that are no text", "UPDATE chunks SET text = CAST(x'FF00' AS TEXT) WHERE text LIKE '%First site%'", "leaf"),
    ("a lost text", "DELETE FROM chunks WHERE text LIKE '%First site%'", "is missing"),
    ("a lost place", "DELETE FROM document_chunks WHERE document_root = :root", "chunks are stored"),
    ("a swapped leaf", "UPDATE document_chunks SET leaf_hash = :other WHERE document_root = :root", "lead to the root"),
    ("a count", "UPDATE documents SET leaf_count = 7 WHERE document_root = :root", "7 were"),
    ("a main root", "UPDATE documents SET main_root = zeroblob(32) WHERE document_root = :root", "its main text leads"),
    ("a length", "UPDATE documents SET characters = 1 WHERE document_root = :root", "1 are noted"),
    ("a status", "UPDATE documents SET status = 'empty' WHERE document_root = :root", "its status is"),
    (
        "what is current",
        "UPDATE documents SET is_current = 0 WHERE document_root = :root",
        "its current version is not",
    ),
    ("a time", "UPDATE documents SET last_seen_at = '1999-01-01' WHERE document_root = :root", "seen last before"),
    ("an address", "UPDATE documents SET document_uri = 'x' WHERE document_root = :root", "the documents have not"),
    ("a root", "UPDATE documents SET document_root = zeroblob(32) WHERE document_root = :root", "chunks are stored"),
    ("a recipe", "UPDATE documents SET recipe = 'x' WHERE document_root = :root", "recipe"),
    ("a body", "UPDATE bodies SET content = x'FF00' WHERE sha256 = :body", "cannot be decompressed"),
    ("another body", "UPDATE bodies SET content = :zlib WHERE sha256 = :body", "does not hash to"),
    ("a size", "UPDATE bodies SET size = size + 1 WHERE sha256 = :body", "bytes"),
    ("no content", "UPDATE bodies SET content = NULL WHERE sha256 = :body", "no content"),
    ("a lost body", "DELETE FROM bodies WHERE sha256 = :body", "latest body is missing"),
]


@pytest.mark.parametrize(("statement", "words"), [case[1:] for case in DAMAGES], ids=[case[0] for case in DAMAGES])
def test_damage_is_found_and_names_the_page(arborist, crawled, home, statement, words):
    one, two = crawled
    connection = sqlite3.connect(home / "crawl/web.db")
    root, body = connection.execute(
        "SELECT document_root, body_sha256 FROM frontier WHERE url = ?", (one.url(),)
    ).fetchone()
    other = connection.execute("SELECT document_root FROM frontier WHERE url = ?", (two.url(),)).fetchone()[0]
    text = bytes.fromhex("789c4b040000620062")  # zlib of b"a"
    values = {"root": root, "body": body, "other": other, "zlib": text}
    used = {name: value for name, value in values.items() if f":{name}" in statement}
    assert connection.execute(statement, used).rowcount
    connection.commit()
    connection.close()
    result = arborist("verify", "--json")
    assert result.exit_code == 1
    *found, last = (json.loads(line) for line in result.stdout.splitlines())
    assert {damage["url"] for damage in found} == {one.url()}
    assert any(words in damage["damage"] for damage in found)
    assert last["summary"]["damages"] == len(found)
    assert arborist("verify", "--site", f"127.0.0.1-{one.port}").exit_code == 1
    assert arborist("verify", "--site", f"127.0.0.1-{two.port}").exit_code == 0


def test_damage_of_a_shared_text_names_every_page_that_has_it(arborist, crawled, home):
    tamper(home, "UPDATE chunks SET text = 'x' WHERE text LIKE '%same terms%'")
    result = arborist("verify")
    assert result.exit_code == 1
    assert {line.split()[1] for line in result.stdout.splitlines()} == {site.url("/terms") for site in crawled}


@pytest.mark.usefixtures("crawled")
def test_an_unknown_site_ends_with_2(arborist):
    result = arborist("verify", "--site", "nobody")
    assert (result.exit_code, result.stdout) == (2, "")


def test_without_a_store_there_is_nothing_to_verify(arborist):
    assert arborist("verify").exit_code == 2


@pytest.mark.usefixtures("crawled")
def test_ctrl_c_keeps_what_was_found(arborist, home, monkeypatch):
    def stop(store, *, report, audit, **options):
        verify_store(store, report=report, audit=audit, **options)
        raise KeyboardInterrupt

    tamper(home, "UPDATE chunks SET text = 'x' WHERE text LIKE '%First site%'")
    monkeypatch.setattr("arborist_pipeline.cli.verify.verify_store", stop)
    result = arborist("verify", "--json")
    assert result.exit_code == 1
    *found, last = map(json.loads, result.stdout.splitlines())
    assert found
    assert not last["summary"]["complete"]
    assert "interrupted" in result.stderr
