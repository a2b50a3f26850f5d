"""Documents: what belongs to a root and what does not, which pages share one, and the small rules beside it."""

import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.chunking import split_chunks
from arborist_pipeline.core.documents.document import (
    RECIPE,
    RECIPE_LIBXML2,
    build_document,
    build_document_from_text,
    parser_mismatch,
    site_root,
    title_with_author,
)
from arborist_pipeline.core.documents.merkle import EMPTY_ROOT, build_tree, hash_leaf
from arborist_pipeline.core.documents.text import body_text
from arborist_pipeline.core.web.html import parse_html
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.url import canonicalize

URL = canonicalize("https://shop.example/oak")
BASE = "<title>Oak</title><body><header>Shop</header><h1>Oak</h1><p>{}</p><p>Sturdy & slow.</p>".format(
    "It grows. " * 40
)


def document(html, *, url=URL, author=None):
    page = parse_body(
        html.encode("utf-8", "surrogatepass"), url=url, headers={"content-type": "text/html; charset=utf-8"}
    )
    built = build_document(url, page, author=author)
    assert built is not None
    return built


def main_text(html):
    text = body_text(parse_html(html))
    assert text is not None
    return text.main


def test_a_page_becomes_a_document():
    built = document(BASE)
    text = "Shop\nOak\n" + ("It grows. " * 40).strip() + "\nSturdy & slow."
    assert "\n".join(chunk.text for chunk in built.chunks) == text
    assert all(chunk.leaf_hash == hash_leaf(chunk.text.encode()) for chunk in built.chunks)
    assert built.document_root == built.tree.root
    assert built.main_root == build_document_from_text(URL, text.removeprefix("Shop\n")).document_root
    assert (built.uri, built.title, built.recipe, built.status) == (URL, "Oak", RECIPE, "ok")
    assert RECIPE == "norm-v1/body-v1/blocks-v1/rfc6962-sha256"


@pytest.mark.parametrize(
    ("html", "same_document", "same_main"),
    [
        (BASE, True, True),
        (BASE.replace("<p>", "\n\t<p class=x>\n ").replace("Sturdy", "<b>Stur</b>dy"), True, True),
        (BASE.replace("&", "&amp;").replace("slow", "s&shy;low"), True, True),
        (BASE.replace("<title>Oak</title>", "<title>Elm</title><meta name=x content=y>"), True, True),
        (BASE.replace("Shop", "Shop (1)"), False, True),
        (BASE.replace("slow", "SLOW"), False, False),
        (BASE.replace("slow", "quick"), False, False),
    ],
)
def test_markup_and_title_are_outside_the_roots_and_landmarks_outside_the_main_root(html, same_document, same_main):
    base, other = document(BASE), document(html)
    assert (base.document_root == other.document_root) == same_document
    assert (base.main_root == other.main_root) == same_main


@given(st.sampled_from(["https://a.example/", "https://b.example/x?y=1"]), st.none() | st.text(), st.none() | st.text())
def test_a_root_ignores_uri_title_and_author(uri, title, author):
    built = build_document_from_text(uri, "oak\nelm", title=title, author=author)
    assert built.document_root == built.main_root == hash_leaf(b"oak\nelm")


@pytest.mark.parametrize("html", ["", " ", "<title>t</title><script>draw()</script>", "<div hidden>x</div>"])
def test_a_page_without_text_is_an_empty_document(html):
    built = document(html)
    assert (built.status, built.chunks, built.document_root, built.main_root) == ("empty", (), EMPTY_ROOT, EMPTY_ROOT)


def test_a_page_nested_too_deep_is_no_document():
    page = parse_body(b"<p>x" + b"<div>" * 1_001, url=URL, headers={})
    assert build_document(URL, page) is None


def test_plain_text_is_normalized_first():
    assert build_document_from_text(URL, "oak  elm\r\n\r\n").document_root == hash_leaf(b"oak elm")


@pytest.mark.parametrize(
    ("title", "author", "expected"),
    [
        ("Trees", None, "Trees"),
        ("Trees", "", "Trees"),
        ("Trees", " \n", "Trees"),
        ("Trees", "Oakley", "Trees — Oakley"),
        ("Trees", "  Oakley ", "Trees — Oakley"),
        ("Trees (Oakley, 2019)", "Oakley", "Trees (Oakley, 2019)"),
        ("OAKLEY: Trees", "Oakley", "OAKLEY: Trees"),
        ("Limits", "Li", "Limits — Li"),
        ("Limits", "mits", "Limits — mits"),
        ("Trees", "de la Haye", "Trees — de la Haye"),
        ("Trees", "O.a", "Trees — O.a"),
        ("C", "C++", "C — C++"),
        ("Öl", "Ölberg", "Öl — Ölberg"),
        (None, "Oakley", None),
    ],
)
def test_a_surname_is_appended_to_a_title_unless_it_stands_there(title, author, expected):
    assert title_with_author(title, author) == expected


@given(st.none() | st.text(), st.none() | st.text())
def test_appending_a_surname_twice_changes_nothing(title, author):
    once = title_with_author(title, author)
    assert title_with_author(once, author) == once


def test_an_author_reaches_the_title_of_a_page():
    assert document(BASE, author="Acorn").title == "Oak — Acorn"


@given(st.lists(st.tuples(st.text(alphabet="abc/"), st.binary(min_size=32, max_size=32)), max_size=6).flatmap(
    lambda pairs: st.tuples(st.just(pairs), st.permutations(pairs))))  # fmt: skip
def test_a_site_root_ignores_order_and_repetition_and_nothing_else(pair):
    pairs, shuffled = pair
    assert site_root(pairs) == site_root([*shuffled, *pairs])
    assert site_root([*pairs, ("new", b"\x00" * 32)]) != site_root(pairs)
    for (uri, root), _ in pairwise([*sorted(set(pairs)), ("", b"")]):
        assert site_root([(uri + "x", root) if entry == (uri, root) else entry for entry in pairs]) != site_root(pairs)


def test_a_site_root_is_a_root_over_sorted_pairs():
    first, second = b"\x01" * 32, b"\x02" * 32
    expected = build_tree([hash_leaf(second + b"https://a.example/"), hash_leaf(first + b"https://b.example/")]).root
    assert site_root([("https://b.example/", first), ("https://a.example/", second)]) == expected
    assert site_root([]) == EMPTY_ROOT


def test_the_installed_parser_is_the_one_the_recipe_names_and_another_is_told():
    assert parser_mismatch() is None
    assert parser_mismatch(RECIPE_LIBXML2) is None
    reason = parser_mismatch((2, 12, 6))
    assert reason is not None
    assert "libxml2 2.12.6" in reason


@pytest.mark.shared
def test_all_shared_document_roots_hold(shared):
    path = shared / "conformance" / "normalisation" / "document-roots.jsonl"
    vectors = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(vectors) == 15
    for vector in vectors:
        hashes = [hash_leaf(chunk.encode()) for chunk in vector["chunks"]]
        assert [leaf.hex() for leaf in hashes] == vector["leaf_hashes"]
        assert build_tree(hashes).root.hex() == vector["document_root"]


@pytest.mark.shared
def test_near_duplicates_relate_as_their_pairs_say(shared):
    folder = shared / "conformance" / "near-duplicates"
    pages = [json.loads(line) for line in (folder / "pages.jsonl").read_text().splitlines()]
    pairs = [json.loads(line) for line in (folder / "pairs.jsonl").read_text().splitlines()]
    documents = {page["id"]: document(page["html"]) for page in pages}
    main_chunks = {page["id"]: set(split_chunks(main_text(page["html"]))) for page in pages}
    found = Counter()
    for pair in pairs:
        first, second = documents[pair["a"]], documents[pair["b"]]
        found[pair["relation"], "pairs"] += 1
        found[pair["relation"], "document root"] += first.document_root == second.document_root
        found[pair["relation"], "main root"] += first.main_root == second.main_root
        found[pair["relation"], "main leaf"] += bool(main_chunks[pair["a"]] & main_chunks[pair["b"]])
    rows = ("pairs", "document root", "main root", "main leaf")
    table = {relation: tuple(found[relation, row] for row in rows) for relation, _ in found}
    assert table == {
        "same_root": (112, 96, 112, 112),  # the sixteen with other navigation agree in the main root only
        "near": (48, 0, 0, 48),
        "partial": (32, 0, 0, 29),  # three excerpts hold no whole chunk of their source
        "different_root": (16, 0, 0, 0),
        "distinct": (28, 0, 0, 0),
    }
