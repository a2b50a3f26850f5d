"""A model's answer, held against the text that it was shown.

The shape is strict: an unknown key or a value of another type voids the whole answer. A value counts only where the
quoted text has it: words in their order, codes as they stand, amounts as numbers of the page's own locale. What the
page does not bear out is dropped and named.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from arborist_pipeline.core.products.availability import parse_stock_words
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.model_question import STOCK_NAMES, quoted_lines
from arborist_pipeline.core.products.prices import Locale, Money, parse_currency, parse_money
from arborist_pipeline.core.products.product import Variant
from arborist_pipeline.core.products.text import fold_text
from arborist_pipeline.core.products.tier import Draft, Found
from arborist_pipeline.core.prompt import CallOutcome, Reply, parse_json_reply

TIER = "llm"
ASKED = ("name", "price", "currency", "availability", "brand", "sku", "variants")
MAX_VARIANTS = 200
MAX_OPTION = 60
_TEXTS = ("name", "price", "currency", "brand", "sku")
_LONGEST = {"name": 300, "price": 40, "currency": 12, "brand": 60, "sku": 60}
_NUMBER = re.compile(r"\d[\d \u00a0\u202f.,'\u2019]{0,20}\d|\d")
_WORD_LIMITS = (r"(?<!\w)", r"(?!\w)")
_CODE_LIMITS = (r"(?<!\w)(?<!\w[-_/])(?<!\d\.)", r"(?!\w)(?![-_/]\w)(?!\.\d)")  # "100" is no code where KX-100 stands
_AROUND = 16  # characters beside a number that may hold its currency


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an answer is worth: how it ended, the draft of what the page bears out, and the fields that it does not."""

    outcome: CallOutcome
    reason: str = ""
    draft: Draft | None = None
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Quoted:
    """The text that a model was shown, in the forms that its words are looked for in."""

    lines: tuple[str, ...]
    locale: Locale
    prices: tuple[Money, ...] = ()
    folded: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "folded", fold_quote("\n".join(self.lines)))

    def has(self, words: str, *, is_code: bool = False) -> bool:
        """Whether these words stand there in this order, at the limits of words; a code, as no part of a longer one."""
        wanted = fold_quote(words)
        before, after = _CODE_LIMITS if is_code else _WORD_LIMITS
        return bool(wanted) and re.search(before + re.escape(wanted) + after, self.folded) is not None

    def amounts(self) -> list[Money]:
        """Return what every number of the text would be, read as a price, and the prices made of several elements."""
        found = list(self.prices)
        for line in self.lines:
            for number in _NUMBER.finditer(line):
                money = parse_money(line[max(0, number.start() - _AROUND) : number.end() + _AROUND], self.locale)
                own = parse_money(number[0], self.locale)
                found += [each for each in (money, own) if each is not None]
        return found


def fold_quote(text: str) -> str:
    """Return a text without differences that a copyist may make: compatibility forms, case, white space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def read_answer(reply: Reply, evidence: Evidence) -> Answer:
    """Read what came of the question about a page; total."""
    if reply.outcome is not CallOutcome.OK:
        return Answer(outcome=reply.outcome, reason=reply.reason)
    said = parse_json_reply(reply)
    if said is None:
        return Answer(outcome=CallOutcome.NO_JSON, reason="the answer is not one JSON object")
    fault = _fault(said)
    if fault:
        return Answer(outcome=CallOutcome.WRONG_SHAPE, reason=fault)
    if said["is_product_page"] is False:
        return Answer(outcome=CallOutcome.NO_PRODUCT, reason="the model takes the page for no product page")
    return _believe(said, evidence)


def _fault(said: Mapping[str, Any]) -> str:
    """Return what is wrong with the shape of an answer, "" for nothing; a key that is not there stands for null."""
    unknown = sorted(set(said) - {"is_product_page", *ASKED})
    if unknown:
        return f"a key that was not asked for: {unknown[0][:40]!r}"
    if not isinstance(said.get("is_product_page"), bool):
        return "is_product_page is neither true nor false"
    wrong = next((name for name in _TEXTS if not isinstance(said.get(name), str | None)), None)
    if wrong is not None:
        return f"{wrong} is neither a string nor null"
    stock = said.get("availability")
    if stock is not None and not (
        isinstance(stock, dict) and set(stock) == {"words", "means"} and isinstance(stock["words"], str)
        and stock["means"] in STOCK_NAMES
    ):  # fmt: skip
        return "availability is not of the shape that was asked for"
    variants = said.get("variants")
    if variants is not None and not (isinstance(variants, list) and all(map(_is_choice, variants))):
        return "variants is no list of objects from names to values"
    return ""


def _is_choice(value: object) -> bool:
    return isinstance(value, dict) and bool(value) and all(isinstance(each, str) for each in value.values())


def _believe(said: Mapping[str, Any], evidence: Evidence) -> Answer:
    """Keep what the quoted text bears out."""
    prices = tuple(each.money for each in evidence.view.own)
    quoted = _Quoted(quoted_lines(evidence), evidence.scan.locale, prices)
    borne_out: dict[str, Any] = {}
    dropped: list[str] = []
    for name, check in _CHECKS.items():
        value = said.get(name)
        if value in (None, "", []):
            continue
        found = check(value, quoted)
        if found is None:
            dropped.append(name)
        else:
            borne_out[name] = found
    if not borne_out:
        reason = f"not on the page: {', '.join(dropped)}" if dropped else "the answer tells nothing"
        return Answer(outcome=CallOutcome.NOT_ON_PAGE, reason=reason, dropped=tuple(dropped))
    reason = f"not on the page, and dropped: {', '.join(dropped)}" if dropped else ""
    return Answer(outcome=CallOutcome.OK, reason=reason, draft=Draft(tier=TIER, **borne_out), dropped=tuple(dropped))


def _text(name: str) -> Callable[[str, _Quoted], Found[str] | None]:
    def check(value: str, quoted: _Quoted) -> Found[str] | None:
        text = fold_text(value)
        is_there = 0 < len(text) <= _LONGEST[name] and quoted.has(text, is_code=name == "sku")
        return Found(text, "quoted text", text) if is_there else None

    return check


def _price(value: str, quoted: _Quoted) -> Found[Any] | None:
    money = parse_money(value, quoted.locale) if len(value) <= _LONGEST["price"] else None
    if money is None or not money.amount or all(each.amount != money.amount for each in quoted.amounts()):
        return None
    return Found(money.amount, "quoted text", fold_text(value))


def _currency(value: str, quoted: _Quoted) -> Found[str] | None:
    code = parse_currency(value, quoted.locale)
    if code is None or not (any(each.currency == code for each in quoted.amounts()) or quoted.has(code)):
        return None
    return Found(code, "quoted text", fold_text(value))


def _stock(value: Mapping[str, str], quoted: _Quoted) -> Found[str] | None:
    words = fold_text(value["words"])
    if not 0 < len(words) <= 80 or not quoted.has(words):
        return None
    if parse_stock_words(words) not in (None, value["means"]):  # words that plainly say something else
        return None
    return Found(value["means"], "quoted text", words)


def _variants(value: Sequence[Mapping[str, str]], quoted: _Quoted) -> Found[tuple[Variant, ...]] | None:
    choices = [{fold_text(name): fold_text(each) for name, each in choice.items()} for choice in value[:MAX_VARIANTS]]
    words = {each for choice in choices for item in choice.items() for each in item}
    if not all(len(each) <= MAX_OPTION and quoted.has(each) for each in words):
        return None
    variants = tuple(Variant(title=" / ".join(choice.values()), options=choice) for choice in choices)
    return Found(variants, "quoted text", f"{len(variants)} choices")


_CHECKS: Mapping[str, Callable[[Any, _Quoted], Found[Any] | None]] = {
    "name": _text("name"), "price": _price, "currency": _currency, "availability": _stock, "brand": _text("brand"),
    "sku": _text("sku"), "variants": _variants,
}  # fmt: skip
