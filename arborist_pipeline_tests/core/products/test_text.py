"""Text of values, and names that mean the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.text import fold_text, is_alike, likeness


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (" a\n b ", "a b"),
        ("Salt &amp;amp; Pepper", "Salt & Pepper"),
        ("<p>A <b>brass</b>lamp</p>", "A brass lamp"),
        (77, "77"),
        (4.5, "4.5"),
        (None, ""),
        (True, ""),
        ([], ""),
        ("3 < 5", "3 < 5"),
        ("a\ud800b", "ab"),
    ],
)
def test_a_value_becomes_one_line_of_plain_text(value, text):
    assert fold_text(value) == text


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Harbour Lamp", "HARBOUR LAMP | Ware House", True),
        ("Harbour Lamp", "harbour-lamp", True),
        ("Harbour Lamp, brass", "Harbour Lamp brass 40 cm", True),
        ("Harbour Lamp", "Canvas Bag", False),
        ("", "Lamp", False),
        ("Lamp", "", False),
        ("ﬁne Mug", "Fine Mug", True),
        ("Mug", "Mugs and more for your home", False),
    ],
)
def test_two_names_of_one_thing_are_alike(one, other, alike):
    assert is_alike(one, other) is alike
    assert is_alike(other, one) is alike


@given(st.text(max_size=80), st.text(max_size=80))
def test_likeness_is_symmetric_and_between_nought_and_one(one, other):
    assert 0 <= likeness(one, other) <= 1
    assert likeness(one, other) == likeness(other, one)
