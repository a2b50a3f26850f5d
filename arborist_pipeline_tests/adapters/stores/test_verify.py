"""The streams of an audit hold every version of every document, and every body, with its pages."""

from datetime import timedelta

import pytest

from arborist_pipeline.adapters.stores.engine import writing
from arborist_pipeline.adapters.stores.schema import bodies, documents
from arborist_pipeline.adapters.stores.verify import SqlAudit
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.documents.audit import audit_body, audit_documents, audit_main_text, audit_versions
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.adapters.stores.conftest import answering, at, dump, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON

EMPTY = Site(key="empty", seed_url=canonicalize("https://empty.example/"))


@pytest.fixture
def audit(store):
    visit(store, {"/": prose("First words."), "/twin": prose("First words."), "/bare": "<title>x</title>"}, ingest=True)
    visit(store, {"/": prose("Later words.")}, ingest=True)
    store.sites.put_site(EMPTY, NOON)
    return SqlAudit(store.engine)


def test_every_version_of_every_document_is_there_and_sound(store, audit):
    leaves = list(audit.leaf_rows(None))
    assert list(audit_documents(leaves)) == [()] * 4
    assert [row.uri for row in leaves] == [at("/"), at("/twin"), at("/bare"), at("/")]
    assert [row.position for row in leaves] == [0, 0, None, 0]
    assert [row.root for row in leaves] == [
        root for (root,) in rows(store, "SELECT document_root FROM documents ORDER BY id")
    ]


def test_every_body_is_there_once_and_knows_its_pages(audit):
    found = list(audit.body_rows(None))
    assert len(found) == 3  # the twins share one
    assert [audit_body(row) for row in found] == [None] * 3
    assert sorted(audit.urls_of_body(row.sha256) for row in found) == [
        (at("/"),),
        (at("/"), at("/twin")),
        (at("/bare"),),
    ]
    assert audit.urls_of_body(bytes(32)) == ()


def test_one_site_may_be_named(audit):
    assert list(audit.leaf_rows("shop")) == list(audit.leaf_rows(None))
    assert list(audit.body_rows("shop")) == list(audit.body_rows(None))
    assert list(audit.leaf_rows("empty")) == []
    assert list(audit.body_rows("empty")) == []
    with pytest.raises(StoreError):
        list(audit.leaf_rows("nobody"))


def test_a_latest_body_that_is_lost_is_named(store, audit):
    assert list(audit.urls_without_body(None)) == []
    (lost,) = [row.sha256 for row in audit.body_rows(None) if audit.urls_of_body(row.sha256) == (at("/bare"),)]
    with writing(store.engine) as connection:
        connection.execute(bodies.delete().where(bodies.c.sha256 == lost))
    assert list(audit.urls_without_body("shop")) == [at("/bare")]
    assert list(audit.urls_without_body("empty")) == []


def test_a_body_that_lies_elsewhere_is_not_read(store, audit):
    with writing(store.engine) as connection:
        connection.execute(bodies.update().values(content=None, location="file:///elsewhere"))
    assert list(audit.body_rows(None)) == []
    assert list(audit.urls_without_body(None)) == []


def test_versions_come_with_what_their_page_was_read_as_last(store, audit):
    found = list(audit.version_rows("shop"))
    assert found == list(audit.version_rows(None))
    assert sorted((row.uri, row.is_current, row.root == row.shown_root) for row in found) == [
        (at("/"), False, False), (at("/"), True, True), (at("/bare"), True, True), (at("/twin"), True, True),
    ]  # fmt: skip
    assert list(audit_versions(found)) == []
    visit(store, {"/twin": answering(404)})
    store.documents.settle("shop", now=NOON)
    assert [row.shown_root for row in audit.version_rows(None) if row.uri == at("/twin")] == [None]
    assert list(audit_versions(audit.version_rows(None))) == []


@pytest.mark.parametrize("to_current", [True, False])
def test_a_flipped_mark_of_what_is_current_is_found(store, audit, to_current):
    mine = (documents.c.document_uri == at("/"), documents.c.is_current.is_(not to_current))
    with writing(store.engine) as connection:
        connection.execute(documents.update().where(*mine).values(is_current=to_current))
    (damage,) = audit_versions(audit.version_rows(None))
    assert damage.uri == at("/")


def test_auditing_changes_nothing(store, audit):
    before = dump(store)
    list(audit.leaf_rows(None))
    list(audit.body_rows("shop"))
    list(audit.urls_without_body(None))
    assert dump(store) == before


FRAMED = "<title>x</title><body><nav>Home {0}</nav><main><p>" + "A lamp for a desk. " * 20 + "</p><p>{1}</main>"


def test_documents_with_landmarks_come_with_the_body_that_each_was_read_from_last(store):
    for day, page in enumerate((("one", "a"), ("one", "b"), ("one", "b"))):
        moment = NOON + timedelta(days=day)
        visit(store, {"/": FRAMED.format(*page), "/bare": prose("No frame.")}, when=moment, ingest=True)
        store.documents.settle("shop", now=moment)
    audit = SqlAudit(store.engine)
    found = list(audit.main_rows("shop"))
    assert [row.uri for row in found] == [at("/"), at("/")]
    assert [audit_main_text(row) for row in found] == [None, None]
    assert list(audit.main_rows("shop")) == list(audit.main_rows(None))
    with writing(store.engine) as connection:
        connection.execute(documents.update().where(documents.c.is_current).values(main_root=b"x" * 32))
    damaged = [row for row in audit.main_rows(None) if audit_main_text(row) is not None]
    assert sorted(row.uri for row in damaged) == [at("/"), at("/bare")]


def test_site_trees_are_part_of_an_audit(store, audit):
    store.documents.settle("shop", now=NOON)
    (state,) = audit.site_states("shop")
    assert audit.compute_site(state) == (state.root, state.size)
    with writing(store.engine) as connection:
        connection.execute(documents.update().values(document_uri=documents.c.document_uri + "x"))
    assert sorted(audit.lost_pages(None)) == [at("/"), at("/twin")]
