import pytest

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.signals.sitemaps import find_sitemap_problems
from arborist_pipeline.core.report.snapshot import Probe, ProblemSource, SiteProblem

SITE = "https://shop.example"


def test_without_a_sitemap_a_notice_says_that_orphans_are_unknown(make_snapshot):
    (finding,) = find_sitemap_problems(make_snapshot(sitemap=None))
    assert (finding.signal, finding.severity) == ("sitemap_error", "notice")
    assert "orphan pages are unknown" in finding.message


@pytest.mark.parametrize(("is_serious", "severity"), [(True, "warning"), (False, "notice")])
def test_a_fault_of_a_file_is_a_finding_under_the_address_of_the_file(make_snapshot, is_serious, severity):
    problem = SiteProblem(ProblemSource.SITEMAP, f"{SITE}/map.xml", "It is HTML.", is_serious)
    (finding,) = find_sitemap_problems(make_snapshot(problems=(problem,)))
    assert (finding.url, finding.message, finding.severity) == (f"{SITE}/map.xml", "It is HTML.", severity)


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        ({"outcome": Outcome.REDIRECT, "status": 301, "redirect_to": f"{SITE}/"}, f"redirects to {SITE}/"),
        ({"outcome": Outcome.HTTP_ERROR, "status": 404}, "answers with status 404"),
        ({"noindex": True}, "is kept out of the index (noindex)"),
        ({"canonical_url": f"{SITE}/"}, f"names {SITE}/ as canonical"),
    ],
)
def test_a_listed_address_that_shows_no_page_of_its_own_is_a_finding(make_snapshot, make_page, listed, facts, fault):
    snapshot = make_snapshot(make_page("/listed", **facts), sitemap=listed("/", "/listed"))
    (finding,) = find_sitemap_problems(snapshot)
    assert (finding.url, finding.details["fault"]) == (f"{SITE}/listed", fault)


def test_a_forbidden_listing_and_one_that_a_probe_shows_dead_are_findings(make_snapshot, listed):
    listings = (*listed("/secret", is_denied=True), *listed("/dead"))
    found = find_sitemap_problems(
        make_snapshot(sitemap=listings, probes={f"{SITE}/dead": Probe(Outcome.NETWORK_ERROR)})
    )
    assert [(finding.url, finding.certainty) for finding in found] == [
        (f"{SITE}/secret", "certain"),
        (f"{SITE}/dead", "candidate"),
    ]


def test_a_sitemap_of_live_pages_is_faultless(make_snapshot, make_page, listed):
    assert list(find_sitemap_problems(make_snapshot(make_page("/a"), sitemap=listed("/", "/a", "/new")))) == []
