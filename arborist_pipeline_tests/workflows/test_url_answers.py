"""The rules that hold for a URL now, beside what crawls left of it; told by values, without a database."""

from dataclasses import replace

import pytest

from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.records import Priority, Site, Tier, Trap
from arborist_pipeline.core.ports import RobotsCopy
from arborist_pipeline.core.report.url_answer import tell_state
from arborist_pipeline.core.report.url_record import InboundLinks, KnownSite, PathStep, QueueArm, QueuePlace, UrlRecord
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.url_answers import explain_url
from arborist_pipeline_tests.support.builders import NOON, SHOP_URL

SEED = canonicalize(SHOP_URL)
SHOP = KnownSite(Site(key="shop", seed_url=SEED, exclude=("/private/",)), SEED, is_active=True)
ROBOTS = b"User-agent: *\nDisallow: /cart\nAllow: /cart/help\n"
TRAP = Trap(template="https://shop.example/day/{n}", asked=20, left=5, example="https://shop.example/day/9")


def at(path):
    return canonicalize(f"https://shop.example{path}")


def record(path, state=State.QUEUED, **values):
    url = at(path)
    return UrlRecord(**{
        "site_key": "shop", "url": url, "state": state, "path": (PathStep(url, 1, ""),),
        "priority": Priority(Tier.ORDER, 0.0, "in order of discovery"), "discovered_at": NOON, "written": None,
        "outcome": None, "reason": None, "status": None, "fetched_at": None, "checked_at": None, "verdict": None,
        "due_at": None, "gone_at": None, "kind": None, "title": None, "redirect_to": None, "redirected_from": (),
        "requests": (), "place": QueuePlace(Bucket.QUEUE, 4, 9), "product": None, "report": None,
    } | values)  # fmt: skip


class Records:
    """A store of these records and sites."""

    def __init__(self, *known, sites=(SHOP,), inbound=0):
        self.known = {each.url: each for each in known}
        self.sites, self.inbound = sites, inbound

    def load_sites(self):
        return self.sites

    def load_record(self, url):
        return self.known.get(url)

    def known_among(self, urls):
        return [url for url in urls if url in self.known]

    def known_with_query(self, url):
        return [known for known in self.known if known != url and known.startswith(f"{url.partition('?')[0]}?")]

    def load_inbound(self, url):
        del url
        return InboundLinks(self.inbound, ())


class Robots:
    """The stored copy of one robots.txt, None for none."""

    def __init__(self, body=None, status=200):
        self.copy = None
        if body is not None:
            self.copy = RobotsCopy(url=at("/robots.txt"), status=status, body=body, fetched_at=NOON)

    def load_robots(self, origin, *, since):
        del origin, since
        return self.copy


def explain(path, *known, robots=ROBOTS, status=200, **options):
    url = path if ":" in path else at(path)
    return explain_url(canonicalize(url), records=Records(*known, **options), robots=Robots(robots, status),
                       load_versions=lambda _: ())  # fmt: skip


@pytest.mark.parametrize(("path", "allowed", "line"), [
    ("/cart", False, "line 2: Disallow: /cart"),
    ("/cart/help", True, "line 3: Allow: /cart/help"),
    ("/about", True, None),
])  # fmt: skip
def test_robots_txt_is_told_by_the_line_that_decides(path, allowed, line):
    word = explain(path).robots
    assert (word.allowed, word.line, word.fetched_at) == (allowed, line, NOON)


def test_a_robots_txt_that_is_not_there_allows_and_one_that_was_never_kept_tells_nothing():
    word = explain("/cart", robots=b"", status=404).robots
    assert (word.allowed, word.line) == (True, "no robots.txt: status 404")
    assert explain("/cart", robots=None).robots is None


def test_an_address_as_its_link_has_it_counts_for_robots_txt():
    met = record("/list", State.REFUSED, written="https://shop.example/list?utm_source=a")
    answer = explain("/list", met, robots=b"User-agent: *\nDisallow: /*utm_\n")
    assert (answer.robots.allowed, answer.robots.line) == (False, "line 2: Disallow: /*utm_")
    assert tell_state(answer) == "never asked for: robots.txt: line 2: Disallow: /*utm_"


@pytest.mark.parametrize(("path", "rejection", "words"), [
    ("/private/x", "excluded", "patterns leave it out"),
    ("/feed.xml", "feed", "feeds are no pages"),
    ("/cart", "robots", "robots.txt forbids it"),
    ("/a/b/a/b/a/b/", "repeats", "again and again"),
    ("/photo.jpg", "not_a_document", "no page"),
    ("/fine", None, "has met this address"),
])  # fmt: skip
def test_an_unknown_address_is_told_with_the_rule_that_would_leave_it_out(path, rejection, words):
    answer = explain(path)
    assert answer.rejection == rejection
    assert words in tell_state(answer)
    assert tell_state(explain(path, inbound=2)).startswith("known by links alone")


def test_an_address_of_no_site_may_be_near_one():
    answer = explain("https://www.shop.example/about", record("/about"))
    assert (answer.site, answer.near) == (None, (at("/about"),))
    assert tell_state(answer) == "no site of the store has this host and port"


@pytest.mark.parametrize(("met", "words"), [
    (record("/a"), "never asked for so far: 4 before it among addresses in order of discovery, 9 queued in all"),
    (record("/a", place=QueuePlace(17, 0, 1, QueueArm("/{word} n.1f.home", at("/b")))),
     f"0 before it among links like /{{word}} in menus of the home page, such as {at('/b')}, 1 queued in all"),
    (record("/a", State.BEYOND), "never asked for: depth 1 is beyond the limit of the crawl"),
    (record("/a", State.REFUSED, reason="the site has moved to another host"), "moved to another host"),
    (record("/a", State.REFUSED), "those known now would not"),
    (record("/a", State.REFUSED, outcome="ok", fetched_at=NOON, reason=None), "those known now would not"),
])  # fmt: skip
def test_a_known_address_is_told_by_where_it_stands(met, words):
    assert words in tell_state(explain("/a", met))


def test_an_address_that_is_withheld_names_its_pattern():
    met = record("/day/7", place=QueuePlace(Bucket.LAST, 0, 5), traps=(TRAP,))
    answer = explain("/day/7", met)
    assert answer.trap == TRAP
    assert f"withheld, as one of {TRAP.template}" in tell_state(answer)
    assert explain("/other", replace(met, url=at("/other"))).trap is None


def test_the_site_that_met_it_is_its_site_though_another_has_its_host():
    other = SHOP._replace(site=replace(SHOP.site, key="again"))
    assert explain("/a", record("/a", site_key="again"), sites=(SHOP, other)).site is other
    assert explain("/a", sites=(SHOP, other)).site is SHOP
