import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import insert, select

from arborist_pipeline.adapters.stores import schema
from arborist_pipeline.adapters.stores.engine import build_engine
from arborist_pipeline.adapters.stores.reports import SqlReportStore
from arborist_pipeline.core.crawl.records import Mode, Site
from arborist_pipeline.core.report.report import build_report
from arborist_pipeline.core.report.snapshot import SitemapUrl
from arborist_pipeline.core.web.fetch import FailureKind
from arborist_pipeline.core.web.robots import parse_robots
from arborist_pipeline.workflows.report import MAX_PROBES, build_report_from_store, look_at_site, report_site
from arborist_pipeline_tests.support.answers import AnswerFetcher
from arborist_pipeline_tests.support.clock import ManualClock

SEED = "https://shop.example/"
NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
SITE = Site(key="shop", seed_url=SEED, mode=Mode.FAST)


def urlset(*paths):
    return "<urlset>" + "".join(f"<url><loc>{SEED}{path}</loc></url>" for path in paths) + "</urlset>"


@pytest.fixture
def store():
    """A site whose start page links to /linked; the walk was exhausted."""
    engine = build_engine("sqlite://")
    schema.metadata.create_all(engine)
    crawled = {"crawl_id": 5, "depth": 0, "anchor": "", "tier": "seed", "score": 1.0, "why": "", "outcome": "ok",
               "reason": "", "elapsed_seconds": 0.1, "bytes": 9, "fetched_at": NOW}  # fmt: skip
    known = {"site_id": 1, "state": "done", "bucket": 1, "seq": 1, "depth": 0, "anchor": "", "tier": "seed",
             "score": 1.0, "why": "", "discovered_at": NOW, "outcome": "ok", "status": 200, "fetched_at": NOW,
             "title": "T"}  # fmt: skip
    with engine.begin() as connection:
        connection.execute(insert(schema.sites).values(
            id=1, key="shop", seed_url=SEED, host="shop.example", config={}, active=True, created_at=NOW
        ))  # fmt: skip
        connection.execute(insert(schema.crawls).values(
            id=5, site_id=1, mode="fast", config={}, started_at=NOW, stopped_by="exhausted"
        ))  # fmt: skip
        for number, url in enumerate((SEED, SEED + "linked"), start=1):
            row = known | {"id": number, "url": url, "page_id": number, "stored_page_id": number,
                           "links_page_id": number, "tier": "seed" if url == SEED else "order"}  # fmt: skip
            connection.execute(insert(schema.frontier).values(**row))
            connection.execute(insert(schema.pages).values(id=number, frontier_id=number, url=url, **crawled))
        connection.execute(insert(schema.links).values(
            page_id=1, position=0, url=SEED + "linked", anchor="Go", kind="a", nofollow=False
        ))  # fmt: skip
    yield SqlReportStore(engine)
    engine.dispose()


def report(store, answers, site=SITE, **options):
    fetcher = AnswerFetcher(answers)
    made = asyncio.run(report_site(site, store=store, fetcher=fetcher, clock=ManualClock(), **options))
    return made, fetcher.asked


def found(made, signal):
    return [finding.url.removeprefix(SEED) for finding in made.findings if finding.signal == signal]


def test_a_listed_page_that_nothing_links_to_is_an_orphan_and_everything_is_stored(store):
    made, asked = report(store, {SEED + "sitemap.xml": urlset("", "linked", "alone"), SEED + "alone": "Alone"})
    assert found(made, "orphan") == ["alone"]
    assert made.findings[0].certainty == "certain"
    assert (made.site, made.complete, made.unfetched, made.generated_at) == ("shop", True, 0, NOW)
    assert asked == [f"GET {SEED}robots.txt", f"GET {SEED}sitemap.xml", f"HEAD {SEED}alone"]
    assert store.load_findings("shop", 5) == made.findings
    assert [entry.url for entry in store.load_snapshot("shop").sitemap] == [SEED, SEED + "alone", SEED + "linked"]


def test_listed_addresses_that_redirect_or_are_dead_are_faults_of_the_sitemap_and_no_orphans(store):
    answers = {
        SEED + "sitemap.xml": urlset("old", "dead", "down", "alone"),
        SEED + "old": (301, "/linked"),
        SEED + "down": FailureKind.TIMEOUT,
        SEED + "alone": "Alone",
    }
    made, _ = report(store, answers)
    assert found(made, "orphan") == ["alone"]
    assert found(made, "sitemap_error") == ["dead", "down", "old"]


def test_a_head_that_fails_is_checked_by_get_before_an_address_is_called_dead(store):
    class HeadlessFetcher(AnswerFetcher):
        async def fetch(self, request):
            result = await super().fetch(request)
            return replace(result, status=405) if request.method == "HEAD" else result

    fetcher = HeadlessFetcher({SEED + "sitemap.xml": urlset("alone"), SEED + "alone": "Alone"})
    made = asyncio.run(report_site(SITE, store=store, fetcher=fetcher, clock=ManualClock()))
    assert fetcher.asked[-2:] == [f"HEAD {SEED}alone", f"GET {SEED}alone"]
    assert (found(made, "orphan"), found(made, "sitemap_error")) == (["alone"], [])


def test_a_bounded_number_of_listed_addresses_is_probed(store):
    made, asked = report(store, {SEED + "sitemap.xml": urlset(*(f"p{n}" for n in range(MAX_PROBES + 20)))})
    assert len({line for line in asked if line.startswith("HEAD")}) == MAX_PROBES
    assert (len(found(made, "sitemap_error")), len(found(made, "orphan"))) == (MAX_PROBES, 20)


def test_what_is_asked_for_is_told_before_it_is(store):
    told = []
    answers = {SEED + "sitemap.xml": urlset("alone", "more")}
    report(store, answers, tell=told.append)
    assert [line.split()[:4] for line in told] == [
        ["sitemap", "file", "1", "of"], ["address", "1", "of", "2"], ["address", "2", "of", "2"],
    ]  # fmt: skip
    assert told[1].endswith(f"{SEED}alone")


def test_what_robots_txt_forbids_as_it_is_listed_is_neither_asked_for_nor_an_orphan(store):
    robots = "User-agent: *\nDisallow: /*?session=\nDisallow: /*&utm_source="
    listed = urlset("a?session=1&amp;b=2", "c?a=1&amp;utm_source=x", "d?utm_source=x")
    made, asked = report(store, {SEED + "robots.txt": robots, SEED + "sitemap.xml": listed})
    assert [line for line in asked if line.startswith("HEAD")] == [f"HEAD {SEED}d"]
    assert found(made, "orphan") == []
    assert {"a?b=2&session=1", "c?a=1"} <= set(found(made, "sitemap_error"))


def test_what_robots_txt_forbids_is_neither_asked_for_nor_an_orphan(store):
    answers = {SEED + "robots.txt": "User-agent: *\nDisallow: /private", SEED + "sitemap.xml": urlset("private/a")}
    made, asked = report(store, answers)
    assert found(made, "orphan") == []
    assert found(made, "sitemap_error") == ["private/a"]
    assert not any("private" in line for line in asked)


def test_forbidden_addresses_use_up_none_of_the_probes(store):
    paths = [f"a/{n}" for n in range(MAX_PROBES + 5)]
    answers = {SEED + "robots.txt": "User-agent: *\nDisallow: /a/", SEED + "sitemap.xml": urlset(*paths, "z")}
    _, asked = report(store, answers)
    assert f"HEAD {SEED}z" in asked


@pytest.mark.parametrize("answer", [404, "<!doctype html><h1>Not here", FailureKind.DNS])
def test_without_a_sitemap_orphans_are_unknown_and_earlier_entries_are_gone(store, answer):
    store.put_sitemap_urls("shop", [SitemapUrl(SEED + "former", "m")], NOW)
    made, _ = report(store, {SEED + "sitemap.xml": answer})
    assert found(made, "orphan") == []
    assert any("orphan pages are unknown" in finding.message for finding in made.findings)
    assert store.load_snapshot("shop").sitemap is None


def test_an_unreachable_robots_txt_is_one_error_and_stops_every_other_request(store):
    made, asked = report(store, {SEED + "robots.txt": 503, SEED + "sitemap.xml": urlset("alone")})
    assert asked == [f"GET {SEED}robots.txt"]
    (finding,) = [finding for finding in made.findings if finding.signal == "robots_problem"]
    assert (finding.severity, "status 503" in finding.message) == ("error", True)


def test_rules_and_a_sitemap_that_are_given_are_used(store):
    rules = parse_robots(b"User-agent: *\nDisallow: /secret\nnonsense", "arborist-crawler")
    made, asked = report(store, {SEED + "mine.xml": urlset("secret")}, robots=rules, sitemap=SEED + "mine.xml")
    assert asked == [f"GET {SEED}mine.xml"]
    assert found(made, "sitemap_error") == ["secret"]


def test_the_sitemap_of_the_site_list_is_used(store):
    _, asked = report(store, {SEED + "listed.xml": urlset("linked")}, site=replace(SITE, sitemap=SEED + "listed.xml"))
    assert asked == [f"GET {SEED}robots.txt", f"GET {SEED}listed.xml"]


def test_addresses_outside_of_what_the_crawl_may_visit_are_no_orphans(store):
    site = replace(SITE, exclude=("/blog/",))
    made, _ = report(store, {SEED + "sitemap.xml": urlset("blog/a", "alone"), SEED + "alone": "x"}, site=site)
    assert found(made, "orphan") == ["alone"]


def test_a_second_report_of_the_same_crawl_replaces_the_first(store):
    report(store, {SEED + "sitemap.xml": urlset("alone"), SEED + "alone": "x"})
    made, _ = report(store, {SEED + "sitemap.xml": urlset("linked")})
    assert store.load_findings("shop", 5) == made.findings == ()


def dump(store):
    with store._engine.connect() as connection:
        return [connection.execute(select(table)).all() for table in schema.metadata.sorted_tables]


def test_a_report_from_the_store_writes_nothing(store):
    store.put_sitemap_urls("shop", [SitemapUrl(SEED + "alone", "m")], NOW)
    before = dump(store)
    made = build_report_from_store(SITE, store=store, clock=ManualClock())
    assert found(made, "orphan") == ["alone"]
    assert dump(store) == before


def look(store, answers, site=SITE, **options):
    fetcher = AnswerFetcher(answers)
    seen = asyncio.run(look_at_site(site, store=store, fetcher=fetcher, clock=ManualClock(), **options))
    return seen, build_report(seen.snapshot, NOW), fetcher.asked


def test_a_look_at_the_sitemap_is_the_same_report_and_writes_nothing(store):
    answers = {SEED + "sitemap.xml": urlset("linked", "other", "old"), SEED + "other": "x", SEED + "old": (301, "/")}
    before = dump(store)
    _, made, asked = look(store, answers)
    assert found(made, "orphan") == ["other"]
    assert dump(store) == before
    kept, also_asked = report(store, answers)
    assert (made.findings, asked) == (kept.findings, also_asked)


def test_a_site_that_does_not_answer_is_reported_from_the_store_and_forgets_nothing(store):
    store.put_sitemap_urls("shop", [SitemapUrl(SEED + "alone", "m")], NOW)
    answers = {SEED + "robots.txt": FailureKind.CONNECT}
    seen, made, asked = look(store, answers)
    assert (seen.failure.kind, asked) == (FailureKind.CONNECT, [f"GET {SEED}robots.txt"])
    assert found(made, "orphan") == ["alone"]
    assert any("robots.txt unreachable" in finding.message for finding in made.findings)
    report(store, answers)
    assert [entry.url for entry in store.load_snapshot("shop").sitemap] == [SEED + "alone"]


def test_a_robots_txt_that_cannot_be_had_keeps_us_from_the_sitemap_and_is_named_as_the_reason(store):
    _, made, _ = look(store, {SEED + "robots.txt": 503, SEED + "sitemap.xml": urlset("alone")})
    said = [finding.message for finding in made.findings if finding.signal == "sitemap_error"]
    assert any("status 503, so nothing may be asked for" in message for message in said)


@pytest.mark.parametrize("entries", [(), None])
def test_a_reading_that_found_nothing_leaves_stored_entries_out(store, entries):
    store.put_sitemap_urls("shop", [SitemapUrl(SEED + "alone", "m")], NOW)
    listed = {} if entries is None else {SEED + "sitemap.xml": urlset()}
    _, made, _ = look(store, listed)
    assert found(made, "orphan") == []
    assert any("unknown" in finding.message for finding in made.findings) is (entries is None)
