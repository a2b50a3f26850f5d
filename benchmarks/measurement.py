"""Commands measured from outside: CPU seconds of a whole process tree, wall seconds, peak memory; tables of these."""

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
WORKPLACE = REPOSITORY / "build" / "benchmarks"
"""Where peers are installed and figures are left; git ignores it."""
PYTHON = str(REPOSITORY / ".venv" / "bin" / "python")
_OWN = ("ARBORIST_", "CRAWL_", "DAGSTER_", "PYTHONDONTWRITEBYTECODE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One run of a command. `cpu_seconds` is user and system time of it and of all that it waited for.

    `peak_bytes` is the largest resident size of any of these processes. `pages` is whatever the command was to do, as
    counted by who served it.
    """

    code: int
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    pages: int = 0

    @property
    def cpu_per_1000(self) -> float:
        """CPU seconds for a thousand pages."""
        return self.cpu_seconds / max(self.pages, 1) * 1000

    @property
    def pages_per_second(self) -> float:
        """Pages in a second of wall time."""
        return self.pages / self.seconds


def clean_environment(**settings: str) -> dict[str, str]:
    """Return this process's environment without the settings of Arborist; compiled modules are kept, as anywhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    return kept | {"PYTHONPATH": str(REPOSITORY)} | settings


def run_measured(
    command: Sequence[str], *, output: Path | None = None, cwd: Path | None = None, settings: Mapping[str, str] = {}
) -> Run:
    """Run a command to its end; what it prints goes to a file or nowhere."""
    with (output or Path(os.devnull)).open("wb") as sink:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=sink, stderr=sink, cwd=cwd, env=clean_environment(**settings))
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)  # it is waited for: nothing is left for Popen to do
    return Run(code=process.returncode, seconds=seconds, cpu_seconds=usage.ru_utime + usage.ru_stime,
               peak_bytes=usage.ru_maxrss * 1024)  # fmt: skip


def interleave(contestants: Mapping[str, Callable[[], Run]], rounds: int) -> dict[str, list[Run]]:
    """Run all in turn, A B A B: whatever else the machine does meets each alike. Warm up before, outside of it."""
    runs: dict[str, list[Run]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            runs[name].append(run())
    return runs


def median(values: Iterable[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def spread(values: Sequence[float]) -> str:
    """Return how far the values lie apart, against their median: over 20 % the machine was busy."""
    return f"{(max(values) - min(values)) / statistics.median(values):.0%}"


def megabytes(size: float) -> str:
    """Return a size for people."""
    return f"{size / 1e6:.0f} MB"


def print_table(title: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table, columns aligned."""
    lines = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    print(f"\n{title}\n")
    for number, line in enumerate(lines):
        cells = [cell.ljust(width) if not column else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(line, widths, strict=True))]  # fmt: skip
        print("| " + " | ".join(cells) + " |")
        if not number:
            print("|" + "|".join("-" * (width + 1) + ("-" if not column else ":")
                                 for column, width in enumerate(widths)) + "|")  # fmt: skip
    print(flush=True)
