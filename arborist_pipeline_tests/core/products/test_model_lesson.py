"""What one page teaches holds for its like, and for nothing else."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.evidence import gather_evidence
from arborist_pipeline.core.products.model_answer import ASKED, read_answer
from arborist_pipeline.core.products.model_lesson import apply_lesson, build_lesson, lesson_to_json, parse_lesson
from arborist_pipeline.core.prompt import CallOutcome, Reply
from arborist_pipeline_tests.support.builders import make_page
from arborist_pipeline_tests.support.shy_shop import ANSWER, SHOP, shy_page

CHOICES = "<p>Wood stain</p><ul class='stains'><li>Honey</li><li>Tar</li></ul>"


def evidence_of_page(html):
    return gather_evidence(make_page(html, url=SHOP + "/things/a-thing"))


def taught(html=None, **said):
    words, means = (ANSWER | said)["stock"]
    answer = ANSWER | {"is_product_page": True, "availability": {"words": words, "means": means}} | said
    answer.pop("stock")
    evidence = evidence_of_page(html or shy_page("Oak stool"))
    found = read_answer(Reply(outcome=CallOutcome.OK, text=json.dumps(answer)), evidence)
    assert found.draft is not None, found
    return build_lesson(found.draft, evidence)


def shown(lesson, html):
    draft = apply_lesson(lesson, evidence_of_page(html))
    return {name: getattr(draft, name).value for name in ASKED if draft and getattr(draft, name) is not None}


def test_a_page_that_taught_shows_what_was_told_of_it():
    assert shown(taught(), shy_page("Oak stool")) == {
        "name": "Oak stool", "price": Decimal(39), "currency": "EUR", "availability": "InStock",
        "brand": "Holm & Sons", "sku": "KX-100",
    }  # fmt: skip


def test_another_page_of_the_template_shows_its_own_values():
    page = shy_page("Ash bench", amount="1,250.50", code="B-2", maker="North mill")
    assert shown(taught(), page) == {
        "name": "Ash bench", "price": Decimal("1250.50"), "currency": "EUR", "availability": "InStock",
        "brand": "North mill", "sku": "B-2",
    }  # fmt: skip


OTHERS = [
    ("words that were not told of", {"stock": "Still a tree"}, {"availability"}),
    ("words that are known anyway", {"stock": "Out of stock"}, set()),
    ("another sentence around the price", {"ask": "What do you think of a price of {} euro, for a thing that so many "
     "people in the valley have wished for?"}, {"price", "currency"}),
    ("a short text of its own", {"ask": "Now {} euro"}, set()),
    ("no amount", {"amount": "many"}, {"price", "currency"}),
    ("a code that is too long", {"code": "X" * 61}, {"sku"}),
]  # fmt: skip


@pytest.mark.parametrize(("page", "missing"), [case[1:] for case in OTHERS], ids=[case[0] for case in OTHERS])
def test_what_stands_in_a_place_is_checked(page, missing):
    found = shown(taught(), shy_page("Ash bench", **page))
    assert {"name", "price", "currency", "availability", "brand", "sku"} - set(found) == missing


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        ('<span class="price">{} <sup>90</sup> &euro;</span>', "{}.90 €"),
        ('<span class="price"><b>&euro;</b><b>{}</b><sup>90</sup></span>', "€{}.90"),
        ("{},90 &euro; incl. VAT", "{}.90"),
    ],
)
def test_a_price_in_several_elements_or_written_otherwise_is_found_by_its_amount(ask, said):
    lesson = taught(shy_page("Oak stool", ask=ask), price=said.format(39), currency="EUR")
    found = shown(lesson, shy_page("Ash bench", amount="145", ask=ask))
    assert (found["price"], found["currency"]) == (Decimal("145.90"), "EUR")


def test_values_in_elements_alike_are_told_by_their_labels():
    swapped = shy_page("Ash bench").replace("Reference code", "Swap").replace("Made at", "Reference code")
    found = shown(taught(), swapped.replace("Swap", "Made at"))
    assert (found["sku"], found["brand"]) == ("Holm & Sons", "KX-100")


def test_a_label_that_is_not_there_gives_nothing():
    assert "brand" not in shown(taught(), shy_page("Ash bench").replace("Made at", "Found near"))


def test_values_without_labels_are_told_by_their_number():
    def unlabelled(page):
        return page.replace('<b class="k">Reference code</b> ', "").replace('<b class="k">Made at</b> ', "")

    lesson = taught(unlabelled(shy_page("Oak stool")))
    found = shown(lesson, unlabelled(shy_page("Ash bench", code="B-2", maker="North mill")))
    assert (found["sku"], found["brand"]) == ("B-2", "North mill")
    longer = unlabelled(shy_page("Ash bench")).replace("</ul>", '<li><i class="v">Oiled</i></li></ul>')
    assert not {"sku", "brand"} & set(shown(lesson, longer))


def test_the_values_of_one_option_are_found_again():
    lesson = taught(shy_page("Oak stool", aside=CHOICES), variants=[{"Wood stain": "Honey"}, {"Wood stain": "Tar"}])
    found = shown(lesson, shy_page("Ash bench", aside=CHOICES.replace("Tar", "Ash").replace("Honey", "Salt")))
    assert [variant.options for variant in found["variants"]] == [{"Wood stain": "Salt"}, {"Wood stain": "Ash"}]
    assert "variants" not in shown(lesson, shy_page("Ash bench"))


def test_what_an_answer_did_not_have_the_template_lacks():
    lesson = taught(brand=None, sku=None)
    assert not {"brand", "sku"} & set(lesson.places)
    assert not {"brand", "sku"} & set(shown(lesson, shy_page("Ash bench")))


def test_a_page_of_another_make_shows_nothing():
    page = "<html><body><div><h2>Oak stool</h2><span>39 euro</span></div></body></html>"
    assert apply_lesson(taught(), evidence_of_page(page)) is None


def test_a_lesson_survives_its_way_through_the_store():
    lesson = taught(shy_page("Oak stool", aside=CHOICES), variants=[{"Wood stain": "Honey"}, {"Wood stain": "Tar"}])
    assert parse_lesson(json.loads(json.dumps(lesson_to_json(lesson)))) == lesson


@pytest.mark.parametrize("data", [{}, {"places": 1}, {"places": {"a": {"x": 1}}}, {"places": [], "meanings": []}])
def test_what_is_no_lesson_is_none(data):
    assert parse_lesson(data) is None


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_text_in_any_place_is_read(name, code):
    found = shown(taught(), shy_page(name.replace("<", ""), code=code.replace("<", "")))
    assert len(found.get("sku", "")) <= 60
