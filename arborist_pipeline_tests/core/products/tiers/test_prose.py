"""Descriptions and stars."""

from decimal import Decimal

import pytest

from arborist_pipeline.core.products.controls import find_controls
from arborist_pipeline.core.products.scan import scan_page
from arborist_pipeline.core.products.tiers.prose import find_description, find_stars
from arborist_pipeline.core.products.view import build_view

OTHER = "We deliver to every country of the world within eleven days or so."
LONG = "Thrown by hand and fired twice, it holds a third of a litre and keeps it warm."


def description(page_of, html):
    scan = scan_page(page_of("<h1>White Mug</h1>" + html))
    found = find_description(scan, build_view(scan, (), find_controls(scan)))
    return found.value if found else None


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (f"<p>Ships today.</p><p>{LONG}</p>", LONG),
        (f"<p>{OTHER}</p><div class=description><p>{LONG}</p><p>More.</p></div>", LONG + "More."),
        (f"<form><p>{LONG}</p></form>", None),
        (f"<nav><p>{LONG}</p></nav>", None),
        ("<p>short</p>", None),
    ],
)
def test_a_description_is_named_so_or_is_the_first_long_text(page_of, html, text):
    assert description(page_of, html) == text


@pytest.mark.parametrize(
    ("html", "value", "count"),
    [
        ("<i>4.7 out of 5 stars</i> <i>482 ratings</i>", "4.70", 482),
        ("<i>4,6 von 5 Sternen</i><i>6.536 Sternebewertungen</i>", "4.60", None),
        ("<i>3.5/5</i> <i>(1,204 reviews)</i>", "3.50", 1204),
        ("<i>5 sur 5</i>", "5", None),
    ],
)
def test_stars_are_read_from_their_words(page_of, html, value, count):
    scan = scan_page(page_of("<h1>White Mug</h1>" + html))
    found = find_stars(scan, build_view(scan, (), find_controls(scan)))
    assert (found.value.value, found.value.count) == (Decimal(value), count)


@pytest.mark.parametrize("html", ["<i>2 of 50 sold</i>", "<i>14.5 out of 5</i>", "<i>no stars</i>"])
def test_other_numbers_are_no_stars(page_of, html):
    scan = scan_page(page_of("<h1>White Mug</h1>" + html))
    assert find_stars(scan, build_view(scan, (), find_controls(scan))) is None
