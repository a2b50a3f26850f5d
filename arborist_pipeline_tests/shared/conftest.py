"""The crawl cases of the shared folder, each crawled once by the real command in a process and home of its own."""

import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("ARBORIST_SHARED") or REPOSITORY.parent / "shared").resolve()
CASES_FILE = SHARED / "cases" / "cases.jsonl"
AT_ONCE = 6  # most of the time they wait for a slow answer
LONGEST_SECONDS = 300  # a command that takes longer hangs

# Facts that are told by the report.
_REPORT_FACTS = (
    "malformed_links broken_links orphans sitemap_redirects redirect_problems redirects_leaving_host duplicates thin "
    "soft_404 canonical_problems report report_lists_once sitemap_urls"
).split()
_SLOW_KINDS = frozenset("slow malformed-http dagster-crash dagster-sensor dagster-run-key url-trap".split())


def load_cases() -> list[dict]:
    """The cases that need no browser; none where the folder is absent."""
    if not CASES_FILE.is_file():
        return []
    cases = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]
    return [case for case in cases if case.get("needs") != "browser"]


@dataclass
class Run:
    """One case, crawled: what the command printed, what the server saw, where the store is."""

    case: dict
    base: str
    home: Path
    exit_code: int = 0
    pages: list[dict] = field(default_factory=list)
    summary: dict = field(default_factory=dict)
    verdict: list[str] | None = None
    log: list[dict] = field(default_factory=list)
    report: dict | None = None
    checks: list[list[dict]] = field(default_factory=list)
    peak_bytes: int = 0
    said: str = ""
    seconds: float = 0.0

    def path(self, url: str) -> str:
        return "/" + url.split("://", 1)[1].partition("/")[2]

    def found(self, *signals: str) -> list[dict]:
        return [finding for finding in self.report["findings"] if finding["signal"] in signals]

    def paths(self, *signals: str) -> list[str]:
        return sorted(self.path(finding["url"]) for finding in self.found(*signals))

    def rows(self, query: str, *values) -> list[tuple]:
        connection = sqlite3.connect(f"file:{self.home}/crawl/web.db?mode=ro", uri=True)
        try:
            return connection.execute(query, values).fetchall()
        finally:
            connection.close()

    def text(self, path: str | None = None) -> str:
        """The stored text of one current document, or of all."""
        query = """SELECT text FROM documents JOIN document_chunks USING (recipe, document_root)
                   JOIN chunks USING (leaf_hash) WHERE is_current"""
        if path is None:
            return "\n".join(text for (text,) in self.rows(query))
        url = self.base.rstrip("/") + path
        return "\n".join(text for (text,) in self.rows(f"{query} AND document_uri = ?", url))

    def products(self) -> dict[str, dict]:
        rows = self.rows("SELECT url, record FROM products WHERE is_current")
        return {self.path(url): json.loads(record) for url, record in rows}


class Cases:
    """The server, and the runs of its cases: begun together, each waited for by its own test."""

    def __init__(self, addresses: dict[str, str], folder: Path, cases: list[dict]) -> None:
        self._control = addresses["_control"].rstrip("/")
        self._addresses, self._folder = addresses, folder
        self._pool = ThreadPoolExecutor(AT_ONCE)
        slow_first = sorted(cases, key=lambda case: case["kind"] not in _SLOW_KINDS)
        self._runs: dict[str, Future[Run]] = {case["id"]: self._pool.submit(self._run, case) for case in slow_first}

    def __getitem__(self, case_id: str) -> Run:
        return self._runs[case_id].result()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def ask(self, what: str, case_id: str, **values) -> dict:
        answer = httpx.get(f"{self._control}/{what}", params={"case": case_id, **values}, timeout=60)
        return answer.json()

    def command(self, run: Run, *words: object) -> tuple[int, str, str]:
        """Call the command for a run; its peak of memory is noted."""
        call = [sys.executable, "-m", "arborist_pipeline", *map(str, words)]
        settings = {name: value for name, value in os.environ.items() if not re.match("ARBORIST|CRAWL_|DAGSTER", name)}
        settings |= {"ARBORIST_HOME": str(run.home), "ARBORIST_ALLOW_PRIVATE": "1", "PYTHONPATH": str(REPOSITORY)}
        run.home.mkdir(parents=True, exist_ok=True)
        out, err = run.home / "out.txt", run.home / "err.txt"
        with out.open("w") as printed, err.open("w") as said:
            child = subprocess.Popen(call, stdout=printed, stderr=said, env=settings, cwd=run.home)
            deadline = time.monotonic() + LONGEST_SECONDS
            while (ended := os.wait4(child.pid, os.WNOHANG))[0] == 0:
                if time.monotonic() > deadline:
                    child.kill()
                time.sleep(0.02)
        child.returncode = os.waitstatus_to_exitcode(ended[1])
        run.peak_bytes = max(run.peak_bytes, ended[2].ru_maxrss * 1024)
        return child.returncode, out.read_text(), err.read_text()

    def crawl(self, run: Run) -> None:
        seed = run.base.rstrip("/") + run.case["entry"]
        run.exit_code, printed, run.said = self.command(
            run, "crawl", "--seed-url", seed, "--fast", "--ingest", "--depth", 20, "--max-pages", 400, "--json"
        )
        *pages, last = map(json.loads, printed.splitlines())  # a second line of one order corrects the first
        run.pages = list({page["order"] or -number: page for number, page in enumerate(pages)}.values())
        run.summary = last["summary"]

    def recheck(self, run: Run) -> None:
        _, printed, _ = self.command(run, "crawler", "recrawl-check", "--json")
        run.checks.append([json.loads(line) for line in printed.splitlines()])

    def move(self, run: Run, phase: int) -> None:
        self.ask("phase", run.case["id"], n=phase)

    def _run(self, case: dict) -> Run:
        run = Run(case, self._addresses[case["id"]], self._folder / case["id"])
        began = time.monotonic()
        self.crawl(run)
        facts = case.get("facts", {})
        if any(name in facts for name in _REPORT_FACTS):
            _, printed, _ = self.command(run, "crawl-report", "--seed-url", run.base, "--format", "json")
            run.report = json.loads(printed)
        run.verdict = self.ask("verdict", case["id"]).get(case["id"])
        run.log = self.ask("log", case["id"])[case["id"]]
        run.seconds = time.monotonic() - began
        return run


@contextmanager
def served() -> Iterator[dict[str, str]]:
    """Start the server on ports that are free: it takes a run of them, so another start is tried where one is not."""
    for _ in range(20):
        port = random.randrange(20_000, 32_000)
        child = subprocess.Popen([sys.executable, str(CASES_FILE.parent / "serve_cases.py"), "--port", str(port)],
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        line = child.stdout.readline()
        try:
            if line:
                yield json.loads(line)
                return
        finally:
            child.kill()
            child.communicate()
    pytest.fail("no run of free ports was found for the cases")


@pytest.fixture(scope="session")
def cases(request, shared, tmp_path_factory) -> Iterator[Cases]:
    """The runs of the cases that this session's tests want."""
    assert (shared / "cases").is_dir()
    wanted = {item.callspec.params["case_id"] for item in request.session.items if "case_id" in
              getattr(getattr(item, "callspec", None), "params", {})}  # fmt: skip
    with served() as addresses:
        runs = Cases(
            addresses, tmp_path_factory.mktemp("cases"), [each for each in load_cases() if each["id"] in wanted]
        )
        yield runs
        runs.close()
