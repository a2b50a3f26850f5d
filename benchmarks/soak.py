"""soak: one process crawls a generated shop of 50,000 pages; its memory and its CPU a page at each tenth."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.crawl_speed import arborist_command
from benchmarks.loopback_sites import FastSite, GeneratedShop
from benchmarks.measurement import clean_environment, megabytes, print_table

_TICKS = os.sysconf("SC_CLK_TCK")
_DEEP = ["--depth", "1000000"]


class Sample(NamedTuple):
    """A process at a moment: pages done, resident bytes, CPU seconds so far, bytes of its store."""

    pages: int
    resident: int
    cpu_seconds: float
    disk: int


def measure(rounds: int, pages: int = 50_000) -> None:
    """Print a row at each tenth of the pages."""
    for _ in range(rounds):
        shop = GeneratedShop(pages)
        with tempfile.TemporaryDirectory() as home, FastSite(shop) as site:
            samples = _crawl(site, pages, Path(home))
        rows = [
            (f"{now.pages:,}", megabytes(now.resident), f"{(now.resident - samples[0].resident) / 1e6:+.0f} MB",
             f"{(now.cpu_seconds - last.cpu_seconds) / max(now.pages - last.pages, 1) * 1000:.2f}", megabytes(now.disk))
            for last, now in zip([Sample(0, 0, 0.0, 0), *samples], samples, strict=False)
        ]  # fmt: skip
        print_table(f"soak, {pages:,} pages and their lists", ("pages", "RSS", "since 1/10", "CPU-s/1k", "disk"), rows)


def _crawl(site: FastSite, pages: int, home: Path) -> list[Sample]:
    environment = clean_environment(ARBORIST_HOME=str(home), ARBORIST_ALLOW_PRIVATE="1")
    samples: list[Sample] = []
    with (home / "printed").open("wb") as printed:
        process = subprocess.Popen([*arborist_command(site.url), *_DEEP], env=environment, stdout=printed,
                                   stderr=printed)  # fmt: skip
        while process.poll() is None:
            if site.pages >= (len(samples) + 1) * pages // 10 and len(samples) < 10:
                samples.append(_sample(process.pid, site.pages, home))
                print(f"{site.pages:,} pages, {megabytes(samples[-1].resident)}", file=sys.stderr, flush=True)
            time.sleep(0.02)
    if process.returncode != 0 or len(samples) < 10:
        raise RuntimeError((home / "printed").read_text()[-800:])
    return samples


def _sample(pid: int, pages: int, home: Path) -> Sample:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    disk = sum(path.stat().st_size for path in home.glob("crawl/web.db*"))
    return Sample(pages, resident, (int(fields[11]) + int(fields[12])) / _TICKS, disk)
