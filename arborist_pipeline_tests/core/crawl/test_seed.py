"""What a seed must be, and what its owner is told."""

import pytest

from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.reading import read_exchange
from arborist_pipeline.core.crawl.records import CrawlRequest, Priority, Site, Tier
from arborist_pipeline.core.crawl.seed import is_www_twin, seed_problem
from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
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
