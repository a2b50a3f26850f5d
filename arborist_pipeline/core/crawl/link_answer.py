"""A model's answer to the question which links lead to product pages: a choice among them, or of no use at all.

One number that was not shown shows that the others were not read off the links either, so that it voids the whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from arborist_pipeline.core.crawl.link_question import Candidate
from arborist_pipeline.core.prompt import CallOutcome, Reply, parse_json_reply


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkAnswer:
    """What an answer is worth.

    `products` are the places of the links that lead to product pages, ascending, each once: some of them with OK, none
    with NO_PRODUCT. With any other outcome nothing is known of any link, and `reason` says why.
    """

    outcome: CallOutcome
    products: tuple[int, ...] = ()
    reason: str = ""


def read_link_answer(reply: Reply, candidates: Sequence[Candidate]) -> LinkAnswer:
    """Read what came of the question about these links; total."""
    if reply.outcome is not CallOutcome.OK:
        return LinkAnswer(outcome=reply.outcome, reason=reply.reason)
    said = parse_json_reply(reply)
    if said is None:
        return LinkAnswer(outcome=CallOutcome.NO_JSON, reason="the answer is not one JSON object")
    named = said.get("product")
    if set(said) != {"product"} or not isinstance(named, list) or not all(type(each) is int for each in named):
        return LinkAnswer(
            outcome=CallOutcome.WRONG_SHAPE, reason="the answer is not a list of numbers under product alone"
        )
    products = tuple(sorted(set(named)))
    if not products:
        return LinkAnswer(outcome=CallOutcome.NO_PRODUCT, reason="the model takes none of the links for a product's")
    if products[0] < 0 or products[-1] >= len(candidates):
        return LinkAnswer(outcome=CallOutcome.NOT_SHOWN, reason="the answer names links that it was not shown")
    if len(products) == len(candidates):
        return LinkAnswer(outcome=CallOutcome.UNDECIDED, reason="the answer names every link, and tells none apart")
    return LinkAnswer(outcome=CallOutcome.OK, products=products)
