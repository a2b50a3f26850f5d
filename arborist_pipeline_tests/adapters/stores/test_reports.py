from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, select

from arborist_pipeline.adapters.stores import schema
from arborist_pipeline.adapters.stores.engine import build_engine
from arborist_pipeline.adapters.stores.reports import SqlReportStore
from arborist_pipeline.core.report.finding import Certainty, Finding, Severity
from arborist_pipeline.core.report.snapshot import LinkSource, SitemapUrl

NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
DEAD = Finding(
    signal="broken_link",
    url="https://shop.example/dead",
    severity=Severity.ERROR,
    certainty=Certainty.CANDIDATE,
    message="It is gone.",
    sources=(LinkSource("https://shop.example/", "Sale & more"),),
    details={"status": 404, "hops": ["a", "b"]},
    evidence={"fetched_at": None},
)
THIN = Finding(signal="thin_page", url="https://shop.example/thin", severity=Severity.NOTICE, message="Short.")


def add_sites(engine):
    schema.metadata.create_all(engine)
    with engine.begin() as connection:
        for key in ("shop", "other"):
            connection.execute(insert(schema.sites).values(
                key=key, seed_url=f"https://{key}.example/", host=key, config={}, active=True, created_at=NOW
            ))  # fmt: skip


@pytest.fixture
def store():
    engine = build_engine("sqlite://")
    add_sites(engine)
    yield SqlReportStore(engine)
    engine.dispose()


def test_findings_come_back_as_they_were_put_in_the_same_order(store):
    store.replace_findings("shop", 7, [THIN, DEAD], NOW)
    assert store.load_findings("shop", 7) == (THIN, DEAD)


@pytest.mark.parametrize("crawl_id", [7, None])
def test_a_report_of_the_same_crawl_takes_the_place_of_the_earlier_one(store, crawl_id):
    store.replace_findings("shop", crawl_id, [DEAD, THIN], NOW)
    store.replace_findings("shop", crawl_id, [THIN], NOW)
    assert store.load_findings("shop", crawl_id) == (THIN,)
    store.replace_findings("shop", crawl_id, [], NOW)
    assert store.load_findings("shop", crawl_id) == ()


def test_findings_of_other_crawls_and_other_sites_stay(store):
    store.replace_findings("shop", 7, [DEAD], NOW)
    store.replace_findings("other", 8, [DEAD], NOW)
    store.replace_findings("shop", 8, [THIN], NOW)
    assert (store.load_findings("shop", 7), store.load_findings("other", 8)) == ((DEAD,), (DEAD,))


def test_sitemap_entries_are_replaced_and_an_address_listed_twice_is_kept_once(store):
    store.put_sitemap_urls("shop", [SitemapUrl("https://shop.example/old", "m")], NOW)
    store.put_sitemap_urls("other", [SitemapUrl("https://other.example/", "m")], NOW)
    first = SitemapUrl("https://shop.example/a", "one", "2026-01-01")
    store.put_sitemap_urls("shop", [first, first._replace(sitemap="two", lastmod=None)], NOW)
    with store._engine.connect() as connection:
        columns = schema.sitemap_urls.c
        rows = connection.execute(select(columns.url, columns.sitemap, columns.lastmod).order_by(columns.url)).all()
    assert rows == [("https://other.example/", "m", None), tuple(first)[:3]]


def test_an_empty_list_leaves_no_entries(store):
    store.put_sitemap_urls("shop", [SitemapUrl("https://shop.example/old", "m")], NOW)
    store.put_sitemap_urls("shop", [], NOW)
    assert store.load_snapshot("shop").sitemap is None


def test_a_snapshot_is_read_from_a_file_opened_for_reading_only_and_leaves_it_as_it_was(tmp_path):
    path = tmp_path / "web.db"
    engine = build_engine(str(path))
    add_sites(engine)
    SqlReportStore(engine).put_sitemap_urls("shop", [SitemapUrl("https://shop.example/a", "m")], NOW)
    with engine.connect() as connection:
        before = list(connection.connection.driver_connection.iterdump())
    engine.dispose()
    closed = build_engine(str(path), read_only=True)
    assert [entry.url for entry in SqlReportStore(closed).load_snapshot("shop").sitemap] == ["https://shop.example/a"]
    with closed.connect() as connection:
        assert list(connection.connection.driver_connection.iterdump()) == before
    closed.dispose()
