"""Prices that are bounds: "from £5", "ab 5 €", "5円から", "$5 - $9". Says what words around an amount make of it."""

# ruff: noqa: RUF001 - the words and dashes of many scripts are what this module holds

import re
from dataclasses import dataclass
from decimal import Decimal

from arborist_pipeline.core.products.prices import Locale, find_amounts, parse_amount

MAX_WORDS = 40
_ONLY = r"(?:only|just|nur|schon|seulement|solo|soli|sólo|só|tylko|jen|len|bara|kun|slechts|vain|sadece|всего)"
_FROM = re.compile(  # at the end of what stands before the amount and its sign
    r"(?:(?<!\w)(?:from|fr\.|frm|as low as|start(?:s|ing)?(?: price)?(?: at| from|:)?|at least|(?:schon )?ab|bereits ab"
    r"|à partir de|a partir de|à p(?:artir)? ?(?:de|d')|dès|a partire da|partire da|da|desde|vanaf|v\.a\.|od|już od"
    r"|från|fra|alkaen|alk\.|от|від|започва от|de la|începând (?:de la|cu)|dela|από|mulai(?: dari)?|dari"
    r"|chỉ từ|giá từ|từ|iš|nuo|alates|no|החל מ-?|مِ?ن|ابتداء(?:ً)? من|เริ่มต้น(?:ที่)?)|最低|低至)"
    rf"\s?[:：]?\s?(?:{_ONLY}\s?)?$"
)
_UP = re.compile(  # at the beginning of what follows the amount and its sign
    r"\s?(?:[+~〜～](?=\s*$)|から|より|부터|起|-?t[óő]l(?!\w)|(?:&|and|or|und|oder) (?:up|more|mehr|höher)(?!\w)"
    r"|alkaen(?!\w)|['’]?[dt][ae]n (?:başlayan|itibaren)|oppover|uppåt)"
)
_SHY = re.compile(r"[\s(\[>«–-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The lowest amount that a text names, and the highest where it names one: `low` < `high`."""

    low: Decimal
    high: Decimal | None = None


def parse_bounds(text: str, locale: Locale, *, before: str = "", decimal_mark: str = "") -> Bounds | None:
    """Return the bounds that a price text states; None where it states one price, or none; total.

    `before` is the text that stands before it in an element of its own: "From" before "£5". `decimal_mark` is that
    of the page, as for `parse_money`.
    """
    found = find_amounts(text, locale)
    if found is None:
        return None
    low = parse_amount(found.low, found.currency, decimal_mark)
    high = parse_amount(found.high, found.currency, decimal_mark) if found.high else None
    if low is None:
        return None
    if high is not None and low < high:
        return Bounds(low=low, high=high)
    said = _SHY.sub(" ", f" {before[-MAX_WORDS:]} {text[: found.start]}").rstrip().lower()
    is_from = _FROM.search(said) or _UP.match(text[found.end :].lower())
    return Bounds(low=low) if is_from else None
