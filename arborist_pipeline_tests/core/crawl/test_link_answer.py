"""An answer about links is a choice among those that were shown, or nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.link_answer import LinkAnswer, read_link_answer
from arborist_pipeline.core.crawl.link_question import Candidate
from arborist_pipeline.core.prompt import AS_ASKED, CallOutcome, Reply
from arborist_pipeline.core.web.url import Url

SHOWN = [Candidate(Url(f"https://shop.test/{number}"), "x") for number in range(5)]
NOTHING = [
    ("beyond the last", '{"product": [1, 5]}', CallOutcome.NOT_SHOWN),
    ("below the first", '{"product": [-1]}', CallOutcome.NOT_SHOWN),
    ("a huge number", f'{{"product": [1, {10**4000}]}}', CallOutcome.NOT_SHOWN),
    ("a number that no parser takes", f'{{"product": [1{"0" * 5000}]}}', CallOutcome.NO_JSON),
    ("every link", '{"product": [4, 3, 2, 1, 0]}', CallOutcome.UNDECIDED),
    ("every link and more", '{"product": [0, 1, 2, 3, 4, 5]}', CallOutcome.NOT_SHOWN),
    ("true", '{"product": [true]}', CallOutcome.WRONG_SHAPE),
    ("strings", '{"product": ["1"]}', CallOutcome.WRONG_SHAPE),
    ("floats", '{"product": [1.0]}', CallOutcome.WRONG_SHAPE),
    ("no number", '{"product": [NaN]}', CallOutcome.WRONG_SHAPE),
    ("null", '{"product": null}', CallOutcome.WRONG_SHAPE),
    ("a number alone", '{"product": 1}', CallOutcome.WRONG_SHAPE),
    ("lists in the list", '{"product": [[1]]}', CallOutcome.WRONG_SHAPE),
    ("an object", '{"product": {"1": true}}', CallOutcome.WRONG_SHAPE),
    ("another key", '{"links": [1]}', CallOutcome.WRONG_SHAPE),
    ("one key more", '{"product": [1], "why": "so"}', CallOutcome.WRONG_SHAPE),
    ("no key", "{}", CallOutcome.WRONG_SHAPE),
    ("a list", "[1]", CallOutcome.NO_JSON),
    ("prose", "The products are 1 and 2.", CallOutcome.NO_JSON),
    ("prose around it", 'Sure: {"product": [1]}', CallOutcome.NO_JSON),
    ("cut off", '{"product": [1, 2', CallOutcome.NO_JSON),
    ("nothing", "", CallOutcome.NO_JSON),
    ("a deep nest", '{"product": ' + "[" * 100_000 + "]" * 100_000 + "}", CallOutcome.NO_JSON),
]


def read(text, shown=SHOWN):
    return read_link_answer(Reply(outcome=CallOutcome.OK, text=text), shown)


@pytest.mark.parametrize(
    ("text", "products"),
    [('{"product": [1]}', (1,)), ('{"product": [3, 0]}', (0, 3)), (' {"product":[2,2,1,2]}\n', (1, 2))],
)
def test_the_named_links_are_chosen_in_order_and_once(text, products):
    assert read(text) == LinkAnswer(outcome=CallOutcome.OK, products=products)


def test_that_none_of_them_is_one_is_an_answer():
    answer = read('{"product": []}')
    assert (answer.outcome, answer.products) == (CallOutcome.NO_PRODUCT, ())
    assert answer.outcome in AS_ASKED


@pytest.mark.parametrize(("text", "outcome"), [case[1:] for case in NOTHING], ids=[case[0] for case in NOTHING])
def test_an_answer_that_is_no_choice_is_of_no_use_and_says_why_in_a_few_words(text, outcome):
    answer = read(text)
    assert (answer.outcome, answer.products) == (outcome, ())
    assert outcome not in AS_ASKED
    assert 0 < len(answer.reason) < 100


@pytest.mark.parametrize("outcome", [outcome for outcome in CallOutcome if outcome is not CallOutcome.OK])
def test_trouble_of_the_endpoint_goes_through_whatever_text_came_with_it(outcome):
    reply = Reply(outcome=outcome, text='{"product": [1]}', reason="so")
    assert read_link_answer(reply, SHOWN) == LinkAnswer(outcome=outcome, reason="so")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@given(st.text(max_size=60) | (_JSON | st.fixed_dictionaries({"product": _JSON})).map(json.dumps))
def test_whatever_a_model_says_is_read_and_chooses_some_of_the_links_or_none(text):
    answer = read(text)
    assert set(answer.products) < set(range(len(SHOWN)))
    assert bool(answer.products) is (answer.outcome is CallOutcome.OK)


@given(st.sets(st.integers(0, 4), max_size=4))
def test_every_choice_that_can_be_made_is_read_as_it_was_made(chosen):
    assert set(read(json.dumps({"product": list(chosen)})).products) == chosen
