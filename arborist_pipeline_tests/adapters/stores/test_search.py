"""Full text, the same on both databases: what is there is found, what is not current is not, and nothing goes stale."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from arborist_pipeline.adapters.stores import search as search_module
from arborist_pipeline.adapters.stores.engine import writing
from arborist_pipeline.adapters.stores.search import SqlSearch
from arborist_pipeline.core.documents.words import parse_query
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline_tests.adapters.stores.conftest import SITE, answering, at, dump, prose, visit
from arborist_pipeline_tests.support.builders import NOON

OTHER = replace(SITE, key="other")
LATER = NOON + timedelta(days=1)
PAGES = {
    "/oak": prose("A desk made of oak.", title="Oak desk"),
    "/lamp": prose("A lamp for a desk, crème. The desk lamp is lit.", title="Lamp"),
    "/tokyo": prose("東京の地図 and a lamp.", title="Map"),
}


@pytest.fixture
def search(store):
    visit(store, PAGES, ingest=True)
    made = SqlSearch(store.engine)
    made.refresh()
    return made


def found(search, asked, **options):
    return [hit.uri.removeprefix("https://shop.example") for hit in
            search.find(parse_query(asked), **{"limit": 10, **options})]  # fmt: skip


@pytest.mark.parametrize(("asked", "paths"), [
    ("oak", ["/oak"]), ("OAK", ["/oak"]), ("map", ["/tokyo"]), ("creme", ["/lamp"]), ("Crème", ["/lamp"]),
    ("lamp desk", ["/lamp"]), ('"desk lamp"', ["/lamp"]), ('"lamp desk"', []), ("東京", ["/tokyo"]), ("京東", []),
    ("地図 lamp", ["/tokyo"]), ("oa", []), ("nothing", []), ("", []), ("oak OR lamp", []), ("des*", []),
])  # fmt: skip
def test_pages_with_all_that_is_asked_are_found_and_no_others(search, asked, paths):
    assert found(search, asked) == paths


def test_the_best_come_first_and_a_title_weighs_more(search):
    assert found(search, "desk") == ["/oak", "/lamp"]
    assert found(search, "lamp") == ["/lamp", "/tokyo"]
    assert found(search, "lamp", limit=1) == ["/lamp"]
    best, next_best = search.find((("desk",),), limit=2)
    assert best.score > next_best.score > 0


def test_a_hit_tells_where_and_when_with_marks_on_the_words(search):
    (hit,) = search.find(parse_query('"desk lamp"'), limit=5)
    assert (hit.site_key, hit.uri, hit.title, hit.is_current, hit.last_seen_at) == (
        "shop", at("/lamp"), "Lamp", True, NOON,
    )  # fmt: skip
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["lamp", "desk", "desk", "lamp"]


@pytest.mark.parametrize("asked", [
    "'; DROP TABLE documents; --", '"' * 999, "lamp\x00desk", "NEAR(lamp desk)", "title:lamp", "lamp\\", "%_", ":asked",
    "{lamp} & | ! <->", "word " * 2_000, "x" * 10_000, "\ud800 lamp", "lamp -desk +oak ^map", "½ ﷺ ǅ İ", "हिन्दी",
])  # fmt: skip
def test_hostile_questions_are_data(search, store, asked):
    before = dump(store)
    found(search, asked)
    assert dump(store) == before


def test_a_text_of_many_scripts_is_found_by_each_of_its_words(store):
    words = ["½", "ﷺ", "ǅungla", "İstanbul", "हिन्दी", "日本", "Ελλάδα", "עברית", "가나", "x" * 3_000, "ไฟ", "١٢", "²"]
    visit(store, {"/": prose(" , ".join(words))}, ingest=True)
    search = SqlSearch(store.engine)
    search.refresh()
    assert [word for word in words if found(search, word) != ["/"]] in ([], ["x" * 3_000])


def test_what_changed_is_found_by_what_it_says_now_and_with_all_versions_by_what_it_said(store, search):
    visit(store, {"/oak": prose("A desk made of beech.", title="Beech desk")}, when=LATER, ingest=True)
    assert search.count_missing() == 1
    assert search.refresh() == 1
    assert (found(search, "oak"), found(search, "beech")) == ([], ["/oak"])
    (old,) = search.find((("oak",),), limit=5, all_versions=True)
    assert (old.uri, old.is_current, old.title) == (at("/oak"), False, "Oak desk")
    assert found(search, "desk", all_versions=True).count("/oak") == 2


def test_a_title_that_changed_alone_is_found_too(store, search):
    visit(store, {"/oak": prose("A desk made of oak.", title="Eiche")}, when=LATER, ingest=True)
    assert search.refresh() == 1
    assert found(search, "eiche") == ["/oak"]
    assert found(search, '"oak desk"') == []


def test_a_page_that_is_gone_is_found_among_all_versions_only(store, search):
    visit(store, {"/oak": answering(410)}, when=LATER, ingest=True)
    store.documents.settle("shop", now=LATER)
    assert (found(search, "oak"), found(search, "oak", all_versions=True)) == ([], ["/oak"])


def test_a_site_may_be_named(store, search):
    store.sites.put_site(OTHER, NOON)
    visit(store, {"/elsewhere": PAGES["/lamp"]}, site=OTHER, ingest=True)
    search.refresh()
    assert found(search, "lamp", site_key="other") == ["/elsewhere"]
    assert found(search, "lamp", site_key="shop") == ["/lamp", "/tokyo"]
    with pytest.raises(StoreError):
        found(search, "lamp", site_key="nobody")


def test_twins_share_an_entry_and_are_both_found(store, search):
    visit(store, {"/twin": PAGES["/oak"]}, ingest=True)
    assert (search.count_missing(), search.refresh()) == (0, 0)
    assert found(search, "oak") == ["/oak", "/twin"]


def test_indexing_again_adds_nothing_and_an_index_that_was_dropped_is_made_again(store, search):
    assert (search.count_missing(), search.refresh()) == (0, 0)
    assert 0 < search.size_bytes() < 10_000_000
    with writing(store.engine) as connection:
        for name in ("search_index", "search_texts"):
            connection.execute(text(f"DROP TABLE {name}"))
    assert (found(search, "oak"), search.size_bytes(), search.count_missing()) == ([], 0, 3)
    assert search.refresh() == 3
    assert found(search, "oak") == ["/oak"]


def test_pages_without_text_are_not_missing(store):
    visit(store, {"/": "<title>Empty</title>"}, ingest=True)
    search = SqlSearch(store.engine)
    assert (search.count_missing(), search.refresh()) == (0, 0)


def test_a_long_text_is_indexed_in_parts_and_found_once(store, monkeypatch):
    monkeypatch.setattr(search_module, "PART_CHARACTERS", 5_000)
    lines = "".join(f"<p>Line {number} of a text about lamps, number{number}.</p>" for number in range(1_000))
    visit(store, {"/long": f"<title>Long</title>{lines}"}, ingest=True)
    search = SqlSearch(store.engine)
    assert search.refresh() == 1
    assert found(search, "lamps") == ["/long"]
    (hit,) = search.find((("number777",),), limit=5)
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.marks] == ["number777"]
