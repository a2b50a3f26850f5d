"""One product under several addresses is one; two of one name are two."""

from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.identity import Showing, choose_addresses, is_same_product

BASE = "https://ware.example"


def showing(path, canonical=None, handle="oak-stool", name="Oak stool", **numbers):
    return Showing(url=BASE + path, canonical_url=canonical and BASE + canonical, handle=handle, name=name, **numbers)


STOOL = "/products/oak-stool"
PAIRS = [
    ("a collection's address", showing(STOOL), showing("/collections/new" + STOOL), True),
    ("a chosen form", showing(STOOL, sku="A"), showing(STOOL + "?variant=2", sku="B", name="Oak stool - tar"), True),
    ("one canonical address", showing("/a/oak-stool", STOOL), showing("/b/oak-stool", STOOL, sku="B"), True),
    ("one canonical address without a handle", showing("/p?id=1", "/p?id=1", None),
     showing("/p?id=1&v=2", "/p?id=1", None), True),
    ("addresses without a handle", showing("/p?id=1", None, None), showing("/p?id=2", None, None), False),
    ("one number", showing("/a/oak-stool", sku="A"), showing("/b/oak-stool", sku="A", price=Decimal(1)), True),
    ("one price", showing("/a/oak-stool", price="39"), showing("/b/oak-stool", price="39"), True),
    ("other prices", showing("/a/oak-stool", price="39"), showing("/b/oak-stool", price="45"), False),
    ("nothing in common", showing("/a/oak-stool"), showing("/b/oak-stool"), False),
    ("other numbers", showing("/a/oak-stool", sku="A", price="39"), showing("/b/oak-stool", sku="B", price="39"),
     False),
    ("the home page", showing("/", handle="oak-stool"), showing("/rooms" + STOOL), False),
    ("other ids", showing(STOOL, product_id="1"), showing(STOOL + "?id=2", product_id="2"), False),
    ("other codes", showing(STOOL, gtin="1"), showing("/x" + STOOL, gtin="2"), False),
    ("other names", showing(STOOL), showing("/x" + STOOL, name="Pine table"), False),
    ("a canonical link that all pages share", showing("/a", STOOL), showing("/b", STOOL, name="Pine table"), False),
    ("other handles", showing(STOOL), showing("/products/oak-stool-2", handle="oak-stool-2"), False),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "same"), [case[1:] for case in PAIRS], ids=[case[0] for case in PAIRS])
def test_pages_show_one_product_or_two(one, other, same):
    assert is_same_product(one, other) is same
    assert is_same_product(other, one) is same
    assert is_same_product(one, one)


@pytest.mark.parametrize(
    ("pages", "listed"),
    [
        ([showing("/collections/a" + STOOL), showing(STOOL), showing(STOOL + "?variant=1")], STOOL),
        ([showing("/collections/a" + STOOL, "/long" + STOOL), showing("/long" + STOOL, "/long" + STOOL)],
         "/long" + STOOL),
        ([showing(STOOL + "?v=1"), showing("/collections/a" + STOOL)], "/collections/a" + STOOL),
        ([showing("/collections/b" + STOOL, price="1"), showing("/collections/a" + STOOL, price="1")],
         "/collections/a" + STOOL),
    ],
)  # fmt: skip
def test_the_address_that_is_listed_does_not_hang_on_the_order(pages, listed):
    for order in permutations(pages):
        assert set(choose_addresses(order).values()) == {BASE + listed}


def test_products_apart_stay_apart():
    pages = [showing("/a/oak-stool", price="39"), showing("/b/oak-stool", price="45"), showing("/a/oak-stool?x=1")]
    chosen = {url.removeprefix(BASE): to.removeprefix(BASE) for url, to in choose_addresses(pages).items()}
    assert chosen == {
        "/a/oak-stool": "/a/oak-stool",
        "/b/oak-stool": "/b/oak-stool",
        "/a/oak-stool?x=1": "/a/oak-stool",
    }


@given(st.lists(
    st.builds(showing, st.sampled_from(["/", STOOL, STOOL + "?v=1", "/x" + STOOL, "/y/oak-stool", "/oak-stool", "/z"]),
              st.sampled_from([None, STOOL, "/z"]), st.sampled_from([None, "oak-stool"]),
              sku=st.sampled_from([None, "", "A", "B"]), product_id=st.sampled_from([None, "1", "2"]),
              price=st.sampled_from([None, "39", "45"])),
    max_size=7, unique_by=lambda each: each.url))  # fmt: skip
def test_what_is_found_by_keys_is_what_comparing_with_all_that_are_listed_finds(pages):
    listed: list[Showing] = []
    for page in sorted(
        pages, key=lambda each: (each.canonical_url != each.url, "?" in each.url, len(each.url), each.url)
    ):
        same = next((each for each in listed if is_same_product(each, page)), page)
        assert choose_addresses(pages)[page.url] == same.url
        listed += [page] if same is page else []


@given(st.lists(st.builds(showing, st.sampled_from([STOOL, STOOL + "?v=1", "/x" + STOOL, "/y/oak-stool"]),
                          name=st.sampled_from(["Oak stool", "Pine table"]), sku=st.sampled_from([None, "A", "B"])),
                max_size=6, unique_by=lambda each: each.url))  # fmt: skip
def test_every_page_is_listed_under_an_address_that_is_listed_itself(pages):
    chosen = choose_addresses(pages)
    assert set(chosen) == {page.url for page in pages}
    assert all(chosen[to] == to for to in chosen.values())
