"""An answer counts as far as the page bears it out."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.evidence import gather_evidence
from arborist_pipeline.core.products.model_answer import ASKED, read_answer
from arborist_pipeline.core.prompt import CallOutcome, Reply
from arborist_pipeline_tests.support.builders import make_page
from arborist_pipeline_tests.support.shy_shop import SHOP, shy_page

STOCK = {"words": "Ready to leave the workshop", "means": "InStock"}
GOOD = {"is_product_page": True, "name": "Oak stool", "price": "39 euro", "currency": "euro", "availability": STOCK,
        "brand": "Holm & Sons", "sku": "KX-100", "variants": []}  # fmt: skip


def evidence_of_page(html=None, path="/things/oak-stool"):
    return gather_evidence(make_page(html or shy_page("Oak stool"), url=SHOP + path))


def read(answer, html=None):
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return read_answer(Reply(outcome=CallOutcome.OK, text=text), evidence_of_page(html))


def values(answer):
    return {name: getattr(answer.draft, name).value for name in ASKED if getattr(answer.draft, name) is not None}


def test_what_the_page_says_is_believed():
    answer = read(GOOD)
    assert (answer.outcome, answer.dropped) == (CallOutcome.OK, ())
    assert values(answer) == {"name": "Oak stool", "price": Decimal(39), "currency": "EUR", "availability": "InStock",
                              "brand": "Holm & Sons", "sku": "KX-100"}  # fmt: skip


INVENTED = [
    ("name", "Oak chair"),
    ("name", "stool Oak"),
    ("name", "Oak stool " * 40),
    ("price", "38 euro"),
    ("price", "39.00 dollars and a half, which is more than a price needs"),
    ("price", "soon"),
    ("price", "0 euro"),
    ("currency", "USD"),
    ("currency", "taler"),
    ("brand", "Holm"[:3]),
    ("brand", "Acme"),
    ("sku", "KX-1"),
    ("sku", "X-100"),
    ("sku", "100"),
    ("sku", "KX"),
    ("availability", {"words": "In stock", "means": "InStock"}),
    ("availability", {"words": "", "means": "InStock"}),
    ("variants", [{"Size": "Large"}]),
    ("variants", [{"Made at": "North mill"}]),
]


@pytest.mark.parametrize(("name", "value"), INVENTED)
def test_what_the_page_does_not_say_is_dropped_and_named(name, value):
    answer = read(GOOD | {name: value})
    assert answer.dropped == (name,)
    assert name in answer.reason
    assert name not in values(answer)
    assert len(values(answer)) == (6 if name == "variants" else 5)


def test_an_answer_of_inventions_alone_is_worth_nothing():
    answer = read(dict.fromkeys(GOOD) | {"is_product_page": True, "price": "1 euro", "brand": "Acme"})
    assert (answer.outcome, answer.draft, answer.dropped) == (CallOutcome.NOT_ON_PAGE, None, ("price", "brand"))


@pytest.mark.parametrize(
    ("shown", "said", "amount"),
    [
        ("1,250", "1250 euro", "1250"),
        ("1,250.50", "1,250.50", "1250.50"),
        ("1,250", "€1,250.00", "1250"),
        ("39.90", "39.9 euro", "39.90"),
    ],
)
def test_amounts_are_compared_as_numbers(shown, said, amount):
    answer = read(GOOD | {"price": said}, shy_page("Oak stool", amount=shown))
    assert values(answer)["price"] == Decimal(amount)


def test_the_pages_own_locale_says_how_an_amount_is_read():
    page = shy_page("Oak stool", amount="1.250,50").replace('lang="en"', 'lang="de"')
    assert values(read(GOOD | {"price": "1.250,50 euro"}, page))["price"] == Decimal("1250.50")
    assert read(GOOD | {"price": "1.25"}, page).dropped == ("price",)


def test_case_white_space_and_compatibility_forms_are_no_difference():
    page = shy_page("Oak\u00a0 STOOL", maker="Ho\ufb01 \uff21 Sons")
    answer = read(GOOD | {"name": "oak stool", "brand": "Hofi A sons"}, page)
    assert values(answer)["name"] == "oak stool"
    assert values(answer)["brand"] == "Hofi A sons"


def test_words_that_plainly_say_something_else_mean_nothing_else():
    page = shy_page("Oak stool", stock="Out of stock")
    assert read(GOOD | {"availability": {"words": "Out of stock", "means": "InStock"}}, page).dropped == (
        "availability",
    )
    assert values(read(GOOD | {"availability": {"words": "Out of stock", "means": "OutOfStock"}}, page))[
        "availability"
    ] == "OutOfStock"  # fmt: skip


def test_choices_that_stand_on_the_page_are_variants():
    page = shy_page("Oak stool", aside="<p>Wood stain</p><ul><li>Honey</li><li>Tar</li></ul>")
    answer = read(GOOD | {"variants": [{"Wood stain": "Honey"}, {"Wood stain": "Tar"}]}, page)
    assert [variant.options for variant in values(answer)["variants"]] == [
        {"Wood stain": "Honey"},
        {"Wood stain": "Tar"},
    ]


SHAPES = [
    ("another key", GOOD | {"confidence": 1}),
    ("no verdict", {name: value for name, value in GOOD.items() if name != "is_product_page"}),
    ("a verdict in words", GOOD | {"is_product_page": "yes"}),
    ("a number for a price", GOOD | {"price": 39}),
    ("a list for a name", GOOD | {"name": ["Oak stool"]}),
    ("true for a number", GOOD | {"sku": True}),
    ("an object for a brand", GOOD | {"brand": {"name": "Holm & Sons"}}),
    ("stock in one word", GOOD | {"availability": "InStock"}),
    ("stock of an unknown kind", GOOD | {"availability": STOCK | {"means": "Plenty"}}),
    ("stock with more", GOOD | {"availability": STOCK | {"count": 3}}),
    ("stock of a list", GOOD | {"availability": {"words": "Ready", "means": ["InStock"]}}),
    ("variants as an object", GOOD | {"variants": {"Size": "S"}}),
    ("variants of numbers", GOOD | {"variants": [{"Size": 3}]}),
    ("empty variants", GOOD | {"variants": [{}]}),
]


@pytest.mark.parametrize("answer", [case[1] for case in SHAPES], ids=[case[0] for case in SHAPES])
def test_an_answer_of_another_shape_is_void(answer):
    found = read(answer)
    assert (found.outcome, found.draft) == (CallOutcome.WRONG_SHAPE, None)
    assert found.reason


@pytest.mark.parametrize("text", ["", "sorry", "[]", '"x"', "{", '{"a": 1}{'])
def test_what_is_not_one_object_is_no_answer(text):
    assert read(text).outcome is CallOutcome.NO_JSON


@pytest.mark.parametrize("outcome", [outcome for outcome in CallOutcome if outcome is not CallOutcome.OK])
def test_trouble_of_the_endpoint_goes_through(outcome):
    reply = Reply(outcome=outcome, text=json.dumps(GOOD), reason="so")
    answer = read_answer(reply, evidence_of_page())
    assert (answer.outcome, answer.reason, answer.draft) == (outcome, "so", None)


def test_a_page_that_the_model_takes_for_a_listing_gives_nothing():
    answer = read(GOOD | {"is_product_page": False})
    assert (answer.outcome, answer.draft) == (CallOutcome.NO_PRODUCT, None)


def test_a_value_that_only_other_goods_have_is_not_borne_out():
    aside = '<section class="related"><h2>You may also like</h2><p>Pine table by Nord, 55 euro</p></section>'
    page = shy_page("Oak stool", aside=aside)
    assert read(GOOD | {"brand": "Nord", "price": "55 euro"}, page).dropped == ("price", "brand")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(list(GOOD)), _JSON | st.sampled_from(list(map(str, GOOD.values())))))
def test_whatever_a_model_says_is_read_and_never_believed_beyond_the_page(said):
    answer = read(json.dumps(GOOD | said))
    if answer.draft is not None and answer.draft.brand is not None:
        assert answer.draft.brand.value.casefold() in shy_page("Oak stool").replace("&amp;", "&").casefold()
