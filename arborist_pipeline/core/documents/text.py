"""Canonical text: body-v1 takes it out of a parsed page, norm-v1 brings it to one form.

Both are named in a document's recipe (`core.documents.document`), since roots depend on every rule here: a changed
rule is a new recipe. They read mark-up only, never CSS or statistics, so that two pages with the same words agree.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, groupby, islice, pairwise
from typing import Any

from lxml import etree

from arborist_pipeline.core.web.html import HtmlTree

MIN_MAIN_CHARACTERS = 200

# norm-v1. The first pattern only spares clean text, which is most text, the other three.
_UNCLEAN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2028\u2029\u2060\ud800-\udfff\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Every mark (canonical combining class above 0, decomposed) is among these; that letters are as well only takes time.
_MARKS = (
    "[\u0300-\u036f\u0483-\u0487\u0591-\u1dff\u20d0-\u20f0\u2cef-\u309a\ua66f-\uabed\ufb1e-\ufe2f\U000101fd-\U0001e94a]"
)
_MARK = re.compile(_MARKS)
_LONG_RUN_MARKS = 32
_LONG_RUN = re.compile(f"{_MARKS}{{{_LONG_RUN_MARKS},}}+")
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff]")

# body-v1. U+0000 cannot occur in a parsed text, so it marks the line breaks that mark-up makes.
_BREAK = "\x00"
_LINE_ENDS = "\n\x0b\x0c\r\x85\u2028\u2029"
_KEPT_LINE_ENDS = dict.fromkeys(map(ord, _LINE_ENDS), _BREAK)
_BREAKING = """
    html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p plaintext pre search
    section select summary table caption colgroup col thead tbody tfoot tr ul xmp textarea br
""".split()
_SPACING = "td th button input img image".split()
_AROUND = {**dict.fromkeys(_BREAKING, _BREAK), **dict.fromkeys(_SPACING, " ")}
_INSTEAD: dict[Any, str] = {
    **dict.fromkeys("head title style script noscript template noembed noframes frameset datalist".split(), ""),
    **dict.fromkeys("iframe object applet canvas audio video svg math".split(), " "),
    **dict.fromkeys((etree.Comment, etree.ProcessingInstruction), ""),
}
_PREFORMATTED = frozenset("pre listing xmp plaintext textarea".split())
_WHOLE_PAGE = frozenset({"html", "body"})  # their hidden and role are not read

# Landmarks, as HTML-AAM maps elements to ARIA roles; header and footer are landmarks of the whole page only.
_LANDMARK_TAGS = frozenset({"nav", "aside", "search"})
_PAGE_WIDE = frozenset({"header", "footer"})
_LANDMARK_ROLES = frozenset("navigation banner contentinfo complementary search".split())
_SECTION_TAGS = frozenset("article aside main nav section".split())
_SECTION_ROLES = frozenset("article complementary main navigation region".split())
_LOOKED_AT = _PREFORMATTED | _LANDMARK_TAGS | _PAGE_WIDE | _SECTION_TAGS | _INSTEAD.keys() | {"dialog"}
_FIRST_TOKEN = re.compile(r"[\t\n\f\r ]*([^\t\n\f\r ]+)")

# What an element passes on to those below it; flags add up.
_KEEPS_LINES, _IN_SECTION, _IN_LANDMARK, _SILENT = 1, 2, 4, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyText:
    """The text of a page after norm-v1: `body` is all of it, `main` the same without landmarks.

    Where landmarks leave fewer than 200 code points, `main` is `body`; `main_characters` still counts what they left.
    """

    body: str
    main: str
    main_characters: int


def normalize_text(text: str) -> str:
    """Bring a text to norm-v1; total, idempotent and line-local: norm(a LF b) is norm(a) LF norm(b).

    Lines are not empty, hold single spaces only between words, and are in NFC (not NFKC, which changes content).
    """
    if _UNCLEAN.search(text):
        text = _LINE_END.sub("\n", _SURROGATE.sub("\ufffd", text))
        text = _INVISIBLE.sub("", text)  # before NFC: what stood around it may compose
    if not text.isascii():
        text = unicodedata.normalize("NFC", order_marks(text))
    # By now the only white space in the sense of str.split is TAB, LF and category Zs.
    return "\n".join([line for raw in text.split("\n") if (line := " ".join(raw.split()))])


def order_marks(text: str) -> str:
    """Bring long runs of combining marks to canonical order, which changes no normal form of a text (UAX #15 §1.1).

    `unicodedata` orders them in a time that grows with the square of their number; of sorted ones it is linear.
    """
    if _MARK.search(text[::_LONG_RUN_MARKS]) is None:  # a run that is long has a mark in one of these places
        return text
    return _LONG_RUN.sub(_order_run, text)


def _order_run(run: re.Match[str]) -> str:
    parts = (run[0][start : start + _LONG_RUN_MARKS] for start in range(0, len(run[0]), _LONG_RUN_MARKS))
    decomposed = "".join(unicodedata.normalize("NFD", part) for part in parts)
    pieces: list[str] = []
    for _, characters in groupby(decomposed, lambda character: unicodedata.combining(character) > 0):
        pieces += sorted(characters, key=unicodedata.combining)  # letters are all of class 0, and stay as they are
    return "".join(pieces)


def body_text(tree: HtmlTree) -> BodyText | None:
    """Return the text of a page by body-v1; None where it is nested too deep, or too large, to be read whole."""
    if not tree.is_whole:
        return None
    transcript = _Transcript()
    for root in tree.roots:
        transcript.write(root)
    if transcript.are_landmarks_lines:  # a break at each border: what is between can be read apart, and once
        parts = [_fold(pieces) for pieces in transcript.parts()]
        body, main = ("\n".join(filter(None, some)) for some in (parts, parts[::2]))
    else:
        body = _fold(transcript.pieces)
        main = _fold([piece for part in transcript.parts()[::2] for piece in (*part, _BREAK)])
    return BodyText(body=body, main=main if len(main) >= MIN_MAIN_CHARACTERS else body, main_characters=len(main))


def _fold(pieces: list[str]) -> str:
    """Join pieces: line ends of the source become spaces, breaks of the mark-up become lines."""
    text = "".join(pieces)
    for line_end in _LINE_ENDS:
        text = text.replace(line_end, " ")
    return normalize_text(text.replace(_BREAK, "\n"))


class _Transcript:
    """What a walk over the tree has written: pieces of text, and which runs of them are landmarks' (start, stop).

    `are_landmarks_lines` says that each landmark begins and ends with a line break.
    """

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.are_landmarks_lines = True
        self._landmarks: list[tuple[int, int]] = []
        self._landmark_start = 0
        self._scopes: list[int] = []  # around the entered elements that are open

    def write(self, root: etree._Element) -> None:
        """Walk one top-level element.

        One loop that calls nothing for what most elements are: it runs over every element of every page of a crawl.
        Events for the ends of elements would cost more than the path of open ones, which shows where they end.
        """
        pieces, around, looked_at = self.pieces, _AROUND, _LOOKED_AT
        scope = 0
        path: list[Any] = [None]
        closings: list[str | None] = []  # None: of an entered element
        walk = root.iter()
        for element in chain(walk, [None]):
            parent = None if element is None else element.getparent()
            while path[-1] is not parent:
                last = path.pop()
                piece = closings.pop()
                if piece is None:
                    scope = self._leave(last.tag, scope)
                elif piece:
                    pieces.append(piece)
                piece = last.tail
                if piece:
                    pieces.append(piece.translate(_KEPT_LINE_ENDS) if scope & _KEEPS_LINES else piece)
            if element is None:
                return
            tag = element.tag
            path.append(element)
            closing = around.get(tag, "")
            keys = element.keys()
            if tag in looked_at or (keys and ("role" in keys or "hidden" in keys)):
                scope = self._enter(element, tag, scope)
                closings.append(None)
                if scope & _SILENT:
                    _skip_below(element, walk)
                    continue
            else:
                closings.append(closing)
            if closing:
                pieces.append(closing)
            piece = element.text
            if piece:
                pieces.append(piece.translate(_KEPT_LINE_ENDS) if scope & _KEEPS_LINES else piece)

    def parts(self) -> list[list[str]]:
        """Return the pieces before the first landmark, in it, after it and so on."""
        borders = [0, *chain.from_iterable(self._landmarks), len(self.pieces)]
        return [self.pieces[start:stop] for start, stop in pairwise(borders)]

    def _enter(self, element: etree._Element, tag: str, outer: int) -> int:
        """Return the scope below an element; one that is not read is silent, and what stands for it is written."""
        self._scopes.append(outer)
        instead = _replacement(element, tag)
        if instead is not None:
            self.pieces.append(instead)
            return outer | _SILENT
        scope = _scope(tag, _first_token(element.get("role") or ""), outer)
        if scope & _IN_LANDMARK and not outer & _IN_LANDMARK:
            self._landmark_start = len(self.pieces)
        return scope

    def _leave(self, tag: str, scope: int) -> int:
        """Write the closing of an entered element; return the scope around it."""
        outer = self._scopes.pop()
        if not scope & _SILENT:
            if tag in _AROUND:
                self.pieces.append(_AROUND[tag])
            if scope & _IN_LANDMARK and not outer & _IN_LANDMARK:
                self._landmarks.append((self._landmark_start, len(self.pieces)))
                self.are_landmarks_lines &= _AROUND.get(tag) == _BREAK
        return outer


def _skip_below(element: etree._Element, walk: Iterator[etree._Element]) -> None:
    """Take what stands below an element out of a walk that has come to it."""
    count = sum(1 for _ in element.iterdescendants())
    deque(islice(walk, count), maxlen=0)


def _replacement(element: etree._Element, tag: str) -> str | None:
    """Return what stands in the place of a dropped element, None for one that is read."""
    hidden = element.get("hidden")
    if hidden is not None and hidden.lower() != "until-found" and tag not in _WHOLE_PAGE:
        return ""
    if tag == "dialog" and element.get("open") is None:
        return ""
    return _INSTEAD.get(tag)


def _scope(tag: str, role: str, outer: int) -> int:
    """Return what an element with this first role passes on, given what it got from its parent."""
    if tag in _WHOLE_PAGE:
        return outer
    scope = outer
    if tag in _PREFORMATTED:
        scope |= _KEEPS_LINES
    page_wide = tag in _PAGE_WIDE and not outer & _IN_SECTION
    if page_wide or tag in _LANDMARK_TAGS or role in _LANDMARK_ROLES:
        scope |= _IN_LANDMARK
    if tag in _SECTION_TAGS or role in _SECTION_ROLES:
        scope |= _IN_SECTION
    return scope


def _first_token(attribute: str) -> str:
    match = _FIRST_TOKEN.match(attribute)
    return match[1].lower() if match else ""
