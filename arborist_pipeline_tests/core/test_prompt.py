"""Questions quote what they are about; answers are one JSON object or nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.prompt import AS_ASKED, UNANSWERED, CallOutcome, Reply, parse_json_reply, quote_page


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (' {"a": null}\n', {"a": None}),
        ("[1]", None),
        ("null", None),
        ("", None),
        ('```json\n{"a": 1}\n```', None),
        ('{"a": 1} and more', None),
        ('{"a": ' * 100_000, None),
    ],
)
def test_an_answer_is_one_object_with_nothing_around_it(text, value):
    assert parse_json_reply(Reply(outcome=CallOutcome.OK, text=text)) == value


@given(st.text(alphabet="<>PAGE \n", max_size=60) | st.text(max_size=40))
def test_no_text_of_a_page_ends_its_quotation(text):
    first, *inside, last = quote_page(text).split("\n")
    assert (first, last) == ("<<PAGE", "PAGE>>")
    assert not any("<<PAGE" in line or "PAGE>>" in line for line in inside)


def test_no_outcome_is_both_as_asked_and_unanswered():
    assert not AS_ASKED & UNANSWERED
    assert set(CallOutcome) > AS_ASKED | UNANSWERED
