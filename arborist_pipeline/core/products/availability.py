"""Availability and condition by their schema.org names (ItemAvailability, OfferItemCondition), from links or words."""

import re
from collections.abc import Iterator, Sequence

from arborist_pipeline.core.products import lexicon

_LETTERS = re.compile(r"[^a-z0-9]")
_AVAILABILITY = {
    "instock": "InStock", "outofstock": "OutOfStock", "soldout": "SoldOut", "preorder": "PreOrder",
    "backorder": "BackOrder", "discontinued": "Discontinued", "limitedavailability": "LimitedAvailability",
    "onlineonly": "OnlineOnly", "instoreonly": "InStoreOnly", "presale": "PreSale", "madetoorder": "MadeToOrder",
    "reserved": "Reserved", "available": "InStock", "unavailable": "OutOfStock", "oos": "OutOfStock",
    "notavailable": "OutOfStock", "availablefororder": "BackOrder", "yes": "InStock", "no": "OutOfStock",
    "pending": "BackOrder", "true": "InStock", "false": "OutOfStock", "available_now": "InStock", "1": "InStock",
}  # fmt: skip
_CONDITION = {
    "new": "NewCondition", "newcondition": "NewCondition", "used": "UsedCondition", "usedcondition": "UsedCondition",
    "refurbished": "RefurbishedCondition", "refurbishedcondition": "RefurbishedCondition",
    "damaged": "DamagedCondition", "damagedcondition": "DamagedCondition",
}  # fmt: skip
_BY_WORDS = (
    (lexicon.BACK_ORDER, "BackOrder"),
    (lexicon.PRE_ORDER, "PreOrder"),
    (lexicon.SOLD_OUT, "OutOfStock"),
    (lexicon.IN_STOCK, "InStock"),
)


def parse_availability(value: object) -> str | None:
    """Return the schema.org name for a link, a name in any spelling, or a few words; None where it says neither."""
    if isinstance(value, bool):
        return "InStock" if value else "OutOfStock"
    if not isinstance(value, str):
        return None
    text = value.strip()[:200]
    name = _LETTERS.sub("", text.rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1].rsplit(":", 1)[-1].lower())
    return _AVAILABILITY.get(name) or parse_stock_words(text)


def parse_stock_words(text: str) -> str | None:
    """Return what a short text says of stock, in the languages of the lexicon; None where it says nothing."""
    lowered = text.lower().replace("\u2019", "'")
    return next((name for pattern, name in _BY_WORDS if pattern.search(lowered)), None)


def find_stock_words(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the places of the texts that say something of stock, with what `parse_stock_words` returns for them.

    The phrases that occur nowhere in the texts are sorted out once for all of them.
    """
    joined = "\n".join(texts).lower().replace("\u2019", "'")
    needles = [needle for phrases, _ in _BY_WORDS for needle in phrases.needles_in(joined)]
    for place, text in enumerate(texts if needles else ()):
        lowered = text.lower().replace("\u2019", "'")
        if any(needle in lowered for needle in needles) and (value := parse_stock_words(text)) is not None:
            yield place, value


def parse_condition(value: object) -> str | None:
    """Return the schema.org name of a condition; None where it is not one of the four."""
    if not isinstance(value, str):
        return None
    return _CONDITION.get(_LETTERS.sub("", value.strip().rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1].lower()))
