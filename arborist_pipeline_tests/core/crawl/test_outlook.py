"""Rates and rests with their ranges, against what is true of made-up sites; and a frontier that says when to stop."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.outlook import RECENT, WaitingLinks, products_left, rate_of
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline_tests.core.crawl.conftest import Walk

LINKS = st.builds(WaitingLinks, st.integers(1, 1_000), st.floats(0, 1), st.floats(0, 1_000))


def test_of_nothing_seen_nothing_is_sure():
    assert rate_of([]) == (0.0, 0.0, 1.0)
    assert products_left([]) == (0.0, 0.0, 0.0)


@given(st.lists(st.booleans(), min_size=1, max_size=RECENT))
def test_a_rate_lies_within_its_range(recent):
    rate = rate_of(recent)
    assert 0 <= rate.low <= rate.value + 1e-9
    assert rate.value - 1e-9 <= rate.high <= 1


@pytest.mark.parametrize("true", [0.02, 0.1, 0.5, 0.9])
def test_the_true_rate_lies_within_the_range_about_nine_times_in_ten(true):
    dice = random.Random(7)
    rates = [rate_of([dice.random() < true for _ in range(RECENT)]) for _ in range(2_000)]
    assert 0.83 < sum(rate.low <= true <= rate.high for rate in rates) / len(rates) <= 1


@given(st.lists(LINKS, max_size=9))
def test_what_is_left_lies_within_its_range_and_below_all_that_waits(waiting):
    left = products_left(waiting)
    assert 0 <= left.low <= left.value + 1e-6
    assert left.value - 1e-6 <= left.high <= sum(kind.links for kind in waiting) + 1e-6


def test_more_pages_make_surer():
    vague, sure = (products_left([WaitingLinks(100, 0.5, pages)]) for pages in (2, 200))
    assert vague.high - vague.low > 3 * (sure.high - sure.low)


def test_a_frontier_says_to_stop_once_new_products_have_become_rare_and_none_is_in_sight():
    walk = Walk(learns=True)
    goods, posts = [f"/goods/blue-cup-{n}" for n in range(8)], [f"/diary/old-tale-{n}" for n in range(150)]
    walk.take()
    walk.fetch("/", [*goods, *posts])
    said = []
    while (path := walk.take()) is not None:
        walk.fetch(path, kind=PageKind.PRODUCT if path in goods else PageKind.ARTICLE)
        said.append(walk.frontier.chooser.diminishing(0.1))
    first = next(place for place, end in enumerate(said) if end is not None)
    assert RECENT - 2 < first < len(said) - 20
    assert "are left among the links that wait" in said[first]


def test_a_frontier_that_finds_products_is_not_told_to_stop():
    walk = Walk(learns=True)
    walk.take()
    walk.fetch("/", [f"/goods/blue-cup-{n}" for n in range(120)])
    while (path := walk.take()) is not None:
        walk.fetch(path, kind=PageKind.PRODUCT)
        assert walk.frontier.chooser.diminishing(0.5) is None
