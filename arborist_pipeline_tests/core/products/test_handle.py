"""Handles: the readable end of an address."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.handle import build_handle
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


@given(
    st.from_regex(r"[a-z]{3,8}(-[a-z]{2,8}){1,4}", fullmatch=True),
    st.sampled_from(["", "?variant=1", "?utm_source=x&a=b"]),
)
def test_query_and_collection_change_no_handle(slug, query):
    plain = build_handle(canonicalize(f"{BASE}/products/{slug}"))
    assert plain == slug == build_handle(canonicalize(f"{BASE}/collections/all/products/{slug}{query}"))
