"""The past of a URI as the store has it."""

from datetime import timedelta

import pytest

from arborist_pipeline.adapters.stores.history import SqlHistory
from arborist_pipeline.core.documents.history import restore_text
from arborist_pipeline_tests.adapters.stores.conftest import answering, at, dump, prose, visit
from arborist_pipeline_tests.support.builders import NOON


def test_every_version_comes_back_with_its_text_even_one_that_came_twice(store):
    said = ("First words.", "Later words.", "First words.")
    for number, words in enumerate(said):
        visit(store, {"/": prose(words)}, when=NOON + timedelta(days=number), ingest=True)
    before = dump(store)
    past = SqlHistory(store.engine)
    versions = past.load_versions(at("/"))
    assert tuple(restore_text(each.document, past.load_chunks(each.document)) for each in versions) == said
    assert [each.observed_at for each in versions] == [NOON + timedelta(days=number) for number in range(3)]
    assert [each.is_current for each in versions] == [False, False, True]
    assert [each.supersedes for each in versions] == [None, versions[0].document.root, versions[1].document.root]
    assert dump(store) == before


def test_a_page_that_is_gone_keeps_its_past(store):
    visit(store, {"/": prose("Words.")}, ingest=True)
    visit(store, {"/": answering(410)}, when=NOON + timedelta(days=1), ingest=True)
    store.documents.settle("shop", now=NOON + timedelta(days=1))
    (version,) = SqlHistory(store.engine).load_versions(at("/"))
    assert not version.is_current
    assert version.last_seen_at == NOON


@pytest.mark.parametrize("path", ["/nothing", "/" + "x" * 8_000])
def test_a_page_that_was_never_read_has_no_past(store, path):
    assert SqlHistory(store.engine).load_versions(at(path)) == ()
