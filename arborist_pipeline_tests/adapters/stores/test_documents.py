"""Documents by content: written once, history kept, and a second reading that changes nothing."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.stores.history import SqlHistory
from arborist_pipeline.adapters.stores.lookup import SqlLookup
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.documents.document import RECIPE
from arborist_pipeline.core.ports import Put
from arborist_pipeline.workflows.ingest import ingest_pages
from arborist_pipeline_tests.adapters.stores.conftest import SITE, answering, at, dump, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON, make_result

A, B, C = (prose(words) for words in ("One lamp for a desk.", "Two lamps for a desk.", "Three lamps."))


def day(number):
    return NOON + timedelta(days=number)


def ingest(store):
    return ingest_pages(SITE, store=store.documents, clock=SystemClock())


def current(store, path="/a"):
    query = "SELECT title, status FROM documents WHERE document_uri = :u AND is_current"
    return rows(store, query, u=at(path))


def test_a_page_becomes_a_document_with_its_chunks(store):
    visit(store, {"/a": A})
    assert ingest(store) == {Put.NEW: 1}
    assert current(store) == [("Lamps", "ok")]
    assert rows(store, "SELECT chunks.text FROM document_chunks JOIN chunks USING (leaf_hash)") == [
        ("One lamp for a desk.",)
    ]  # fmt: skip
    assert [uri for uri, _ in store.documents.roots("shop")] == [at("/a")]


def test_reading_on_the_way_and_reading_later_leave_the_same(store, tmp_path):
    other = open_store(str(tmp_path / "other.db"))
    other.sites.put_site(SITE, NOON)
    site = {"/a": A, "/b": B, "/empty": "<title>x</title>"}
    visit(store, site, ingest=True)
    visit(other, site)
    ingest(other)
    left_out = ("checked_at", "document_root", "id")
    assert dump(store, without=left_out)["documents"] == dump(other, without=left_out)["documents"]
    assert dump(store)["document_chunks"] == dump(other)["document_chunks"]
    other.close()


def test_reading_twice_writes_nothing(store):
    visit(store, {"/a": A, "/b": B, "/none": "<title>x</title>"})
    ingest(store)
    before = dump(store)
    assert ingest(store) == {}
    assert dump(store) == before


def test_visiting_an_unchanged_page_again_writes_no_version(store):
    visit(store, {"/a": A}, ingest=True)
    before = dump(store, without=("last_seen_at", "checked_at"))
    visit(store, {"/a": A}, when=day(1), ingest=True)
    after = dump(store, without=("last_seen_at", "checked_at"))
    for table in ("documents", "chunks", "document_chunks", "supersedes", "bodies", "document_http_meta"):
        assert after[table] == before[table], table
    assert rows(store, "SELECT last_seen_at FROM documents") == [("2026-01-16 12:00:00.000000",)]


def test_a_body_of_other_bytes_and_the_same_text_is_no_new_version(store):
    visit(store, {"/a": A}, ingest=True)
    visit(store, {"/a": A.replace("<p>", '<p class="wide">')}, when=day(1))
    assert ingest(store) == {Put.UNCHANGED: 1}
    assert rows(store, "SELECT count(*) FROM documents") == [(1,)]


def test_a_change_supersedes_with_an_edge_and_keeps_the_old_version(store):
    visit(store, {"/a": A}, ingest=True)
    visit(store, {"/a": B}, when=day(1))
    assert ingest(store)[Put.SUPERSEDED] == 1
    assert rows(store, "SELECT is_current FROM documents ORDER BY id") == [(0,), (1,)]
    query = "SELECT uri, observed_at, from_root = :a, to_root = :b FROM supersedes"
    (a,), (b,) = rows(store, "SELECT document_root FROM documents ORDER BY id")
    assert rows(store, query, a=a, b=b) == [(at("/a"), "2026-01-16 12:00:00.000000", 1, 1)]


def test_back_and_forth_keeps_two_versions_one_current_and_every_step(store):
    for number, page in enumerate([A, B, A, B, A]):
        visit(store, {"/a": page}, when=day(number), ingest=True)
    roots = dict(rows(store, "SELECT document_root, is_current FROM documents"))
    assert sorted(roots.values()) == [0, 1]
    steps = rows(store, "SELECT from_root, to_root FROM supersedes ORDER BY observed_at, id")
    assert len(steps) == 4
    assert all(earlier[1] == later[0] for earlier, later in pairwise(steps))
    assert roots[steps[-1][1]] == 1


def test_sites_of_one_host_have_versions_steps_and_a_past_each(store):
    twin = replace(SITE, key="twin")
    store.sites.put_site(twin, NOON)
    for number, (site, page) in enumerate([(SITE, A), (twin, A), (twin, B), (SITE, B), (twin, A)]):
        visit(store, {"/a": page}, site=site, when=day(number), ingest=True)
    query = "SELECT key, is_current, last_seen_at FROM documents JOIN sites ON sites.id = site_id ORDER BY documents.id"
    assert [(key, bool(current), seen[:10]) for key, current, seen in rows(store, query)] == [
        ("shop", False, "2026-01-15"), ("twin", True, "2026-01-19"), ("twin", False, "2026-01-17"),
        ("shop", True, "2026-01-18"),
    ]  # fmt: skip
    assert store.documents.roots("shop") != store.documents.roots("twin")
    versions = SqlHistory(store.engine).load_versions(at("/a"))
    assert [each.observed_at for each in versions] == [day(1), day(2), day(4)]


def test_what_is_gone_for_one_site_of_a_host_stands_for_the_other(store):
    twin = replace(SITE, key="twin")
    store.sites.put_site(twin, NOON)
    for number, site in enumerate((SITE, twin)):
        visit(store, {"/a": A}, site=site, when=day(number), ingest=True)
    visit(store, {"/a": answering(410)}, site=twin, when=day(2), ingest=True)
    assert store.documents.settle("shop", now=day(2))[Put.GONE] == 0
    assert store.documents.settle("twin", now=day(2))[Put.GONE] == 1
    assert (len(store.documents.roots("shop")), store.documents.roots("twin")) == (1, ())
    assert SqlLookup(store.engine).load_text(at("/a")) is not None


def test_two_addresses_of_one_text_share_its_chunks(store):
    visit(store, {"/a": A, "/b": A}, ingest=True)
    assert rows(store, "SELECT count(*), count(DISTINCT document_root) FROM documents") == [(2, 1)]
    assert rows(store, "SELECT count(*) FROM document_chunks") == [(1,)]
    query = """SELECT count(*) FROM documents WHERE is_current AND status = 'ok' GROUP BY recipe, document_root
               HAVING count(*) > 1"""
    assert rows(store, query) == [(2,)]


class TestEmpty:
    EMPTY = "<title>Gone blank</title>"

    def test_a_page_without_text_is_an_empty_document(self, store):
        visit(store, {"/a": self.EMPTY}, ingest=True)
        assert current(store) == [("Gone blank", "empty")]
        assert store.documents.roots("shop") == ()

    def test_a_page_that_comes_back_without_text_overwrites_nothing(self, store):
        visit(store, {"/a": A}, ingest=True)
        visit(store, {"/a": self.EMPTY}, when=day(1))
        assert ingest(store)[Put.EMPTIED] == 1
        assert current(store) == [("Lamps", "ok")]
        assert ingest(store) == {}

    def test_text_in_place_of_nothing_is_no_supersession(self, store):
        visit(store, {"/a": self.EMPTY}, ingest=True)
        visit(store, {"/a": A}, when=day(1), ingest=True)
        assert current(store) == [("Lamps", "ok")]
        assert rows(store, "SELECT count(*) FROM supersedes") == [(0,)]


class TestGone:
    @pytest.mark.parametrize("answer", [answering(404), answering(410), answering(301, location="/b"),
                                        answering(308, location="/b")])  # fmt: skip
    def test_a_page_that_is_gone_or_moved_for_good_has_no_current_document(self, store, answer):
        visit(store, {"/a": A}, ingest=True)
        visit(store, {"/a": answer}, when=day(1))
        assert ingest(store)[Put.GONE] == 1
        assert current(store) == []
        assert ingest(store) == {}

    @pytest.mark.parametrize("answer", [answering(500), answering(403), answering(302, location="/b"),
                                        answering(429), answering(200, "")])  # fmt: skip
    def test_trouble_leaves_the_document_where_it_is(self, store, answer):
        visit(store, {"/a": A}, ingest=True)
        visit(store, {"/a": answer}, when=day(1))
        assert ingest(store) == {}
        assert current(store) == [("Lamps", "ok")]

    def test_a_page_that_was_not_visited_is_not_gone(self, store):
        visit(store, {"/a": A, "/b": B}, ingest=True)
        visit(store, {"/b": B}, when=day(9))
        ingest(store)
        assert current(store, "/a") == [("Lamps", "ok")]

    @pytest.mark.parametrize("back", [A, answering(304)])
    def test_a_page_that_comes_back_as_it_was_is_current_again(self, store, back):
        visit(store, {"/a": A}, ingest=True)
        visit(store, {"/a": answering(404)}, when=day(1))
        ingest(store)
        visit(store, {"/a": back}, when=day(2))
        ingest(store)
        assert current(store) == [("Lamps", "ok")]
        assert rows(store, "SELECT count(*) FROM documents") == [(1,)]
        assert ingest(store) == {}


class TestSettle:
    def test_a_304_renews_the_document(self, store):
        visit(store, {"/a": A}, ingest=True)
        visit(store, {"/a": answering(304)}, when=day(2))
        assert ingest(store) == {Put.UNCHANGED: 1}
        assert rows(store, "SELECT last_seen_at FROM documents") == [("2026-01-17 12:00:00.000000",)]

    def test_validators_stand_with_the_root_they_came_with(self, store):
        for number, (page, tag) in enumerate([(A, '"1"'), (B, '"2"')]):
            visit(store, {"/a": lambda url, when, page=page, tag=tag: make_result(
                page, url=url, fetched_at=when, headers={"etag": tag, "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
            )}, when=day(number), ingest=True)  # fmt: skip
        assert rows(store, "SELECT etag FROM document_http_meta ORDER BY etag") == [('"1"',), ('"2"',)]


def test_a_page_nested_too_deep_is_read_once_and_gives_no_document(store):
    deep = "<div>" * 1_200 + "lost" + "</div>" * 1_200
    visit(store, {"/a": deep, "/b": A})
    ingest(store)
    assert rows(store, "SELECT document_uri FROM documents") == [(at("/b"),)]
    assert store.documents.pending_bodies("shop", RECIPE, limit=10) == ()


def test_the_authors_surname_joins_the_stored_title_and_no_root(store):
    visit(store, {"/a": A}, ingest=True, site=replace(SITE, author="Ines Marlow"))
    visit(store, {"/b": A}, ingest=True)
    titles = rows(store, "SELECT title FROM documents ORDER BY document_uri")
    assert titles[0][0] != titles[1][0]
    assert "Marlow" in titles[0][0]
    assert rows(store, "SELECT count(DISTINCT document_root) FROM documents") == [(1,)]
