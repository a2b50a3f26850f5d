"""extract_speed: the product reader beside extruct on the same decoded pages; CPU a page, each in its own process."""

import gzip
import json
import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measurement import PYTHON, REPOSITORY, clean_environment, median, print_table, run_measured, spread
from benchmarks.peer_tools import peer_script

_NOWHERE = "https://shop.example/"  # some saved pages do not tell their address


def measure(rounds: int) -> None:
    """Print CPU a page of both, of our reading alone, and of the parser that both build their trees with."""
    with tempfile.TemporaryDirectory() as home:
        pages = Path(home) / "pages.jsonl"
        count = _write_pages(pages)
        if not count:
            print("without saved pages: set ARBORIST_SHARED to a folder that holds corpus/", file=sys.stderr)
            return
        peer = peer_script("extruct", "extruct_pages.py")
        commands = {"arborist": [PYTHON, "-m", "benchmarks.extract_speed"], **({"extruct": peer} if peer else {})}
        figures: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                figures[name].append(_run([*command, str(pages)], Path(home) / name))
    ours, rows = figures["arborist"], []
    for name, own in figures.items():
        whole = [each["whole"] / count * 1000 for each in own]
        ratio = median(b["whole"] / a["whole"] for a, b in zip(ours, own, strict=True))
        rows.append((name, f"{median(whole):.2f} ms", spread(whole), f"{ratio:.1f}", f"{own[0]['found']:.0f}"))
    alone = [each["reading"] / count * 1000 for each in ours]
    rows.append(("  of it reading", f"{median(alone):.2f} ms", spread(alone),
                 f"{median(each['reading'] / each['whole'] for each in ours):.2f}", ""))  # fmt: skip
    floor = [each["floor"] / count * 1000 for each in ours]
    rows.append(("  lxml, the tree alone", f"{median(floor):.2f} ms", spread(floor),
                 f"{median(each['floor'] / each['whole'] for each in ours):.2f}", ""))  # fmt: skip
    header = ("reader", "CPU a page", "spread", "x arborist", "pages with a product")
    print_table(f"extract_speed, {count} saved pages, parse and read, {rounds} rounds", header, rows)


def _write_pages(out: Path) -> int:
    """Decode the saved pages once for both; return how many there are."""
    shared = Path(os.environ.get("ARBORIST_SHARED") or REPOSITORY.parent / "shared") / "corpus"
    if not (shared / "manifest.jsonl").exists():
        return 0
    entries = [json.loads(line) for line in (shared / "manifest.jsonl").read_text().splitlines()]
    with out.open("w") as lines:
        for entry in entries:
            path = shared / entry["file"]
            body = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            text = body.decode(entry["charset"], errors="replace")
            lines.write(json.dumps({"url": entry["url"] or _NOWHERE, "html": text}) + "\n")
    return len(entries)


def _run(command: list[str], out: Path) -> dict[str, float]:
    run = run_measured(command, output=out, settings=clean_environment())
    if run.code != 0:
        raise RuntimeError(out.read_text()[-2000:])
    figures: dict[str, float] = json.loads(out.read_text().splitlines()[-1])
    return figures


def _main(pages: Path) -> None:
    """Read all pages in this process; the first ones twice, so that what is made at first use is left out."""
    from lxml import etree  # noqa: PLC0415  # the parent needs none of it

    from arborist_pipeline.core.products.extract import read_page  # noqa: PLC0415  # the parent needs none of it
    from arborist_pipeline.core.web.fetch import FetchResult  # noqa: PLC0415  # as above
    from arborist_pipeline.core.web.page import parse_page  # noqa: PLC0415  # as above
    from arborist_pipeline.core.web.url import canonicalize  # noqa: PLC0415  # as above

    listed = [json.loads(line) for line in pages.read_text().splitlines()]
    now, headers = datetime.now(UTC), {"content-type": "text/html; charset=utf-8"}
    results = [
        FetchResult(requested_url=canonicalize(each["url"]), status=200, headers=headers, body_read=True,
                    body=each["html"].encode("utf-8", "replace"), fetched_at=now, elapsed_seconds=0.0)
        for each in listed
    ]  # fmt: skip
    whole = reading = floor = 0.0
    found = 0
    for number, result in enumerate([*results[:20], *results]):
        began = time.process_time()
        page = parse_page(result)
        parsed = time.process_time()
        product = read_page(page).product
        if number >= 20:
            whole += time.process_time() - began
            reading += time.process_time() - parsed
            found += product is not None
        began = time.process_time()
        etree.fromstring(result.body or b"<p>", etree.HTMLParser(encoding="utf-8", huge_tree=True))
        floor += time.process_time() - began if number >= 20 else 0.0
    print(json.dumps({"whole": whole, "reading": reading, "floor": floor, "found": found}))


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
