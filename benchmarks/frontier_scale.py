"""frontier_scale: what a queued URL costs among ten thousand and among a million: CPU, memory, disk, time to resume."""

import json
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from arborist_pipeline.adapters.stores.store import SqlStore, open_store
from arborist_pipeline.core.crawl.admission import build_admission
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import CrawlBatch, CrawlStart
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.url import Url
from benchmarks.measurement import PYTHON, median, megabytes, print_table, run_measured

SIZES = (10_000, 100_000, 1_000_000)
BAR = "push + pop at 1,000,000 <= 3 x that at 10,000; RSS <= 250 MB at 1,000,000 queued"
_A_PAGE = 20  # new links of a page
_A_BATCH = 100  # pages of a transaction
_PROBES = 5_000
_SEED = Url("https://shop.example/")
_SITE = Site(key="shop", seed_url=_SEED, max_pages=0, depth=1_000)


def measure(rounds: int) -> None:
    """Print a row for each size; each is filled and resumed in processes of its own."""
    rows = []
    first = 0.0
    for size in SIZES:
        with tempfile.TemporaryDirectory() as home:
            fills = [_in_a_process("fill", size, Path(home) / f"{number}.db") for number in range(rounds)]
            resumed = [_in_a_process("resume", size, Path(home) / f"{number}.db") for number in range(rounds)]
        push, pop, stored = (median(each[name] for each in fills) for name in ("push", "pop", "stored"))
        again = median(each["again"] for each in fills)
        first = first or push + pop
        rows.append((
            f"{size:,}",
            f"{push:.1f} + {pop:.1f} us",
            f"{(push + pop) / first:.1f}",
            f"{again:.2f} us",
            f"{stored:.0f} us",
            megabytes(median(each["rss"] - each["rss_before"] for each in fills)),
            megabytes(median(each["rss"] for each in fills)),
            megabytes(median(each["disk"] for each in fills)),
            f"{median(each['cpu'] for each in resumed):.1f} CPU-s, {median(each['seconds'] for each in resumed):.1f} s",
            megabytes(median(each["rss"] for each in resumed)),
        ))  # fmt: skip
    header = (
        "queued",
        "push + pop",
        "x 10,000",
        "met again",
        "stored",
        "RSS added",
        "RSS",
        "disk",
        "resume",
        "RSS resumed",
    )
    print_table(f"frontier_scale, CPU a URL. Bars: {BAR}", header, rows)


def _in_a_process(what: str, size: int, database: Path) -> dict[str, float]:
    out = database.with_suffix(f".{what}")
    run = run_measured([PYTHON, "-m", "benchmarks.frontier_scale", what, str(size), str(database)], output=out)
    if run.code != 0:
        raise RuntimeError(out.read_text()[-2000:])
    figures: dict[str, float] = json.loads(out.read_text())
    return figures


def _open_frontier(store: SqlStore, walk: Walk) -> tuple[CrawlStart, Frontier]:
    """Begin a crawl or take the last one up, as a run does."""
    policy = CrawlPolicy(max_pages=0, max_depth=1_000, walk=walk)
    start = store.crawls.begin_crawl(_SITE, policy, run_id=None, now=datetime.now(UTC))
    frontier = Frontier(replace(policy, walk=start.walk), build_admission(_SEED, include=(), exclude=(), robots={}),
                        _SEED, rows=store.crawls.frontier_rows(_SITE.key, start.crawl_id), began_at=start.started_at,
                        first_seq=start.first_seq, is_resumed=start.is_resumed)  # fmt: skip
    for _ in frontier.restore():
        _commit(store, start, frontier)
    frontier.start()
    return start, frontier


def _commit(store: SqlStore, start: CrawlStart, frontier: Frontier) -> None:
    batch = CrawlBatch(readings=(), forbidden=(), changes=frontier.take_changes(),
                       arms=frontier.take_arms())  # fmt: skip
    store.crawls.record(start, batch, None)
    frontier.settle(batch.changes)


def _links(start: int, count: int) -> list[Link]:
    """Return addresses of 50 to 60 characters, one in four shaped like a product's."""
    room = ("products", "blog", "guides", "stores")
    return [Link(url=Url(f"https://shop.example/{room[number % 4]}/department-{number % 613}/{number:08d}"),
                 text=f"Number {number}") for number in range(start, start + count)]  # fmt: skip


def _fill(size: int, database: Path) -> dict[str, float]:
    """Queue so many URLs as a crawl would, a page's links at a time, then push and pop some more at that size."""
    store = open_store(str(database))
    store.sites.put_site(_SITE, datetime.now(UTC))
    start, frontier = _open_frontier(store, Walk.FRESH)
    before = _rss()
    stored = 0.0
    for number in range(0, size, _A_PAGE * _A_BATCH):
        for page in range(_A_BATCH):
            frontier.intake.add(_links(number + page * _A_PAGE, _A_PAGE), parent=_SEED, depth=0)
        began = time.process_time()
        _commit(store, start, frontier)
        stored += time.process_time() - began
    figures = {"rss_before": before, "rss": _rss(), "stored": stored / size * 1e6} | _probe(
        store, start, frontier, size
    )
    store.close()
    return figures | {"disk": sum(path.stat().st_size for path in database.parent.glob(database.name + "*"))}


def _probe(store: SqlStore, start: CrawlStart, frontier: Frontier, size: int) -> dict[str, float]:
    """Push, meet again and pop at this size: microseconds of CPU a URL, the median of ten times each."""
    pushes, meets, pops = [], [], []
    for number in range(10):
        links = _links(size + number * _PROBES, _PROBES)
        pushes.append(_add(frontier, links))
        meets.append(_add(frontier, links))
        pops.append(_pop(frontier))
        _commit(store, start, frontier)
    return {name: median(taken) / _PROBES * 1e6 for name, taken in
            (("push", pushes), ("again", meets), ("pop", pops))}  # fmt: skip


def _add(frontier: Frontier, links: Sequence[Link]) -> float:
    began = time.process_time()
    for at in range(0, len(links), _A_PAGE):
        frontier.intake.add(links[at : at + _A_PAGE], parent=_SEED, depth=0)
    return time.process_time() - began


def _pop(frontier: Frontier) -> float:
    """Take and close requests, the reads of the store among them."""
    now = datetime.now(UTC)
    began = time.process_time()
    for _ in range(_PROBES):
        request = frontier.next()
        assert request is not None  # noqa: S101  # the queue is long
        frontier.complete(request.url, kind=None, new_links=0, now=now)
    return time.process_time() - began


def _resume(size: int, database: Path) -> dict[str, float]:
    """Take up the stored queue as a resumed crawl does, to its first request."""
    began, spent = time.monotonic(), time.process_time()
    store = open_store(str(database))
    _, frontier = _open_frontier(store, Walk.RESUME)
    request = frontier.next()
    assert request is not None  # noqa: S101  # so many wait
    assert frontier.unfetched >= size  # noqa: S101  # and none was lost
    return {"seconds": time.monotonic() - began, "cpu": time.process_time() - spent, "rss": _rss()}


def _rss() -> int:
    """Return this process's resident bytes now; the peak where the system does not tell."""
    try:
        fields: Iterator[str] = iter(Path("/proc/self/statm").read_text().split())
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    next(fields)
    return int(next(fields)) * resource.getpagesize()


if __name__ == "__main__":
    work = {"fill": _fill, "resume": _resume}[sys.argv[1]]
    print(json.dumps(work(int(sys.argv[2]), Path(sys.argv[3]))))
