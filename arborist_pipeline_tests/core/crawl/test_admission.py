"""Which addresses may be asked for at all."""

import pytest

from arborist_pipeline.core.crawl.admission import Rejection, build_admission
from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN
from arborist_pipeline.core.web.robots import parse_robots
from arborist_pipeline.core.web.url import canonicalize, split_origin

SEED = canonicalize("https://shop.example/")
RULES = {split_origin(SEED): parse_robots(b"User-agent: *\nDisallow: /cart\nAllow: /cart/help", PRODUCT_TOKEN)}


def admit(seed=SEED, include=(), exclude=(), robots=None):
    return build_admission(seed, include=include, exclude=exclude, robots={} if robots is None else robots)


def verdict(url, **options):
    return admit(**options).reject(canonicalize(url))


@pytest.mark.parametrize(("url", "expected"), [
    ("https://shop.example/", None),
    ("https://shop.example/a?b=c", None),
    ("http://shop.example/a", None),  # http:80 and https:443 of a host are one site
    ("https://shop.example:443/a", None),
    ("https://SHOP.example/a", None),
    ("https://shop.example:8443/a", Rejection.OTHER_SITE),
    ("https://www.shop.example/", Rejection.OTHER_SITE),
    ("https://blog.shop.example/", Rejection.OTHER_SITE),
    ("https://shop.example.evil.example/", Rejection.OTHER_SITE),
    ("https://notshop.example/", Rejection.OTHER_SITE),
    ("https://example/", Rejection.OTHER_SITE),
    ("https://user@shop.example/", None),
    ("https://shop.example@evil.example/", Rejection.OTHER_SITE),
    ("https://shop.example/feed/", Rejection.FEED),
    ("https://shop.example/blog/feed.xml", Rejection.FEED),
    ("https://shop.example/blog.atom", Rejection.FEED),
    ("https://shop.example/?feed=rss2", Rejection.FEED),
    ("https://shop.example/sitemap.xml", Rejection.SITEMAP),
    ("https://shop.example/sitemap_products_1.xml", Rejection.SITEMAP),
    ("https://shop.example/a.pdf", Rejection.NOT_A_DOCUMENT),
    ("https://shop.example/a.JPG", Rejection.NOT_A_DOCUMENT),
    ("https://shop.example/data.json", Rejection.NOT_A_DOCUMENT),
    ("https://shop.example/a.html", None),
    ("https://shop.example/a.php?x=1", None),
    ("https://shop.example/cart", Rejection.ROBOTS),
    ("https://shop.example/cart/x", Rejection.ROBOTS),
    ("https://shop.example/cart/help", None),
])  # fmt: skip
def test_each_address_has_its_verdict(url, expected):
    assert verdict(url, robots=RULES) is expected


@pytest.mark.parametrize(("pattern", "url", "matches"), [
    ("/shop/", "https://shop.example/shop/a", True),
    ("/shop/", "https://shop.example/shop", False),
    ("/shop/", "https://shop.example/x/shop/a", False),
    ("https://shop.example/shop", "https://shop.example/shopping", True),
    ("/*/lamp", "https://shop.example/a/lamp", True),
    ("/*/lamp", "https://shop.example/a/b/lamps", True),
    ("/*/lamp$", "https://shop.example/a/lamps", False),
    ("/*?page=", "https://shop.example/a?page=2", True),
    ("/a.b", "https://shop.example/aXb", False),
    ("/a(b", "https://shop.example/a(b", True),
    ("/x$", "https://shop.example/x", True),
    ("/x$", "https://shop.example/x/", False),
    ("*", "https://shop.example/anything", True),
])  # fmt: skip
def test_a_pattern_is_a_prefix_with_wildcards_for_both_lists(pattern, url, matches):
    assert (verdict(url, include=(pattern,)) is None) is matches
    assert (verdict(url, exclude=(pattern,)) is Rejection.EXCLUDED) is matches


def test_what_is_excluded_is_out_even_where_it_is_included():
    both = {"include": ("/shop/",), "exclude": ("/shop/private",)}
    assert verdict("https://shop.example/shop/a", **both) is None
    assert verdict("https://shop.example/shop/private/a", **both) is Rejection.EXCLUDED


def test_any_of_several_patterns_includes():
    assert verdict("https://shop.example/b/1", include=("/a/", "/b/")) is None


def test_rules_of_an_origin_that_is_met_later_hold_from_then_on():
    rules = {}
    admission = admit(robots=rules)
    assert admission.reject(canonicalize("https://shop.example/cart")) is None
    rules.update(RULES)
    assert admission.reject(canonicalize("https://shop.example/cart")) is Rejection.ROBOTS
    assert admission.reject(canonicalize("http://shop.example/cart")) is None  # another origin, asked for before


def test_a_site_on_a_port_is_that_port_alone():
    seed = canonicalize("http://127.0.0.1:8000/")
    assert verdict("http://127.0.0.1:8000/a", seed=seed) is None
    assert verdict("http://127.0.0.1:8001/a", seed=seed) is Rejection.OTHER_SITE
    assert verdict("http://127.0.0.1/a", seed=seed) is Rejection.OTHER_SITE


@pytest.mark.parametrize(("url", "written", "expected"), [
    ("/list?color=y&sort=x", "/list?sort=x&color=y", Rejection.ROBOTS),
    ("/list?color=y&sort=x", None, None),
    ("/list?color=y&sort=x", "/list?sort=x&color=y&print=1", Rejection.ROBOTS),
    ("/print/a", "/print/a?utm_source=b", Rejection.ROBOTS),
    ("/a", "/a?utm_source=b", None),
])  # fmt: skip
def test_robots_txt_is_asked_about_an_address_and_about_what_was_written(url, written, expected):
    rules = {split_origin(SEED): parse_robots(b"User-agent: *\nDisallow: /*?sort=\nDisallow: /print/", PRODUCT_TOKEN)}
    found = admit(robots=rules).reject(
        canonicalize(f"https://shop.example{url}"), written=written and f"https://shop.example{written}"
    )
    assert found is expected


def test_paths_that_repeat_themselves_are_refused():
    assert verdict("https://shop.example/a/b/a/b/a/b/") is Rejection.REPEATS
    assert verdict("https://shop.example/a/b/a/b/") is None
