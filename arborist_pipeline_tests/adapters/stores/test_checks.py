"""What a recheck leaves: a row, and pages that are due."""

from datetime import timedelta

import pytest

from arborist_pipeline.core.ports import CheckTarget
from arborist_pipeline.core.web.freshness import Freshness, Validators
from arborist_pipeline.core.web.recheck import Verdict
from arborist_pipeline_tests.adapters.stores.conftest import answering, at, known_entries, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON, make_result

LATER = NOON + timedelta(hours=7)


def tagged(url, when):
    headers = {"etag": '"1"', "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
    return make_result(prose(), url=url, fetched_at=when, headers=headers)


def targets(store, host=None, site_key=None, limit=0):
    return store.checks.check_targets(host, site_key=site_key, limit=limit)


def record(store, path, freshness, now=LATER, moved_to=None):
    target = CheckTarget(site_key="shop", url=at(path), validators=Validators())
    store.checks.record_check(target, Verdict(freshness=freshness, reason="r", moved_to=moved_to), now=now)


def test_stored_pages_are_targets_with_the_validators_of_the_stored_version(store):
    visit(store, {"/a": tagged})
    (target,) = targets(store)
    assert (target.site_key, target.url) == ("shop", at("/a"))
    assert target.validators == Validators(etag='"1"', last_modified="Thu, 01 Jan 2026 00:00:00 GMT")


def test_what_never_answered_well_is_gone_or_moved_is_no_target(store):
    visit(store, {"/ok": prose(), "/bad": answering(500), "/gone": prose("x"), "/moved": prose("y")})
    visit(store, {"/gone": answering(404), "/moved": answering(301, location="/ok")}, when=LATER)
    assert [target.url for target in targets(store)] == [at("/ok")]


def test_pages_of_retired_sites_are_no_targets(store):
    visit(store, {"/a": prose()})
    store.sites.retire_site("shop", NOON)
    assert targets(store) == ()


def test_targets_can_be_asked_for_by_host_or_site(store):
    visit(store, {"/a": prose()})
    assert len(targets(store, host="shop.example")) == len(targets(store, site_key="shop")) == 1
    assert targets(store, host="other.example") == targets(store, site_key="other") == ()
    assert targets(store, host="shop.exampl") == targets(store, host="shop.example:8080") == ()


def test_the_longest_unchecked_come_first(store):
    for hour, path in enumerate(["/a", "/b", "/c"]):
        visit(store, {path: prose(path)}, when=NOON + timedelta(hours=hour))
    record(store, "/a", Freshness.FRESH)
    assert [target.url for target in targets(store)] == [at("/b"), at("/c"), at("/a")]
    assert [target.url for target in targets(store, limit=1)] == [at("/b")]


@pytest.mark.parametrize(("freshness", "due"), [
    (Freshness.STALE, True), (Freshness.GONE, True), (Freshness.MOVED, True),
    (Freshness.FRESH, False), (Freshness.BLOCKED, False), (Freshness.UNKNOWN, False),
])  # fmt: skip
def test_what_changed_is_due_and_what_did_not_or_could_not_be_told_is_not(store, freshness, due):
    visit(store, {"/a": prose()})
    before = known_entries(store)[0].due_at
    record(store, "/a", freshness)
    entries = {entry.url: entry.due_at for entry in known_entries(store)}
    assert entries[at("/a")] == (LATER if due else before)
    stale = store.checks.stale_pages(limit=10)
    assert stale == ((("shop", (at("/a"),), LATER),) if due else ())


def test_each_check_is_kept_in_the_history(store):
    visit(store, {"/a": prose()})
    record(store, "/a", Freshness.FRESH)
    record(store, "/a", Freshness.MOVED, moved_to=at("/b"))
    assert rows(store, "SELECT verdict, reason, moved_to FROM recrawl_checks ORDER BY id") == [
        ("fresh", "r", None), ("moved", "r", at("/b")),
    ]  # fmt: skip


def test_a_fetch_answers_the_check(store):
    visit(store, {"/a": prose()})
    record(store, "/a", Freshness.STALE)
    visit(store, {"/a": prose("New text")}, when=LATER)
    assert store.checks.stale_pages(limit=10) == ()


def test_stale_pages_are_limited_a_site(store):
    paths = [f"/{n}" for n in range(5)]
    visit(store, {path: prose(path) for path in paths})
    for path in paths:
        record(store, path, Freshness.STALE)
    ((key, urls, _),) = store.checks.stale_pages(limit=3)
    assert (key, urls) == ("shop", (at("/0"), at("/1"), at("/2")))


def test_a_fresh_page_renews_what_is_known_of_its_document(store):
    visit(store, {"/a": tagged}, ingest=True)
    record(store, "/a", Freshness.FRESH)
    assert rows(store, "SELECT checked_at FROM document_http_meta") == [("2026-01-15 19:00:00.000000",)]


def test_a_site_is_due_a_check_when_its_oldest_is_six_hours_old(store):
    visit(store, {"/a": prose()})
    assert store.checks.sites_to_check(NOON + timedelta(hours=6)) == ()
    assert store.checks.sites_to_check(LATER) == (("shop", NOON),)
    record(store, "/a", Freshness.FRESH)
    assert store.checks.sites_to_check(LATER) == ()
