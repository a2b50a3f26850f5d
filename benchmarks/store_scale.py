"""report_scale, verify_scale: what a report and an audit of a whole store cost at 2,000 and at 20,000 documents."""

import atexit
import functools
import tempfile
from pathlib import Path

from benchmarks.crawl_speed import arborist_command
from benchmarks.loopback_sites import FastSite, GeneratedShop
from benchmarks.measurement import PYTHON, Run, interleave, median, megabytes, print_table, run_measured, spread

SIZES = (2_000, 20_000)


def measure_report(rounds: int) -> None:
    """Print CPU and memory of a report at both sizes."""
    _measure("report_scale", ("crawl-report", "--format", "json", "--seed-url"), rounds)


def measure_verify(rounds: int) -> None:
    """Print CPU and memory of an audit at both sizes."""
    _measure("verify_scale", ("verify",), rounds)


def _measure(name: str, words: tuple[str, ...], rounds: int) -> None:
    ways = {}
    for size in SIZES:
        home, url = _store(size)
        command = [PYTHON, "-m", "arborist_pipeline", *words, *([url] if words[-1] == "--seed-url" else [])]
        ways[f"{size:,}"] = functools.partial(_run, command, home)
    runs = interleave(ways, rounds)
    least = next(iter(runs.values()))
    rows = [
        (size, f"{median(each.seconds for each in own):.1f} s", f"{median(each.cpu_seconds for each in own):.1f}",
         spread([each.cpu_seconds for each in own]),
         f"{median(a.cpu_seconds / b.cpu_seconds for a, b in zip(own, least, strict=True)):.1f}",
         megabytes(median(each.peak_bytes for each in own)))
        for size, own in runs.items()
    ]  # fmt: skip
    header = ("documents", "wall", "CPU-s", "spread", f"x {SIZES[0]:,}", "peak RSS")
    print_table(f"{name}, {rounds} rounds", header, rows)


def _run(command: list[str], home: Path) -> Run:
    run = run_measured(command, settings={"ARBORIST_HOME": str(home)}, output=home / "printed")
    if run.code != 0:
        raise RuntimeError((home / "printed").read_text()[-800:])
    return run


@functools.cache
def _store(size: int) -> tuple[Path, str]:
    """Crawl a generated shop into a store, once for all that is measured on it; it goes when this process ends."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    home = Path(folder.name)
    with FastSite(GeneratedShop(size)) as site:
        command = [*arborist_command(site.url), "--depth", "1000000"]
        run = run_measured(command, output=home / "printed",
                           settings={"ARBORIST_HOME": str(home), "ARBORIST_ALLOW_PRIVATE": "1"})  # fmt: skip
        if run.code != 0:
            raise RuntimeError((home / "printed").read_text()[-800:])
        return home, site.url
