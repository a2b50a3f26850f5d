"""The one question about links: asked beside the crawl, accounted for, remembered, and harmless when it goes wrong."""

import asyncio
import json
import threading
from decimal import Decimal

import pytest

from arborist_pipeline.core.crawl.link_question import MAX_CANDIDATES, PURPOSE, Candidate
from arborist_pipeline.core.prompt import CallOutcome, Reply
from arborist_pipeline.core.web.url import Url
from arborist_pipeline.workflows.link_tier import LinkTier
from arborist_pipeline_tests.workflows.conftest import Desk

LINKS = [Candidate(Url(f"https://shop.example/{number}"), f"Link {number}") for number in range(6)]
FIRST_TWO = (tuple(LINKS[:2]), tuple(LINKS[2:]))


class ScriptedModel:
    """Gives one reply to every question; where there is a gate it is held back until that is set, or 20 s."""

    name = "small-1"

    def __init__(self, reply, gate=None):
        self.reply = reply if isinstance(reply, Reply) else Reply(outcome=CallOutcome.OK, text=json.dumps(reply))
        self.gate = gate
        self.prompts, self.threads = [], []
        self.asked = threading.Event()

    def ask(self, prompt):
        self.prompts.append(prompt)
        self.threads.append(threading.current_thread())
        self.asked.set()
        self.was_let = self.gate is None or self.gate.wait(20.0)
        return self.reply


@pytest.fixture
def tier_of(desk):
    """A function that makes the tier of a crawl over a model; `tier_of.warnings` has what was warned of."""

    def make(model, site=None):
        return LinkTier(site or desk.site, model=model, store=desk.store.calls, clock=desk.clock,
                        warn=make.warnings.append)  # fmt: skip

    make.warnings = []
    return make


def calls(desk, columns="outcome"):
    return desk.rows(f"SELECT {columns} FROM llm_calls ORDER BY id")


def test_the_links_are_told_apart_and_the_call_accounted_for(desk, tier_of):
    model = ScriptedModel(Reply(outcome=CallOutcome.OK, text='{"product": [1, 0]}', prompt_tokens=900,
                                completion_tokens=12, cost=Decimal("0.001")))  # fmt: skip
    tier = tier_of(model)
    assert tier.is_ready
    assert asyncio.run(tier.ask(LINKS)) == FIRST_TWO
    assert (tier.is_ready, tier.call.outcome, tier_of.warnings) == (False, CallOutcome.OK, [])
    assert calls(desk, "purpose, subject, model, outcome, prompt_tokens, completion_tokens, cost") == [
        (PURPOSE, "shop.example", "small-1", "ok", 900, 12, "0.001")
    ]


def test_that_none_leads_to_a_product_is_a_verdict_on_all(desk, tier_of):
    assert asyncio.run(tier_of(ScriptedModel({"product": []})).ask(LINKS)) == ((), tuple(LINKS))
    assert (calls(desk), tier_of.warnings) == ([("no_product",)], [])


def test_a_crawl_asks_once_whoever_asks_and_however_many_at_a_time(tier_of):
    model = ScriptedModel({"product": [0, 1]})
    tier = tier_of(model)

    async def crawl():
        return [*await asyncio.gather(tier.ask(LINKS), tier.ask(LINKS)), await tier.ask(LINKS)]

    assert asyncio.run(crawl()) == [FIRST_TWO, None, None]
    assert (len(model.prompts), tier.call is None) == (1, False)


def test_more_links_than_a_question_takes_are_left_as_they_are(tier_of):
    many = [Candidate(Url(f"https://shop.example/{number}"), "") for number in range(MAX_CANDIDATES + 9)]
    leads, others = asyncio.run(tier_of(ScriptedModel({"product": [0]})).ask(many))
    assert (leads, others) == ((many[0],), tuple(many[1:MAX_CANDIDATES]))


@pytest.mark.parametrize("links", [[], LINKS[:1]])
def test_where_there_is_nothing_to_choose_nobody_is_asked(tier_of, links):
    model = ScriptedModel({"product": [0]})
    assert asyncio.run(tier_of(model).ask(links)) is None
    assert model.prompts == []


def test_without_a_model_or_where_a_site_wants_none_nothing_is_asked(desk, tier_of):
    model = ScriptedModel({"product": [0]})
    shy = Desk(desk.store, desk.clock, llm=False).site
    for tier in (tier_of(None), tier_of(model, shy)):
        assert not tier.is_ready
        assert asyncio.run(tier.ask(LINKS)) is None
    assert (model.prompts, calls(desk), tier_of.warnings) == ([], [], [])


@pytest.mark.parametrize(
    "reply",
    [{"product": [0, 6]}, {"product": list(range(6))}, {"links": [0]}, Reply(outcome=CallOutcome.OK, text="The first")]
    + [Reply(outcome=each, text='{"product": [0]}', reason="so") for each in CallOutcome
       if each not in (CallOutcome.OK, CallOutcome.NO_PRODUCT)],
)  # fmt: skip
def test_an_answer_of_no_use_is_one_warning_an_account_and_no_change(desk, tier_of, reply):
    tier = tier_of(ScriptedModel(reply))
    assert asyncio.run(tier.ask(LINKS)) is None
    assert asyncio.run(tier.ask(LINKS)) is None
    (warning,) = tier_of.warnings
    ((outcome,),) = calls(desk)
    assert f"({outcome}: " in warning
    assert "\n" not in warning


def test_a_question_that_was_answered_is_not_put_again(desk, tier_of):
    model = ScriptedModel({"product": [0, 1]})
    assert asyncio.run(tier_of(model).ask(LINKS)) == FIRST_TWO
    later = tier_of(model)
    assert asyncio.run(later.ask(LINKS)) == FIRST_TWO
    assert (len(model.prompts), later.call, later.is_ready) == (1, None, False)
    assert asyncio.run(tier_of(model).ask(LINKS[:3])) == (tuple(LINKS[:2]), (LINKS[2],))
    assert len(model.prompts) == len(calls(desk)) == 2


@pytest.mark.parametrize(("outcome", "times"), [(CallOutcome.TIMEOUT, 2), (CallOutcome.REFUSED, 1)])
def test_a_question_is_put_again_only_where_it_was_not_answered(tier_of, outcome, times):
    model = ScriptedModel(Reply(outcome=outcome, reason="so"))
    for _ in range(2):
        assert asyncio.run(tier_of(model).ask(LINKS)) is None
    assert len(model.prompts) == len(tier_of.warnings) == times


def test_another_model_is_asked_though_the_first_has_answered(tier_of):
    assert asyncio.run(tier_of(ScriptedModel({"product": [5]})).ask(LINKS)) == ((LINKS[5],), tuple(LINKS[:5]))
    other = ScriptedModel({"product": [0, 1]})
    other.name = "large-1"
    assert asyncio.run(tier_of(other).ask(LINKS)) == FIRST_TWO


def test_the_crawl_goes_on_while_the_model_thinks(tier_of):
    model = ScriptedModel({"product": [0, 1]}, gate=threading.Event())

    async def crawl():
        asking = asyncio.create_task(tier_of(model).ask(LINKS))
        await asyncio.to_thread(model.asked.wait)
        model.gate.set()  # which nobody could do on a loop that waits for the answer
        return await asking

    assert asyncio.run(crawl()) == FIRST_TWO
    assert model.was_let


def test_a_crawl_that_is_cancelled_meanwhile_ends_without_the_answer_and_keeps_the_account(desk, tier_of):
    model = ScriptedModel({"product": [0, 1]}, gate=threading.Event())

    async def crawl():
        asking = asyncio.create_task(tier_of(model).ask(LINKS))
        await asyncio.to_thread(model.asked.wait)
        asking.cancel()
        await asking

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(crawl())
    assert (calls(desk), tier_of.warnings) == ([("abandoned",)], [])
    model.gate.set()
    model.threads[0].join()
    assert model.was_let  # the crawl was over before the model had answered
    assert calls(desk) == [("abandoned",)]
    assert asyncio.run(tier_of(ScriptedModel({"product": [0, 1]})).ask(LINKS)) == FIRST_TWO


def test_a_fault_of_ours_in_asking_is_raised_and_leaves_nobody_waiting(tier_of):
    class Broken:
        name = "small-1"

        def ask(self, prompt):
            raise LookupError(prompt.purpose)

    with pytest.raises(LookupError, match=PURPOSE):
        asyncio.run(tier_of(Broken()).ask(LINKS))
