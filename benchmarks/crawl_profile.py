"""profile: where the CPU of crawl_speed's own run goes, by sampling all of its threads from outside."""

import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.crawl_speed import arborist_command, serving
from benchmarks.measurement import print_table, run_measured
from benchmarks.peer_tools import documentation, peer_program

_PARTS = (
    ("store", ("adapters/stores/", "sqlalchemy/", "sqlite3/")),
    ("product reader", ("core/products/",)),
    ("text and chunks", ("core/documents/text", "core/documents/chunking", "core/documents/document")),
    ("hashing", ("core/documents/merkle", "core/documents/proof")),
    ("frontier", ("core/crawl/frontier", "core/crawl/admission", "core/crawl/priority", "core/crawl/entries",
                  "core/crawl/traps", "core/web/feeds", "core/web/extensions", "core/web/robots")),
    ("parse and links", ("core/web/", "lxml/", "chardet/")),
    ("client", ("adapters/fetchers", "adapters/addresses", "httpx", "aiohttp", "yarl", "multidict")),
    ("imports", ("importlib", "<frozen")),
    ("command line", ("arborist_pipeline/cli/", "core/crawl/lines", "json/", "click/", "tqdm/")),
    ("loop of the crawl", ("workflows/", "core/crawl/")),
    ("asyncio", ("asyncio/", "selectors.py")),
)  # fmt: skip
"""The innermost frame that fits one of these says what a sample was spent on; the first fit of a frame counts."""
_SAMPLES_A_SECOND = 250
_WAITS = ("/threading.py:", "/concurrent/futures/thread.py:")
"""Where a thread of ours waits for work or for its turn: the sampler takes some of that for activity."""


def measure(rounds: int) -> None:
    """Print the share of each part, and the single functions that take most."""
    sampler, folder = peer_program("py-spy", "py-spy"), documentation()
    if sampler is None or folder is None:
        return
    parts: Counter[str] = Counter()
    functions: Counter[str] = Counter()
    with serving(folder, 0.0) as (url, _):
        for _ in range(rounds + 1):  # the first one warms up, and is forgotten
            parts.clear()
            functions.clear()
            for stack, count in _samples(sampler, url):
                part, function = _attribute(stack)
                parts[part] += count
                functions[function] += count
    whole = parts.total() or 1
    shares = [(part, f"{count / whole:.0%}") for part, count in parts.most_common()]
    print_table(f"profile: {whole} samples of one crawl at 0 ms", ("part", "share"), shares)
    top = [(name, f"{count / whole:.1%}") for name, count in functions.most_common(25)]
    print_table("functions of ours, with what they call in libraries", ("function", "share"), top)


def _samples(sampler: str, url: str) -> list[tuple[list[str], int]]:
    with tempfile.TemporaryDirectory() as home:
        out = Path(home) / "stacks"
        command = [sampler, "record", "--format", "raw", "--full-filenames", "--rate", str(_SAMPLES_A_SECOND),
                   "--output", str(out), "--", *arborist_command(url)]  # fmt: skip
        printed = Path(home) / "printed"
        run_measured(command, cwd=Path(home), output=printed,
                     settings={"ARBORIST_HOME": home, "ARBORIST_ALLOW_PRIVATE": "1"})  # fmt: skip
        if not out.exists():
            raise RuntimeError(f"the sampler took no samples: {printed.read_text()[-500:]}")
        lines = [line.rpartition(" ") for line in out.read_text().splitlines()]
        return [(stack.split(";"), int(count)) for stack, _, count in lines if not _is_waiting(stack)]


def _is_waiting(stack: str) -> bool:
    innermost = stack.rpartition(";")[2]
    return any(mark in innermost for mark in _WAITS)


def _attribute(stack: list[str]) -> tuple[str, str]:
    """Return what part a stack belongs to, and the innermost function of ours in it."""
    part = next((name for frame in reversed(stack) for name, marks in _PARTS if any(m in frame for m in marks)), "rest")
    own = next((frame for frame in reversed(stack) if "arborist_pipeline/" in frame), stack[-1])
    name, _, place = own.partition(" (")
    return part, f"{place.rpartition('arborist_pipeline/')[2].split(':')[0].rstrip(')')}: {name}"
