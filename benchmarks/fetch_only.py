"""fetch_only: the HTTP client alone, 1,500 answers, at 16 and at 64 at once: CPU a page must not grow with the pool."""

import asyncio
import functools
import itertools
import json
import resource
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from urllib.parse import quote

from benchmarks.measurement import PYTHON, Run, interleave, median, print_table, run_measured, spread

FETCHES = 1_500
CLIENTS = ("arborist", "aiohttp", "httpx")
BAR = "at 64 at most 1.3 x the CPU of 16"


def measure(rounds: int) -> None:
    """Print CPU a page of our client at both widths, beside the libraries it stands on."""
    from benchmarks.crawl_speed import serving  # noqa: PLC0415  # the child that fetches should not load the test tools
    from benchmarks.peer_tools import documentation  # noqa: PLC0415  # as above

    folder = documentation()
    if folder is None:
        return
    with serving(folder, 0.0) as (url, _), tempfile.TemporaryDirectory() as home:
        names = itertools.cycle(sorted(path.name for path in folder.glob("*.html")))
        urls = Path(home) / "urls"
        urls.write_text("\n".join(url + quote(name) for name in itertools.islice(names, FETCHES)))
        ways = {
            f"{client} {width}": functools.partial(_run, client, width, urls)
            for client in CLIENTS
            for width in (16, 64)
        }
        interleave(ways, 1)
        runs = interleave(ways, rounds)
    rows = []
    for client in CLIENTS:
        narrow, wide = ([each.cpu_per_1000 for each in runs[f"{client} {width}"]] for width in (16, 64))
        ratio = median(b / a for a, b in zip(narrow, wide, strict=True))
        own = median(a / b.cpu_per_1000 for a, b in zip(narrow, runs["aiohttp 16"], strict=True))
        rows.append(
            (client, f"{median(narrow):.2f}", f"{median(wide):.2f}", spread(narrow), f"{ratio:.2f}", f"{own:.1f}")
        )
    header = ("client", "CPU-s/1k at 16", "at 64", "spread", "64 : 16", "x aiohttp at 16")
    print_table(f"fetch_only, {FETCHES} pages, {rounds} rounds. Bar: {BAR}", header, rows)


def _run(client: str, width: int, urls: Path) -> Run:
    out = urls.with_name("figures")
    run = run_measured([PYTHON, "-m", "benchmarks.fetch_only", client, str(width), str(urls)], output=out)
    if run.code != 0:
        raise RuntimeError(out.read_text())
    figures = json.loads(out.read_text())
    return Run(code=0, seconds=run.seconds, cpu_seconds=figures["cpu_seconds"], peak_bytes=run.peak_bytes,
               pages=figures["pages"])  # fmt: skip


async def _fetch_all(urls: Sequence[str], width: int, fetch: Callable[[str], Awaitable[int]]) -> int:
    """Let `width` workers take the URLs in turn; return how many answers had a body."""
    left = iter(urls)

    async def work() -> int:
        return sum([await fetch(url) > 0 for url in left])

    return sum(await asyncio.gather(*(work() for _ in range(width))))


async def _by_arborist(urls: Sequence[str], width: int) -> int:
    from arborist_pipeline.adapters.fetchers.http import HttpFetcher  # noqa: PLC0415  # one client in a process
    from arborist_pipeline.core.web.fetch import FetchRequest  # noqa: PLC0415  # as above
    from arborist_pipeline.core.web.url import Url  # noqa: PLC0415  # as above

    async with HttpFetcher(user_agent="arborist-crawler/0", connections=width, allow_private=True) as fetcher:

        async def fetch(url: str) -> int:
            return len((await fetcher.fetch(FetchRequest(url=Url(url)))).body)

        return await _fetch_all(urls, width, fetch)


async def _by_aiohttp(urls: Sequence[str], width: int) -> int:
    import aiohttp  # noqa: PLC0415  # as above

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=width)) as session:

        async def fetch(url: str) -> int:
            async with session.get(url) as response:
                return len(await response.read())

        return await _fetch_all(urls, width, fetch)


async def _by_httpx(urls: Sequence[str], width: int) -> int:
    import httpx  # noqa: PLC0415  # as above

    limits = httpx.Limits(max_connections=width, max_keepalive_connections=width)
    async with httpx.AsyncClient(limits=limits, timeout=60) as client:

        async def fetch(url: str) -> int:
            return len((await client.get(url)).content)

        return await _fetch_all(urls, width, fetch)


def _main(client: str, width: int, urls: Path) -> None:
    """Fetch in this process, and print what that took, imports left out (a first fetch makes them)."""
    fetch_all = {"arborist": _by_arborist, "aiohttp": _by_aiohttp, "httpx": _by_httpx}[client]
    listed = urls.read_text().split()

    async def run() -> None:
        await fetch_all(listed[:1], 1)
        before = resource.getrusage(resource.RUSAGE_SELF)
        pages = await fetch_all(listed, width)
        after = resource.getrusage(resource.RUSAGE_SELF)
        cpu_seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(json.dumps({"pages": pages, "cpu_seconds": cpu_seconds}))

    asyncio.run(run())


if __name__ == "__main__":
    _main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
