"""The numbers of a link's features, and the order in which links stand before anything is known of a site."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.link_features import (
    MAX_ANCHOR_WORDS,
    SPACE,
    features_of_kind,
    features_of_link,
    number_of,
)
from arborist_pipeline.core.crawl.platform_paths import PathKind
from arborist_pipeline.core.crawl.url_shapes import MAX_SEGMENTS, MAX_WORDS, shape_of
from arborist_pipeline_tests.support.processes import outputs_of

SHOP = "https://shop.example"


def features(path="/cups/blue-mug", place="m.0001", anchor="", *, is_regex=False, path_kind=None):
    shape = shape_of(SHOP + path)
    kind = features_of_kind(shape, place, is_regex=is_regex, path_kind=path_kind)
    return features_of_link(kind, shape, anchor)


def odds(*links):
    return [features(*link).product for link in links]


def hubs(*links):
    return [features(*link).hub for link in links]


def is_falling(numbers):
    return all(one > next_one for one, next_one in pairwise(numbers))


@given(st.text("/abc-1.?&=page") | st.text(), st.text(max_size=12), st.text())
def test_the_features_of_any_link_are_some_numbers_of_the_space_and_finite_odds(path, place, anchor):
    found = features(f"/{path}", place, anchor)
    assert all(0 <= number < SPACE for number in found.numbers)
    assert len(found.numbers) <= 9 + 12 + (MAX_WORDS + 12) + MAX_ANCHOR_WORDS + MAX_SEGMENTS
    assert math.isfinite(found.product)
    assert math.isfinite(found.hub)


def test_features_are_the_same_in_every_process():
    program = (
        "from arborist_pipeline_tests.core.crawl.test_link_features import features\n"
        "print(features('/de/cups/blue-mug-7.html?b=1&a=2', 'mict.00ff', 'Our blue mug'))"
    )
    found = outputs_of(program)
    assert found == {f"{features('/de/cups/blue-mug-7.html?b=1&a=2', 'mict.00ff', 'Our blue mug')}\n"}


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        (("/cups/blue-mug", "m.1"), ("/cups/red-pot", "m.1"), "shape /{word}/{words}"),
        (("/cups/blue-mug", "m.1"), ("/blue-mug-7", "m.2"), "word mug"),
        (("/cups/mug", "mic.1"), ("/x", "aic.1"), "shown ic"),
        (("/cups/mug", "m.1", "Blue mug"), ("/x", "n.2", "MUG for tea"), "says mug"),
        (("/cups/mug", "m.1"), ("/cups/7", "n.2"), "in cups"),
        (("/x?color=1", "m.1"), ("/y/z?a=1&color=2", "n.2"), "key color"),
    ],
)
def test_links_that_are_alike_share_the_number_of_what_they_have_in_common(one, other, shared):
    assert number_of(shared) in {*features(*one).numbers} & {*features(*other).numbers}


def test_what_holds_for_a_kind_holds_for_each_of_its_links():
    shape = shape_of(f"{SHOP}/cups/blue-mug")
    kind = features_of_kind(shape, "mic.1", is_regex=False, path_kind=None)
    link = features_of_link(kind, shape, "Blue mug")
    assert link.numbers[: len(kind.numbers)] == kind.numbers
    assert (link.product, link.hub) == (kind.product, kind.hub)  # none of its words is known


def test_a_card_with_a_price_comes_before_one_without_and_both_before_none():
    path = "/cups/blue-mug"
    assert is_falling(odds((path, "mict.1"), (path, "mic.1"), (path, "mc.1"), (path, "mi.1"), (path, "m.1")))


def test_what_a_card_shows_is_read_in_any_order_and_signs_of_no_meaning_are_left():
    assert features(place="micr.1").product == features(place="mci.1").product == features(place="mic.1").product


def test_a_link_in_the_content_comes_before_those_in_the_frame_and_the_foot_of_a_page_last():
    path = "/cups/blue-mug"
    assert is_falling(odds((path, "m.1"), (path, "a.1"), (path, "n.1"), (path, "f.1"), (path, "p.1")))


@pytest.mark.parametrize(("path", "anchor"), [
    ("/basket", ""), ("/imprint", ""), ("/x", "Shopping cart"), ("/x", "Impressum"), ("/shop/returns-policy", ""),
    ("/service/a-b", "x"), ("/privacy.html", "More"),
])  # fmt: skip
def test_baskets_and_imprints_come_after_other_links_both_as_products_and_as_lists(path, anchor):
    junk, plain = features(path, "m.1", anchor), features("/thing", "m.1", "Thing")
    assert junk.product < plain.product - 1
    assert junk.hub < plain.hub - 1


@pytest.mark.parametrize("anchor", ["Shop all", "New arrivals", "Women", "SALE"])
def test_words_of_lists_make_a_better_list_and_a_worse_product(anchor):
    hub, plain = features(anchor=anchor), features(anchor="Blue mug")
    assert (hub.hub > plain.hub, hub.product < plain.product) == (True, True)


@pytest.mark.parametrize(("is_regex", "path_kind"), [(True, None), (False, PathKind.PRODUCT), (True, PathKind.PRODUCT)])
@pytest.mark.parametrize("place", ["m.1", "mi.1", "mic.1", "s"])
def test_an_address_that_says_product_is_one_with_a_chance_above_nine_in_ten(place, is_regex, path_kind):
    found = features(place=place, is_regex=is_regex, path_kind=path_kind)
    assert 1 / (1 + math.exp(-found.product)) > 0.9


@pytest.mark.parametrize("path_kind", [PathKind.LISTING, PathKind.OTHER])
@pytest.mark.parametrize("place", ["mict.1", "mic.1", "m.1", "n.1"])
def test_an_address_of_which_a_platform_says_other_is_no_product_whatever_its_card_shows(place, path_kind):
    assert features(place=place, path_kind=path_kind).product < 0


@pytest.mark.parametrize(("path", "place", "anchor"), [
    ("/cups?page=2", "m.1", "More"), ("/cups?p=2", "mi.1", ""), ("/cups/page/2", "p.1", "2"), ("/cups", "p.1", "3"),
    ("/cups?page=2", "mic.1", ""),
])  # fmt: skip
def test_later_pages_of_lists_are_lists_rather_than_products(path, place, anchor):
    found = features(path, place, anchor)
    assert found.product < -1
    assert found.hub > found.product


def test_a_number_as_the_text_of_a_link_makes_it_a_page_of_a_list():
    numbered, named = features(anchor="12"), features(anchor="12 mugs")
    assert (numbered.product < named.product, numbered.hub > named.hub) == (True, True)


def test_list_folders_are_lists_before_plain_pages_and_these_before_prose_and_baskets():
    category, plain, prose, basket = hubs(("/category/cups",), ("/cups",), ("/recipes/cups",), ("/x/basket",))
    platform = features("/cups", path_kind=PathKind.LISTING).hub
    assert min(category, platform) > 0 > plain > max(prose, basket)


def test_the_menu_leads_to_lists_before_the_content_does_and_the_foot_of_a_page_to_none():
    assert is_falling(hubs(("/cups", "n.1"), ("/cups", "h.1"), ("/cups", "m.1"), ("/cups", "f.1")))
    assert features("/cups", "mc.1").hub < features("/cups", "m.1").hub  # a card with a price leads to a product


def test_a_query_that_names_a_product_is_one_and_a_query_that_sorts_a_list_is_neither():
    product, plain, ordered = (features(f"/x?{key}=1") for key in ("product_id", "xyz", "sort"))
    assert product.product > plain.product > ordered.product
    assert ordered.hub < plain.hub


def test_the_front_page_is_no_product():
    assert features("/").product < features("/x").product - 3
