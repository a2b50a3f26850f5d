"""ingest_speed, search_scale, overlap_scale: what documents cost to store, to search, to audit and to compare."""

import contextlib
import gzip
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.stores.search import SqlSearch
from arborist_pipeline.adapters.stores.store import SqlStore, open_store
from arborist_pipeline.adapters.stores.verify import SqlAudit
from arborist_pipeline.core.documents.document import build_document, build_document_from_text
from arborist_pipeline.core.documents.words import parse_query
from arborist_pipeline.core.ports import DocumentItem, StoredBody
from arborist_pipeline.core.report.overlap import SharedLeaf, Text, build_clusters
from arborist_pipeline.core.web.charset import html_in_utf_8
from arborist_pipeline.core.web.html import parse_html
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.ingest import ingest_pages
from arborist_pipeline.workflows.verify import verify_store
from arborist_pipeline_tests.adapters.stores.conftest import SITE, visit
from arborist_pipeline_tests.support.doc_sites import find_doc_sites
from arborist_pipeline_tests.support.postgres import running_server, why_no_server
from benchmarks.measurement import median, megabytes, print_table, spread

PAGES = 400
DOCUMENTS = 20_000
_HEADERS = {"content-type": "text/html; charset=utf-8"}
_NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)
_QUERIES = {"a rare word": "w19000", "a common word": "w7", "three words": "w30 w41 w55", "a phrase": '"w1 w2"',
            "no page": "nowhere"}  # fmt: skip


def measure_ingest(rounds: int) -> None:
    """Print CPU a page from HTML to root and to each database, beside a bare parse and SHA-256; then room on disk."""
    pages = _real_pages()
    if not pages:
        print("without documentation on this machine: install postgresql-doc or python3-doc")
        return
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ways: dict[str, Callable[[], float]] = {
            "parse + SHA-256": lambda: _cpu(lambda: [_bare(body) for body in pages.values()]),
            "HTML to root": lambda: _cpu(lambda: [_document(url, body) for url, body in pages.items()]),
            "HTML to root to SQLite": lambda: _ingest(str(folder / f"{time.monotonic_ns()}.db"), pages),
        }
        if why_no_server() is None:
            server = stack.enter_context(running_server())
            ways["HTML to root to PostgreSQL (client)"] = lambda: _ingest(server, pages)
        runs: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(rounds + 1):
            for name, run in ways.items():
                seconds = run()
                if turn:
                    runs[name].append(seconds)
        bare = next(iter(runs.values()))
        rows = [
            (name, f"{median(own) / len(pages) * 1000:.2f} ms", spread(own), f"{len(pages) / median(own):.0f}",
             f"{median(a / b for a, b in zip(own, bare, strict=True)):.2f}")
            for name, own in runs.items()
        ]  # fmt: skip
        header = ("way", "CPU a page", "spread", "pages a CPU-s", "x parse + SHA-256")
        print_table(f"ingest_speed, {rounds} rounds of {len(pages)} pages", header, rows)
        stored = max(path.stat().st_size for path in folder.glob("*.db")) / len(pages)
    zipped = sum(len(gzip.compress(body, 6)) for body in pages.values()) / len(pages)
    raw = sum(map(len, pages.values())) / len(pages)
    print_table("bytes a page, bodies, links, texts and all rows", ("raw", "gzip -6", "stored", "x gzip"),
                [(f"{raw:.0f}", f"{zipped:.0f}", f"{stored:.0f}", f"{stored / zipped:.2f}")])  # fmt: skip


def measure_search(rounds: int) -> None:
    """Print what indexing, searching and auditing cost at 20,000 documents on each database."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        places = {"SQLite": f"{folder}/web.db"}
        if why_no_server() is None:
            places["PostgreSQL"] = stack.enter_context(running_server())
        for name, place in places.items():
            store = open_store(place)
            stack.callback(store.close)
            _fill(store)
            search = SqlSearch(store.engine)
            began = time.monotonic()
            indexing = f"{_cpu(search.refresh) * 1000:.0f} ms"
            rows = [("indexing", f"{(time.monotonic() - began) * 1000:.0f} ms", indexing),
                    ("anything to index?", *_time(search.count_missing, rounds))]  # fmt: skip
            for kind, asked in _QUERIES.items():
                rows.append((kind, *_time(partial(search.find, parse_query(asked), limit=10), rounds)))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            audit = SqlAudit(store.engine)
            rows.append(("verify, documents and site roots",
                         *_time(partial(verify_store, audit, report=print), 1)))  # fmt: skip
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
            print_table(f"search_scale, {name}, {DOCUMENTS:,} documents: index {megabytes(search.size_bytes())}, "
                        f"RSS +{megabytes(grown)} by verify", ("what", "wall, median", "CPU here"), rows)  # fmt: skip


def measure_overlap(rounds: int) -> None:
    """Print what comparing documents by shared leaves costs at 5,000 and at 20,000: never every pair."""
    rows = []
    for count in (DOCUMENTS // 4, DOCUMENTS):
        texts, leaves = _overlapping(count)
        seconds = [_cpu(lambda texts=texts, leaves=leaves: build_clusters(texts, leaves)) for _ in range(rounds)]
        clusters = len(build_clusters(texts, leaves))
        rows.append((f"{count:,}", f"{median(seconds):.2f} s", f"{median(seconds) / count * 1e6:.0f} us", clusters))
    print_table(f"overlap_scale, {rounds} rounds", ("pages", "CPU", "a page", "clusters"), rows)


def _real_pages() -> dict[str, bytes]:
    pages = {}
    for folder in find_doc_sites():
        for path in sorted(folder.rglob("*.html"))[:PAGES]:
            pages[f"https://shop.example/{len(pages)}.html"] = path.read_bytes()
    return dict(list(pages.items())[: 2 * PAGES])


def _bare(body: bytes) -> None:
    text, encoding = html_in_utf_8(body, _HEADERS["content-type"])
    parse_html(text, encoding=encoding)
    sha256(body).digest()


def _document(url: str, body: bytes) -> None:
    build_document(url, parse_body(body, url=canonicalize(url), headers=_HEADERS))


def _ingest(place: str, pages: dict[str, bytes]) -> float:
    """Store bodies, then measure what making documents of them costs this process."""
    store = open_store(place)
    store.sites.put_site(SITE, _NOW)
    answers = {url.removeprefix("https://shop.example"): body.decode(errors="replace") for url, body in pages.items()}
    visit(store, answers)
    store.documents.forget_readings(SITE.key)
    seconds = _cpu(lambda: ingest_pages(SITE, store=store.documents, clock=SystemClock()))
    if "://" in place:
        with store.engine.begin() as connection:
            connection.exec_driver_sql("DROP SCHEMA public CASCADE")
            connection.exec_driver_sql("CREATE SCHEMA public")
    store.close()
    return seconds


def _fill(store: SqlStore) -> None:
    """Store documents of 300 words each, common words far more often than rare ones."""
    store.sites.put_site(SITE, _NOW)
    for start in range(0, DOCUMENTS, 500):
        items = [_item(number) for number in range(start, start + 500)]
        store.documents.put_documents(SITE.key, items, now=_NOW)
    store.documents.settle(SITE.key, now=_NOW)


def _item(number: int) -> DocumentItem:
    url = canonicalize(f"https://shop.example/{number}")
    source = StoredBody(url=url, page_id=number, body=b"", body_sha256=b"0" * 32, headers={}, fetched_at=_NOW)
    text = "\n".join(" ".join(line) for line in _lines(random.Random(number), 20))  # noqa: S311  # made-up text
    return DocumentItem(source=source, document=build_document_from_text(url, text, title=f"Page {number}"))


def _lines(chance: random.Random, count: int) -> Iterator[list[str]]:
    for _ in range(count):
        yield [f"w{int(20_000 ** chance.random())}" for _ in range(15)]


def _overlapping(count: int) -> tuple[list[Text], list[SharedLeaf]]:
    """Make pages of ten leaves: groups of twenty share most of theirs, and one leaf stands on one page in seven."""
    having: dict[bytes, list[int]] = {}
    for number in range(count):
        own = [f"{number // 20}-{place}" for place in range(7)] + [f"{number}-{place}" for place in range(2)]
        for leaf in [*own, f"all {number % 7}"]:
            having.setdefault(leaf.encode(), []).append(number)
    texts = [Text(f"/{number:06}", 3_000) for number in range(count)]
    return texts, [SharedLeaf(leaf, 300, documents) for leaf, documents in sorted(having.items())]


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _time(work: Callable[[], object], rounds: int) -> tuple[str, str]:
    walls, cpus = [], []
    for _ in range(rounds):
        began = time.monotonic()
        cpus.append(_cpu(work))
        walls.append(time.monotonic() - began)
    return f"{median(walls) * 1000:.0f} ms", f"{median(cpus) * 1000:.0f} ms"
