"""A real model at the other end: a small one, so that its answers are real and mostly poor.

What it says may differ from machine to machine. The tests hold what must be so whatever it says.
"""

import asyncio
import re
from contextlib import contextmanager
from unittest.mock import ANY

import httpx
import pytest

from arborist_pipeline.adapters.models.openai import OpenAiModel
from arborist_pipeline.core.crawl.link_question import MAX_CANDIDATES
from arborist_pipeline.core.products.model_question import STOCK_NAMES
from arborist_pipeline.core.prompt import AS_ASKED, UNANSWERED, CallOutcome
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline.workflows.model_tier import ModelTier
from arborist_pipeline_tests.models.conftest import link
from arborist_pipeline_tests.support.model_server import PATH, LocalModel, shown_links
from arborist_pipeline_tests.support.real_model import running_model, why_no_model
from arborist_pipeline_tests.support.shy_shop import shy_page
from arborist_pipeline_tests.support.site_server import Reply
from arborist_pipeline_tests.workflows.conftest import TableFetcher

pytestmark = pytest.mark.real_model

LINKS = [
    link("/wares/oak-stool", "Oak stool, 39 euro"),
    link("/about", "About us"),
    link("/wares/ash-bench", "Ash bench, 145 euro"),
    link("/basket", "Basket"),
    link("/wares/elm-bed", "Elm bed, 900 euro"),
    link("/login", "Log in"),
]
ASK = "Price: €{}.00"  # which needs no model; who made it does
WARES = {"/wares/oak-stool": shy_page("Oak stool", ask=ASK),
         "/wares/ash-bench": shy_page("Ash bench", ask=ASK, amount="145", code="KX-200")}  # fmt: skip
PATIENCE = 280.0  # seconds; no test is about how long it takes
SITE = {"/": "".join(f'<a href="{path}">a thing</a>' for path in WARES)} | WARES


def link_shape(question):
    number = {"type": "integer", "minimum": 0, "maximum": len(shown_links(question)) - 1}
    return {"product": {"type": "array", "items": number, "minItems": 1, "maxItems": 8}}


def product_shape(_):
    text = {"type": "string", "maxLength": 40}
    stock = {"type": "object", "properties": {"words": text, "means": {"enum": list(STOCK_NAMES)}},
             "required": ["words", "means"], "additionalProperties": False}  # fmt: skip
    return {"is_product_page": {"const": True}, "availability": stock, "variants": {"type": "array", "maxItems": 0}} | (
        dict.fromkeys(("name", "price", "currency", "brand", "sku"), text)
    )


@pytest.fixture(scope="module")
def address():
    reason = why_no_model()
    if reason is not None:
        pytest.skip(reason)
    with running_model() as url:
        yield url


@pytest.fixture(scope="module")
def environment(address):
    return {"OPENAI_BASE_URL": f"{address}/v1", "OPENAI_API_KEY": "none", "ARBORIST_LLM_MODEL": "smollm2"}


@pytest.fixture(scope="module")
def held_to(address):
    """A gateway before the model that has it keep to a shape, so that what it chooses can be read."""

    @contextmanager
    def held_to(shape):
        def forward(question):
            properties = shape(question)
            schema = {"type": "object", "properties": properties, "required": [*properties],
                      "additionalProperties": False}  # fmt: skip
            shaped = question | {"response_format": {"type": "json_object", "schema": schema}}
            said = httpx.post(f"{address}{PATH}", json=shaped, timeout=PATIENCE)
            return Reply(status=said.status_code, body=said.content, headers={"content-type": "application/json"})

        with LocalModel(forward) as gateway:
            yield gateway.environment

    return held_to


@pytest.fixture
def shop(desk):
    asyncio.run(desk.crawl(TableFetcher(SITE, desk.clock)))
    return desk


def read_products(desk, environment):
    """Read the crawled pages without a model, then with one; return what the catalogue says before and after."""
    extract_products(desk.site, store=desk.store.products, clock=desk.clock)
    before = list(desk.store.products.load_products("shop"))
    desk.store.products.forget_readings("shop")
    for name, value in environment.items():
        desk.monkeypatch.setenv(name, value)
    model = OpenAiModel("smollm2", timeout_seconds=PATIENCE)
    tier = ModelTier(desk.site, model=model, store=desk.store.calls, clock=desk.clock, warn=desk.warnings.append,
                     max_calls=1)  # fmt: skip
    extract_products(desk.site, store=desk.store.products, clock=desk.clock, tier=tier)
    return before, list(desk.store.products.load_products("shop"))


def last_call(desk):
    """The outcome of the only call, which the model has answered: it has counted its tokens."""
    ((outcome, asked, told),) = desk.rows("SELECT outcome, prompt_tokens, completion_tokens FROM llm_calls")
    assert outcome not in UNANSWERED
    assert asked > 100
    assert told > 0
    return outcome


def assert_no_harm(before, after):
    """What the catalogue said it says still, and what came of the model stands on the product's page."""
    assert [product["url"] for product in before] == [product["url"] for product in after] != []
    for old, new in zip(before, after, strict=True):
        known = {name: value for name, value in old.items() if value not in (None, [], {})} | {"sources": ANY}
        assert known | new == new | known
        page = next(html for path, html in WARES.items() if new["url"].endswith(path))
        text = " ".join(re.sub(r"<[^>]+>", " ", page).replace("&amp;", "&").casefold().split())
        filled = [source["raw"] for source in new["sources"].values() if source["tier"] == "llm"]
        assert [raw for raw in filled if raw.casefold() not in text] == []
        assert new["sku"] is None or f" {new['sku'].casefold()} " in f" {text} "


def test_a_question_about_links_is_answered_and_changes_nothing_unless_the_answer_is_a_choice(desk, environment):
    verdict = desk.ask(environment, LINKS, timeout_seconds=PATIENCE)
    is_choice = last_call(desk) in AS_ASKED
    assert (verdict is not None) is is_choice
    assert len(desk.warnings) == (not is_choice)


def test_a_choice_among_links_is_read_as_it_was_made(desk, held_to):
    with held_to(link_shape) as environment:
        verdict = desk.ask(environment, LINKS, timeout_seconds=PATIENCE)
    outcome = last_call(desk)
    assert outcome in (CallOutcome.OK, CallOutcome.UNDECIDED)
    if outcome == CallOutcome.OK:
        leads, others = verdict
        assert 0 < len(leads) < len(LINKS)
        assert sorted(leads + others) == sorted(LINKS)


def test_a_question_longer_than_the_model_takes_is_a_warning_and_no_change(desk, environment):
    many = [link(f"/wares/thing-{number}", f"Thing {number}") for number in range(MAX_CANDIDATES)]
    assert desk.ask(environment, many, timeout_seconds=PATIENCE) is None
    assert desk.call_outcomes == ["rejected"]
    assert "status 400" in desk.warnings[0]


def test_a_question_about_a_page_is_answered_and_the_catalogue_says_nothing_that_the_page_does_not(shop, environment):
    before, after = read_products(shop, environment)
    assert_no_harm(before, after)
    assert last_call(shop) == CallOutcome.OK or before == after
    assert len(shop.warnings) <= 1


def test_an_answer_of_the_right_shape_counts_as_far_as_the_page_bears_it_out(shop, held_to):
    with held_to(product_shape) as environment:
        before, after = read_products(shop, environment)
    assert last_call(shop) in (CallOutcome.OK, CallOutcome.NOT_ON_PAGE, CallOutcome.CUT_SHORT)
    assert_no_harm(before, after)
