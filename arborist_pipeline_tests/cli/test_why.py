"""arborist why: what is known of one URL, whatever became of it, for people and as JSON."""

import json

import pytest

from arborist_pipeline_tests.cli.small_shop import rows, shop
from arborist_pipeline_tests.support.site_server import LocalSite, html, redirect

HOSTILE = "Lamp \x1b[31m\u202e bad"


@pytest.fixture
def site():
    pages = shop()
    pages["/"] = html("Home", links=["/about", "/products/lamp", "/cart", "/broken", "/deep/1", "/old", "/feed.xml"])
    pages["/old"] = redirect("/about")
    pages["/about"] = html(HOSTILE, "<p>We mend lamps in a yard behind the station.</p>")
    with LocalSite(pages) as served:
        yield served


@pytest.fixture
def crawled(arborist, site):
    """The shop two hops deep, products and documents read on the way."""
    done = arborist("crawl", "--seed-url", site.url(), "--fast", "--concurrency", 1, "--ingest")
    assert done.exit_code == 0
    return site


@pytest.fixture
def told(arborist, crawled):
    def told(path, *options):
        url = path if ":" in path else crawled.url(path)
        result = arborist("why", url, "--json", *options)
        assert (result.exit_code, result.stderr) == (0, "")
        (line,) = result.stdout.splitlines()
        return json.loads(line)

    return told


def test_a_fetched_page_is_told_from_the_seed_to_its_product(told, crawled):
    said = told("/products/lamp")
    assert (said["state"], said["outcome"], said["status"], said["kind"]) == ("done", "ok", 200, "product")
    assert [(step["url"], step["depth"], step["anchor"]) for step in said["path"]] == [
        (crawled.url(), 0, ""), (crawled.url("/products/lamp"), 1, said["path"][1]["anchor"]),
    ]  # fmt: skip
    assert said["path"][1]["anchor"]
    (request,) = said["requests"]
    assert (request["crawl"], request["order"], request["outcome"]) == (1, 2, "ok")
    assert request["priority"]["why"]
    assert said["answer"] == "asked for, ok (200), as request 2 of crawl 1"
    assert (said["product"]["name"], said["product"]["price"], said["product"]["is_current"]) == (
        "Desk lamp",
        "19.90",
        True,
    )
    assert said["product"]["sources"]["price"]["tier"] == "jsonld"
    assert (said["robots"]["allowed"], said["robots"]["line"]) == (True, None)
    assert [version["current"] for version in said["versions"]] == [True]
    assert said["due_at"].endswith("Z")
    assert (said["near"], said["rejection"]) == ([], None)


def test_a_page_that_robots_txt_forbids_is_told_with_the_line(told, arborist, crawled):
    said = told("/cart")
    assert (said["state"], said["rejection"], said["robots"]["allowed"]) == ("refused", "robots", False)
    assert "line 2: Disallow: /cart" in said["answer"]
    assert said["answer"].startswith("never asked for")
    assert "line 2: Disallow: /cart" in arborist("why", crawled.url("/cart")).stdout


def test_a_page_that_robots_txt_forbids_since_is_told_with_both(arborist, told, crawled):
    crawled.routes["/robots.txt"] = "User-agent: *\nDisallow: /about\n"
    arborist("crawl", "--seed-url", crawled.url(), "--fast", "--concurrency", 1)
    said = told("/about")
    assert (said["state"], said["outcome"]) == ("refused", "robots_denied")
    assert said["answer"].startswith("asked for, ok (200), as request ")
    assert said["answer"].endswith("refused since: robots.txt: line 2: Disallow: /about")
    assert [request["order"] is None for request in said["requests"]] == [True, False]


def test_a_page_deeper_than_the_limit_is_told_as_such(told):
    said = told("/deep/3")
    assert (said["state"], said["depth"], said["requests"]) == ("beyond", 3, [])
    assert "depth 3 is beyond the limit" in said["answer"]
    assert [step["depth"] for step in said["path"]] == [0, 1, 2, 3]


def test_a_queued_page_is_told_with_its_place(arborist, site, home):
    arborist("crawl", "--seed-url", site.url(), "--fast", "--concurrency", 1, "--max-pages", 1)
    queued = rows(home, "SELECT url, bucket FROM frontier WHERE state = 'queued' ORDER BY seq")
    assert len(queued) >= 4
    for number, (url, bucket) in enumerate(queued):
        said = json.loads(arborist("why", url, "--json").stdout)
        before = sum(other == bucket for _, other in queued[:number])
        assert (said["state"], said["requests"]) == ("queued", [])
        assert (said["place"]["bucket"], said["place"]["before"], said["place"]["queued"]) == (
            bucket,
            before,
            len(queued),
        )
        assert said["answer"].startswith(f"never asked for so far: {before} before it among links like /")
        assert f"such as {site.url()}" in said["place"]["among"]


def test_redirects_are_told_from_both_ends(told, crawled):
    assert told("/old")["redirect_to"] == crawled.url("/about")
    assert told("/about")["redirected_from"] == [crawled.url("/old")]


def test_an_unknown_page_is_told_with_the_nearest_known_spellings(told, crawled):
    known = crawled.url("/about")
    for unknown in (f"{known}/", f"{known}?page=2", known.replace("/about", "/About")):
        said = told(unknown)
        assert (said["state"], said["near"], said["requests"]) == ("unknown", [known], [])
        assert said["answer"].startswith("no crawl of ")


def test_an_address_that_links_name_and_rules_leave_out_is_told_with_the_rule(told):
    said = told("/feed.xml")
    assert (said["state"], said["rejection"], said["linked_from"]["pages"]) == ("unknown", "feed", 1)
    assert "it is a feed's address" in said["answer"]


def test_a_page_of_no_site_is_told_as_such(told):
    said = told("https://elsewhere.example/a")
    assert (said["state"], said["site"], said["answer"]) == (
        "no_site", None, "no site of the store has this host and port",
    )  # fmt: skip


def test_the_url_is_made_canonical_first(told, crawled):
    assert told(crawled.url("/x/../about?utm_source=a#top"))["url"] == crawled.url("/about")


@pytest.mark.parametrize("url", ["nonsense", "mailto:a@b.example", "http://", "ftp://a.example/", ""])
def test_a_malformed_address_is_wrong_use(arborist, crawled, url):
    assert crawled
    result = arborist("why", url)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "not an absolute http(s) URL" in result.stderr


def test_without_a_store_it_says_so(arborist):
    result = arborist("why", "https://a.example/")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no store at" in result.stderr


def test_crawls_are_shown_five_at_first_and_all_on_demand(arborist, told, crawled):
    for _ in range(6):
        arborist("crawl", "--seed-url", crawled.url(), "--fast", "--concurrency", 1, "--max-pages", 1)
    assert [each["crawl"] for each in told("/")["requests"]] == [7, 6, 5, 4, 3]
    assert len(told("/", "--all")["requests"]) == 7
    assert "2 earlier: --all shows them" in arborist("why", crawled.url()).stdout


def test_the_text_is_for_people_and_steers_no_terminal(arborist, crawled):
    shown = arborist("why", crawled.url("/about")).stdout
    assert shown.splitlines()[0] == crawled.url("/about")
    assert not any(mark in shown for mark in ("\x1b", "\u202e"))
    labels = {line[:11].strip() for line in shown.splitlines() if line[11:13] == "  "}
    assert {"site", "found", "path", "linked from", "robots.txt", "order", "answer", "redirects", "again"} <= labels
