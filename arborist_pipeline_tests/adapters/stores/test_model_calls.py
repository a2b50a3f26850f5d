"""Calls to models: an account each, and the memory of what was told."""

from decimal import Decimal

import pytest

from arborist_pipeline.core.errors import StoreError
from arborist_pipeline.core.prompt import UNANSWERED, CallOutcome, ModelCall
from arborist_pipeline_tests.adapters.stores.conftest import prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON


def call(subject="/p/* h1", outcome=CallOutcome.OK, purpose="product-v1", **fields):
    return ModelCall(model="small-1", purpose=purpose, subject=subject, outcome=outcome, seconds=1.25, **fields)


def put(store, *calls, tenant=None):
    for each in calls:
        store.calls.put_call("shop", each, tenant=tenant, now=NOON)


def test_a_call_is_accounted_under_site_crawl_and_tenant(store):
    visit(store, {"/": prose()})
    put(store, call(prompt_tokens=700, completion_tokens=60, cost=Decimal("0.0021"), answer={"a": 1}), tenant="acme")
    (row,) = rows(store, "SELECT sites.key, crawl_id, tenant, model, purpose, prompt_tokens, completion_tokens, cost, "
                         "outcome, subject, seconds, at FROM llm_calls JOIN sites ON sites.id = site_id")  # fmt: skip
    assert row == ("shop", 1, "acme", "small-1", "product-v1", 700, 60, "0.0021", "ok", "/p/* h1", 1.25,
                   "2026-01-15 12:00:00.000000")  # fmt: skip


def test_what_was_not_told_is_null_and_a_site_without_crawls_has_accounts_too(store):
    put(store, call(outcome=CallOutcome.TIMEOUT))
    assert rows(store, "SELECT crawl_id, tenant, prompt_tokens, cost, answer FROM llm_calls") == [(None,) * 5]


def test_the_latest_answer_about_a_subject_is_what_is_known_of_it(store):
    put(store, call(answer={"a": 1}), call(answer={"a": 2}), call("other", CallOutcome.NO_PRODUCT))
    put(store, call("elsewhere", purpose="links-v1", answer={"b": 1}))
    assert store.calls.load_answers("shop", "product-v1") == {"/p/* h1": {"a": 2}, "other": {}}


@pytest.mark.parametrize("outcome", CallOutcome)
def test_a_call_without_an_answer_tells_nothing_of_its_subject(store, outcome):
    put(store, call(outcome=outcome))
    assert ("/p/* h1" in store.calls.load_answers("shop", "product-v1")) is (outcome not in UNANSWERED)


def test_an_unknown_site_is_an_error(store):
    with pytest.raises(StoreError, match="knows no site"):
        store.calls.put_call("nowhere", call(), tenant=None, now=NOON)
