"""The real client over real HTTP against a server that answers well, badly, late or not at all."""

import json
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal

import pytest

from arborist_pipeline.adapters.models.openai import OpenAiModel
from arborist_pipeline.core.prompt import CallOutcome, Prompt
from arborist_pipeline_tests.support.model_server import KEY, LocalModel, fails, says, told
from arborist_pipeline_tests.support.site_server import Reply

PROMPT = Prompt(purpose="test", system="Answer in JSON.", user="A page.", max_reply_tokens=50)


@pytest.fixture
def ask(monkeypatch):
    def ask(*answers, timeout_seconds=20.0):
        with LocalModel(*answers) as model:
            for name, value in model.environment.items():
                monkeypatch.setenv(name, value)
            return OpenAiModel("small-1", timeout_seconds=timeout_seconds).ask(PROMPT), model

    return ask


def test_a_question_is_one_request_in_json_mode_and_the_answer_comes_with_what_it_took(ask):
    reply, model = ask(told(name="Lamp"))
    assert (reply.outcome, json.loads(reply.text)["name"]) == (CallOutcome.OK, "Lamp")
    assert (reply.prompt_tokens, reply.completion_tokens, reply.cost) == (700, 60, Decimal("0.0021"))
    (question,) = model.questions
    assert question["model"] == "small-1"
    assert question["response_format"] == {"type": "json_object"}
    assert [(each["role"], each["content"]) for each in question["messages"]] == [
        ("system", PROMPT.system), ("user", PROMPT.user),
    ]  # fmt: skip
    assert model.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_what_it_took_is_unknown_where_the_endpoint_does_not_tell(ask):
    reply, _ = ask(told(usage=False))
    assert (reply.outcome, reply.prompt_tokens, reply.cost) == (CallOutcome.OK, None, None)


TROUBLE = [
    ("429", fails(429, code="rate_limit_exceeded"), CallOutcome.RATE_LIMITED, "status 429, rate_limit_exceeded"),
    ("500", fails(500), CallOutcome.SERVER_ERROR, "status 500"),
    ("503 without a body", Reply(status=503), CallOutcome.SERVER_ERROR, "status 503"),
    ("401", fails(401, code="invalid_api_key"), CallOutcome.REJECTED, "status 401, invalid_api_key"),
    ("404", fails(404, code=f"no model for {KEY}"), CallOutcome.REJECTED, "status 404"),
    ("a refusal", says(None, refusal="I will not."), CallOutcome.REFUSED, "declined"),
    ("a filter", says("", finish="content_filter"), CallOutcome.REFUSED, "declined"),
    ("cut short", says('{"name": "La', finish="length"), CallOutcome.CUT_SHORT, "longer"),
    ("HTML", Reply(body=b"<h1>Gateway</h1>", etag=False), CallOutcome.SERVER_ERROR, "interface"),
    ("other JSON", Reply(body=b'{"choices": []}', headers={"content-type": "application/json"}),
     CallOutcome.SERVER_ERROR, "interface"),
    ("broken JSON", Reply(body=b'{"choices": [', headers={"content-type": "application/json"}),
     CallOutcome.SERVER_ERROR, "interface"),
    ("odd types", Reply(body=b'{"choices": [{"message": {"content": [1]}}], "usage": {"prompt_tokens": "x"}}',
                        headers={"content-type": "application/json"}), CallOutcome.OK, ""),
    ("a list", Reply(body=b"[]", headers={"content-type": "application/json"}), CallOutcome.SERVER_ERROR, "interface"),
    ("a hang-up", Reply(raw=b""), CallOutcome.UNREACHABLE, "no connection"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "outcome", "words"), [case[1:] for case in TROUBLE], ids=[c[0] for c in TROUBLE])
def test_trouble_is_a_reply_that_never_names_the_key(ask, answer, outcome, words):
    reply, model = ask(answer)
    assert (reply.outcome, words in reply.reason) == (outcome, True), reply
    assert KEY not in repr(reply)
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    "answer",
    [Reply(delay_seconds=30.0, body=b"{}"), replace(told(), pieces=500, drip_seconds=0.1)],
    ids=["nothing", "a byte now and then"],
)
def test_an_answer_that_does_not_come_whole_in_time_is_a_timeout(ask, answer):
    reply, _ = ask(answer, timeout_seconds=0.8)
    assert (reply.outcome, reply.reason) == (CallOutcome.TIMEOUT, "no answer within 0.8 s")


def test_an_endpoint_that_is_not_there_is_unreachable(monkeypatch):
    with LocalModel(told()) as gone:
        environment = gone.environment
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert OpenAiModel("small-1").ask(PROMPT).outcome is CallOutcome.UNREACHABLE


def test_without_a_key_no_request_is_made_and_the_reply_says_what_to_set(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    reply = OpenAiModel("small-1").ask(PROMPT)
    assert (reply.outcome, "OPENAI_API_KEY" in reply.reason) == (CallOutcome.REJECTED, True)


def test_a_model_that_is_not_asked_loads_no_library():
    code = (
        "import sys; from arborist_pipeline.adapters.models.openai import OpenAiModel; OpenAiModel('m');"
        "print('openai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
