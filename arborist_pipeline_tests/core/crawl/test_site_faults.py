"""What a site list may say and cannot mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.records import Mode, Render, Site, SiteType
from arborist_pipeline.core.crawl.site_faults import find_address_fault, find_doubts, find_fault, mend_address
from arborist_pipeline.core.web.url import canonicalize

SHOP = canonicalize("https://shop.example/")


@pytest.mark.parametrize(("address", "said"), [
    ("http:///shop.example/a", "names no host"),
    ("https:shop.example", "write https://shop.example/"),
    ("https:/shop.example", "names no host"),
    ("https:\\\\shop.example", "names no host"),
    ("https://me:pw@shop.example/", "user name or password"),
    ("https://me@shop.example/", "user name or password"),
    ("https://shop.example/#top", "write https://shop.example/"),
    ("https://shop.example/a?b=1#/route", "place within a page"),
    ("http://shop.example:0/", "port 0"),
    ("http://2130706433/", "write it as 127.0.0.1"),
    ("http://0x7f.1:8080/", "write it as 127.0.0.1"),
    ("http://127.1/", "write it as 127.0.0.1"),
    ("https://shop..example/", "empty part"),
])  # fmt: skip
def test_an_address_that_a_browser_would_make_something_of_is_refused_with_what_to_write(address, said):
    for key in ("seed_url", "sitemap"):
        fault = find_fault(key, address)
        assert said in fault
        assert "pw" not in fault


@pytest.mark.parametrize("address", [
    "https://shop.example", " HTTPS://Shop.example:443/a?b=c@d ", "http://127.0.0.1:8765/", "http://[::1]:80/",
    "https://b\u00fccher.example/", "https://shop.example./", "https://xn--bcher-kva.example/", "nonsense", "",
])  # fmt: skip
def test_an_address_that_means_what_it_says_has_no_fault(address):
    assert find_address_fault(address) is None


@pytest.mark.parametrize(("text", "mend"), [
    ("shop.example", "write it with https:// in front"), ("ftp://shop.example", "write it with https:// in front"),
    ("", "write it with https:// in front"), ("https://", "correct its host or port"),
    ("HTTP://shop.example:99999/", "correct its host or port"), (" https://[shop/", "correct its host or port"),
])  # fmt: skip
def test_what_is_no_address_is_told_what_it_lacks(text, mend):
    assert mend_address(text) == mend


@given(st.text(max_size=80), st.sampled_from(["", "http:", "https://", "http://a/"]))
def test_no_address_brings_it_down(text, start):
    fault = find_address_fault(start + text)
    assert fault is None or fault


@pytest.mark.parametrize(("key", "value", "said"), [
    ("include", ["/shop/", "shop/"], "'shop/' never matches: write a path (/shop/)"),
    ("exclude", ["^/cart"], "write a path (/cart)"),
    ("exclude", ["/a b"], "no white space"),
    ("concurrency", 5_000, "at most 1000"),
    ("max_pages", 10**30, "at most 1000000000"),
    ("depth", 10**10, "at most"),
    ("retention", {"crawls": 10**12}, "at most"),
    ("key", "k" * 201, "shorter"),
])  # fmt: skip
def test_a_setting_that_cannot_be_meant_is_refused(key, value, said):
    assert said in find_fault(key, value)


@pytest.mark.parametrize(("key", "value"), [
    ("include", ["/shop/", "*?print=", "https://shop.example/a", "/y*z$"]), ("include", []), ("include", [1]),
    ("max_pages", 0), ("concurrency", 64), ("llm", True), ("retention", {"bodies": "all"}), ("retention", 3),
    ("key", "shop"), ("seed_url", 7),
])  # fmt: skip
def test_other_settings_are_left_to_their_readers(key, value):
    assert find_fault(key, value) is None


@pytest.mark.parametrize(("settings", "said"), [
    ({"render": Render.ALWAYS}, "render: always is not built yet"),
    ({"concurrency": 4}, "concurrency: counts in fast mode only"),
    ({"stop_below": 0.1, "kind": SiteType.CONTENT}, "stop_below: counts for shops only"),
    ({"depth": 0}, "depth: 0 fetches the seed alone"),
    ({"exclude": ("/",)}, "exclude: leaves out the seed"),
    ({"include": ("https://other.example/",)}, "include: 'https://other.example/' is of another host"),
    ({"seed_url": canonicalize("https://shop.example/?token=abc")}, "seed_url: has what looks like a secret"),
])  # fmt: skip
def test_what_will_not_do_what_it_seems_to_is_doubted_by_its_key(settings, said):
    (doubt,) = find_doubts(Site(**{"key": "shop", "seed_url": SHOP} | settings))
    assert doubt.startswith(said)
    assert "abc" not in doubt


@pytest.mark.parametrize("settings", [
    {}, {"mode": Mode.FAST, "concurrency": 4}, {"include": ("/shop/", "https://shop.example/a", "https://*.example/")},
    {"exclude": ("/cart", "*?sort=")}, {"render": Render.AUTO},
])  # fmt: skip
def test_an_ordinary_site_raises_no_doubt(settings):
    assert find_doubts(Site(key="shop", seed_url=SHOP, **settings)) == ()
