"""two_sites, refresh_cost: two sites at once on one store; the night's job through Dagster beside the crawl alone."""

import contextlib
import functools
import json
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.crawl_speed import AT_ONCE, arborist_command, serving
from benchmarks.measurement import PYTHON, Run, interleave, median, print_table, run_measured, spread
from benchmarks.peer_tools import documentation

_FEW, _ALL = 100, 0
"""Budgets of pages: what a run costs whatever its size, and what it costs with every page (0: no budget)."""


def measure_two_sites(rounds: int) -> None:
    """Print pages a second of one crawl and of two at once that write to one store, each of a site of its own."""
    folder = documentation()
    if folder is None:
        return
    with contextlib.ExitStack() as stack:
        sites = [stack.enter_context(serving(folder, 0.0)) for _ in range(2)]
        ways = {"one site": functools.partial(_crawl, sites[:1]), "two at once": functools.partial(_crawl, sites)}
        interleave(ways, 1)
        runs = interleave(ways, rounds)
    one = runs["one site"]
    rows = []
    for name, own in runs.items():
        speed = [each.pages_per_second for each in own]
        ratio = median(a.pages_per_second / b.pages_per_second for a, b in zip(own, one, strict=True))
        cost = median(each.cpu_per_1000 for each in own)
        rows.append((name, round(own[0].pages), f"{median(speed):.0f}", spread(speed), f"{ratio:.2f}", f"{cost:.2f}"))
    title = f"two_sites, 0 ms, {AT_ONCE} at a time each, {rounds} rounds. Bar: two at once >= 1.6 x one"
    print_table(title, ("crawls", "pages", "pages/s", "spread", "x one", "CPU-s/1k"), rows)


def _crawl(sites: list[tuple[str, Callable[[], int]]]) -> Run:
    """Crawl each site in a process of its own; their CPU and pages add up, the wall clock is that of the slowest."""
    with tempfile.TemporaryDirectory() as home:
        runs: dict[str, Run] = {}

        def crawl(url: str, take_pages: Callable[[], int]) -> None:
            take_pages()
            run = _run(arborist_command(url), Path(home), f"printed-{urlsplit(url).port}")
            runs[url] = replace(run, pages=take_pages())

        threads = [threading.Thread(target=crawl, args=site) for site in sites]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if len(runs) < len(sites):
        raise RuntimeError("a crawl failed: see above")
    return Run(code=0, seconds=max(run.seconds for run in runs.values()),
               cpu_seconds=sum(run.cpu_seconds for run in runs.values()),
               peak_bytes=max(run.peak_bytes for run in runs.values()),
               pages=sum(run.pages for run in runs.values()))  # fmt: skip


def measure_refresh(rounds: int) -> None:
    """Print seconds and CPU of `refresh` beside `crawl --ingest`, with few pages and with all."""
    folder = documentation()
    if folder is None:
        return
    rows = []
    with serving(folder, 0.0) as site:
        for budget in (_FEW, _ALL):
            ways = {way: functools.partial(_night, way, budget, *site) for way in ("crawl", "refresh")}
            interleave(ways, 1)
            runs = interleave(ways, rounds)
            crawl = runs["crawl"]
            for name, own in runs.items():
                more = median(a.seconds - b.seconds for a, b in zip(own, crawl, strict=True))
                rows.append((name, own[0].pages, f"{median(each.seconds for each in own):.1f} s",
                             spread([each.seconds for each in own]), f"{more:+.1f} s",
                             f"{median(each.cpu_seconds for each in own):.1f} s"))  # fmt: skip
    title = (
        f"refresh_cost, 0 ms, {AT_ONCE} at a time, {rounds} rounds. Bar: refresh at most 10 s more, and no more a page"
    )
    print_table(title, ("way", "pages", "wall", "spread", "more", "CPU"), rows)


def _night(way: str, budget: int, url: str, take_pages: Callable[[], int]) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        entry = {
            "key": "docs",
            "seed_url": url,
            "mode": "fast",
            "concurrency": AT_ONCE,
            "max_pages": budget,
            "depth": 50,
        }
        (home / "sites.yaml").write_text(json.dumps({"sites": [entry]}))
        command = arborist_command(url)
        command[command.index("--max-pages") + 1] = str(budget)
        take_pages()
        run = _run(
            command if way == "crawl" else [PYTHON, "-m", "arborist_pipeline", "refresh", "docs"], home, "printed"
        )
        return replace(run, pages=take_pages())


def _run(command: list[str], home: Path, printed: str) -> Run:
    settings: Mapping[str, str] = {"ARBORIST_HOME": str(home), "ARBORIST_ALLOW_PRIVATE": "1"}
    run = run_measured(command, cwd=home, settings=settings, output=home / printed)
    if run.code:
        raise RuntimeError(f"{command} ended with {run.code}: {(home / printed).read_text(errors='replace')[-800:]}")
    return run
