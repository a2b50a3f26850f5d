"""JSON as shops write it, and the object literals of JavaScript: read tolerantly, in linear time.

Strict JSON goes to the standard library. What it refuses is read again by rules of JSON5 (comments, trailing commas,
single quotes, bare names) and beyond: raw control characters, quotes left bare inside a string, HTML entities,
CDATA and comment marks, several values in one text. Depth and size are bounded; what cannot be read is left out.
"""

import html
import json
import re

MAX_CHARACTERS = 4_000_000
MAX_DEPTH = 120
MAX_VALUES = 60
_DECODER = json.JSONDecoder(strict=False)
_MARKS = re.compile(
    r"<!--|-->|(?://|/\*)?\s{0,8}<!\[CDATA\[\s{0,8}(?:\*/)?|(?://|/\*)?\s{0,8}\]\](?:>|&gt;)\s{0,8}(?:\*/)?"
)
_MARK_ENDS = ("<!--", "-->", "<![CDATA[", "]]>", "]]&gt;")  # one of them is part of every mark
_BLANK = re.compile(r"(?:[\s\ufeff\x00-\x1f;]+|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))+")
_NAME = re.compile(r"[\w$.\-]+|!\d")
_PLAIN = {'"': re.compile(r'[^"\\]*'), "'": re.compile(r"[^'\\]*"), "`": re.compile(r"[^`\\]*")}
_PLAIN_STRING = re.compile(r'"([^"\\]*)"(?=\s*[,:}\]])')
_KEY = re.compile(r'\s*(?:"([^"\\]*)"|([\w$.\-]+))\s*:\s*')
_PLAIN_VALUE = re.compile(  # and what ends it: with it, most members take two steps
    r'\s*(?:"(?P<text>[^"\\]*)"|(?P<number>-?\d+(?:\.\d+)?)|(?P<name>true|false|null))\s*(?:,|(?=[}\]]))'
)
_CLOSES = re.compile(r"\s*(?:[,:}\];)+]|//|/\*|$)")
_TURN = re.compile(r"[{}\[\](),\"'`]")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_NAMED = {"true": True, "false": False, "!0": True, "!1": False}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_NEXT_VALUE = re.compile(r"[{\[]")
_STRICT = re.compile(r"\{\s{0,40}[\"}]|\[\s{0,40}[\[{\"\d\]]")
_NEXT_LITERAL = re.compile(r"\s{0,200}[{\[\"'`]")


class _UnreadableError(Exception):
    """The text at this place is no literal."""


def parse_values(text: str) -> tuple[object, ...]:
    """Return the JSON values of a script, in order; total. Objects and arrays only, where strict JSON fails."""
    text = text[:MAX_CHARACTERS].strip().rstrip(";")
    if not text:
        return ()
    try:
        return (_DECODER.decode(text),)
    except (ValueError, RecursionError):
        pass
    if "&quot;" in text and '"' not in text:
        text = html.unescape(text)
    has_marks = any(mark in text for mark in _MARK_ENDS)
    return _read_all(_MARKS.sub(" ", text) if has_marks else text)


def parse_literal_at(text: str, start: int) -> tuple[object, int]:
    """Return the literal that begins at `start` (blanks skipped) and where it ends; (None, end) where none is; total.

    A string literal that holds JSON, as `JSON.parse("…")` takes it, gives what it holds.
    """
    begin = _NEXT_LITERAL.match(text, start)
    if begin is None:
        return None, start + 1
    place = begin.end() - 1
    if text[place] not in "{[":
        return _read_quoted(text, place)
    if _STRICT.match(text, place):  # a failure costs the standard library a count of all lines: ask only likely ones
        try:
            return _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            pass
    reader = _Reader(text, place)
    try:
        return reader.read_value(0), reader.place
    except _UnreadableError:
        return None, max(reader.place, start + 1)


def _read_quoted(text: str, place: int) -> tuple[object, int]:
    reader = _Reader(text, place)
    try:
        held = reader.read_value(0)
    except _UnreadableError:
        return None, max(reader.place, place + 1)
    values = parse_values(held) if isinstance(held, str) else ()
    return (values[0] if values else None), reader.place


def _read_all(text: str) -> tuple[object, ...]:
    values: list[object] = []
    reader = _Reader(text)
    while len(values) < MAX_VALUES:
        begin = _NEXT_VALUE.search(text, reader.place)
        if begin is None:
            break
        reader.place = begin.start()
        try:
            values.append(reader.read_value(0))
        except _UnreadableError:
            reader.place = max(reader.place, begin.start() + 1)
    return tuple(values)


def _number(digits: str) -> int | float:
    try:
        return int(digits)
    except ValueError:
        return float(digits)


class _Reader:
    """One left-to-right reading; `place` never goes back, so the work is linear in the text."""

    def __init__(self, text: str, place: int = 0) -> None:
        self.text = text
        self.place = place

    def read_value(self, depth: int) -> object:
        mark = self._peek()
        if mark in "{[":
            if depth >= MAX_DEPTH:
                raise _UnreadableError
            self.place += 1
            return self._read_object(depth) if mark == "{" else self._read_array(depth)
        if mark in "\"'`":
            return self._read_string(mark)
        return self._read_word()

    def _read_object(self, depth: int) -> dict[str, object]:
        found: dict[str, object] = {}
        while True:
            begin = _KEY.match(self.text, self.place)
            if begin is not None:
                self.place = begin.end()
                found[begin[1] if begin[2] is None else begin[2]] = self._read_member(depth)
                continue
            if (mark := self._peek()) == "}":
                break
            if mark == ",":
                self.place += 1
                continue
            key = self._read_string(mark) if mark in "\"'`" else self._read_name()
            if self._peek() != ":":
                raise _UnreadableError
            self.place += 1
            found[key] = self._read_member(depth)
        self.place += 1
        return found

    def _read_member(self, depth: int) -> object:
        """Read a value of an object or array, and what follows it up to the next member or the end."""
        plain = _PLAIN_VALUE.match(self.text, self.place)
        if plain is None:
            value = self.read_value(depth + 1)
            self._skip_expression()
            return value
        self.place = plain.end()
        kind = plain.lastgroup
        if kind == "number":
            return _number(plain["number"])
        return plain["text"] if kind == "text" else _NAMED.get(plain["name"])

    def _read_array(self, depth: int) -> list[object]:
        found: list[object] = []
        while (mark := self._peek()) != "]":
            if mark == ",":
                self.place += 1
                continue
            found.append(self._read_member(depth))
        self.place += 1
        return found

    def _skip_expression(self) -> None:
        """Pass over what follows a value and is no literal: calls, functions, sums of strings, up to the next member.

        A quote or a brace at once is a member after a forgotten comma.
        """
        if self._peek() in ",}]\"'{[":
            return
        depth = 0
        while (found := _TURN.search(self.text, self.place)) is not None:
            mark = found[0]
            if depth == 0 and mark in ",}]":
                self.place = found.start()
                return
            self.place = found.end()
            if mark in "\"'`":
                self.place -= 1
                self._read_string(mark)
            elif mark != ",":
                depth += 1 if mark in "{[(" else -1
        raise _UnreadableError

    def _peek(self) -> str:
        mark = self.text[self.place : self.place + 1]
        if " " < mark < "\x7f" and mark not in ";/":  # most places have no blank: spare them the pattern
            return mark
        blank = _BLANK.match(self.text, self.place)
        if blank:
            self.place = blank.end()
        if self.place >= len(self.text):
            raise _UnreadableError
        return self.text[self.place]

    def _read_name(self) -> str:
        name = _NAME.match(self.text, self.place)
        if name is None:
            raise _UnreadableError
        self.place = name.end()
        return name[0]

    def _read_word(self) -> object:
        number = _NUMBER.match(self.text, self.place)
        if number is not None:
            self.place = number.end()
            return _number(number[0])
        return _NAMED.get(self._read_name())

    def _read_string(self, quote: str) -> str:
        simple = _PLAIN_STRING.match(self.text, self.place) if quote == '"' else None
        if simple is not None:  # nearly all: nothing escaped, no quote left bare
            self.place = simple.end()
            return simple[1]
        pieces: list[str] = []
        self.place += 1
        while True:
            plain = _PLAIN[quote].match(self.text, self.place)
            pieces.append(plain[0] if plain else "")
            self.place = plain.end() if plain else self.place
            if self.place >= len(self.text):
                raise _UnreadableError
            if self.text[self.place] == "\\":
                pieces.append(self._read_escape())
                continue
            self.place += 1
            if _CLOSES.match(self.text, self.place):
                return "".join(pieces)
            pieces.append(quote)

    def _read_escape(self) -> str:
        mark = self.text[self.place + 1 : self.place + 2]
        self.place += 2
        if mark == "u" and _HEX.match(self.text, self.place):
            self.place += 4
            return chr(int(self.text[self.place - 4 : self.place], 16))
        return _ESCAPES.get(mark, mark)
