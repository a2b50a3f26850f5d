"""Addresses without end: calendars, facets, sessions in paths. Where each page leads only to more of its own pattern.

No pattern is forbidden: a catalogue counts its pages as a calendar counts its months. What tells them apart is what
they bring. A page *idles* if it was first found on a page of its own pattern, is no product or article, and brings no
address of another pattern. A pattern that idles many times in a row comes after all else, and gets a bounded share of
the budget; one page that brings something clears it.
"""

import re
from collections import Counter
from collections.abc import Iterable

from arborist_pipeline.core.crawl.entries import FrontierEntry
from arborist_pipeline.core.crawl.records import Trap
from arborist_pipeline.core.web.url import Url

SUSPECT_AFTER = 16
"""Pages that idled in a row before the pattern comes last."""

BUDGET_SHARE = 4
"""At most one in four of a capped budget goes to the idle pages of one pattern."""
LEAST_SHARE = 20
UNCAPPED_SHARE = 200

_MAX_REPEATS = 3
_LONGEST_RUN = 3
_TOKEN = re.compile(r"(?=[^/]*\d)[0-9A-Za-z_-]{16,}")
_DIGITS = re.compile(r"\d+")


class TrapWatch:
    """What the patterns of one run brought. `max_pages` is the run's budget, 0 for none."""

    def __init__(self, max_pages: int) -> None:
        self.share = max(LEAST_SHARE, max_pages // BUDGET_SHARE) if max_pages else UNCAPPED_SHARE
        self.withheld = 0
        self._suspects: set[str] = set()
        self._idled: Counter[str] = Counter()
        self._in_a_row: Counter[str] = Counter()
        self._bring: set[Url] = set()  # pages under way that brought an address of another pattern than their own
        self._left: Counter[str] = Counter()
        self._examples: dict[str, Url] = {}  # the newest of each pattern: what comes last is left the longest

    def note_finds(self, parent: Url, urls: Iterable[Url]) -> None:
        """Take in the addresses that were first met on a page."""
        template = url_template(parent)
        if template is not None and any(url_template(url) != template for url in urls):
            self._bring.add(parent)

    def close(self, entry: FrontierEntry, *, is_worth: bool) -> None:
        """Take in an answer. Only a page that was asked for the first time tells anything of its pattern."""
        brought = entry.url in self._bring
        self._bring.discard(entry.url)
        template = None if entry.fetched or entry.stored is not None else url_template(entry.url)
        if template is None:
            return
        if is_worth or brought:
            self._in_a_row.pop(template, None)
            self._suspects.discard(template)
        elif _is_own_find(entry, template):
            self._idled[template] += 1
            self._in_a_row[template] += 1
            if self._in_a_row[template] >= SUSPECT_AFTER:
                self._suspects.add(template)

    def is_suspect(self, entry: FrontierEntry) -> bool:
        """Whether an unvisited address is of a pattern that has idled for long, and was found on one of its pages."""
        if not self._suspects or entry.fetched:
            return False
        template = url_template(entry.url)
        return template in self._suspects and _is_own_find(entry, template)

    def withholds(self, entry: FrontierEntry) -> bool:
        """Whether the share of its pattern is spent; then the address is kept for another run."""
        template = url_template(entry.url)
        if template is None or not self.is_suspect(entry) or self._idled[template] < self.share:
            return False
        self.withheld += 1
        return True

    def put_last(self, url: Url) -> None:
        """Count an address that stands last in the order."""
        template = url_template(url) or url
        self._left[template] += 1
        self._examples[template] = url

    def take(self, url: Url) -> None:
        """Count an address that stood last and does so no longer."""
        template = url_template(url) or url
        self._left[template] -= 1
        if not self._left[template]:
            del self._left[template], self._examples[template]

    def found(self) -> tuple[Trap, ...]:
        """Return the traps that have addresses left, most of them first."""
        traps = [
            Trap(template=template, asked=self._idled[template], left=left, example=self._examples[template])
            for template, left in self._left.items()
        ]
        return tuple(sorted(traps, key=lambda trap: (-trap.left, trap.template)))


def url_template(url: str) -> str | None:
    """Return the pattern that a URL is made by, None where it is a name of its own.

    Path numbers become `{n}`, long tokens `{x}`, and a query, whatever it says, `?{q}`: facets multiply by their keys.
    """
    whole, mark, _ = url.partition("?")
    start = whole.find("/", 8)
    path = whole[start:]
    template = _DIGITS.sub("{n}", _TOKEN.sub("{x}", path)) if _DIGITS.search(path) else path
    if not mark and template == path:
        return None
    return f"{whole[:start]}{template}{'?{q}' if mark else ''}"


def repeats_itself(url: str) -> bool:
    """Whether the same one to three path segments stand three times in a row (`/a/b/a/b/a/b/`).

    Relative links that miss a slash make such paths, and servers that answer them make them endless. Numbers may
    stand in a row: dates do.
    """
    segments = url.partition("?")[0].split("/")[3:]
    if len(segments) - len(set(segments)) < _MAX_REPEATS - 1:  # nearly every URL
        return False
    for length in range(1, _LONGEST_RUN + 1):
        span = length * (_MAX_REPEATS - 1)
        run = 0
        for place in range(len(segments) - length):
            run = run + 1 if segments[place] == segments[place + length] else 0
            if run >= span and not all(map(_is_number_or_empty, segments[place + 1 : place + 1 + length])):
                return True
    return False


def _is_own_find(entry: FrontierEntry, template: str) -> bool:
    return entry.parent is not None and url_template(entry.parent) == template


def _is_number_or_empty(segment: str) -> bool:
    return not segment or segment.isdecimal()
