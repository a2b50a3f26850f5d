"""loop_block: the longest time for which one page keeps all others from their turn in a crawl, and where it does so."""

import asyncio
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.policy import build_policy
from arborist_pipeline.core.crawl.records import CrawlSummary, Mode, Site
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.crawl import crawl_site
from benchmarks.crawl_speed import AT_ONCE, serving
from benchmarks.loopback_sites import Answer, FastSite
from benchmarks.measurement import print_table
from benchmarks.peer_tools import documentation

BAR_SECONDS = 0.2
_TICK_SECONDS = 0.005


def measure(rounds: int) -> None:
    """Print a row for each site and round; above the bar also what the process was at."""
    folder, large = documentation(), LargePages()
    for _ in range(rounds):
        if folder is not None:
            with serving(folder, 0.0) as (url, _):
                _report("real documentation, nginx", url)
        with FastSite(large) as site:
            _report(f"{len(large.sizes)} pages of 1 to 10 MB", site.url)


class LargePages:
    """Ordinary pages of 1 to 10 MB: sections of text, tables, and thousands of links, many of them to other pages."""

    def __init__(self) -> None:
        self.sizes = tuple(range(1, 11)) * 2
        made = (_large_page(number, size * 1_000_000) for number, size in enumerate(self.sizes))
        self._pages = tuple(Answer(body) for body in made)

    def __call__(self, path: str) -> Answer | None:
        """Answer a path; the first page is small and links to all others."""
        if path == "/":
            links = "".join(f'<li><a href="/large/{number}">{number}</a>' for number in range(len(self.sizes)))
            return Answer(f"<!doctype html><title>Large pages</title><ul>{links}</ul>".encode())
        number = path.removeprefix("/large/")
        if not number.isdecimal() or int(number) >= len(self.sizes):
            return None
        return self._pages[int(number)]


def _large_page(number: int, size: int) -> bytes:
    parts = [f"<!doctype html><html lang=en><meta charset=utf-8><title>Large page {number}</title><h1>{number}</h1>"]
    length = row = 0
    while length < size:
        row += 1
        words = " ".join(f"word{(number * 7 + row * 13 + each) % 997}" for each in range(80))
        part = (f'<section id="s{row}"><h2>Section {row}</h2><p>{words}.</p><table><tr><td>{row}<td>{row * 3}.50 EUR'
                f'<td><a href="/large/{row % 20}#s{row}">See also {row}</a></table></section>\n')  # fmt: skip
        parts.append(part)
        length += len(part)
    return "".join(parts).encode()


class _Watch:
    """Beats from a task of the loop; a thread notes what the process is at while a beat is overdue."""

    def __init__(self) -> None:
        self.gaps: list[float] = []
        self.own_gaps: list[float] = []
        self.busy: Counter[str] = Counter()
        self._beat_at = time.monotonic()
        self._over = threading.Event()
        self._loop_thread = threading.get_ident()

    async def beat(self) -> None:
        """Take note of how long a short sleep really takes, and how much this process, all threads, worked meanwhile.

        On a machine that others use too the first tells of them; no block of our own is longer than the second.
        """
        while True:
            began, worked = time.monotonic(), time.process_time()
            self._beat_at = began
            await asyncio.sleep(_TICK_SECONDS)
            gap = time.monotonic() - began - _TICK_SECONDS
            self.gaps.append(gap)
            self.own_gaps.append(min(gap, time.process_time() - worked))

    def look(self) -> None:
        """Sample stacks while a beat is overdue by half of the bar."""
        while not self._over.wait(_TICK_SECONDS):
            if time.monotonic() - self._beat_at > BAR_SECONDS / 2:
                for thread, frame in sys._current_frames().items():  # noqa: SLF001  # there is no other way to look
                    place = _own_place(traceback.extract_stack(frame))
                    if place:
                        self.busy[("loop: " if thread == self._loop_thread else "thread: ") + place] += 1

    def end(self) -> None:
        """End the looking."""
        self._over.set()


def _own_place(stack: traceback.StackSummary) -> str:
    own = [frame for frame in stack if "arborist_pipeline/" in frame.filename]
    if not own:
        return ""
    return f"{own[-1].filename.rpartition('arborist_pipeline/')[2]}:{own[-1].lineno} {own[-1].name}"


def _report(what: str, url: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        began = time.process_time()
        summary, watch = asyncio.run(_watched(_crawl(url, Path(home))))
        cpu_seconds = time.process_time() - began
    own = sorted(watch.own_gaps)
    over = sum(gap > BAR_SECONDS for gap in own)
    row = (what, summary.pages, f"{own[-1] * 1000:.0f} ms", f"{own[int(len(own) * 0.99)] * 1000:.0f} ms", over,
           f"{max(watch.gaps) * 1000:.0f} ms", f"{cpu_seconds:.1f}")  # fmt: skip
    print_table(f"loop_block, {AT_ONCE} at a time; bar: {BAR_SECONDS * 1000:.0f} ms of our own work",
                ("site", "pages", "longest block", "99 % of beats", "over the bar", "by the clock", "CPU-s"),
                [row])  # fmt: skip
    if watch.busy:
        print_table("what was under way at late beats", ("place", "samples"), watch.busy.most_common(8))


async def _watched(crawl: Coroutine[Any, Any, CrawlSummary]) -> tuple[CrawlSummary, _Watch]:
    watch = _Watch()
    threading.Thread(target=watch.look, daemon=True).start()
    beating = asyncio.ensure_future(watch.beat())
    try:
        summary = await crawl
    finally:
        beating.cancel()
        watch.end()
    return summary, watch


async def _crawl(url: str, home: Path) -> CrawlSummary:
    seed = canonicalize(url)
    site = Site(key="site", seed_url=seed, mode=Mode.FAST, concurrency=AT_ONCE)
    policy = build_policy(site, cpus=1, max_pages=0, max_depth=50, ingest=True)
    store, clock = open_store(str(home / "web.db")), SystemClock()
    try:
        store.sites.put_site(site, clock.now())
        async with HttpFetcher(user_agent="arborist-crawler/bench", connections=AT_ONCE, allow_private=True) as fetcher:
            return await crawl_site(site, policy, fetcher=fetcher, store=store, clock=clock, holder="loop_block")
    finally:
        store.close()
