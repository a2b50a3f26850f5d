"""What one answer teaches about a template: where its pages show which fact. No model is asked about them again.

A place is found again by the path of its element and the words around the value; where several are alike, by the label
before it, or by its number among as many. What a place shows is checked like any evidence, and a fact that the answer
did not have is one that the template lacks.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from arborist_pipeline.core.products.availability import parse_stock_words
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.model_answer import MAX_OPTION, MAX_VARIANTS, TIER, fold_quote
from arborist_pipeline.core.products.model_question import element_path, subject_places
from arborist_pipeline.core.products.prices import has_currency, parse_money, split_prices
from arborist_pipeline.core.products.product import Variant
from arborist_pipeline.core.products.tier import Draft, Found

_MAX_LABEL = 40
_CODE_LENGTH = 3  # of a currency; the other meanings are names of stock
_LONGEST = {"name": 300, "brand": 60, "sku": 60, "availability": 80, "price": 80}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a template shows a value. `label` is the text before it where that tells it from its likes.

    Where nothing else does, it is the `nth`, from 0, of `out_of`: a page with another number of likes shows nothing.
    """

    path: str
    before: str = ""
    after: str = ""
    label: str = ""
    nth: int = 0
    out_of: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What is known of a template: the places of its facts, what some words mean there, the name of its one option."""

    is_product_page: bool
    places: Mapping[str, Place] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    option: str = ""


@dataclass(frozen=True, slots=True)
class _Text:
    """A visible text of the page's subject: what it says, the path of its element, and the text before it."""

    text: str
    path: str
    label: str


def build_lesson(draft: Draft, evidence: Evidence) -> Lesson:
    """Build the lesson of what an answer got right about a page."""
    texts = _texts(evidence)
    places: dict[str, Place] = {}
    meanings: dict[str, str] = {}
    values = {name: found.raw for name in _LONGEST if (found := getattr(draft, name)) is not None}
    for name, value in values.items():
        holders = _holders(texts, value) or (_holders_of_amount(texts, draft, evidence) if name == "price" else [])
        place = _place(texts, holders, frozenset(values.values()))
        if place is not None:
            places[name] = place
    for said in (draft.availability, draft.currency):
        if said is not None:
            meanings[fold_quote(said.raw)] = said.value
    option, place = _option(draft, texts)
    if place is not None:
        places["variants"] = place
    return Lesson(is_product_page=True, places=places, meanings=meanings, option=option)


def apply_lesson(lesson: Lesson, evidence: Evidence) -> Draft | None:
    """Return what a page of the template shows in the places of a lesson; None where it shows nothing there."""
    texts = _texts(evidence)
    found: dict[str, Any] = {}
    for name, place in lesson.places.items():
        value = _variants(place, lesson.option, texts) if name == "variants" else _read(name, place, lesson, texts)
        if value is not None:
            found[name] = value
    if "price" in lesson.places:
        found |= _money(lesson.places["price"], lesson, texts, evidence)
    return Draft(tier=TIER, **found) if found else None


def lesson_to_json(lesson: Lesson) -> dict[str, Any]:
    """Return a lesson as plain data."""
    return asdict(lesson)


def parse_lesson(data: Mapping[str, Any]) -> Lesson | None:
    """Read a lesson back; None for what is none."""
    try:
        places = {str(name): Place(**place) for name, place in data["places"].items()}
        meanings = {str(words): str(value) for words, value in data["meanings"].items()}
        return Lesson(is_product_page=data["is_product_page"] is True, places=places, meanings=meanings,
                      option=str(data["option"]))  # fmt: skip
    except (KeyError, TypeError, AttributeError):
        return None


# -- finding places


def _texts(evidence: Evidence) -> list[_Text]:
    """Return the texts of the subject, then the prices in sight whose parts stand in elements of their own."""
    scan = evidence.scan
    texts = [
        _Text(scan.texts[at], element_path(scan.owners[at]), _label(scan.texts[at - 1] if at else ""))
        for at in subject_places(evidence)
    ]
    known = {(each.path, each.text) for each in texts}
    prices = [_Text(each.text, element_path(each.element), "") for each in evidence.view.own]
    return texts + [each for each in dict.fromkeys(prices) if (each.path, each.text) not in known]


def _label(text: str) -> str:
    return text if len(text) <= _MAX_LABEL else ""


_Holder = tuple[_Text, str, str]
"""A text that has a value, and what it has before and after it."""


def _holders(texts: list[_Text], value: str) -> list[_Holder]:
    """Return the texts that have a value, at the limits of words, or are the same but for what a copyist changes."""
    whole = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    found = [(each, match) for each in texts if (match := whole.search(each.text)) is not None]
    if found:
        return [(each, each.text[: match.start()], each.text[match.end() :]) for each, match in found]
    return [(each, "", "") for each in texts if fold_quote(value) == fold_quote(each.text)]


def _holders_of_amount(texts: list[_Text], draft: Draft, evidence: Evidence) -> list[_Holder]:
    """Return the texts that are one price, of the amount that was told, however it is written."""
    if draft.price is None:
        return []
    short = (each for each in texts if len(each.text) <= _LONGEST["price"] and len(split_prices(each.text)) == 1)
    read = ((each, parse_money(each.text, evidence.scan.locale)) for each in short)
    return [(each, "", "") for each, money in read if money is not None and money.amount == draft.price.value]


def _place(texts: list[_Text], holders: list[_Holder], values: frozenset[str]) -> Place | None:
    """Return the place of a value: the shortest text that has it. None where it spans several.

    A text that is a value itself, or that has a digit, is no label: another page has another there.
    """
    if not holders:
        return None
    best, before, after = min(holders, key=lambda holder: len(holder[0].text))
    place = Place(path=best.path, before=before, after=after)
    alike = list(_matches(place, texts))
    if len(alike) == 1:
        return place
    is_label = bool(best.label) and best.label not in values and not any(map(str.isdigit, best.label))
    if is_label and sum(each.label == best.label for each in alike) == 1:
        return Place(path=best.path, before=before, after=after, label=best.label)
    return Place(path=best.path, before=before, after=after, nth=alike.index(best), out_of=len(alike))


def _matches(place: Place, texts: list[_Text]) -> Iterator[_Text]:
    return (each for each in texts if each.path == place.path and _between(place, each.text))


def _between(place: Place, text: str) -> str:
    """Return what a text has between the words around a value, "" where it does not have these around anything."""
    if not text.startswith(place.before) or not text.endswith(place.after):
        return ""
    return text[len(place.before) : len(text) - len(place.after)].strip()


def _shown(place: Place, texts: list[_Text]) -> str:
    """Return what stands in a place, "" where the page has nothing there."""
    alike = [each for each in _matches(place, texts) if not place.label or each.label == place.label]
    is_there = len(alike) == place.out_of if place.out_of else len(alike) > 0
    return _between(place, alike[place.nth].text) if is_there else ""


# -- reading what stands there


def _read(name: str, place: Place, lesson: Lesson, texts: list[_Text]) -> Found[str] | None:
    if name == "price":
        return None
    text = _shown(place, texts)
    value: str | None = text
    if name == "availability":
        value = lesson.meanings.get(fold_quote(text)) or parse_stock_words(text)
    if not text or not value or len(text) > _LONGEST[name]:
        return None
    return Found(value, place.path, text)


def _money(place: Place, lesson: Lesson, texts: list[_Text], evidence: Evidence) -> dict[str, Found[Any]]:
    """Return price and currency; where the words around the price are others, of the only price in such an element."""
    shown = _shown(place, texts)
    alike = [each.text for each in texts if each.path == place.path]
    if not shown:
        priced = [text for text in alike if has_currency(text)]
        shown = priced[0] if len(priced) == 1 and len(split_prices(priced[0])) == 1 else ""
    money = parse_money(shown, evidence.scan.locale) if 0 < len(shown) <= _LONGEST["price"] else None
    if money is None or not money.amount:
        return {}
    here = fold_quote("\n".join(each.text for each in texts))
    in_sight = {each.money.currency for each in evidence.view.own}
    codes = ((words, code) for words, code in lesson.meanings.items() if len(code) == _CODE_LENGTH)
    said = (code for words, code in codes if code in in_sight or f" {words} " in f" {here} ")
    code = money.currency or next(said, None)
    found: dict[str, Found[Any]] = {"price": Found(money.amount, place.path, shown)}
    return found | ({"currency": Found(code, place.path, shown)} if code else {})


def _option(draft: Draft, texts: list[_Text]) -> tuple[str, Place | None]:
    """Return the name and the place of the values of the only option, where all of them stand in elements alike."""
    names = {name for variant in (draft.variants.value if draft.variants else ()) for name in variant.options}
    if draft.variants is None or len(names) != 1:
        return "", None
    name = names.pop()
    values = [fold_quote(variant.options.get(name, "")) for variant in draft.variants.value]
    paths = [{each.path for each in texts if fold_quote(each.text) == value} for value in values]
    shared = set.intersection(*paths) if paths else set()
    return (name, Place(path=min(shared))) if shared else ("", None)


def _variants(place: Place, option: str, texts: list[_Text]) -> Found[tuple[Variant, ...]] | None:
    values = dict.fromkeys(each.text for each in texts if each.path == place.path and len(each.text) <= MAX_OPTION)
    variants = tuple(Variant(title=value, options={option: value}) for value in list(values)[:MAX_VARIANTS])
    return Found(variants, place.path, f"{len(variants)} choices") if len(variants) > 1 and option else None
