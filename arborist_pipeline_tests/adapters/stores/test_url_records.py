"""All that the store has of one URL, whichever site and crawl brought it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert

from arborist_pipeline.adapters.stores import schema
from arborist_pipeline.adapters.stores.engine import writing
from arborist_pipeline.adapters.stores.url_records import SqlUrlRecords
from arborist_pipeline.core.crawl.records import Trap
from arborist_pipeline.core.report.finding import Finding, Severity
from arborist_pipeline.core.report.snapshot import LinkSource
from arborist_pipeline.core.report.url_record import InboundLinks, PathStep, QueueArm, QueuePlace
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.adapters.stores.conftest import SITE
from arborist_pipeline_tests.support.site_rows import NOW, SiteRows


def at(path, key="lamps"):
    return canonicalize(f"https://{key}.example{path}")


@pytest.fixture
def records(store):
    return SqlUrlRecords(store.engine)


@pytest.fixture
def lamps(store):
    return SiteRows(store.engine, "lamps")


def test_sites_come_with_where_they_answer_active_ones_first(store, records):
    store.sites.put_site(replace(SITE, key="a-retired"), NOW)
    store.sites.retire_site("a-retired", NOW)
    store.sites.record_host("shop", canonicalize("https://www.shop.example/"))
    assert [(known.site.key, known.seed_url, known.is_active) for known in records.load_sites()] == [
        ("shop", "https://www.shop.example/", True), ("a-retired", SITE.seed_url, False),
    ]  # fmt: skip


def test_what_no_crawl_has_met_has_no_record(records, lamps):
    lamps.page("/")
    assert records.load_record(at("/nothing")) is None


def test_the_path_goes_back_to_the_seed_and_ends_where_a_page_is_no_more_known(records, lamps):
    lamps.page("/")
    lamps.page("/a", parent=at("/"), anchor="A", depth=1)
    lamps.queued("/b", parent=at("/a"), anchor="B", depth=2)
    lamps.queued("/stray", parent=at("/lost"), depth=3)
    assert records.load_record(at("/b")).path == (
        PathStep(at("/"), 0, ""), PathStep(at("/a"), 1, "A"), PathStep(at("/b"), 2, "B"),
    )  # fmt: skip
    assert [step.url for step in records.load_record(at("/stray")).path] == [at("/stray")]


def test_a_path_that_leads_back_to_itself_ends(records, lamps):
    lamps.queued("/a", parent=at("/b"))
    lamps.queued("/b", parent=at("/a"))
    assert [step.url for step in records.load_record(at("/a")).path] == [at("/b"), at("/a")]


def test_a_queued_url_has_those_before_it_counted_in_its_bucket_and_in_all(records, lamps):
    for seq, (path, bucket) in enumerate((("/a", 3), ("/b", 1), ("/c", 3), ("/d", 3), ("/e", 3))):
        lamps.queued(path, bucket=bucket, seq=seq)
    lamps.queued("/refused", state="refused", bucket=3, seq=0)
    assert records.load_record(at("/d")).place == QueuePlace(bucket=3, before=2, queued=5)
    assert records.load_record(at("/refused")).place is None


def test_a_queue_of_one_kind_of_links_comes_with_that_kind_as_the_site_has_it(store, records, lamps):
    for rows in (lamps, SiteRows(store.engine, "cups")):
        kind = {"site_id": rows.site_id, "number": 17, "key": f"/{rows.site_id}/a n.1f.home", "example": at("/a")}
        with writing(store.engine) as connection:
            connection.execute(insert(schema.arms), kind)
    lamps.queued("/b", bucket=17)
    assert records.load_record(at("/b")).place.arm == QueueArm(f"/{lamps.site_id}/a n.1f.home", at("/a"))


def test_the_site_that_asked_last_tells_and_the_others_are_named(store, records, lamps):
    twin = SiteRows(store.engine, "twin")
    for rows, when in ((lamps, NOW), (twin, NOW + timedelta(days=1))):
        rows.page("https://lamps.example/", fetched_at=when)
    SiteRows(store.engine, "third").queued("https://lamps.example/")
    record = records.load_record(at("/"))
    assert (record.site_key, set(record.also_of)) == ("twin", {"lamps", "third"})


def test_requests_come_newest_first_and_redirects_from_both_ends(records, lamps):
    lamps.page("/old", "redirect", redirect_to=at("/new"))
    lamps.page("/new")
    assert records.load_record(at("/new")).redirected_from == (at("/old"),)
    old = records.load_record(at("/old"))
    assert (old.redirect_to, old.redirected_from) == (at("/new"), ())
    assert [(each.crawl_id, each.outcome) for each in old.requests] == [(lamps.crawl_id, "redirect")]


def test_findings_are_those_of_the_latest_report_of_its_site(store, records, lamps):
    lamps.page("/a")
    assert records.load_record(at("/a")).report is None
    thin = Finding(signal="thin_page", url=at("/a"), severity=Severity.NOTICE, message="Short.")
    deep = replace(thin, signal="deep_page")
    elsewhere = replace(thin, url=at("/b"))
    store.reports.replace_findings("lamps", 7, [thin], NOW)
    store.reports.replace_findings("lamps", 8, [elsewhere, deep], NOW + timedelta(days=1))
    store.reports.replace_findings("shop", 9, [thin], NOW + timedelta(days=2))
    report = records.load_record(at("/a")).report
    assert (report.crawl_id, report.findings) == (8, (deep,))


def test_the_product_that_stands_comes_before_one_that_went(store, records, lamps):
    lamps.page("/p")
    values = {"site_id": lamps.site_id, "url": at("/p"), "name": "Lamp", "first_seen_at": NOW, "last_seen_at": NOW}
    versions = ((1, "2.00", None, True), (2, "1.00", NOW, False))
    with store.engine.begin() as connection:
        for number, price, retired_at, is_current in versions:
            connection.execute(insert(schema.products).values(
                digest=bytes([number]) * 32, record={"price": price}, retired_at=retired_at, is_current=is_current,
                **values,
            ))  # fmt: skip
    product = records.load_record(at("/p")).product
    assert (product.record["price"], product.is_current, product.retired_at) == ("2.00", True, None)


def test_links_are_those_of_the_latest_versions_nearest_first(records, lamps):
    lamps.page("/", links=[("/x", "to x")])
    lamps.page("/far", links=["/x"], depth=5)
    lamps.page("/gone", links=["/x"], gone_at=NOW)
    lamps.page("/changed", links=["/x"], depth=2)
    lamps.page("/none", links=["/y"])
    found = records.load_inbound(at("/x"))
    assert found == InboundLinks(3, (LinkSource(at("/"), "to x"), LinkSource(at("/changed"), ""),
                                     LinkSource(at("/far"), "")))  # fmt: skip
    assert records.load_inbound(at("/z")) == InboundLinks(0, ())


def test_known_spellings_come_in_the_order_asked_and_queries_are_found_by_their_path(records, lamps):
    for path in ("/a", "/b_c?x=1", "/b_c?x=2", "/bXc?x=1"):
        lamps.queued(path)
    assert records.known_among((at("/b_c?x=2"), at("/nothing"), at("/a"))) == (at("/b_c?x=2"), at("/a"))
    assert records.known_with_query(at("/b_c")) == (at("/b_c?x=1"), at("/b_c?x=2"))
    assert records.known_with_query(at("/b_c?x=2")) == (at("/b_c?x=1"),)


def test_traps_are_those_of_the_latest_crawl(records, lamps):
    trap = {"template": "https://lamps.example/{n}", "asked": 20, "left": 9, "example": "https://lamps.example/7"}
    lamps.queued("/7")
    assert records.load_record(at("/7")).traps == ()
    lamps.crawl("budget", summary={"traps": [trap]})
    assert records.load_record(at("/7")).traps == (Trap(**trap),)
