"""Pages and the summary in the shape of contract §5.1, told in fetch order."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.lines import FetchOrder, page_to_json, summary_to_json, timestamp
from arborist_pipeline.core.crawl.records import (
    CrawledPage,
    CrawlSummary,
    Outcome,
    Priority,
    StoppedBy,
    StoredPage,
    Tier,
    Trap,
)
from arborist_pipeline.core.prompt import CallOutcome, ModelCall
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import canonicalize

SEED = canonicalize("https://shop.example/")
ROOT = bytes(range(32))
PAGE_KEYS = (
    "order url final_url depth parent anchor status outcome reason kind priority rendered elapsed_seconds bytes title "
    "document_root fetched_at"
).split()
SUMMARY_KEYS = (
    "pages products documents by_outcome by_tier first_product_at llm_calls requests needs_rendering unfetched "
    "stopped_by"
).split()


def make_page(order=1, **changes):
    values = {
        "order": order, "url": SEED, "final_url": SEED, "depth": 0, "parent": None, "anchor": "",
        "priority": Priority(Tier.SEED, 1.0, "the seed"), "status": 200, "outcome": Outcome.OK, "reason": "",
        "kind": PageKind.HOME, "title": "Shop", "elapsed_seconds": 0.12345, "size_bytes": 1234,
        "fetched_at": datetime(2026, 1, 15, 12, 0, 0, 5000, tzinfo=UTC), "document_root": ROOT,
    }  # fmt: skip
    return CrawledPage(**(values | changes))


def test_a_page_has_exactly_the_keys_of_the_contract_in_their_order():
    line = page_to_json(make_page())
    assert list(line) == PAGE_KEYS
    assert json.loads(json.dumps(line)) == {
        "order": 1, "url": SEED, "final_url": SEED, "depth": 0, "parent": None, "anchor": "", "status": 200,
        "outcome": "ok", "reason": "", "kind": "home",
        "priority": {"tier": "seed", "score": 1.0, "why": "the seed"}, "rendered": False, "elapsed_seconds": 0.123,
        "bytes": 1234, "title": "Shop", "document_root": ROOT.hex(), "fetched_at": "2026-01-15T12:00:00.005Z",
    }  # fmt: skip


def test_what_is_absent_is_null():
    line = page_to_json(make_page(None, status=None, kind=None, title=None, document_root=None))
    assert [line[key] for key in ("order", "status", "kind", "title", "document_root", "parent")] == [None] * 6


@pytest.mark.parametrize(("outcome", "root"), [(Outcome.NOT_MODIFIED, ROOT.hex()), (Outcome.HTTP_ERROR, None)])
def test_a_page_that_was_not_modified_has_the_root_that_still_holds(outcome, root):
    stored = StoredPage(page_id=1, validators=Validators(), body_sha256=None, links_page_id=None, kind=None,
                        title=None, document_root=ROOT)  # fmt: skip
    assert page_to_json(make_page(outcome=outcome, document_root=None, stored=stored))["document_root"] == root


def test_a_summary_begins_with_the_keys_of_the_contract():
    summary = CrawlSummary(crawl_id=3, pages=2, products=1, documents=1, by_outcome={"ok": 2}, by_tier={"seed": 1},
                           rejected={}, first_product_at=2, llm_calls=0, requests={"page": 2}, needs_rendering=0,
                           unfetched=0, stopped_by=StoppedBy.EXHAUSTED,
                           traps=(Trap(template="/x?{q}", asked=20, left=7, example="/x?a=1"),))  # fmt: skip
    line = json.loads(json.dumps(summary_to_json(summary)))
    assert list(line)[: len(SUMMARY_KEYS)] == SUMMARY_KEYS
    assert (line["stopped_by"], line["by_outcome"], line["crawl_id"]) == ("exhausted", {"ok": 2}, 3)
    assert line["traps"] == [{"template": "/x?{q}", "asked": 20, "left": 7, "example": "/x?a=1"}]
    assert line["llm_call"] is None
    call = ModelCall(model="small-1", purpose="links", subject="a.example", outcome=CallOutcome.OK, seconds=1.5,
                     prompt_tokens=9, completion_tokens=1, cost=Decimal("1E-7"))  # fmt: skip
    assert summary_to_json(replace(summary, llm_call=call))["llm_call"] == {
        "model": "small-1", "outcome": "ok", "prompt_tokens": 9, "completion_tokens": 1, "cost": "0.0000001",
        "seconds": 1.5,
    }  # fmt: skip


def test_times_are_told_in_utc():
    moment = datetime(2026, 1, 15, 14, 0, tzinfo=timezone(timedelta(hours=2)))
    assert timestamp(moment) == "2026-01-15T12:00:00.000Z"


@given(last=st.integers(0, 50), data=st.data())
def test_pages_that_are_done_in_any_order_are_told_in_fetch_order(last, data):
    orders = data.draw(st.permutations(range(last + 1, last + 12)))
    order = FetchOrder(last)
    told = [page.order for each in orders for page in order.put(make_page(each))]
    assert told == sorted(orders)
    assert order.take_rest() == ()


@given(orders=st.sets(st.integers(1, 30)), data=st.data())
def test_where_a_page_never_came_the_rest_is_told_in_order_at_the_end(orders, data):
    order = FetchOrder()
    coming = data.draw(st.permutations(sorted(orders)))
    told = [page.order for each in coming for page in order.put(make_page(each))]
    told += [page.order for page in order.take_rest()]
    assert told == sorted(orders)
    assert order.take_rest() == ()


def test_a_page_that_comes_again_corrects_the_first_whether_that_was_told_or_waits():
    order = FetchOrder()
    assert not order.knows(make_page(1))
    order.put(make_page(1))
    order.put(make_page(3))
    assert order.knows(make_page(1))
    assert order.knows(make_page(3))
    assert not order.knows(make_page(2))
    assert not order.knows(make_page(None))
    assert [page.outcome for page in order.put(make_page(1, outcome=Outcome.SOFT_404))] == ["soft_404"]
    assert order.put(make_page(3, outcome=Outcome.SOFT_404)) == ()
    assert [(page.order, page.outcome) for page in order.put(make_page(2))] == [(2, "ok"), (3, "soft_404")]


def test_a_page_that_was_never_requested_passes_at_once():
    order = FetchOrder()
    assert order.put(make_page(2)) == ()
    assert [page.order for page in order.put(make_page(None))] == [None]
    assert [page.order for page in order.put(make_page(1))] == [1, 2]
