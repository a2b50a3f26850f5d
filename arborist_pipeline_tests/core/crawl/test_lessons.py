"""Lessons as they are stored and read again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.lessons import Lesson, lesson_from_json, lesson_to_json
from arborist_pipeline.core.web.url import Url

URL = "https://shop.example/mug"
NUMBERS = st.integers(0, 10**6)
URLS = st.sampled_from([Url(URL), Url("https://shop.example/?p=7"), Url("https://shop.example/caf%C3%A9")])
LESSONS = st.builds(
    Lesson, url=URLS, anchor=st.text(), parent=st.none() | URLS, arm=NUMBERS, is_product=st.none() | st.booleans(),
    finds=st.dictionaries(NUMBERS, NUMBERS, max_size=5), identity=st.none() | URLS,
    platform=st.none() | st.sampled_from(["shopify", "wix"]),
)  # fmt: skip
MORE = ("product", "finds", "identity", "platform")
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
JSON = st.recursive(PLAIN, lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=8)


def read(kept):
    return lesson_from_json(kept, url=URL, anchor="Mug", parent=None)


@given(LESSONS)
def test_a_lesson_that_was_stored_is_read_as_it_was(lesson):
    kept = json.loads(json.dumps(lesson_to_json(lesson)))
    assert lesson_from_json(kept, url=lesson.url, anchor=lesson.anchor, parent=lesson.parent) == lesson


@pytest.mark.parametrize(
    ("more", "kept"),
    [
        ({"is_product": None}, {}),
        ({"is_product": False}, {"product": False}),
        ({"is_product": True, "identity": Url(URL)}, {"product": True, "identity": URL}),
        ({"is_product": None, "finds": {16: 2}, "platform": "wix"}, {"finds": {"16": 2}, "platform": "wix"}),
    ],
)
def test_what_says_nothing_and_what_stands_in_the_row_is_not_stored(more, kept):
    lesson = Lesson(url=Url(URL), anchor="Mug", parent=None, arm=16, **more)
    assert lesson_to_json(lesson) == {"arm": 16, **kept}


@pytest.mark.parametrize("kept", [None, 16, "arm", [], {}, {"arm": None}, {"arm": "16"}, {"arm": 1.5}, [{"arm": 16}]])
def test_what_names_no_arm_is_no_lesson(kept):
    assert read(kept) is None


@given(JSON | st.fixed_dictionaries({"arm": NUMBERS}, optional=dict.fromkeys(MORE, JSON)))
def test_any_json_is_a_lesson_that_can_be_stored_again_or_none(kept):
    lesson = read(kept)
    if lesson is not None:
        assert read(json.loads(json.dumps(lesson_to_json(lesson)))) == lesson


@pytest.mark.parametrize(
    "finds", [{"x": 1}, {"": 1}, {"16": "2"}, {"16": None}, {"9" * 9_999: 1}, {"\u00b2": 1}, None, [], 3, "16", {}]
)
def test_finds_that_are_no_counts_by_arm_are_none(finds):
    assert read({"arm": 16, "finds": finds}).finds == {}
