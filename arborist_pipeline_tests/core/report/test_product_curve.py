"""The curve of products over pages: what it holds as data, and that its picture shows just that."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.records import Tier
from arborist_pipeline.core.report.product_curve import (
    COLOURS,
    DARK,
    LIGHT,
    MAX_SPANS,
    Span,
    build_curve,
    draw_curve,
)

CRAWLS = st.dictionaries(st.integers(1, 2_000), st.none() | st.sampled_from(Tier), max_size=600)
SVG = "{http://www.w3.org/2000/svg}"


def drawn(found):
    return ET.fromstring(draw_curve(build_curve(found)))  # noqa: S314  # our own drawing, no stranger's


def words_of(picture):
    return [element.text for element in picture.iter(f"{SVG}text")]


def lines_of(picture):
    """Each line as its colour and its points."""
    return [
        (line.get("stroke"), [tuple(map(float, point.split(","))) for point in line.get("points").split()])
        for line in picture.iter(f"{SVG}polyline")
    ]


def luminance(colour):
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_each_request_is_a_span_that_rises_where_it_found_a_product():
    curve = build_curve({1: None, 2: Tier.REGEX, 3: Tier.LLM, 5: Tier.REGEX})
    assert curve.spans == (
        Span(0, 1, 0, 0, None), Span(1, 2, 0, 1, Tier.REGEX), Span(2, 3, 1, 2, Tier.LLM), Span(3, 5, 2, 3, Tier.REGEX),
    )  # fmt: skip
    assert curve.by_tier == {Tier.REGEX: 2, Tier.LLM: 1}


@given(CRAWLS)
def test_no_product_is_lost_however_long_the_crawl(found):
    curve = build_curve(found)
    assert len(curve.spans) <= MAX_SPANS
    total = sum(tier is not None for tier in found.values())
    assert sum(curve.by_tier.values()) == total == (curve.spans[-1].after if curve.spans else 0)
    assert all(one.end == two.start and one.after == two.before for one, two in pairwise(curve.spans))
    assert all((span.tier is None) == (span.before == span.after) for span in curve.spans)


def test_a_span_of_many_pages_has_the_colour_of_what_found_most_of_it():
    tiers = (Tier.LEARNED, Tier.LEARNED, Tier.REGEX, None)
    curve = build_curve({order: tiers[order % 4] for order in range(4 * MAX_SPANS)})
    assert len(curve.spans) == MAX_SPANS
    assert {(span.tier, span.after - span.before) for span in curve.spans} == {(Tier.LEARNED, 3)}


@pytest.mark.parametrize("ground", [LIGHT, DARK])
@pytest.mark.parametrize("tier", [*Tier, None])
def test_every_colour_stands_out_from_both_grounds(tier, ground):
    assert contrast(COLOURS[tier], ground) >= 3.0


def test_no_two_tiers_have_one_colour():
    assert len(set(COLOURS.values())) == len(Tier) + 1


def test_the_lines_have_the_colours_of_the_tiers_and_end_at_the_top_right():
    picture = drawn({1: None, 2: Tier.REGEX, 3: Tier.REGEX, 4: Tier.ORDER})
    lines = lines_of(picture)
    assert [colour for colour, _ in lines] == [COLOURS[None], COLOURS[Tier.REGEX], COLOURS[Tier.ORDER]]
    assert [one[-1] for _, one in lines[:-1]] == [two[0] for _, two in lines[1:]]
    assert [len(points) for _, points in lines] == [2, 3, 2]
    assert lines[-1][1][-1] == (696.0, 66.0)


def test_the_legend_names_what_found_products_and_nothing_else():
    words = words_of(drawn({1: Tier.SEED, 2: Tier.LLM, 3: Tier.LLM, 4: None}))
    assert words[1:4] == ["llm", "seed", "no product"]
    assert not {"regex", "learned", "platform", "order"} & set(words)


@given(CRAWLS)
def test_whatever_was_crawled_is_a_picture_within_its_frame(found):
    picture = drawn(found)
    _, _, width, height = map(int, picture.get("viewBox").split())
    points = [point for _, line in lines_of(picture) for point in line]
    assert all(0 <= x <= width and 0 <= y <= height for x, y in points)
    numbers = [int(word.replace(",", "")) for word in words_of(picture) if re.fullmatch("[0-9,]+", word)]
    assert 2 <= len(numbers) <= 12


def test_the_legend_of_all_tiers_fits_beside_each_other():
    picture = drawn(dict(enumerate([*Tier, None], 1)))
    ends = [float(text.get("x")) + 8 * len(text.text) for text in picture.iter(f"{SVG}text") if text.get("y") == "47"]
    assert len(ends) == len(Tier) + 1
    assert max(ends) <= 720
