"""What comes next and why, over whole walks of a frontier that learns; and that a walk that is cut decides the same."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.records import Tier
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline_tests.core.crawl.conftest import Walk as Drive
from arborist_pipeline_tests.core.crawl.conftest import at, links_to, path_of
from arborist_pipeline_tests.support.builders import NOON

GOODS = [f"/goods/blue-cup-{number}" for number in range(30)]
POSTS = [f"/diary/old-tale-{number}" for number in range(30)]
LISTS = [f"/range/all-{number}" for number in range(6)]
SHOP = {"/": [*POSTS[:6], *LISTS]}
SHOP |= {each: [*GOODS[5 * place : 5 * place + 5], *POSTS[6:8]] for place, each in enumerate(LISTS)}
PATHS = ["/", *GOODS[:8], *POSTS[:6], *LISTS[:3], "/products/a-b", "/products/c-d", "/all?page=2"]
SITES = st.dictionaries(st.sampled_from(PATHS), st.lists(st.sampled_from(PATHS), max_size=8), min_size=4).map(
    lambda site: {"/": [*LISTS[:3], GOODS[0], POSTS[0]]} | site
)


def kind_of(path):
    return PageKind.PRODUCT if path.startswith(("/goods/", "/products/")) else PageKind.LISTING


def walk_on(drive, site, budget):
    """Take and fetch so many pages; returns (path, tier) in order."""
    order = []
    while len(order) < budget and (request := drive.frontier.next()) is not None:
        path = path_of(request.url)
        order.append(
            (path, request.priority.tier, request.priority.score, request.priority.why, request.dispatched_seq)
        )
        drive.fetch(path, site.get(path, ()), kind=kind_of(path))
    return order


def test_once_a_kind_of_link_turned_out_to_lead_to_products_it_comes_first():
    order = [path for path, *_ in walk_on(Drive(learns=True), SHOP, 60)]
    first = next(place for place, path in enumerate(order) if path in GOODS)
    assert sum(path in GOODS for path in order[first : first + 24]) >= 20


def test_each_choice_says_its_tier_and_why():
    order = walk_on(Drive(learns=True), SHOP, 30)
    assert order[0][1] is Tier.SEED
    learned = [(score, why) for path, tier, score, why, _ in order if path in GOODS[2:] and tier is Tier.LEARNED]
    assert learned
    assert all(0 <= score <= 1 and "new products" in why for score, why in learned)


def test_decisions_are_counted_with_the_answers_between_them():
    order = walk_on(Drive(learns=True), SHOP, 10)
    assert [decision for *_, decision in order] == list(range(1, 20, 2))


def test_a_site_without_products_is_asked_in_order_of_discovery():
    site = {"/": [f"/a/p{number}" for number in range(50)]}
    site |= {f"/a/p{number}": [f"/b/q{number}"] for number in range(50)}
    drive = Drive(learns=True)
    order = []
    while (path := drive.take()) is not None:
        order.append(path)
        drive.fetch(path, site.get(path, ()), kind=PageKind.ARTICLE)
    late = [path for path in order[41:] if path.startswith("/b/")]
    assert late == sorted(late, key=lambda path: int(path[4:]))
    assert len(order) == 101


def test_a_frontier_that_does_not_learn_asks_for_shaped_addresses_and_then_in_order():
    order = [path for path, *_ in walk_on(Drive(), {"/": ["/b", "/products/x-y", "/a"]}, 9)]
    assert order == ["/", "/products/x-y", "/b", "/a"]


@settings(max_examples=120, deadline=None)
@given(SITES, st.lists(st.integers(1, 5), max_size=5), st.integers(1, 40))
def test_a_crawl_that_is_cut_anywhere_decides_as_one_that_is_not(site, cuts, portion):
    whole = walk_on(Drive(learns=True, walk=Walk.FRESH), site, 200)
    drive = Drive(learns=True, walk=Walk.FRESH, portion=portion)
    parts = []
    for pages in cuts:
        parts += walk_on(drive, site, pages)
        drive.commit()
        drive = Drive(learns=True, walk=Walk.FRESH, portion=portion, rows=drive.rows, began_at=NOON,
                      first_seq=drive.first_seq, is_resumed=True, last_decision=2 * len(parts))  # fmt: skip
    parts += walk_on(drive, site, 200)
    assert parts == whole


@settings(max_examples=60, deadline=None)
@given(SITES)
def test_a_try_says_for_how_many_pages_no_new_product_came_and_a_look_is_none(site):
    in_vain = 0
    for path, tier, _, why, _ in walk_on(Drive(learns=True), site, 60):
        if why.startswith("no new product"):
            assert (tier, int(why.split()[4])) == (Tier.LEARNED, in_vain)
        in_vain = 0 if kind_of(path) is PageKind.PRODUCT else in_vain + 1


def test_one_choice_in_32_is_a_look_at_a_kind_of_link_that_nothing_is_known_of():
    names = "blog help news wiki docs faq info press jobs".split()
    site = {"/": [*(f"/{name}/one/{number}" for name in names for number in range(9)), *GOODS]}
    whys = [why for _, _, _, why, _ in walk_on(Drive(learns=True), site, 64)]
    assert [place for place, why in enumerate(whys) if why.startswith("a look at")] == [63]


class InContent:
    """All links of a page stand in its content."""

    def place_of(self, _):
        return "m.0001"


def test_where_three_pages_brought_nothing_new_the_likeliest_link_is_tried():
    wood = [f"/{name}/blue-table-{number}" for name in ("oak", "ash", "elm") for number in range(4)]
    drive = Drive(learns=True)
    drive.take()
    drive.frontier.follow(at("/"), links_to([*LISTS, *wood]), InContent(), PageKind.HOME)
    drive.frontier.complete(at("/"), kind=PageKind.HOME, new_links=18, now=NOON)
    whys = [why for _, _, _, why, _ in walk_on(drive, {}, 8)]
    tries = [place for place, why in enumerate(whys) if why.startswith("no new product")]
    assert tries == [2]  # after that one they are no longer likely enough


def test_where_nothing_was_a_product_so_far_what_lists_show_is_tried_however_unlikely():
    drive = Drive(learns=True)
    drive.take()
    drive.frontier.follow(at("/"), links_to([f"/help/{number}" for number in range(40)]), InContent(), PageKind.OTHER)
    drive.frontier.complete(at("/"), kind=PageKind.HOME, new_links=40, now=NOON)
    walk_on(drive, {}, 20)
    path = drive.take()
    drive.frontier.follow(at(path), links_to([f"/help/{number}" for number in range(100, 109)]), InContent(),
                          PageKind.LISTING)  # fmt: skip
    drive.frontier.complete(at(path), kind=PageKind.LISTING, new_links=9, now=NOON)
    tried = [path for path, _, _, why, _ in walk_on(drive, {}, 9) if why.startswith("no new product")]
    assert tried == ["/help/108", "/help/107", "/help/106"]  # what a list shows first may lead to other lists


@pytest.mark.parametrize(("kinds", "links_each", "shown_each"), [(2, 9, 9), (6, 40, 20), (30, 40, 4), (60, 5, 3)])
def test_a_model_is_shown_more_links_of_each_kind_where_there_are_few_kinds(kinds, links_each, shown_each):
    drive = Drive(learns=True)
    drive.take()
    links = [f"/x?key{kind}={number}" for kind in range(kinds) for number in range(links_each)]
    drive.frontier.follow(at("/"), links_to(links))
    shown = Counter(each.arm for each in drive.frontier.chooser.samples())
    assert set(shown.values()) == {shown_each}


def test_what_a_model_said_is_counted_apart_from_what_was_seen():
    drive = Drive(learns=True)
    drive.take()
    drive.frontier.follow(at("/"), links_to(POSTS))
    told = tuple(each._replace(is_product=True) for each in drive.frontier.chooser.samples())
    drive.frontier.complete(at("/"), kind=PageKind.HOME, new_links=30, now=NOON, told=told)
    order = walk_on(drive, {}, 3)
    assert [tier for _, tier, *_ in order][:1] == [Tier.LLM]
    assert not any("of 6 pages" in why for _, _, _, why, _ in order)
