"""The ModelCallStore over SQL: a row a call, which is both the account and the memory of what was told."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, func, insert, select

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.schema import crawls, llm_calls
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.products.product import decimal_text
from arborist_pipeline.core.prompt import UNANSWERED, ModelCall


class SqlModelCallStore:
    """Calls by site; each stands under the site's latest crawl."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def put_call(self, site_key: str, call: ModelCall, *, tenant: str | None, now: datetime) -> None:
        """Store a call in a transaction of its own."""
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            crawl_id = connection.scalar(select(func.max(crawls.c.id)).where(crawls.c.site_id == site_id))
            connection.execute(
                insert(llm_calls),
                {"site_id": site_id, "crawl_id": crawl_id, "tenant": tenant, "model": call.model,
                 "purpose": call.purpose, "prompt_tokens": call.prompt_tokens,
                 "completion_tokens": call.completion_tokens,
                 "cost": None if call.cost is None else decimal_text(call.cost), "outcome": call.outcome, "at": now,
                 "subject": call.subject, "seconds": call.seconds, "answer": dict(call.answer) or None},
            )  # fmt: skip

    def load_answers(self, site_key: str, purpose: str) -> Mapping[str, Mapping[str, Any]]:
        """Return what was kept of the latest answer about each subject; calls that got no answer tell nothing."""
        with reading(self._engine) as connection:
            query = (
                select(llm_calls.c.subject, llm_calls.c.answer)
                .where(llm_calls.c.site_id == site_id_of(connection, site_key), llm_calls.c.purpose == purpose)
                .where(llm_calls.c.outcome.not_in([str(outcome) for outcome in UNANSWERED]))
                .order_by(llm_calls.c.id)
            )
            return {row.subject: row.answer or {} for row in connection.execute(query)}
