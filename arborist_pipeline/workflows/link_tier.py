"""Which links lead to products, asked of a language model: once a crawl at most, beside the crawl, and remembered.

Whatever goes wrong is one warning, an account, and no change. A question that a model has answered before is not put
to it again: a crawl that is resumed, or run again over the same links, goes by what was told.
"""

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from threading import Thread
from typing import Any

from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.lessons import Told
from arborist_pipeline.core.crawl.link_answer import LinkAnswer, read_link_answer
from arborist_pipeline.core.crawl.link_question import MAX_CANDIDATES, PURPOSE, Candidate, build_link_question
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import Clock, LanguageModel, ModelCallStore
from arborist_pipeline.core.prompt import AS_ASKED, CallOutcome, ModelCall, Prompt, Reply, account_of
from arborist_pipeline.core.web.url import split_origin

Verdict = tuple[tuple[Candidate, ...], tuple[Candidate, ...]]
"""The links that lead to product pages, and those that do not."""

ASKS_AFTER_PAGES = 3
"""Pages with nothing product-shaped in sight, after which a model may be asked."""


async def consult(tier: "LinkTier", frontier: Frontier) -> tuple[Told, ...]:
    """Ask the model about links that wait, where nothing product-shaped is in sight; return what it said of them."""
    if not tier.is_ready or not frontier.chooser.lacks_products(tier.after_pages):
        return ()
    shown = {each.url: each for each in frontier.chooser.samples()}
    verdict = await tier.ask([Candidate(each.url, each.anchor) for each in shown.values()])
    leads, others = verdict if verdict is not None else ((), ())
    words = [(each, True) for each in leads] + [(each, False) for each in others]
    return tuple(shown[each.url]._replace(is_product=is_product) for each, is_product in words)


class LinkTier:
    """The one question of one crawl of a site. `call` is its account, None as long as no model was asked.

    Without a model nothing is asked; a site may switch it off. `after_pages` is how many pages come first.
    """

    def __init__(
        self,
        site: Site,
        *,
        model: LanguageModel | None,
        store: ModelCallStore,
        clock: Clock,
        warn: Callable[[str], None],
        after_pages: int = ASKS_AFTER_PAGES,
    ) -> None:
        self.call: ModelCall | None = None
        self.after_pages = after_pages
        self._site, self._store, self._clock, self._warn = site, store, clock, warn
        self._model = model if site.llm else None

    @property
    def is_ready(self) -> bool:
        """Whether there is a model to ask, and it has not been asked in this crawl."""
        return self._model is not None

    async def ask(self, candidates: Sequence[Candidate]) -> Verdict | None:
        """Ask about the first 120 of these links; None where nothing may change by what came of it.

        The loop goes on meanwhile. Where the crawl is cancelled, the answer is waited for no longer.
        """
        model, self._model = self._model, None
        shown = tuple(candidates[:MAX_CANDIDATES])
        if model is None or len(shown) < 2:  # of one link nothing is told apart
            return None
        prompt = build_link_question(shown)
        key = hashlib.sha256(f"{model.name}\n{prompt.user}".encode()).hexdigest()
        told = await asyncio.to_thread(self._store.load_answers, self._site.key, PURPOSE)
        kept = told.get(self._subject, {})
        if kept.get("question") != key:
            kept = await self._put(model, prompt, key, shown)
        return _verdict(kept, shown)

    async def _put(
        self, model: LanguageModel, prompt: Prompt, key: str, shown: Sequence[Candidate]
    ) -> Mapping[str, Any]:
        """Put the question, account for it, and return what is kept of its answer."""
        began = self._clock.monotonic()
        try:
            reply = await _beside(lambda: model.ask(prompt))
        except asyncio.CancelledError:
            reply = Reply(outcome=CallOutcome.ABANDONED, reason="the crawl was cancelled before the model answered")
            self._account(model.name, reply, read_link_answer(reply, shown), {}, began)  # it may have to be paid for
            raise
        answer = read_link_answer(reply, shown)
        kept: dict[str, Any] = {"question": key}
        if answer.outcome in AS_ASKED:
            kept["product"] = [shown[place].url for place in answer.products]
        await asyncio.to_thread(self._account, model.name, reply, answer, kept, began)
        if answer.outcome not in AS_ASKED:
            self._warn(f"the model {model.name} could not tell which links lead to products ({answer.outcome}: "
                       f"{answer.reason}); the crawl's order stays, and llm_calls has the call")  # fmt: skip
        return kept

    def _account(self, name: str, reply: Reply, answer: LinkAnswer, kept: Mapping[str, Any], began: float) -> None:
        self.call = account_of(reply, model=name, purpose=PURPOSE, subject=self._subject,
                               outcome=answer.outcome, seconds=self._clock.monotonic() - began,
                               answer={**kept, "reason": answer.reason} if answer.reason else kept)  # fmt: skip
        self._store.put_call(self._site.key, self.call, tenant=self._site.tenant, now=self._clock.now())

    @property
    def _subject(self) -> str:
        return split_origin(self._site.seed_url).host


def _verdict(kept: Mapping[str, Any], shown: Sequence[Candidate]) -> Verdict | None:
    """Return what a kept answer says of these links; None where it was of no use."""
    if "product" not in kept:
        return None
    named = frozenset(kept["product"])
    return tuple(each for each in shown if each.url in named), tuple(each for each in shown if each.url not in named)


async def _beside(ask: Callable[[], Reply]) -> Reply:
    """Wait for an answer in a thread that ends with the process.

    Those of `asyncio.to_thread` are joined when the loop ends, so that Ctrl-C would have to wait for the model.
    """
    answered: Future[Reply] = Future()
    answered.set_running_or_notify_cancel()  # no cancelling from here on: the thread tells a future nobody waits for

    def run() -> None:
        try:
            answered.set_result(ask())
        except BaseException as error:  # noqa: BLE001  # whatever it is, it belongs to whoever waits
            answered.set_exception(error)

    Thread(target=run, name="link question", daemon=True).start()
    return await asyncio.wrap_future(answered)
