import pytest

from arborist_pipeline.core.crawl.records import Outcome, StoppedBy
from arborist_pipeline.core.report.signals.orphans import MAX_CANDIDATES, find_orphans
from arborist_pipeline.core.report.snapshot import Probe

SITE = "https://shop.example"


def orphan_urls(snapshot):
    return [finding.url.removeprefix(SITE) for finding in find_orphans(snapshot)]


def test_a_listed_page_that_nothing_links_to_is_a_certain_orphan_after_an_exhausted_walk(make_snapshot, listed):
    (finding,) = find_orphans(make_snapshot(sitemap=listed("/", "/alone")))
    assert (finding.url, finding.certainty, finding.severity) == (f"{SITE}/alone", "certain", "warning")
    assert finding.details["sitemap"] == f"{SITE}/sitemap.xml"


def test_a_page_fetched_from_the_sitemap_alone_is_still_an_orphan(make_snapshot, make_page, listed):
    alone = make_page("/alone", clicks=None, previous=None)
    assert orphan_urls(make_snapshot(alone, sitemap=listed("/alone"))) == ["/alone"]


@pytest.mark.parametrize(
    "incomplete",
    [
        {"unfetched": 3},
        {"stopped_by": StoppedBy.BUDGET},
        {"stopped_by": None},
    ],
)
def test_an_orphan_is_only_a_candidate_while_the_walk_is_not_exhausted(make_snapshot, listed, incomplete):
    (finding,) = find_orphans(make_snapshot(sitemap=listed("/alone"), **incomplete))
    assert finding.certainty == "candidate"
    assert finding.details["unfetched"] == incomplete.get("unfetched", 0)
    assert "Crawl the rest" in finding.message


def test_many_candidates_are_one_finding_with_their_number_and_examples(make_snapshot, listed):
    few, many = ([f"/{number:04}" for number in range(count)] for count in (MAX_CANDIDATES, 600))
    assert len(list(find_orphans(make_snapshot(sitemap=listed(*few), unfetched=9)))) == MAX_CANDIDATES
    (finding,) = find_orphans(make_snapshot(sitemap=listed(*many), unfetched=9))
    assert (finding.url, finding.certainty) == (f"{SITE}/", "candidate")
    assert finding.details["count"] == 600
    assert finding.details["urls"] == [f"{SITE}{path}" for path in many[:50]]
    assert "600 pages" in finding.message
    assert len(list(find_orphans(make_snapshot(sitemap=listed(*many))))) == 600


@pytest.mark.parametrize("unread", [{"outcome": Outcome.BLOCKED, "status": 403}, {"needs_rendering": True}])
def test_pages_whose_links_nobody_saw_make_orphans_candidates(make_snapshot, make_page, listed, unread):
    (finding,) = find_orphans(make_snapshot(make_page("/wall", **unread), sitemap=listed("/alone")))
    assert finding.certainty == "candidate"
    assert finding.details["unread"] == 1


@pytest.mark.parametrize(
    ("why", "facts"),
    [
        ("it redirects", {"outcome": Outcome.REDIRECT, "status": 301, "redirect_to": f"{SITE}/"}),
        ("it is dead", {"outcome": Outcome.HTTP_ERROR, "status": 404}),
        ("it names a reached page as canonical", {"canonical_url": f"{SITE}/"}),
        ("links reach it", {"clicks": 3}),
        ("robots.txt forbids it", {"outcome": Outcome.ROBOTS_DENIED, "status": None}),
    ],
)
def test_a_listed_page_is_no_orphan_where(make_snapshot, make_page, listed, why, facts):
    page = make_page("/listed", **({"clicks": None, "previous": None} | facts))
    assert orphan_urls(make_snapshot(page, sitemap=listed("/listed"))) == [], why


@pytest.mark.parametrize("facts", [{"is_linked": True}, {"is_denied": True}])
def test_linked_and_forbidden_addresses_that_were_never_fetched_are_no_orphans(make_snapshot, listed, facts):
    assert orphan_urls(make_snapshot(sitemap=listed("/listed", **facts))) == []


def test_a_link_to_the_https_form_reaches_the_http_form(make_snapshot, make_page, listed):
    snapshot = make_snapshot(make_page("/a"), sitemap=listed("/a"))
    plain = tuple(listing._replace(url=listing.url.replace("https:", "http:")) for listing in snapshot.sitemap)
    assert orphan_urls(make_snapshot(make_page("/a"), sitemap=plain)) == []


def test_a_probe_that_redirects_takes_an_address_out(make_snapshot, listed):
    probes = {f"{SITE}/old": Probe(Outcome.REDIRECT, 301, f"{SITE}/"), f"{SITE}/alone": Probe(Outcome.OK, 200)}
    assert orphan_urls(make_snapshot(sitemap=listed("/old", "/alone"), probes=probes)) == ["/alone"]


def test_without_a_sitemap_orphans_are_unknown(make_snapshot, make_page):
    assert orphan_urls(make_snapshot(make_page("/a", clicks=None), sitemap=None)) == []
