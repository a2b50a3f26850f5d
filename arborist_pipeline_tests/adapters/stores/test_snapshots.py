"""The queries behind a snapshot, over rows of a small site written as the crawl writes them."""

import pytest
from sqlalchemy import func, insert, select

from arborist_pipeline.adapters.stores import schema
from arborist_pipeline.adapters.stores.engine import build_engine
from arborist_pipeline.adapters.stores.reports import SqlReportStore
from arborist_pipeline.core.crawl.records import Outcome, StoppedBy, Trap
from arborist_pipeline.core.documents.merkle import EMPTY_ROOT
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline.core.report.finding import MAX_SOURCES
from arborist_pipeline.core.report.snapshot import LinkSource, SitemapUrl
from arborist_pipeline_tests.support.site_rows import NOW, SiteRows, digest


@pytest.fixture
def engine():
    engine = build_engine("sqlite://")
    schema.metadata.create_all(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def site(engine):
    return SiteRows(engine)


def clicks(snapshot, site):
    return {url.removeprefix(site.base): page.clicks for url, page in snapshot.pages.items()}


def test_an_unknown_site_is_an_error_with_the_mend(engine):
    with pytest.raises(StoreError, match="knows no site 'elsewhere'"):
        SqlReportStore(engine).load_snapshot("elsewhere")


def test_a_site_never_crawled_is_an_incomplete_snapshot_of_nothing(engine):
    with engine.begin() as connection:
        connection.execute(insert(schema.sites).values(
            key="new", seed_url="https://new.example/", host="new.example", config={}, active=True, created_at=NOW
        ))  # fmt: skip
    snapshot = SqlReportStore(engine).load_snapshot("new")
    assert (snapshot.crawl_id, snapshot.pages, snapshot.is_complete, snapshot.sitemap) == (None, {}, False, None)


def test_the_latest_crawl_decides_how_the_walk_ended(site):
    site.page("/")
    assert site.snapshot().is_complete
    latest = site.crawl(StoppedBy.BUDGET, reason="60 pages")
    snapshot = site.snapshot()
    assert (snapshot.crawl_id, snapshot.stopped_by, snapshot.stop_reason) == (latest, StoppedBy.BUDGET, "60 pages")


def test_urls_that_wait_and_urls_beyond_the_depth_limit_are_unfetched_and_due_pages_are_not(site):
    site.page("/")
    site.queued("/waits")
    site.queued("/deeper", "beyond")
    site.queued("/due", "queued", outcome="ok", fetched_at=NOW)
    site.queued("/forbidden", "refused", outcome="robots_denied")
    assert site.snapshot().unfetched == 2


def test_facts_come_from_the_frontier_the_page_its_document_and_its_product(site):
    site.page("/", needs_rendering=True, kind="product", noindex=True, canonical_url=site.url("/c"), reason="fine")
    site.document("/", "some text", main="main part")
    site._insert(schema.products, site_id=site.site_id, url=site.url("/"), digest=digest("p"), is_current=True,
                 name="Lamp", record={}, first_seen_at=NOW, last_seen_at=NOW)  # fmt: skip
    page = site.snapshot().pages[site.url("/")]
    assert page._asdict() == {
        "url": site.url("/"), "outcome": Outcome.OK, "status": 200, "reason": "fine", "fetched_at": NOW,
        "kind": "product", "title": "/", "noindex": True, "canonical_url": site.url("/c"), "redirect_to": None,
        "is_gone": False, "needs_rendering": True, "has_product": True, "main_characters": 9, "clicks": 0,
        "previous": None,
    }  # fmt: skip


def test_a_page_that_was_not_ingested_has_unknown_text_and_an_emptied_one_has_none(site):
    site.page("/")
    site.page("/emptied", document_root=EMPTY_ROOT)
    site.document("/emptied", "what it said before")
    site.page("/blank")
    site.document("/blank", "")
    pages = site.snapshot().pages
    assert [pages[site.url(path)].main_characters for path in ("/", "/emptied", "/blank")] == [None, 0, 0]


def test_distances_run_over_links_a_visitor_can_click_with_redirects_free(site):
    site.page("/", links=["/a", "/moved", ("/hidden", "", "canonical"), ("/other-language", "", "alternate")])
    site.page("/a", links=["/b", "/"])
    site.page("/b")
    site.page("/moved", "redirect", redirect_to=site.url("/target"))
    site.page("/target", links=[("/next", "", "next")])
    site.page("/next")
    site.page("/hidden")
    site.page("/other-language")
    snapshot = site.snapshot()
    assert clicks(snapshot, site) == {
        "/": 0, "/a": 1, "/b": 2, "/moved": 1, "/target": 1, "/next": 2, "/hidden": None, "/other-language": None,
    }  # fmt: skip
    assert snapshot.path_to(site.url("/next"))[1:] == (site.url("/moved"), site.url("/target"), site.url("/next"))


def test_links_of_gone_and_redirecting_pages_lead_nowhere_and_those_of_failing_ones_still_hold(site):
    site.page("/", links=["/gone", "/moved", "/down"])
    site.page("/gone", "http_error", gone_at=NOW, links=["/a"])
    site.page("/moved", "redirect", redirect_to="https://other.example/", links=["/b"])
    site.page("/down", "network_error", links=["/c"])
    for path in ("/a", "/b", "/c"):
        site.page(path)
    found = clicks(site.snapshot(), site)
    assert (found["/a"], found["/b"], found["/c"]) == (None, None, 2)


def test_later_versions_of_a_page_with_the_same_links_need_no_rows_of_their_own(site):
    site.page("/", links=["/dead"])
    with site.engine.begin() as connection:
        connection.execute(schema.frontier.update().values(page_id=99, stored_page_id=99))
    site.page("/dead", "http_error")
    assert site.snapshot().inlinks[site.url("/dead")].total == 1


def test_links_of_an_earlier_version_of_a_page_are_no_links_any_more(site):
    former = site.page("/", links=["/dead", "/a"])
    site.page("/dead", "http_error")
    site.page("/a")
    with site.engine.begin() as connection:
        connection.execute(
            schema.frontier.update().where(schema.frontier.c.page_id == former).values(links_page_id=former + 1)
        )
    snapshot = site.snapshot([SitemapUrl(site.url("/dead"), "m")])
    assert snapshot.inlinks == {}
    assert snapshot.pages[site.url("/a")].clicks is None


def test_inlinks_count_pages_keep_the_best_anchor_and_name_the_nearest_pages_first(site):
    site.page("/", links=[("/dead", ""), ("/dead", "Sale"), ("/dead", "", "alternate")])
    for number in range(MAX_SOURCES + 5):
        site.page(f"/p{number:03}", depth=2, links=[("/dead", f"from {number}")])
    site.page("/former", links=["/dead"], gone_at=NOW, outcome="http_error")
    site.page("/dead", "http_error")
    inlinks = site.snapshot().inlinks[site.url("/dead")]
    assert inlinks.total == MAX_SOURCES + 6
    assert len(inlinks.sources) == MAX_SOURCES
    assert inlinks.sources[:2] == (LinkSource(site.url("/"), "Sale"), LinkSource(site.url("/p000"), "from 0"))


def test_only_broken_and_redirecting_targets_have_inlinks(site):
    site.page("/", links=["/fine", "/dead", "/down", "/moved", "/wall"])
    for path, outcome in (("/fine", "ok"), ("/dead", "http_error"), ("/down", "network_error"),
                          ("/moved", "redirect"), ("/wall", "blocked")):  # fmt: skip
        site.page(path, outcome)
    assert set(site.snapshot().inlinks) == {site.url(path) for path in ("/dead", "/down", "/moved")}


def test_unreadable_hrefs_are_told_without_secrets_as_written_with_their_pages(site):
    site.page("/", malformed=["http://[sale", "http://[sale"])
    site.page("/a", depth=1, malformed=["http://[sale", "http://me:pw@[old"])
    site.page("/gone", "http_error", gone_at=NOW, malformed=["http://[lost"])
    assert site.snapshot().malformed_links == {
        "http://[sale": (2, (LinkSource(site.url("/"), ""), LinkSource(site.url("/a"), ""))),
        "http://***@[old": (1, (LinkSource(site.url("/a"), ""),)),
    }


def test_duplicates_are_those_of_group_by_over_living_pages(site):
    texts = {"/": "one", "/a": "two", "/b": "two", "/c": "two", "/d": "three", "/e": "three", "/f": "four"}
    for path, text in texts.items():
        site.page(path)
        site.document(path, text)
    root = schema.documents.c.document_root
    with site.engine.connect() as connection:
        oracle = connection.execute(
            select(root, func.count()).where(schema.documents.c.is_current, schema.documents.c.status == "ok")
            .group_by(schema.documents.c.recipe, root).having(func.count() > 1)
        )  # fmt: skip
        expected = {row[0]: row[1] for row in oracle}
    assert {group.root: len(group.urls) for group in site.snapshot().exact_duplicates} == expected == {
        digest("two"): 3, digest("three"): 2,
    }  # fmt: skip


@pytest.mark.parametrize(
    "state",
    [
        {"outcome": "http_error", "gone_at": NOW},
        {"outcome": "redirect"},
        {"outcome": "empty"},
        {"outcome": "not_html"},
        {"document_root": EMPTY_ROOT},
    ],
)
def test_a_page_that_no_longer_shows_its_text_is_no_duplicate(site, state):
    site.page("/")
    site.document("/", "same")
    site.page("/a", **state)
    site.document("/a", "same")
    assert site.snapshot().exact_duplicates == ()


def test_empty_and_superseded_documents_are_no_duplicates(site):
    for path in ("/", "/a", "/b"):
        site.page(path)
    site.document("/", "")
    site.document("/a", "", document_root=EMPTY_ROOT)
    site.document("/b", "old", is_current=False)
    site.page("/c")
    site.document("/c", "old")
    assert site.snapshot().exact_duplicates == ()


def test_documents_of_two_recipes_are_one_page_by_the_newer_and_never_compared(site):
    for path in ("/", "/a"):
        site.page(path)
    site.document("/", "same", recipe="r0")
    site.document("/a", "same")
    assert site.snapshot().exact_duplicates == ()
    site.document("/", "same", last_seen_at=NOW.replace(hour=13))
    assert [group.urls for group in site.snapshot().exact_duplicates] == [(site.url("/"), site.url("/a"))]


def test_equal_main_texts_are_main_duplicates_only_where_the_whole_texts_differ(site):
    for path, text, main in (
        ("/", "menu1 body", "body"),
        ("/a", "menu2 body", "body"),
        ("/b", "x", "x"),
        ("/c", "x", "x"),
    ):
        site.page(path)
        site.document(path, text, main=main)
    snapshot = site.snapshot()
    assert [(group.root, group.urls) for group in snapshot.main_duplicates] == [
        (digest("body"), (site.url("/"), site.url("/a")))
    ]
    assert [group.urls for group in snapshot.exact_duplicates] == [(site.url("/b"), site.url("/c"))]


def test_other_sites_of_the_store_are_not_looked_at(engine, site):
    other = SiteRows(engine, key="other")
    other.page("/", links=[site.url("/dead")], malformed=["http://[x"])
    other.document("/", "same")
    other.page("/waiting", links=[])
    other.queued("/q")
    site.page("/", links=["/dead"])
    site.document("/", "same")
    site.page("/dead", "http_error")
    snapshot = site.snapshot()
    assert set(snapshot.pages) == {site.url("/"), site.url("/dead")}
    assert snapshot.inlinks[site.url("/dead")].sources == (LinkSource(site.url("/"), ""),)
    assert (snapshot.exact_duplicates, snapshot.malformed_links, snapshot.unfetched) == ((), {}, 0)


def test_listings_tell_linked_and_forbidden_addresses_apart(site):
    site.page("/", links=["/waits", ("/only-canonical", "", "canonical")])
    site.queued("/waits")
    site.queued("/only-canonical")
    site.queued("/secret", "refused", outcome="robots_denied")
    site.page("/former", "http_error", gone_at=NOW, links=["/alone"])
    paths = ("/waits", "/only-canonical", "/secret", "/alone", "/", "/alone")
    listed = site.snapshot([SitemapUrl(site.url(path), site.url("/map.xml")) for path in paths]).sitemap
    assert [(entry.url.removeprefix(site.base), entry.is_linked, entry.is_denied) for entry in listed] == [
        ("/", False, False),
        ("/alone", False, False),
        ("/only-canonical", False, False),
        ("/secret", False, True),
        ("/waits", True, False),
    ]


def test_stored_entries_are_the_sitemap_unless_others_are_given_and_none_at_all_is_unknown(site):
    store = SqlReportStore(site.engine)
    site.page("/")
    assert site.snapshot().sitemap is None
    assert site.snapshot(()).sitemap == ()
    store.put_sitemap_urls(site.key, [SitemapUrl(site.url("/a"), "m", "2026")], NOW)
    assert [entry.url for entry in site.snapshot().sitemap] == [site.url("/a")]
    assert [entry.url for entry in site.snapshot([SitemapUrl(site.url("/b"), "m")]).sitemap] == [site.url("/b")]


def test_a_refresh_costs_no_click_and_brings_those_who_link_to_it(site):
    site.page("/", links=["/old"])
    site.page("/old", links=[("/new", "", "refresh")], redirect_to=site.url("/new"))
    site.page("/new")
    snapshot = site.snapshot()
    assert clicks(snapshot, site) == {"/": 0, "/old": 1, "/new": 1}
    assert snapshot.trail(site.base + "/old").urls == (site.base + "/old", site.base + "/new")
    assert snapshot.inlinks[site.base + "/old"].total == 1


def test_traps_come_from_the_latest_crawl(site, engine):
    site.page("/")
    trap = {"template": "/x?{q}", "asked": 200, "left": 7, "example": "/x?a=1"}
    latest = site.crawl(StoppedBy.DIMINISHING)
    with engine.begin() as connection:
        connection.execute(schema.crawls.update().where(schema.crawls.c.id == latest).values(summary={"traps": [trap]}))
    assert site.snapshot().traps == (Trap(**trap),)
    site.crawl(StoppedBy.EXHAUSTED)
    assert site.snapshot().traps == ()
