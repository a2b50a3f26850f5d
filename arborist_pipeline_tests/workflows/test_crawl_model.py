"""A crawl that asks a model which links lead to products: once, where none is in sight, for better or for nothing."""

import json

import pytest

from arborist_pipeline.core.prompt import CallOutcome, Reply
from arborist_pipeline_tests.support.paged_site import page, run

NAMES = ["ada", "bea", "cis", "dot", "eva", "fay", "gil", "hal"]
TOYS = [f"/toy/{name}" for name in NAMES]
MEN = [f"/who/{name}" for name in NAMES]
SITE = {"/": page(*MEN, *TOYS)} | {path: page() for path in [*MEN, *TOYS]}


class Model:
    """Says of each shown link what `names` says of its line, and counts its questions."""

    name = "told"

    def __init__(self, names, outcome=CallOutcome.OK):
        self.names, self.outcome, self.asked = names, outcome, 0

    def ask(self, prompt):
        self.asked += 1
        lines = [line.split(" ", 1) for line in prompt.user.splitlines() if line[:1].isdigit()]
        return Reply(outcome=self.outcome, text=json.dumps({"product": self.names(lines)}), reason="said so")


def toys(lines):
    return [int(number) for number, line in lines if "/toy/" in line]


def order_with(desk, table, model, warnings=None):
    fetcher = table(SITE)
    summary = run(desk.crawl(fetcher, model=model, warn=(warnings if warnings is not None else []).append))
    return [path for path in fetcher.paths if path != "/robots.txt"], summary


def test_what_a_model_takes_for_products_comes_next_and_says_so(desk, table):
    model = Model(toys)
    order, summary = order_with(desk, table, model)
    assert (model.asked, summary.llm_calls) == (1, 1)
    told = [one for one in desk.pages if one.priority.tier == "llm"]
    assert told
    assert all("/toy/" in one.url for one in told)
    assert order.index(told[0].url.removeprefix("https://shop.example")) == told[0].order - 1 == 4


def test_what_it_said_is_kept_with_the_page_after_which_it_was_asked(desk, table):
    order_with(desk, table, Model(toys))
    kept = [json.loads(lesson) for (lesson,) in desk.rows("SELECT lesson FROM pages WHERE lesson LIKE '%told%'")]
    assert len(kept) == 1
    assert {url.rsplit("/", 2)[1]: is_product for _, url, _, is_product in kept[0]["told"]} == {
        "who": False,
        "toy": True,
    }


@pytest.mark.parametrize(
    "model",
    [
        Model(lambda _: [999]), Model(lambda lines: list(range(len(lines)))), Model(lambda _: "all"),
        Model(toys, CallOutcome.TIMEOUT), Model(toys, CallOutcome.REFUSED), Model(lambda _: {"not": "asked"}),
    ],
)  # fmt: skip
def test_an_answer_of_no_use_is_one_warning_and_changes_nothing(desk, table, model):
    warnings = []
    order, summary = order_with(desk, table, model, warnings)
    assert (len(warnings), summary.llm_calls) == (1, 1)
    assert not [one for one in desk.pages if one.priority.tier == "llm"]
    assert sorted(order) == sorted(SITE)


def test_without_a_model_the_order_is_that_of_an_answer_of_no_use(desk, table):
    order, summary = order_with(desk, table, None)
    assert summary.llm_calls == 0
    assert [one.url.removeprefix("https://shop.example") for one in desk.pages] == order


def test_a_crawl_that_does_not_learn_asks_nobody(desk, table):
    model = Model(toys)
    run(desk.crawl(table(SITE), model=model, learns=False))
    assert model.asked == 0
