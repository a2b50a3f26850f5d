"""A LanguageModel behind any endpoint of OpenAI's chat interface: one request a question, answered in JSON mode.

Key and endpoint are read by the library itself from OPENAI_API_KEY and OPENAI_BASE_URL. What an endpoint says of a
failure is not repeated, for some repeat the key they were sent: only its status and a plain code are.
"""

import re
from decimal import Decimal, InvalidOperation
from functools import cached_property
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

from arborist_pipeline.core.prompt import CallOutcome, Prompt, Reply

if TYPE_CHECKING:  # the library takes most of a second to load, and most runs ask nothing
    import openai
    from openai.types.chat import ChatCompletion

TIMEOUT_SECONDS = 60.0
_PLAIN_CODE = re.compile(r"[a-z]+(?:_[a-z]+){0,5}")


class OpenAiModel:
    """Asks a model by its name; nothing is loaded or opened before the first question.

    `timeout_seconds` bounds a whole exchange. The library's own timeouts bound the gaps between bytes only, so each
    exchange has a thread, which is left to itself when its time is over.
    """

    def __init__(self, name: str, *, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self.name = name
        self._timeout_seconds = timeout_seconds

    def ask(self, prompt: Prompt) -> Reply:
        """Put a question and wait for its answer; whatever the endpoint does is a reply. No retries."""
        import openai  # noqa: F401, PLC0415  # late, and not on the time of the exchange

        replies: SimpleQueue[Reply] = SimpleQueue()
        Thread(target=lambda: replies.put(self._exchange(prompt)), name="model", daemon=True).start()
        try:
            return replies.get(timeout=self._timeout_seconds)
        except Empty:
            return self._timeout()

    def _exchange(self, prompt: Prompt) -> Reply:
        from openai import (  # noqa: PLC0415  # late, as above
            APIConnectionError,
            APIError,
            APIStatusError,
            APITimeoutError,
            OpenAIError,
        )

        try:
            completion = self._client.chat.completions.create(
                model=self.name,
                messages=[{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
                response_format={"type": "json_object"},
                max_completion_tokens=prompt.max_reply_tokens,
            )
            return _read(completion)
        except APITimeoutError:
            return self._timeout()
        except APIConnectionError as error:
            return Reply(outcome=CallOutcome.UNREACHABLE, reason=f"no connection ({type(error.__cause__).__name__})")
        except APIStatusError as error:
            return _failed(error.status_code, error.code)
        except (
            APIError,
            LookupError,
            ValueError,
            TypeError,
            AttributeError,
        ):  # an answer that is none of this interface
            return Reply(outcome=CallOutcome.SERVER_ERROR, reason="the endpoint's answer is not one of this interface")
        except OpenAIError:  # the library cannot even begin
            return Reply(outcome=CallOutcome.REJECTED, reason="set OPENAI_API_KEY (any text, where none is needed)")

    def _timeout(self) -> Reply:
        return Reply(outcome=CallOutcome.TIMEOUT, reason=f"no answer within {self._timeout_seconds:g} s")

    @cached_property
    def _client(self) -> "openai.OpenAI":
        from openai import OpenAI  # noqa: PLC0415  # late, as above

        return OpenAI(timeout=self._timeout_seconds, max_retries=0)


def _failed(status: int, code: object) -> Reply:
    named = f", {code}" if isinstance(code, str) and _PLAIN_CODE.fullmatch(code) else ""
    outcome = (
        CallOutcome.RATE_LIMITED if status == 429
        else CallOutcome.REJECTED if 400 <= status < 500
        else CallOutcome.SERVER_ERROR
    )  # fmt: skip
    return Reply(outcome=outcome, reason=f"status {status}{named}")


def _read(completion: "ChatCompletion") -> Reply:
    """Read an answer; the library checks no types, and compatible endpoints leave out what they do not know."""
    choice = completion.choices[0]
    outcome, reason = CallOutcome.OK, ""
    if choice.message.refusal or choice.finish_reason == "content_filter":
        outcome, reason = CallOutcome.REFUSED, "the model declined to answer"
    elif choice.finish_reason == "length":
        outcome, reason = CallOutcome.CUT_SHORT, "the answer was longer than allowed"
    usage = completion.usage
    content: object = choice.message.content
    return Reply(
        outcome=outcome,
        text=content if isinstance(content, str) else "",
        reason=reason,
        prompt_tokens=_count(usage.prompt_tokens) if usage else None,
        completion_tokens=_count(usage.completion_tokens) if usage else None,
        cost=_cost((usage.model_extra or {}).get("cost") if usage else None),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else None


def _cost(value: Any) -> Decimal | None:  # noqa: ANN401  # what some endpoints add to the usage, of any type
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        cost = Decimal(str(value)[:40])
    except InvalidOperation:
        return None
    return cost if cost.is_finite() and cost >= 0 else None
