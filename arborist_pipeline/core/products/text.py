"""Text of values: mark-up removed, entities read, white space folded; and whether two names mean the same."""

import html
import re
import unicodedata
from functools import lru_cache

MAX_TEXT_CHARACTERS = 20_000
_TAG = re.compile(r"<[a-zA-Z/!][^<>]{0,2000}>")
_SURROGATE = re.compile("[\ud800-\udfff\x00]")
_WORDS = re.compile(r"[^\W_]+")


def fold_text(value: object) -> str:
    """Return a value as plain text in one line; "" for what is no text or number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    text = str(value)[:MAX_TEXT_CHARACTERS]
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _TAG.sub(" ", text)
    return " ".join(_SURROGATE.sub("", text).split())


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text, compatibility forms folded, in lower case."""
    return _words_of(text[:400])


@lru_cache(maxsize=1024)  # the titles of a page are compared with all of its headings and many of its texts
def _words_of(text: str) -> tuple[str, ...]:
    if text.isascii():
        return tuple(_WORDS.findall(text.lower()))
    return tuple(_WORDS.findall(unicodedata.normalize("NFKC", text).casefold()))


def likeness(one: str, other: str) -> float:
    """Return how far two names share their words: 0 to 1, the mean share of words that the other has too (Dice)."""
    left, right = words_of(one), words_of(other)
    if set(left).isdisjoint(right):
        return 0.0
    rest = list(right)
    same = 0
    for word in left:
        if word in rest:
            rest.remove(word)
            same += 1
    return 2 * same / (len(left) + len(right))


def is_alike(one: str, other: str) -> bool:
    """Whether two names mean one product: most words shared, or one is contained in the other."""
    if set(words_of(one)).isdisjoint(words_of(other)):
        return False
    left, right = " ".join(words_of(one)), " ".join(words_of(other))
    if left == right or likeness(one, other) >= 0.7:
        return True
    short, long = sorted((left, right), key=len)
    return len(short) >= 4 and f" {short} " in f" {long} "
