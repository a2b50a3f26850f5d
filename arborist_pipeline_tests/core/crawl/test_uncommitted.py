"""What is not committed yet is kept exactly until it is."""

from arborist_pipeline.core.crawl.entries import Lead
from arborist_pipeline.core.crawl.uncommitted import Uncommitted
from arborist_pipeline.core.web.links import Link
from arborist_pipeline_tests.core.crawl.conftest import at, links_to, make_entry


def test_what_changed_while_its_batch_was_written_stays_for_the_next():
    kept = Uncommitted()
    still, moving = make_entry("/still", 1), make_entry("/moving", 2)
    kept.add(still, is_new=True)
    kept.add(moving, is_new=True)
    batch = kept.take()
    moving.depth = 7
    kept.touch(moving)
    kept.settle(batch)
    assert list(kept.entries) == [moving.url]
    assert [(row.url, row.depth, row.is_new) for row in kept.take()] == [(moving.url, 7, False)]


def test_a_new_row_that_changes_before_it_is_taken_is_new_once():
    kept, entry = Uncommitted(), make_entry("/a", 1)
    kept.add(entry, is_new=True)
    kept.touch(entry)
    assert [row.is_new for row in kept.take()] == [True]
    assert kept.take() == ()


def test_where_an_answer_leads_is_known_here_until_its_row_tells():
    kept, page = Uncommitted(), make_entry("/a", 1)
    assert kept.leads(page.url) is None
    kept.note_links(page.url, links_to(["/b"]))
    kept.note_target(page.url, Link(url=at("/c"), text=""))
    kept.touch(page)
    batch = kept.take()
    assert list(kept.leads(page.url)) == [Lead(page.url, at("/b"), "to /b"), Lead(page.url, at("/c"), "", is_hop=True)]
    kept.settle(batch)
    assert kept.leads(page.url) is None


def test_an_answer_without_links_leads_nowhere_whatever_its_row_says():
    kept = Uncommitted()
    kept.note_answer(at("/a"))
    assert list(kept.leads(at("/a"))) == []
