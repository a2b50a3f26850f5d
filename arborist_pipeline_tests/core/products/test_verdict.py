"""Traits to a verdict."""

import pytest

from arborist_pipeline.core.products.verdict import FLOORS, sum_points, weigh_traits
from arborist_pipeline.core.web.page import PageKind

PRODUCT, LISTING, ARTICLE, OTHER = PageKind.PRODUCT, PageKind.LISTING, PageKind.ARTICLE, PageKind.OTHER


@pytest.mark.parametrize(
    ("traits", "kind", "reason"),
    [
        ([], OTHER, "nothing speaks for a product, list or article"),
        ([(PRODUCT, 3.9, "a")], OTHER, "nothing speaks for a product, list or article"),
        ([(PRODUCT, 1.5, "a"), (PRODUCT, 2.5, "b")], PRODUCT, "b; a"),
        ([(PRODUCT, 4.0, "a"), (LISTING, 5.0, "b")], PRODUCT, "a"),
        ([(PRODUCT, 4.0, "a"), (LISTING, 6.0, "b")], LISTING, "b"),
        ([(PRODUCT, 6.0, "a"), (PRODUCT, -3.0, "several")], OTHER, "nothing speaks for a product, list or article"),
        ([(ARTICLE, 3.0, "a"), (OTHER, 9.0, "desk")], OTHER, "desk"),
        ([(ARTICLE, 1.0, text) for text in "abcd"], ARTICLE, "a; b; c"),
    ],
)
def test_the_kind_with_most_points_above_its_floor_wins(traits, kind, reason):
    verdict = weigh_traits(traits)
    assert (verdict.kind, verdict.reason) == (kind, reason)


def test_points_add_up_by_kind():
    points = sum_points([(PRODUCT, 1.0, "a"), (PRODUCT, 0.5, "b"), (LISTING, 2.0, "c")])
    assert (points[PRODUCT], points[LISTING], points[ARTICLE]) == (1.5, 2.0, 0.0)
    assert OTHER not in FLOORS


@pytest.mark.parametrize(
    ("points", "unsure"),
    [(1.9, False), (2.0, True), (3.9, True), (4.0, False)],
)
def test_a_page_is_unsure_where_half_of_what_a_product_needs_speaks_for_one_and_nothing_else_stands(points, unsure):
    assert weigh_traits([(PageKind.PRODUCT, points, "a price")]).is_unsure is unsure
    assert not weigh_traits([(PageKind.PRODUCT, points, "a price"), (PageKind.LISTING, 6.0, "cards")]).is_unsure
