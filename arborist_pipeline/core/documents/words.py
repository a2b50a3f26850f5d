"""Words as search sees them: the same for a text, for what somebody asks, and for the marks in a snippet.

A word is a run of letters and digits, without letter case and accents; a letter of a script that sets no spaces
between words (Han, Kana, Thai) is a word of its own, and such words are found as phrases.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

MAX_PHRASES = 32
MAX_PHRASE_WORDS = 64
SNIPPET_CHARACTERS = 200

_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_ACCENT = re.compile("[\u0300-\u036f]")
_QUOTES = re.compile('["\u201c\u201d\u201e\u00ab\u00bb]')


class Snippet(NamedTuple):
    """A piece of text on one line, and where in it the words stand that were asked for: (start, end) in order."""

    text: str
    marks: tuple[tuple[int, int], ...]


class Hit(NamedTuple):
    """A version of a document that has all that was asked for; a higher score is a better match."""

    site_key: str
    uri: str
    title: str | None
    root: bytes
    is_current: bool
    first_seen_at: datetime
    last_seen_at: datetime
    score: float
    snippet: Snippet


def split_words(text: str) -> list[str]:
    """Return the words of a text in order, folded."""
    if text.isascii():
        return _WORD.findall(text.lower())
    return [_fold(word) for word in _WORD.findall(text)]


def parse_query(asked: str) -> tuple[tuple[str, ...], ...]:
    """Return the phrases that a text must all have: what stands between quotes, and each word outside of them.

    Total: whatever is no word (operators, lone quotes, NUL) separates words and means nothing. Of a very long text the
    first 32 phrases count.
    """
    phrases: dict[tuple[str, ...], None] = {}
    for number, part in enumerate(_QUOTES.split(asked)):
        for piece in [part] if number % 2 else part.split():
            words = tuple(split_words(piece)[:MAX_PHRASE_WORDS])
            if words and len(phrases) < MAX_PHRASES:
                phrases.setdefault(words)
    return tuple(phrases)


def find_snippet(text: str, wanted: Iterable[str], width: int = SNIPPET_CHARACTERS) -> Snippet:
    """Return the piece of about `width` characters that has most of the wanted (folded) words; else the beginning."""
    words = frozenset(wanted)
    hits = [(match.start(), match.end(), word) for match in _WORD.finditer(text) if (word := _fold(match[0])) in words]
    first, last = _densest(hits, width)
    middle = (hits[first][0] + hits[last][1]) // 2 if hits else 0
    start = max(0, min(middle - width // 2, len(text) - width))
    if hits:
        start = min(start, hits[first][0])
    stop = min(len(text), start + width)
    if start:  # not in the middle of a word
        start = next((at for at in range(start, min(start + 20, stop)) if text[at].isspace()), start)
    if stop < len(text):
        stop = next((at for at in range(stop, max(stop - 20, start), -1) if text[at].isspace()), stop)
    lead = "…" if start else ""
    marks = tuple(
        (begin - start + len(lead), end - start + len(lead)) for begin, end, _ in hits if start <= begin and end <= stop
    )
    piece = re.sub(r"\s", " ", text[start:stop])
    return Snippet(f"{lead}{piece}{'…' if stop < len(text) else ''}", marks)


def _densest(hits: Sequence[tuple[int, int, str]], width: int) -> tuple[int, int]:
    """Return the first and last of the hits within `width` that have most different words."""
    best, found = (0, 0), 0
    inside: dict[str, int] = {}
    first = 0
    for last, (_, end, word) in enumerate(hits):
        inside[word] = inside.get(word, 0) + 1
        while end - hits[first][0] > width and first < last:
            gone = hits[first][2]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
        if len(inside) > found:
            best, found = (first, last), len(inside)
    return best


@lru_cache(maxsize=20_000)
def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", _ACCENT.sub("", unicodedata.normalize("NFKD", word))).casefold()
