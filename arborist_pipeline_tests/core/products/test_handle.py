"""Handles: the readable end of an address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.handle import build_handle, explain_handle
from arborist_pipeline.core.web.url import canonicalize

BASE = "https://ware.example"


@pytest.mark.parametrize(
    ("path", "handle"),
    [
        ("/products/alder-stool", "alder-stool"),
        ("/products/alder-stool?variant=12", "alder-stool"),
        ("/collections/new/products/alder-stool", "alder-stool"),
        ("/product/hoodie/", "hoodie"),
        ("/lamps/harbour-lamp.html", "harbour-lamp"),
        ("/Harbour-Lamp-P145.aspx", "Harbour-Lamp-P145"),
        ("/p/flat-boots-p11002710.html?v1=8", "flat-boots-p11002710"),
        ("/No.1_G2_Smart_Watch.html", "No.1_G2_Smart_Watch"),
        ("/catalogue/white-mug_17/", "white-mug_17"),
        ("/p/m%C3%B6bel-holz", "möbel-holz"),
        ("/product/4667999", None),
        ("/dp/B07FW264WL", None),
        ("/hoodie", None),
        ("/84682.html", None),
        ("/mobiles/pd1hjfqnc2j", None),
        ("/PU_106160%2F01.html", None),
        ("/leather+bottom+crossbody.do", None),
        ("/", None),
        ("/a-1", None),
    ],
)
def test_a_handle_is_the_readable_last_segment(path, handle):
    assert build_handle(canonicalize(BASE + path)) == handle


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/", "has no path"),
        ("/84682.html", "'84682', which is a code"),
        ("/hoodie", "one word, 'hoodie'"),
        ("/product-detail.php?id=7", "'product-detail' for every product"),
        ("/view-item?id=7", "the query says which"),
        ("/Item.aspx?p=1", "the query says which"),
        ("/products/oak-stool?id=7", ""),
        ("/product-detail", ""),
    ],
)
def test_an_address_without_a_handle_says_why(path, words):
    url = canonicalize(BASE + path)
    assert (build_handle(url) is None) is bool(words)
    assert words in explain_handle(url, None)
    assert bool(explain_handle(url, canonicalize(BASE + "/9"))) is bool(words)
    assert explain_handle(url, canonicalize(BASE + "/products/mug")) == ""


@given(
    st.from_regex(r"[a-z]{3,8}(-[a-z]{2,8}){1,4}", fullmatch=True),
    st.sampled_from(["", "?variant=1", "?utm_source=x&a=b"]),
)
def test_query_and_collection_change_no_handle(slug, query):
    plain = build_handle(canonicalize(f"{BASE}/products/{slug}"))
    assert plain == slug == build_handle(canonicalize(f"{BASE}/collections/all/products/{slug}{query}"))
