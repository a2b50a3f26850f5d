"""Patterns of many phrases, and the needles that spare trying them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.phrases import Phrases, build_phrases, split_alternatives

LEXICON = {name: value for name, value in vars(lexicon).items() if isinstance(value, Phrases)}


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("a|b", ["a", "b"]),
        ("a(?:b|c)|d", ["a(?:b|c)", "d"]),
        (r"a\|b|[|)]c|(?<![a-z])d", [r"a\|b", "[|)]c", "(?<![a-z])d"]),
        (r"[\]|]a|b", [r"[\]|]a", "b"]),
        ("", [""]),
    ],
)
def test_alternatives_part_at_bars_outside_of_brackets(source, parts):
    assert list(split_alternatives(source)) == parts


@pytest.mark.parametrize(
    ("source", "needles"),
    [
        ("sold out", ("sold out",)),
        ("sold[ -]?out", ("sold",)),
        ("pre-?order", ("order",)),
        (r"\bin stock\b", ("in stock",)),
        (r"reg\. price", ("reg. price",)),
        (r"only \d+ left", ("only ",)),
        ("vor(?:räti|lieg)g+st", ("vor",)),
        ("(?:no|not) more", (" more",)),
        ("out|sold out", ("out",)),
        ("a(?:b|c)|(?:d)", ("",)),
        ("x{0,2}yz", ("yz",)),
    ],
)
def test_a_needle_is_the_longest_run_that_no_match_lacks(source, needles):
    assert build_phrases(source).needles == needles


@pytest.mark.parametrize("name", LEXICON)
def test_every_phrase_of_the_lexicon_has_a_needle(name):
    assert all(LEXICON[name].needles)


@given(st.data())
def test_whatever_a_pattern_of_the_lexicon_matches_is_found_by_its_needles(data):
    phrases = LEXICON[data.draw(st.sampled_from(sorted(LEXICON)))]
    text = data.draw(st.from_regex(phrases.pattern))
    assert phrases.search(text) is not None
    assert phrases.needles_in(text)


def test_a_text_without_a_match_gives_none():
    assert build_phrases("sold (?:out|off)", "gone").search("sold at once") is None
