"""A server of OpenAI's chat interface on loopback that answers as a test says, wrongly too.

with LocalModel(told(name="Lamp")) as model:
    ...
assert model.questions[0]["model"] == "small-1"
"""

import json
import random

from arborist_pipeline_tests.support.site_server import LocalSite, Reply

KEY = "sk-proof-of-secrecy-0123456789"
PATH = "/v1/chat/completions"


def told(*, is_product_page=True, usage=True, **fields):
    """An answer of the shape that is asked for; `stock` is a pair of words and meaning."""
    answer = {"is_product_page": is_product_page, "name": None, "price": None, "currency": None, "availability": None,
              "brand": None, "sku": None, "variants": []}  # fmt: skip
    stock = fields.pop("stock", None)
    if stock is not None:
        fields["availability"] = {"words": stock[0], "means": stock[1]}
    return says(json.dumps(answer | fields), usage=usage)


def names(*numbers, **fields):
    """An answer that names these links, and says more where it is given more."""
    return says(json.dumps({"product": list(numbers)} | fields))


def tells_links(is_product, *, right=0.95, seed=0):
    """Answers any question about links by what is true of their addresses; it is wrong about a few of them, seeded."""

    def answer(question):
        links = shown_links(question)
        chance = random.Random(seed)
        wrong = set(chance.sample(range(len(links)), round((1 - right) * len(links))))
        return names(*(number for number, (url, _) in enumerate(links) if is_product(url) is not (number in wrong)))

    return answer


def obeys_links(question):
    """Does what the links say, where one gives the order to name all; else it names the first."""
    links = shown_links(question)
    return names(*range(len(links) if any("name all" in anchor for _, anchor in links) else 1))


def shown_links(question):
    """Address and text of each link of a question, in order."""
    lines = question["messages"][-1]["content"].split("\n")
    return [tuple(json.loads(line.partition(" ")[2])) for line in lines[1:-1]]


def says(content, *, usage=True, finish="stop", refusal=None):
    """An answer with this text."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small-1",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}]}  # fmt: skip
    if usage:
        body["usage"] = {"prompt_tokens": 700, "completion_tokens": 60, "total_tokens": 760, "cost": 0.0021}
    return Reply(body=json.dumps(body).encode(), headers={"content-type": "application/json"}, etag=False)


def fails(status, message="no", code=None):
    """An error of the interface; like some servers it repeats the key that it was sent."""
    error = {"error": {"message": f"{message} (key {KEY})", "type": "invalid_request_error", "code": code}}
    return Reply(status=status, body=json.dumps(error).encode(), headers={"content-type": "application/json"})


class LocalModel(LocalSite):
    """Gives these answers in turn, the last one for ever; an answer may be a function of the question."""

    def __init__(self, *answers):
        super().__init__({PATH: self._answer})
        self._answers = list(answers)

    def _answer(self, request):
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return answer(json.loads(request.body)) if callable(answer) else answer

    @property
    def questions(self):
        """The bodies of all requests, oldest first."""
        return [json.loads(request.body) for request in self.requests]

    @property
    def environment(self):
        """What a process needs to ask here."""
        return {"OPENAI_BASE_URL": self.url("/v1"), "OPENAI_API_KEY": KEY, "ARBORIST_LLM_MODEL": "small-1"}
