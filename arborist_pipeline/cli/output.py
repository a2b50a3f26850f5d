"""Data on stdout, one line at a time; words and progress on stderr."""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from arborist_pipeline.core.report.controls import escape_controls, mask_controls
from arborist_pipeline.core.web.url import redact

if TYPE_CHECKING:  # loaded late, below
    from tqdm import tqdm

LINE_SECONDS = 5.0
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def json_line(value: Mapping[str, Any]) -> str:
    """Return an object as one line of JSON, what would steer a terminal escaped."""
    return escape_controls(json.dumps(value, ensure_ascii=False))


def printable(text: str) -> str:
    """Return a text fit for a terminal: what a page wrote must neither move the cursor nor break the line."""
    return _CONTROLS.sub(" ", text).strip()


def emit(line: str) -> None:
    """Write a line of data to stdout, at once; nothing in it steers a terminal."""
    click.echo(mask_controls(line))


def say(text: str) -> None:
    """Write a line for people to stderr; nothing in it steers a terminal or gives a secret away."""
    click.echo(mask_controls(redact(text)), err=True)


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows under headings, columns aligned; None is shown as -, numbers stand to the right."""
    cells = [["-" if value is None else printable(str(value)) for value in row] for row in rows]
    numeric = [all(_is_number(row[column]) for row in cells) for column in range(len(headings))] if cells else []
    widths = [max(len(line[column]) for line in (headings, *cells)) for column in range(len(headings))]
    lines = []
    for row in (list(headings), *cells):
        parts = [
            cell.rjust(width) if numeric and numeric[column] else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _is_number(cell: str) -> bool:
    return cell == "-" or cell.replace(".", "", 1).isdecimal()


def _open_bar(label: str, unit: str, total: int | None) -> "tqdm[Any]":
    from tqdm import tqdm  # noqa: PLC0415  # where nobody watches there is no bar to load

    return tqdm(total=total, desc=label, unit=f" {unit}", file=sys.stderr, dynamic_ncols=True, leave=False)


class Progress:
    """How far long work is: a bar where stderr is a terminal, else a line at most every five seconds.

    Use it as a context manager; `emit` writes a line of data without tearing the bar.
    """

    def __init__(self, label: str, *, unit: str = "pages", total: int | None = None) -> None:
        self._label, self._unit, self._total = label, unit, total
        self._count = 0
        self._said_at = monotonic()
        self._bar = _open_bar(label, unit, total) if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def advance(self, count: int = 1) -> None:
        """Note that so much more is done."""
        self._count += count
        if self._bar is not None:
            self._bar.update(count)
        elif monotonic() - self._said_at >= LINE_SECONDS:
            self._said_at = monotonic()
            of = f" of {self._total}" if self._total else ""
            say(f"{self._label}: {self._count}{of} {self._unit}")

    def tell(self, what: str) -> None:
        """Say what is done now: beside the bar, else in a line of its own if it is time for one."""
        if self._bar is not None:
            self._bar.set_postfix_str(printable(what))
        elif monotonic() - self._said_at >= LINE_SECONDS:
            self._said_at = monotonic()
            say(f"{self._label}: {printable(what)}")

    def emit(self, line: str) -> None:
        """Write a line of data to stdout, above the bar where both are shown."""
        if self._bar is not None and sys.stdout.isatty():
            self._bar.write(mask_controls(line), file=sys.stdout)
        else:
            emit(line)
