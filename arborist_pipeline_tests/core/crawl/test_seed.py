"""What a seed must be, and what its owner is told."""

import pytest

from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN, CrawlPolicy
from arborist_pipeline.core.crawl.reading import read_exchange
from arborist_pipeline.core.crawl.records import CrawlRequest, Priority, Site, StoppedBy, Tier
from arborist_pipeline.core.crawl.seed import is_www_twin, robots_problem, seed_problem
from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
from arborist_pipeline.core.web.robots import deny_all, parse_robots
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.support.builders import SHOP_URL, make_result

SEED = canonicalize(SHOP_URL)


def problem(result):
    request = CrawlRequest(url=SEED, depth=0, parent=None, anchor="", priority=Priority(Tier.SEED, 1.0, "the seed"))
    site = Site(key="shop", seed_url=SEED)
    return seed_problem(read_exchange(request, result, order=1, site=site, policy=CrawlPolicy()).page, SEED)


@pytest.mark.parametrize(("one", "other", "expected"), [
    ("https://shop.example/", "https://www.shop.example/", True),
    ("https://www.shop.example/", "https://shop.example/x", True),
    ("http://shop.example/", "https://www.shop.example/", True),
    ("https://shop.example:8443/", "https://www.shop.example:8443/", True),
    ("https://shop.example/", "https://www.shop.example:8443/", False),
    ("https://shop.example/", "https://shop.example/en", False),
    ("https://shop.example/", "https://www2.shop.example/", False),
    ("https://shop.example/", "https://www.www.shop.example/", False),
    ("https://shop.example/", "https://m.shop.example/", False),
    ("https://www.a.example/", "https://www.b.example/", False),
])  # fmt: skip
def test_twins_differ_by_a_leading_www_alone(one, other, expected):
    assert is_www_twin(canonicalize(one), canonicalize(other)) is expected
    assert is_www_twin(canonicalize(other), canonicalize(one)) is expected


@pytest.mark.parametrize("result", [
    make_result("<p>x</p>"),
    make_result(status=302, location="/en/"),
    make_result(status=301, location="http://shop.example/x"),
    make_result(status=301, location="https://www.shop.example/"),
])  # fmt: skip
def test_a_page_or_a_redirect_within_the_site_is_no_problem(result):
    assert problem(result) is None


@pytest.mark.parametrize(("result", "said"), [
    (make_result(status=301, location="https://other.example/a"), "use https://other.example/a as seed_url"),
    (make_result(status=302, location="https://m.shop.example/"), "use https://m.shop.example/ as seed_url"),
    (make_result(status=404), "check the address in a browser"),
    (make_result(status=500), "try again later"),
    (make_result(status=403), "ask the owner to allow this crawler"),
    (make_result("x", headers={"content-type": "application/json"}), "name a page of the site as seed_url"),
    (make_result(failure=FetchFailure(kind=FailureKind.DNS, message="x")), "check that the name is spelt right"),
    (make_result(failure=FetchFailure(kind=FailureKind.BLOCKED_ADDRESS, message="x")), "ARBORIST_ALLOW_PRIVATE=1"),
    (make_result(""), "see the reason"),
    (make_result(status=304), "http_error"),
])  # fmt: skip
def test_everything_else_is_named_with_what_to_do(result, said):
    assert said in problem(result)
    assert SEED in problem(result)


@pytest.mark.parametrize(("rules", "failure", "stopped_by", "said"), [
    (parse_robots(b"User-agent: *\nDisallow: /", PRODUCT_TOKEN), None, StoppedBy.ROBOTS,
     ["line 2: Disallow: /", "ask the owner to allow arborist-crawler"]),
    (deny_all("robots.txt unreachable: status 503"), None, StoppedBy.ROBOTS, ["status 503", "try again later"]),
    (deny_all("x"), FailureKind.DNS, StoppedBy.ERRORS, ["dns: no luck", "spelt right"]),
    (deny_all("x"), FailureKind.TIMEOUT, StoppedBy.ERRORS, ["timeout: no luck", "the site is up"]),
    (deny_all("x"), FailureKind.BLOCKED_ADDRESS, StoppedBy.ERRORS, ["ARBORIST_ALLOW_PRIVATE=1"]),
])  # fmt: skip
def test_what_keeps_a_crawl_out_is_told_from_what_may_pass(rules, failure, stopped_by, said):
    gone = None if failure is None else FetchFailure(kind=failure, message="no luck")
    found, reason = robots_problem(SEED, rules, gone)
    assert found is stopped_by
    assert SEED in reason
    assert all(words in reason for words in said)
