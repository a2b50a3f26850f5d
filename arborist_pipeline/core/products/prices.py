"""Price text to an amount and an ISO 4217 currency.

The number is read by price-parser; this module decides which number of a text is the price, which separator is the
decimal one where the text leaves it open, and which currency a sign stands for at this place of the world.
"""

# ruff: noqa: RUF001 - currency signs of many scripts are what this module holds

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from price_parser import Price

from arborist_pipeline.core.products import lexicon

MAX_PRICE_CHARACTERS = 160
MAX_FREE = 16
_MAX_AMOUNT = Decimal(10) ** 12
_THREE_DECIMALS = frozenset("BHD IQD JOD KWD LYD OMR TND".split())
_COMMA_LANGUAGES = frozenset(
    "az be bg bs ca cs da de el es et eu fi fr gl hr hu hy id is it ka kk lt lv mk nb nl nn no pl pt ro ru sk sl sq sr "
    "sv tr uk vi".split()
)
_DOT_REGIONS = frozenset("MX GT HN NI PA PE PR SV DO US".split())  # Spanish is spoken there, points divide decimals
_CODES = (
    "AED ALL AMD ARS AUD AZN BAM BDT BGN BHD BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DOP DZD EGP EUR GBP GEL GTQ HKD "
    "HRK HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KRW KWD KZT LBP LKR MAD MDL MKD MUR MXN MYR NGN NOK NZD OMR PEN "
    "PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB TND TRY TTD TWD UAH USD UYU UZS VND XAF XOF ZAR"
).split()
_SIGNS = {
    "US$": "USD", "U$S": "USD", "AU$": "AUD", "A$": "AUD", "CA$": "CAD", "CDN$": "CAD", "C$": "CAD", "NZ$": "NZD",
    "HK$": "HKD", "S$": "SGD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "AR$": "ARS", "CL$": "CLP", "RD$": "DOP",
    "€": "EUR", "euro": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "₴": "UAH", "₪": "ILS",
    "₫": "VND", "฿": "THB", "₱": "PHP", "₦": "NGN", "₸": "KZT", "₾": "GEL", "₼": "AZN", "zł": "PLN", "kč": "CZK",
    "lei": "RON", "лв": "BGN", "грн": "UAH", "руб": "RUB", "р.": "RUB", "тг": "KZT", "rp": "IDR",
    "rm": "MYR", "rs": "INR", "rs.": "INR", "원": "KRW", "円": "JPY", "元": "CNY", "fr.": "CHF", "sfr": "CHF",
    "дин": "RSD",    "tl": "TRY", "د.إ": "AED", "ر.س": "SAR",
}  # fmt: skip
_BY_REGION = {
    "$": {"AU": "AUD", "CA": "CAD", "NZ": "NZD", "HK": "HKD", "SG": "SGD", "TW": "TWD", "MX": "MXN", "AR": "ARS",
          "CL": "CLP", "CO": "COP", "UY": "UYU", "JM": "JMD", "TT": "TTD", "*": "USD"},
    "kr": {"SE": "SEK", "NO": "NOK", "DK": "DKK", "IS": "ISK"},
    "kr.": {"SE": "SEK", "NO": "NOK", "DK": "DKK", "IS": "ISK"},
    "¥": {"CN": "CNY", "*": "JPY"},
    "￥": {"CN": "CNY", "*": "JPY"},
    "元": {"TW": "TWD", "CN": "CNY", "*": "CNY"},
    "rs": {"PK": "PKR", "LK": "LKR", "MU": "MUR", "*": "INR"},
    "rs.": {"PK": "PKR", "LK": "LKR", "MU": "MUR", "*": "INR"},
    "r": {"ZA": "ZAR"},
    "ft": {"HU": "HUF"},
    ",-": {"CZ": "CZK", "NO": "NOK", "DK": "DKK", "SE": "SEK", "NL": "EUR", "DE": "EUR", "AT": "EUR"},
}  # fmt: skip
_REGION_OF_LANGUAGE = {
    "sv": "SE", "nb": "NO", "nn": "NO", "no": "NO", "da": "DK", "is": "IS", "zh": "CN", "ja": "JP", "cs": "CZ",
    "de": "DE", "nl": "NL", "hu": "HU",
}  # fmt: skip
_REGION_OF_SUFFIX = {"uk": "GB"}
_CODE_SET = frozenset(_CODES)
_KNOWN = frozenset([*map(str.casefold, _SIGNS), *map(str.casefold, _CODES), *_BY_REGION]) - {",-"}
_SIGN_CHARACTERS = "$€£¥￥₹₽₩₺₴₪₫฿₱₦₸₾₼원円元"
_SIGN = re.compile(f"[{re.escape(_SIGN_CHARACTERS)}]")
_KNOWN_WORDS = frozenset(mark.rstrip(".") for mark in _KNOWN)
_WORD = re.compile(r"[^\W\d_]+")
_GAP = r"[ \u00a0\u202f]"
_NUMBER = re.compile(  # "1 234 567,89", "1.234,50", "229 99" with the cents in an element of their own, "7", ".50"
    rf"\d{{1,3}}(?:{_GAP}\d{{3}})+(?:{_GAP}?[.,]{_GAP}?\d{{1,4}}|{_GAP}\d\d)?(?!\d)"
    rf"|\d{{1,9}}(?:[.,'’]\d{{3}}){{0,4}}{_GAP}\d\d(?![\d.,])(?!{_GAP}?\d)"
    rf"|\d[\d.,'’]{{0,20}}\d|\d|(?<!\w)[.,]\d{{1,4}}"
)
_APART = re.compile(rf"(.*\d){_GAP}(\d\d)")
_BEFORE = re.compile(
    rf"(?:([^\W\d_]{{0,3}}[{re.escape(_SIGN_CHARACTERS)}]S?)|(?<![^\W\d])([^\W\d_]{{1,4}}\.?))[\s:]{{0,4}}$"
)
_AFTER = re.compile(
    rf"(?:[.,][-—–]+)?[\s*]{{0,4}}(?:([^\W\d_]{{0,3}}[{re.escape(_SIGN_CHARACTERS)}])|([^\W\d_]{{1,4}}\.?)(?![^\W\d_]))"
)
_DOLLAR_CODE = re.compile(rf"(?<![^\W\d_])(?:{'|'.join(code for code in _CODES if code[-1] == 'D')})(?![^\W\d_])")
_DASH = re.compile(r",-")
_PERCENT = re.compile(r"[\d.,]*\s?%")
_SIGN_INSIDE = re.compile(r"\d+\s?€\s?\d{2}(?!\d)")
_RANGE = re.compile(  # "- ", "to US $": what stands between the ends of a range
    rf"\W{{0,4}}(?:[-\u2013\u2014~]|\b(?:to|through|bis|à|a|až|do|till|til|tot|hasta|até|fino a|jusqu'à|до|până la)\b)"
    rf"\s*(?:[A-Z]{{1,3}}|[Kk]r\.?|[Rr]s\.?)?\s?"
    rf"[{re.escape(_SIGN_CHARACTERS)}]?\s*"
)
_NOTHING_SAID = re.compile(
    r"\W*(?:\b(?:from|between|price|von|ab|zwischen|preis|de|da|entre|tra|od|от)\b\W*)?", re.IGNORECASE
)
_QUALIFIER = re.compile(  # what is said of the amount before it: "/ 100 g", "per month", "(excl. VAT"
    r"\s*\(?(?:/\s?(?:\d+\s?)?[^\W\d]+|(?:per|pro|je|par|al?)\b(?:\s(?:\d+\s?)?[^\W\d]+)?|each\b"
    r"|(?:incl?|inkl|excl?|exkl|exc|ex|plus|zzgl|ohne|bez|senza|sans|tva|netto|brutto)\b\.?(?:\s[^\W\d]+)?)\)?"
)
_UNITS = r"(?:kg|g|gr|mg|ml|cl|dl|l|lt|ltr|m|m²|m2|cm|mm|oz|lbs?)"
_COUNTED = re.compile(
    rf"\s?(?:for\b|für\b|pour\b|voor\b|za\b|[x×]\s?\d|[x×](?!\w)|{_UNITS}(?!\w)|pcs\b|pieces?\b|pairs?\b|packs?\b|stück\b"
    r"|stk\b|paar\b|szt|ks\b|db\b|pièces?\b|pezzi\b|unidades\b|stuks\b|kpl\b|шт|個|개)",
    re.IGNORECASE,
)
_COUNTING = re.compile(r"(?:(?:pack|set|box|case|lot|bundle)s? of|\d\s?[x×]|(?:^|[\s(])[x×])\s?$", re.IGNORECASE)
_OPEN = re.compile(r"(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,])")
_UNMARKED = re.compile(r"[\d\s.:()/+%#*]*")  # neither letters nor signs, nor the dash of "99,-"
_SIMPLE = re.compile(r"\d{1,12}(?:\.\d{1,2})?|\d{1,3}(?:,\d{3})+\.\d{2}", re.ASCII)  # amounts that leave nothing open
_PLAIN = re.compile(r"[+]?\d{1,12}(?:\.\d{1,6})?")
_GROUPED_LIKE = re.compile(r"\d{1,3}[.,]\d{3}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Locale:
    """Language (ISO 639) and region (ISO 3166, "" where unknown) that a page speaks for."""

    language: str = ""
    region: str = ""

    @property
    def has_decimal_comma(self) -> bool:
        """Whether 1.234,50 is how amounts are written there."""
        return self.language in _COMMA_LANGUAGES and not (self.language == "es" and self.region in _DOT_REGIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """An amount, never negative, and its currency (None where the text names none)."""

    amount: Decimal
    currency: str | None = None


UNKNOWN_LOCALE = Locale()


def parse_locale(language_tag: str, host: str) -> Locale:
    """Return the locale of a page from a language tag ("de-AT", "en_GB") and its host; total."""
    parts = re.split(r"[-_]", language_tag.strip()[:35])
    language = parts[0].lower() if parts[0].isalpha() else ""
    region = next((part.upper() for part in parts[1:] if len(part) == 2 and part.isalpha()), "")
    suffix = host.rsplit(".", 1)[-1].lower() if "." in host else ""
    if len(suffix) == 2 and suffix.isalpha() and suffix not in ("eu", "io", "co", "me", "tv", "ai"):
        region = _REGION_OF_SUFFIX.get(suffix, suffix.upper()) if not region or region == "US" else region
    return Locale(language=language, region=region or _REGION_OF_LANGUAGE.get(language, ""))


@lru_cache(maxsize=4096)
def parse_money(text: str, locale: Locale = UNKNOWN_LOCALE, decimal_mark: str = "") -> Money | None:
    """Read the price of a text: the number beside a currency sign, else the first number; None where there is none.

    Total. A percentage is no price, and a number of things or a measure is one only where the text has no other
    ("3 for 10", "12 x 0.5 l"). Of a range the lower end is read. `decimal_mark` is the character that divides
    decimals on the page, where its other prices tell it: it decides what "3.355" is.
    """
    text = " ".join(text[:MAX_PRICE_CHARACTERS].split())
    found = _find_price(text)
    if found is None:
        return None
    low, _, mark = found
    currency = parse_currency(mark, locale)
    amount = parse_amount(_with_sign_inside(text, low) or low[0], currency, decimal_mark)
    return Money(amount=amount, currency=currency) if amount is not None else None


class Amounts(NamedTuple):
    """The number that is the price of a text, the upper end where it is a range, and where both with signs stand."""

    low: str
    high: str
    currency: str | None
    start: int
    end: int


def find_amounts(text: str, locale: Locale = UNKNOWN_LOCALE) -> Amounts | None:
    """Find the number that has a currency mark beside it, else the first that counts nothing; None without any."""
    text = text[:MAX_PRICE_CHARACTERS]
    found = _find_price(text)
    if found is None:
        return None
    low, high, mark = found
    return Amounts(
        low=_with_sign_inside(text, low) or low[0],
        high="" if high is low else _with_sign_inside(text, high) or high[0],
        currency=parse_currency(mark, locale),
        start=_start_of_price(text, low),
        end=_end_of_price(text, high),
    )


def _find_price(text: str) -> tuple[re.Match[str], re.Match[str], str] | None:
    """Return the numbers that are the lower and the upper end of the price, one where it has none, and its mark."""
    marked = [(number, mark) for number, mark in _marked_numbers(text) if not _PERCENT.match(text, number.end())]
    place = next((at for at, (_, mark) in enumerate(marked) if mark), None)
    if place is None:
        place = next((at for at, (number, _) in enumerate(marked) if not _counts(text, number)), 0)
    if place >= len(marked):
        return None
    low, mark = marked[place]
    if place and _is_range(text, marked[place - 1][0], low):
        return marked[place - 1][0], low, mark
    if place + 1 < len(marked) and _is_range(text, low, marked[place + 1][0]):
        return low, marked[place + 1][0], mark
    return low, low, mark


@lru_cache(maxsize=4096)  # asked for when a price is looked for, divided and read; a page shows many several times
def _marked_numbers(text: str) -> tuple[tuple[re.Match[str], str], ...]:
    """Return the numbers of a text, each with the currency mark beside it, "" where none stands."""
    return tuple((number, _mark_at(text, number)) for number in _NUMBER.finditer(text))


def _is_range(text: str, one: re.Match[str], two: re.Match[str]) -> bool:
    """Whether two numbers are the ends of one range of prices: "$10 - $20", "10 - 20 €", "$10 - 20".

    Of an end without a sign nothing else may be said: "Model 12 - 99 €" and "$9 - 24 months" are no ranges.
    """
    if _RANGE.fullmatch(text, _end_of_price(text, one), two.start()) is None:
        return False
    is_first = _mark_at(text, one) or _NOTHING_SAID.fullmatch(text, 0, one.start())
    return bool(is_first and (_mark_at(text, two) or not text[two.end() :].strip(" .)")))


def _counts(text: str, number: re.Match[str]) -> bool:
    """Whether a number counts things or measures them: "3 for", "12 x", "pack of 6", "500 ml"."""
    return bool(
        _COUNTED.match(text, number.end()) or _COUNTING.search(text, max(0, number.start() - 12), number.start())
    )


def is_count(text: str) -> bool:
    """Whether a text without a currency has numbers, and each of them counts things or measures them."""
    numbers = list(_NUMBER.finditer(text[:MAX_PRICE_CHARACTERS]))
    return bool(numbers) and all(_counts(text, number) for number in numbers)


def _start_of_price(text: str, number: re.Match[str]) -> int:
    """Return where the amount or the sign before it begins."""
    before = _BEFORE.search(text, max(0, number.start() - 9), number.start())
    mark = _known(before[1] or before[2]) if before else ""
    return before.end(1 if before[1] else 2) - len(mark) if before and mark else number.start()


def _mark_at(text: str, number: re.Match[str]) -> str:
    """Return the currency mark that stands before or after a number, "" where none does."""
    start, end = number.span()
    for found in (
        _BEFORE.search(text, max(0, start - 9), start) if start else None,
        _AFTER.match(text, end, end + 12) if end < len(text) else None,
    ):
        mark = _known(found[1] or found[2]) if found else ""
        if mark == "$" and (
            code := _DOLLAR_CODE.search(text[max(0, start - 12) : start]) or _DOLLAR_CODE.search(text[end : end + 6])
        ):
            return code[0]
        if mark:
            return mark
    return ",-" if _DASH.match(text, end) else ""


def _known(token: str) -> str:
    """Return the token, or the sign it ends in ("from$"), where it names a currency."""
    if token.casefold() not in _KNOWN and token.rstrip(".").casefold() not in _KNOWN and token[-1] not in _KNOWN:
        return ""
    for mark in (token, token.rstrip("."), token[-1:]):
        is_code = mark.upper() in _CODE_SET
        if (mark.isupper() if is_code else mark.casefold() in _KNOWN) and (
            len(mark) > 1 or mark == token or mark in _SIGN_CHARACTERS
        ):
            return mark
    return ""


def parse_amount(text: object, currency: str | None = None, decimal_mark: str = "") -> Decimal | None:
    """Read a number as people write prices; None for what is none. Zeros beyond two decimals are dropped.

    `decimal_mark` decides numbers that its absence leaves open: three digits behind one separator.
    """
    if isinstance(text, bool) or not isinstance(text, str | int | float | Decimal):
        return None
    raw = str(text).strip()[:MAX_PRICE_CHARACTERS]
    if _SIMPLE.fullmatch(raw):
        return _bounded(_decimal(raw.replace(",", "")))
    apart = _APART.fullmatch(raw)
    if apart:  # no language groups two digits
        raw = f"{''.join(filter(str.isdecimal, apart[1]))}.{apart[2]}"
    grouped = _GROUPED_LIKE.fullmatch(raw)
    separator = None
    if grouped and (currency in _THREE_DECIMALS or (decimal_mark and decimal_mark in raw)):
        separator = "." if "." in raw else ","
    return _bounded(Price.fromstring(raw.replace("’", "'"), decimal_separator=separator).amount) if raw else None


def parse_machine_amount(value: object, locale: Locale = UNKNOWN_LOCALE) -> Decimal | None:
    """Read an amount that mark-up states for machines: a point divides decimals (schema.org/price).

    Shops write words, signs and local separators there all the same; those are read as people write them.
    """
    if isinstance(value, bool) or value is None:
        return None
    raw = str(value).strip()
    if _PLAIN.fullmatch(raw) and not (locale.has_decimal_comma and _GROUPED_LIKE.fullmatch(raw)):
        return _bounded(_decimal(raw))
    if isinstance(value, float):
        return _bounded(_decimal(raw))
    money = parse_money(raw, locale) if raw else None
    return money.amount if money else None


def parse_currency(text: object, locale: Locale = UNKNOWN_LOCALE) -> str | None:
    """Return the ISO 4217 code that a code or sign stands for in this locale; None where it is not clear."""
    if not isinstance(text, str):
        return None
    mark = text.strip()[:12]
    if mark.upper() in _CODE_SET:
        return mark.upper()
    key = mark.lower() if mark.lower() in _BY_REGION else mark
    if key in _BY_REGION:
        regions = _BY_REGION[key]
        return regions.get(locale.region) or regions.get("*")
    return _SIGNS.get(mark) or _SIGNS.get(mark.upper()) or _SIGNS.get(mark.lower())


def has_currency(text: str) -> bool:
    """Whether a number with a currency mark beside it stands in the text."""
    if _UNMARKED.fullmatch(text) or not (may_have_currency(text) or ",-" in text):
        return False
    return any(mark for _, mark in _marked_numbers(text[:MAX_PRICE_CHARACTERS]))


def may_have_currency(text: str) -> bool:
    """Whether a text of any length has a currency sign, or a word that stands for one; says nothing of numbers."""
    return _SIGN.search(text) is not None or not _KNOWN_WORDS.isdisjoint(_WORD.findall(text.casefold()))


@lru_cache(maxsize=4096)
def split_prices(text: str) -> tuple[str, ...]:
    """Return the parts of a text that hold one price each, with the words that say what it is: "was £9", "now £7".

    Words belong to the amount that follows them, but for a measure, a period or a tax ("£4 / 100 g"). A range is one
    price; so is a text without any. Total.
    """
    text = text[:MAX_PRICE_CHARACTERS]
    numbers = _marked_numbers(text)
    marked = [number for number, mark in numbers if mark and not _PERCENT.match(text, number.end())]
    cuts: list[int] = []
    for one, two in pairwise(marked):
        end = _end_of_price(text, one)
        if two.start() < end or _RANGE.fullmatch(text, end, two.start()):
            continue
        said = _QUALIFIER.match(text, end, two.start())
        cuts.append(said.end() if said else end)
    return tuple(text[start:end].strip() for start, end in pairwise([0, *cuts, len(text)]))


def _end_of_price(text: str, number: re.Match[str]) -> int:
    """Return where the amount and the sign behind it end."""
    inside = _SIGN_INSIDE.match(text, number.start())
    if inside:
        return inside.end()
    before = _BEFORE.search(text[max(0, number.start() - 9) : number.start()])
    after = _AFTER.match(text, number.end())
    if after is None or (before and _known(before[1] or before[2])) or not _known(after[1] or after[2]):
        return number.end()
    return after.end()


def leaves_decimals_open(text: str) -> bool:
    """Whether a text has three digits behind one separator: "3.355" is 3355 on one page, 3.355 on another."""
    return _OPEN.search(text) is not None


def is_free(text: str) -> bool:
    """Whether a text that stands in the place of a price says that nothing is asked, and no more than this."""
    return len(text) <= MAX_FREE and text.strip(" .!").lower() in lexicon.FREE


def _with_sign_inside(text: str, number: re.Match[str]) -> str | None:
    """Return "35€99" where the sign itself divides the decimals."""
    inside = _SIGN_INSIDE.match(text, number.start())
    return inside[0] if inside else None


def _decimal(raw: str) -> Decimal | None:
    try:
        return Decimal(raw)
    except InvalidOperation:
        return None


def _bounded(amount: Decimal | None) -> Decimal | None:
    if amount is None or not amount.is_finite() or not 0 <= amount < _MAX_AMOUNT:
        return None
    shortest = amount.normalize()
    exponent = shortest.as_tuple().exponent
    if isinstance(exponent, int) and exponent >= -2:
        return (
            amount.quantize(Decimal("0.01")) if amount != amount.to_integral_value() or "." in str(amount) else amount
        )
    return shortest
