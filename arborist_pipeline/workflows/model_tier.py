"""The last tier: what no other tier gave is asked of a language model, once a template of a site, and remembered.

A page costs no call of its own. The first one of a template that lacks something is put to the model; what the page
bears out of its answer becomes a lesson, and that is applied to every page of the template, the first one included, so
that reading again gives the same. Whatever goes wrong is one warning a run, an account, and no change.
"""

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import Clock, LanguageModel, ModelCallStore
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.extract import Reading
from arborist_pipeline.core.products.gaps import fill_gaps, find_gaps
from arborist_pipeline.core.products.model_answer import Answer, read_answer
from arborist_pipeline.core.products.model_lesson import (
    Lesson,
    apply_lesson,
    build_lesson,
    lesson_to_json,
    parse_lesson,
)
from arborist_pipeline.core.products.model_question import PURPOSE, build_question, page_template
from arborist_pipeline.core.products.product import Product
from arborist_pipeline.core.prompt import AS_ASKED, UNANSWERED, Reply, account_of
from arborist_pipeline.core.web.page import PageKind

MAX_CALLS = 10
"""Calls of one run for one site, at most."""


class ModelTier:
    """The tier over one run for one site.

    Without a model nothing is asked, and what was told in earlier runs still counts. A site may switch all of it off.
    """

    def __init__(
        self,
        site: Site,
        *,
        model: LanguageModel | None,
        store: ModelCallStore,
        clock: Clock,
        warn: Callable[[str], None],
        max_calls: int = MAX_CALLS,
    ) -> None:
        self.outcomes: Counter[str] = Counter()
        self.tokens: Counter[str] = Counter()
        self.cost: Decimal | None = None
        self.filled: Counter[str] = Counter()
        self._site, self._store, self._clock, self._warn = site, store, clock, warn
        self._model = model if site.llm else None
        self._calls_left = max_calls
        self._has_warned = False
        self._lessons: dict[str, Lesson | None] = {}
        for template, kept in store.load_answers(site.key, PURPOSE).items() if site.llm else ():
            self._lessons[template] = parse_lesson(kept.get("lesson") or {})

    def complete(self, reading: Reading) -> Product | None:
        """Return the product of a page with its gaps filled, as far as its template is known or may be asked about."""
        product = reading.product
        may_sell = reading.kind is PageKind.PRODUCT or reading.is_unsure
        if not may_sell or not find_gaps(product) or not (self._model or self._lessons):
            return product
        lesson = self._lesson_for(page_template(reading.evidence), reading.evidence)
        draft = apply_lesson(lesson, reading.evidence) if lesson is not None else None
        if draft is None:
            return product
        whole = fill_gaps(product, draft, reading.evidence.page)
        if whole is not None:
            self.filled.update(name for name, source in whole.sources.items() if source.tier == draft.tier)
        return whole

    def _lesson_for(self, template: str, evidence: Evidence) -> Lesson | None:
        """Return what is known of a template, after asking where nothing is; None where there is nothing to know."""
        if template not in self._lessons and self._model is not None and self._calls_left > 0:
            self._calls_left -= 1
            self._ask(self._model, template, evidence)
        return self._lessons.get(template)

    def _ask(self, model: LanguageModel, template: str, evidence: Evidence) -> None:
        began = self._clock.monotonic()
        reply = model.ask(build_question(evidence))
        seconds = self._clock.monotonic() - began
        answer = read_answer(reply, evidence)
        if answer.outcome in UNANSWERED:
            self._calls_left = 0  # what this call could not, the next one will not: the next run tries again
        else:
            self._lessons[template] = build_lesson(answer.draft, evidence) if answer.draft else None
        self._account(model.name, template, reply, answer, seconds)
        if (answer.outcome not in AS_ASKED or answer.dropped) and not self._has_warned:
            self._has_warned = True
            self._warn(f"the model {model.name} was of no full use ({answer.outcome}: {answer.reason}); products "
                       "keep what their pages say, and llm_calls has every call")  # fmt: skip

    def _account(self, name: str, template: str, reply: Reply, answer: Answer, seconds: float) -> None:
        lesson = self._lessons.get(template)
        kept: dict[str, Any] = {"reason": answer.reason} if answer.reason else {}
        if lesson is not None:
            kept["lesson"] = lesson_to_json(lesson)
        call = account_of(reply, model=name, purpose=PURPOSE, subject=template, outcome=answer.outcome,
                          seconds=seconds, answer=kept)  # fmt: skip
        self._store.put_call(self._site.key, call, tenant=self._site.tenant, now=self._clock.now())
        self.outcomes[answer.outcome] += 1
        self.tokens.update(prompt=reply.prompt_tokens or 0, completion=reply.completion_tokens or 0)
        if reply.cost is not None:
            self.cost = (self.cost or Decimal(0)) + reply.cost
