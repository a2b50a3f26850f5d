"""crawl_speed: a whole real site, 16 requests at a time, beside Scrapy, Crawlee and wget2, without and with latency."""

import functools
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from arborist_pipeline_tests.support.nginx import NginxSite, find_nginx
from benchmarks.loopback_sites import FastSite, files_of
from benchmarks.measurement import PYTHON, Run, interleave, median, megabytes, print_table, run_measured, spread
from benchmarks.peer_tools import documentation, peer_program, peer_script

AT_ONCE = 16
LATENCIES = (0.0, 0.030)
BARS = "CPU <= 0.38 x Scrapy; pages/s >= 2.8 x (0 ms) and 2.4 x (30 ms) Scrapy, >= 1.4 x Crawlee"


def measure(rounds: int) -> None:
    """Print a table for each latency."""
    folder = documentation()
    if folder is None:
        return
    for delay_seconds in LATENCIES:
        with serving(folder, delay_seconds) as (url, take_pages):
            runs = interleave(contestants(url, take_pages), 1)  # warm: modules compiled, files read
            runs = interleave(contestants(url, take_pages), rounds)
        _print(f"crawl_speed, {delay_seconds * 1000:.0f} ms, {AT_ONCE} at a time, {rounds} rounds. Bars: {BARS}", runs)


@contextmanager
def serving(folder: Path, delay_seconds: float) -> Iterator[tuple[str, Callable[[], int]]]:
    """Serve a folder: by nginx where there is no delay. Yield the URL, and a count of pages since it was last asked."""
    with tempfile.TemporaryDirectory() as home:
        if not delay_seconds and find_nginx() is not None:
            with NginxSite(folder, Path(home)) as site:
                yield site.url(), lambda: sum(each.status == 200 and _is_page(each.target) for each in site.take_log())
            return
        with FastSite(files_of(folder), delay_seconds=delay_seconds) as fast:
            seen = [0]

            def take_pages() -> int:
                new, seen[0] = fast.pages - seen[0], fast.pages
                return new

            yield fast.url, take_pages


def _is_page(target: str) -> bool:
    return target.endswith((".html", "/"))


def contestants(url: str, take_pages: Callable[[], int]) -> dict[str, Callable[[], Run]]:
    """Return a way to run each crawler that is to be had."""
    commands = {
        "arborist": arborist_command(url),
        "Scrapy": _with(peer_script("scrapy", "scrapy_spider.py"), url),
        "Crawlee Parsel": _with(peer_script("crawlee", "crawlee_crawler.py"), url),
        "wget2 (files, no text)": _wget2(url),
    }
    return {name: functools.partial(_run, command, take_pages) for name, command in commands.items() if command}


def arborist_command(url: str) -> list[str]:
    """Return the whole of our work: robots.txt, frontier, links, text, products, Merkle roots, SQLite."""
    return [PYTHON, "-m", "arborist_pipeline", "crawl", "--seed-url", url, "--fast", "--concurrency", str(AT_ONCE),
            "--ingest", "--depth", "50", "--max-pages", "0"]  # fmt: skip


def _with(command: list[str] | None, url: str) -> list[str] | None:
    return [*command, url] if command else None


def _wget2(url: str) -> list[str] | None:
    program = peer_program("wget2", "wget2")
    return program and [program, "--quiet", "--recursive", "--level=50", f"--max-threads={AT_ONCE}", "--robots=off",
                        "--follow-tags=a", url]  # fmt: skip


def _run(command: list[str], take_pages: Callable[[], int]) -> Run:
    with tempfile.TemporaryDirectory() as home:
        take_pages()
        settings = {"ARBORIST_HOME": home, "ARBORIST_ALLOW_PRIVATE": "1"}
        run = run_measured(command, cwd=Path(home), settings=settings, output=Path(home) / "printed")
        pages = take_pages()
        if not pages or (run.code and command[0] == PYTHON):  # wget2 counts a broken link as its own failure
            said = (Path(home) / "printed").read_text(errors="replace")
            raise RuntimeError(f"{command} ended with {run.code} after {pages} pages: {said[-800:]}")
        return replace(run, pages=pages)


def _print(title: str, runs: dict[str, list[Run]]) -> None:
    """Ratios are medians of the rounds' own ratios: what disturbs a round disturbs both sides of it."""
    base = runs.get("Scrapy") or runs["arborist"]
    rows = []
    for name, own in runs.items():
        cpu = [each.cpu_per_1000 for each in own]
        rows.append((
            name,
            round(median(each.pages for each in own)),
            f"{median(cpu):.2f}",
            spread(cpu),
            f"{median(a.cpu_per_1000 / b.cpu_per_1000 for a, b in zip(own, base, strict=True)):.2f}",
            f"{median(each.pages_per_second for each in own):.0f}",
            f"{median(a.pages_per_second / b.pages_per_second for a, b in zip(own, base, strict=True)):.2f}",
            megabytes(median(each.peak_bytes for each in own)),
        ))  # fmt: skip
    header = ("crawler", "pages", "CPU-s/1k", "spread", "x Scrapy", "pages/s", "x Scrapy", "peak RSS")
    print_table(title, header, rows)
