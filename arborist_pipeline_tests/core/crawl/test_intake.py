"""Which queue new addresses go to, and what is counted of them for the page that led there."""

from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.priority import FIRST_ARM, Bucket
from arborist_pipeline.core.crawl.records import Tier
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline_tests.core.crawl.conftest import Walk, at

SEED_LINKS = ["/products/blue-cup", "/de/products/blue-cup", "/cups", "/cups?page=2", "/cups?page=3"]


def rows_after(links, **options):
    walk = Walk(learns=True, **options)
    walk.take()
    walk.fetch("/", links)
    walk.commit()
    return walk, walk.rows.entries_by_url


def test_links_go_to_arms_of_their_own_and_are_counted_for_their_page():
    walk, rows = rows_after(SEED_LINKS)
    arms = {rows[at(path)].bucket for path in ("/products/blue-cup", "/cups", "/cups?page=2")}
    assert len(arms) == 3
    assert min(arms) >= FIRST_ARM
    assert arms == {number for number, _, _ in walk.rows.arms_made}
    lesson = walk.rows.taught[0]
    assert sum(lesson.finds.values()) == 4


def test_another_address_of_one_product_stands_behind():
    _, rows = rows_after(SEED_LINKS)
    assert rows[at("/de/products/blue-cup")].bucket == Bucket.BEHIND
    assert rows[at("/products/blue-cup")].priority.tier is Tier.REGEX


def test_later_pages_are_queued_after_what_their_list_shows():
    _, rows = rows_after(["/cups?page=2", "/cup-a", "/cup-b"])
    assert rows[at("/cups?page=2")].seq > max(rows[at(path)].seq for path in ("/cup-a", "/cup-b"))


def test_later_pages_of_a_list_that_brought_nothing_twice_stand_behind():
    walk = Walk(learns=True)
    pages = {"/": ["/all?page=2"], "/all?page=2": ["/all?page=3"], "/all?page=3": ["/all?page=4"]}
    for path in ("/", "/all?page=2", "/all?page=3"):
        assert walk.take() == path
        walk.fetch(path, pages[path], kind=PageKind.LISTING)
    walk.commit()
    buckets = [walk.rows.entries_by_url[at(f"/all?page={number}")].bucket for number in (3, 4)]
    assert buckets[1] == Bucket.BEHIND


def test_what_robots_txt_forbids_is_known_and_never_queued():
    walk, rows = rows_after(SEED_LINKS, exclude=("/cups",))
    assert at("/cups") not in rows
    assert sum(walk.frontier.rejected.values()) == 3
    assert {entry.state for entry in rows.values()} == {State.DONE, State.QUEUED}


def test_a_frontier_that_does_not_learn_has_the_two_queues_of_the_contract():
    walk = Walk()
    walk.take()
    walk.fetch("/", SEED_LINKS)
    walk.commit()
    buckets = {entry.bucket for url, entry in walk.rows.entries_by_url.items() if url != at("/")}
    assert buckets == {Bucket.PRODUCT_SHAPED, Bucket.QUEUE}
    assert walk.rows.arms_made == []
