"""What the frontier reads of its rows: the same as from rows in memory, and by an index each."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event, text

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.entries import Lead, State
from arborist_pipeline.core.crawl.memory_rows import MemoryRows
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline_tests.adapters.stores.conftest import (
    SITE,
    answering,
    at,
    known_entries,
    product_page,
    prose,
    tagged,
    visit,
)
from arborist_pipeline_tests.support.builders import NOON

LATER = NOON + timedelta(hours=24)
HOP = '<meta http-equiv="refresh" content="0; url=/new"><a href="/a">to /a</a>'


@pytest.fixture
def filled(store):
    """A site with pages of three moments, links to come, and some that are too deep or forbidden."""
    store.sites.put_site(replace(SITE, key="other", seed_url=at("/").replace("shop", "other")), NOON)
    visit(store, {"/": prose(links=[f"/p/{n}" for n in range(9)] + [f"/q{n}" for n in range(9)])})
    for night in range(1, 4):
        when = NOON + timedelta(days=night)
        goods = {f"/p/{night}": product_page(), f"/p/{night + 3}": product_page()}
        visit(store, {f"/q{night}": prose(links=["/z"]), f"/q{night + 3}": prose()} | goods, when=when)
    with writing(store.engine) as connection:
        for state, path in (("beyond", "/q7"), ("refused", "/q8")):
            connection.execute(text("UPDATE frontier SET state = :s, depth = 3 WHERE url = :u"),
                               {"s": state, "u": at(path)})  # fmt: skip
    return store


def in_memory(store, since):
    """Return the same rows in memory."""
    rows = MemoryRows(known_entries(store))
    with reading(store.engine) as connection:
        asked = text("SELECT f.url, p.fetched_at FROM frontier f JOIN pages p ON p.id = f.page_id")
        for url, fetched_at in connection.execute(asked):
            rows.answers[url].answered_at = since if str(fetched_at) >= f"{since:%Y-%m-%d %H}" else NOON
    return rows


def test_every_read_gives_what_rows_in_memory_give(filled):
    since = NOON + timedelta(days=2)
    stored, plain = filled.crawls.frontier_rows("shop", 1), in_memory(filled, since)
    known = [sorted(row for portion in rows.known(since) for row in portion) for rows in (stored, plain)]
    assert [(*row[:5], None if row[5] is None else bool(row[5]), row[6]) for row in known[0]] == known[1]
    for state in State:
        for bucket in Bucket:
            for options in ({}, {"min_depth": 2}, {"max_depth": 2}, {"min_depth": 1, "max_depth": 2}):
                for after, limit in ((0, 50), (5, 3)):
                    reads = [rows.in_order(state, bucket, after=after, limit=limit, **options)
                             for rows in (stored, plain)]  # fmt: skip
                    assert reads[0] == reads[1]
    urls = [at("/q1"), at("/nowhere"), at("/")]
    assert sorted(stored.entries(urls), key=str) == sorted(plain.entries(urls), key=str)
    assert stored.entries([]) == []


@pytest.mark.parametrize("is_full", [False, True])
@pytest.mark.parametrize("bucket", [Bucket.DUE_PRODUCT, Bucket.DUE_OTHER])
def test_due_pages_come_in_portions_in_the_order_of_their_dates(filled, bucket, is_full):
    until = NOON + timedelta(days=3, hours=12)
    stored, plain = filled.crawls.frontier_rows("shop", 1), in_memory(filled, until)
    after, found = None, []
    while portion := stored.due(bucket, until=until, is_full=is_full, after=after, limit=2):
        found += portion
        after = portion[-1].due_at, portion[-1].seq
    assert found == plain.due(bucket, until=until, is_full=is_full, after=None, limit=99)
    assert len(found) >= 3


@pytest.mark.parametrize(("answers", "leads"), [
    ([prose(links=["/b", "/c"])], ["/b", "/c"]),
    ([prose(links=["/b"]), prose("Other", links=["/c"])], ["/c"]),
    ([tagged(prose(links=["/b"]), '"1"'), answering(304)], ["/b"]),
    ([prose(links=["/b"]), answering(404)], []),
    ([prose(links=["/b"]), answering(500)], []),
    ([answering(200, prose(links=["/b"]), truncated=True)], ["/b"]),
    ([prose(links=["/b"]) + '<meta name="robots" content="nofollow">'], []),
    ([prose(links=["/b"]), answering(301, location="/moved")], ["hop /moved"]),
    ([HOP], ["/a", "hop /new"]),
    ([HOP + '<meta name="robots" content="nofollow">'], []),
])  # fmt: skip
def test_a_page_leads_where_its_latest_answer_says(store, answers, leads):
    for night, answer in enumerate(answers):
        visit(store, {"/x": answer}, when=NOON + timedelta(days=night))
    found = store.crawls.frontier_rows("shop", 1).leads([at("/x"), at("/nowhere")])
    assert list(found) == [
        Lead(at("/x"), at(lead.removeprefix("hop ")), "", is_hop=True) if lead.startswith("hop") else
        Lead(at("/x"), at(lead), f"to {lead}") for lead in leads
    ]  # fmt: skip


def test_no_read_scans_or_sorts_the_table(tmp_path):
    """Each statement is asked of SQLite with EXPLAIN QUERY PLAN."""
    store = open_store(str(tmp_path / "plans.db"))
    store.sites.put_site(SITE, NOON)
    visit(store, {"/": prose(links=["/a", "/b"])})
    rows, asked = store.crawls.frontier_rows("shop", 1), []

    @event.listens_for(store.engine, "before_cursor_execute")
    def keep(_connection, _cursor, statement, parameters, _context, _many):
        asked.append((statement, parameters))

    rows.in_order(State.QUEUED, Bucket.QUEUE, after=0, limit=10)
    rows.in_order(State.QUEUED, Bucket.QUEUE, after=0, limit=10, min_depth=2, max_depth=5)
    for is_full in (False, True):
        for after in (None, (NOON, 3)):
            rows.due(Bucket.DUE_OTHER, until=LATER, is_full=is_full, after=after, limit=10)
    rows.entries([at("/"), at("/a")])
    assert list(rows.leads([at("/")]))
    event.remove(store.engine, "before_cursor_execute", keep)
    assert len(asked) == 9
    with reading(store.engine) as connection:
        for statement, parameters in asked:
            plan = [row[3] for row in connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters)]
            assert all(step.startswith("SEARCH") and "INDEX" in step for step in plan), (plan, statement)
    store.close()
