"""The tree of a site after each crawl: its root, its proofs, and what two of them differ in."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event

from arborist_pipeline.adapters.stores.engine import writing
from arborist_pipeline.adapters.stores.site_trees import SqlSiteTrees, site_leaves
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.documents.document import site_root
from arborist_pipeline.core.documents.proof import verify_page
from arborist_pipeline.core.documents.site_tree import Step, compare_pages
from arborist_pipeline_tests.adapters.stores.conftest import SITE, answering, at, dump, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON


def crawl(store, pages, day=0, site=SITE):
    """Visit pages and settle, as a crawl does at its end; return (url, root) of what stands then."""
    when = NOON + timedelta(days=day)
    answers = {path: prose(words) if isinstance(words, str) else answering(words) for path, words in pages.items()}
    visit(store, answers, when=when, ingest=True, site=site)
    store.documents.settle(site.key, now=when)
    return store.documents.roots(site.key)


def states(store, site_key="shop"):
    return [state for state, _ in SqlSiteTrees(store.engine).load_states(site_key)]


def test_each_crawl_leaves_the_root_over_what_stands_then(store):
    after = [crawl(store, {"/a": "One", "/B": "Two", "/_": "Three"}), crawl(store, {"/a": "Other", "/B": 410}, 1),
             crawl(store, {"/_": "Three"}, 2)]  # fmt: skip
    found = states(store)
    assert [state.root for state in found] == [site_root(pages) for pages in after]
    assert [(state.crawl_id, state.size) for state in found] == [(1, 3), (2, 2), (3, 2)]
    trees = SqlSiteTrees(store.engine)
    assert [trees.compute(state) for state in found] == [(state.root, state.size) for state in found]
    assert rows(store, "SELECT count(*) FROM site_leaves") == [(4,)]  # what stayed is not written again


def test_settling_again_writes_nothing_and_a_site_without_documents_has_no_root(store):
    store.documents.settle("shop", now=NOON)
    assert states(store) == []
    crawl(store, {"/": "One"})
    before = dump(store)
    store.documents.settle("shop", now=NOON + timedelta(days=9))
    assert dump(store) == before


def test_a_site_that_lost_all_its_pages_has_the_empty_root_and_no_proof(store):
    crawl(store, {"/": "One"})
    crawl(store, {"/": 410}, 1)
    one, none = states(store)
    trees = SqlSiteTrees(store.engine)
    assert (none.size, trees.prove(none, at("/"))) == (0, None)
    assert [step.step for step in trees.compare(one, none)] == [Step.GONE]


def test_every_page_has_a_proof_in_every_state_that_had_it_and_in_no_other(store):
    crawl(store, {f"/{number}": f"Text {number}" for number in range(7)})
    crawl(store, {"/3": "Another", "/5": 410, "/new": "New"}, 1)
    trees = SqlSiteTrees(store.engine)
    first, second = states(store)
    for state, missing, there in ((first, "/new", range(7)), (second, "/5", (0, 1, 2, 3, 4, 6, "new"))):
        for path in there:
            proof = trees.prove(state, at(f"/{path}"))
            verify_page(proof)
            assert (proof.root, proof.tree_size) == (state.root, 7)
        assert trees.prove(state, at(missing)) is None


def test_sites_do_not_meet(store):
    other = replace(SITE, key="other")
    store.sites.put_site(other, NOON)
    crawl(store, {"/": "One"})
    crawl(store, {"/other": "One"}, site=other)
    (mine,), (theirs,) = states(store), states(store, "other")
    assert (mine.size, theirs.size) == (1, 1)
    assert mine.root != theirs.root
    assert mine.site_id != theirs.site_id
    assert len(states(store, None)) == 2


changes = st.lists(
    st.dictionaries(st.sampled_from(["/a", "/B", "/c", "/_", "/~"]), st.sampled_from(["One", "Two", 410]), min_size=1),
    min_size=2, max_size=5,
)  # fmt: skip


@given(crawls=changes)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_two_states_differ_in_what_their_pages_differ_in(crawls):
    store = open_store("sqlite://")
    store.sites.put_site(SITE, NOON)
    after = {}
    for number, pages in enumerate(crawls):
        left = crawl(store, pages, number)
        after.update({state.number: left for state in states(store) if state.number not in after})
    trees = SqlSiteTrees(store.engine)
    found = states(store)
    for position, before in enumerate(found):
        for later in found[position:]:
            expected = tuple(compare_pages(after[before.number], after[later.number]))
            assert trees.compare(before, later) == expected
            assert (before.root == later.root) == (expected == ())
    store.close()


def test_equal_roots_are_the_same_without_a_look_at_any_page(store):
    crawl(store, {"/": "One"})
    crawl(store, {"/": "One"}, 1)
    first, second = states(store)
    asked = []
    event.listen(store.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    assert SqlSiteTrees(store.engine).compare(first, second) == ()
    assert asked == []


@pytest.mark.parametrize("damage", [{"url": "https://shop.example/c"}, {"document_root": b"x" * 32}])
def test_a_leaf_that_was_damaged_shows_in_the_root_and_a_document_that_is_lost_by_its_page(store, damage):
    crawl(store, {"/a": "One", "/b": "Two"})
    trees = SqlSiteTrees(store.engine)
    assert list(trees.lost_pages(None)) == []
    with writing(store.engine) as connection:
        connection.execute(site_leaves.update().where(site_leaves.c.url == at("/b")).values(**damage))
    (state,) = states(store)
    assert trees.compute(state)[0] != state.root
    assert list(trees.lost_pages("shop")) == [damage.get("url", at("/b"))]


def steps_of(work, store):
    """How many thousand steps SQLite's machine takes for some work."""
    steps = [0]

    def count():
        steps[0] += 1

    connection = store.engine.raw_connection()
    connection.driver_connection.set_progress_handler(count, 1_000)
    connection.close()
    work()
    return steps[0]


def test_what_a_tree_costs_grows_with_the_site_not_with_its_square():
    costs = []
    for pages in (200, 800):
        store = open_store("sqlite://")  # one connection, which the handler stays on
        store.sites.put_site(SITE, NOON)
        crawl(store, {f"/{number}": f"Text {number}" for number in range(pages)})
        visit(store, {"/0": prose("Another")}, when=NOON + timedelta(days=1), ingest=True)
        trees = SqlSiteTrees(store.engine)
        settled = steps_of(lambda store=store: store.documents.settle("shop", now=NOON + timedelta(days=1)), store)
        looked = steps_of(lambda trees=trees: list(trees.lost_pages("shop")), store)
        costs.append((settled, looked))
        store.close()
    (settled, looked), (settled_of_more, looked_of_more) = costs
    assert settled_of_more < 7 * settled
    assert looked_of_more < 7 * max(looked, 1)
