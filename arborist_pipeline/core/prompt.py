"""A question to a language model and what came of it, as data. A failure of the endpoint is a value.

Whoever asks says the question as a `Prompt`; an adapter puts it to a model and gives a `Reply`; whoever asked reads it
and says, as a `ModelCall`, what it was worth. What a page says never stands among the instructions: it is quoted.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any

PRODUCT_PAGE_RULE = (
    "A product page is about one product that can be bought: it names it and says what it costs, or whether it can be "
    "had. A category, a collection, a list of search results, a brand's page, a home page or any other page that shows "
    "several products to choose from is not a product page, even where each of them has a price and a button; neither "
    "is an article, a help page, a basket or a login."
)
"""The words by which a model tells product pages from others, whatever it is asked; stated here alone."""


class CallOutcome(StrEnum):
    """How a call to a model ended."""

    OK = "ok"
    # the endpoint gave no answer
    ABANDONED = "abandoned"  # whoever asked had ended before it came
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    RATE_LIMITED = "rate_limited"  # 429
    REJECTED = "rejected"  # another 4xx: a wrong key, an unknown model
    SERVER_ERROR = "server_error"  # 5xx, or an answer that is none of this interface
    # the model answered, and it cannot be used
    REFUSED = "refused"
    CUT_SHORT = "cut_short"
    NO_JSON = "no_json"
    WRONG_SHAPE = "wrong_shape"
    NOT_ON_PAGE = "not_on_page"  # all that it says is invented
    NOT_SHOWN = "not_shown"  # it chooses what it was not given to choose from
    UNDECIDED = "undecided"  # it chooses everything
    # the model answered as asked: what it was shown sells no product
    NO_PRODUCT = "no_product"


UNANSWERED = frozenset(
    (CallOutcome.ABANDONED, CallOutcome.UNREACHABLE, CallOutcome.TIMEOUT, CallOutcome.RATE_LIMITED,
     CallOutcome.REJECTED, CallOutcome.SERVER_ERROR)
)  # fmt: skip
"""Outcomes that tell nothing of what was asked about: another run may ask again."""

AS_ASKED = frozenset((CallOutcome.OK, CallOutcome.NO_PRODUCT))
"""Outcomes that need no warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """A question whose answer is one JSON object. `purpose` names it, and its version, in accounts (32 characters)."""

    purpose: str
    system: str
    user: str
    max_reply_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model's endpoint gave: OK with its text, or why there is none. Tokens and cost where they were told."""

    outcome: CallOutcome
    text: str = ""
    reason: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call as accounts keep it: what was asked about, how it ended, what it took, and what was kept of it."""

    model: str
    purpose: str
    subject: str
    outcome: CallOutcome
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: Decimal | None = None
    seconds: float
    answer: Mapping[str, Any] = field(default_factory=dict)


def account_of(  # one for each column
    reply: Reply, *, model: str, purpose: str, subject: str, outcome: CallOutcome, seconds: float,
    answer: Mapping[str, Any],
) -> ModelCall:  # fmt: skip
    """Return the account of a call by what its endpoint told and what the answer was worth."""
    return ModelCall(
        model=model,
        purpose=purpose,
        subject=subject,
        outcome=outcome,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        cost=reply.cost,
        seconds=round(seconds, 3),
        answer=answer,
    )


def parse_json_reply(reply: Reply) -> dict[str, Any] | None:
    """Return the one JSON object that an answer is, nothing around it; None for everything else."""
    try:
        value = json.loads(reply.text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def quote_page(text: str, mark: str = "PAGE") -> str:
    """Return text of a page between two marks that it cannot close: where it contains one, the mark is broken up."""
    harmless = text.replace(f"<<{mark}", f"< <{mark}").replace(f"{mark}>>", f"{mark}> >")
    return f"<<{mark}\n{harmless}\n{mark}>>"
