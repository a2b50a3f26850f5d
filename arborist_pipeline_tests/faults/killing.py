"""Crawls that are killed and resumed until they are done, and what is then asked of the store they leave.

whole = Story(site, home / "whole").run().ledger(WHATEVER_THE_ORDER)
story = Story(site, home / "cut", "--fast", "--concurrency", "4")
story.run([Moment("request", 9, 0.003), Moment("commit", 5, 0.0)])
assert faults_of(story, whole, concurrency=4) == []
"""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

from arborist_pipeline_tests.conftest import REPOSITORY

PATIENCE_SECONDS = 120  # an upper bound for a loaded machine, not what it takes
NO_PAGES = ("/robots.txt", "/no-such-page-")  # the latter a probe for soft 404s, which no row stands for
BATCH_PAGES = 100  # the most that one transaction holds back, by what the crawler promises
_TABLES = {
    "pages": "SELECT url, outcome, status, depth, title, hex(document_root), count(*) FROM pages GROUP BY url",
    "frontier": "SELECT url, state, depth, outcome, kind, hex(document_root) FROM frontier",
    "links": "SELECT p.url, l.position, l.url, l.anchor, l.kind FROM links l JOIN pages p ON p.id = l.page_id",
    "documents": "SELECT document_uri, hex(document_root), hex(main_root), is_current, status, title FROM documents",
    "document_chunks": "SELECT hex(document_root), position, hex(leaf_hash) FROM document_chunks",
    "chunks": "SELECT hex(leaf_hash), text FROM chunks",
    "products": "SELECT url, digest, is_current, price, sku FROM products",
    "price_history": "SELECT url, variant, price, availability FROM price_history",
    "supersedes": "SELECT uri, hex(from_root), hex(to_root) FROM supersedes",
    "bodies": "SELECT hex(sha256), size FROM bodies",
    "redirects": "SELECT p.url, r.target, r.status FROM redirects r JOIN pages p ON p.id = r.page_id",
    "crawls": "SELECT id, stopped_by, pages FROM crawls WHERE pages > 0",
    "order": 'SELECT "order", url, parent, anchor FROM pages',
    "queue": "SELECT seq, url, bucket, parent, anchor FROM frontier",
}
IN_ORDER = tuple(_TABLES)
"""What must not depend on whether a crawl was cut, where one page is asked for at a time."""
WHATEVER_THE_ORDER = tuple(name for name in _TABLES if name not in ("order", "queue"))
"""What must not depend on it where several are: who comes first of two pages that link to a third is chance."""


class Moment(NamedTuple):
    """When to kill a leg.

    `request`: some seconds after its nth request; `commit`: as soon as n more pages are stored; `write`: after the nth
    request, as soon as the store's log changes; `start`: some seconds after its start.
    """

    kind: str
    number: int
    extra_seconds: float


def random_moment(random, pages):
    """Draw a moment within a crawl of about so many pages."""
    kind = random.choice(["request", "request", "commit", "write", "write", "start"])
    longest = {"request": 0.06, "start": 0.8}.get(kind, 0.0)
    return Moment(kind, random.randint(1, pages), random.uniform(0, longest))


@dataclass
class Leg:
    """One process of a story: what it asked for, and what was stored before it began and after it ended."""

    stored_before: set
    asked: list = field(default_factory=list)
    stored_after: set = field(default_factory=set)
    killed: bool = False
    code: int | None = None
    output: str = ""
    errors: str = ""

    @property
    def undone(self):
        """What this leg asked for and did not store: what was under way or not yet committed."""
        return set(self.asked) - self.stored_after


class Story:
    """A crawl of a site into a home, in as many legs as it takes."""

    def __init__(self, site, home, *options, crawl_id=1):
        self.site, self.home, self.options, self.crawl_id = site, home, options, crawl_id
        self.store = home / "crawl" / "web.db"
        self.legs = []

    def run(self, moments=()):
        """Kill a leg at each moment that is reached; go on until a leg ends by itself."""
        waiting = list(moments)
        while not self.legs or self.legs[-1].killed:
            self.leg(waiting.pop(0) if waiting else None, resume=self.has_begun)
        return self

    def leg(self, moment=None, *, resume, sent=signal.SIGKILL):
        """Run one process to its end, or to the moment when it is sent a signal."""
        leg = Leg(stored_before=self.stored())
        before = len(self.site.targets)
        words = ["crawl", "--seed-url", self.site.url(), "--ingest", "--json", *self.options]
        with self.start(*words, *(["--resume"] if resume else [])) as process:
            if moment is not None:
                leg.killed = self._wait_for(moment, process, before, len(leg.stored_before))
                if leg.killed:
                    process.send_signal(sent)
            leg.output, leg.errors = process.communicate(timeout=PATIENCE_SECONDS)
        leg.code = process.returncode
        leg.asked = [each for each in self.site.targets[before:] if not each.startswith(NO_PAGES)]
        leg.stored_after = self.stored()
        leg.killed = leg.killed and leg.code in (-sent, 1)
        self.legs.append(leg)
        return leg

    def start(self, *arguments):
        """Start the command in a process of its own."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ARBORIST_", "CRAWL_"))}
        settings = {"ARBORIST_HOME": str(self.home), "ARBORIST_ALLOW_PRIVATE": "1", "PYTHONPATH": str(REPOSITORY)}
        command = [sys.executable, "-m", "arborist_pipeline", *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=self.home.parent, env=kept | settings, **pipes)

    def expire_leases(self):
        """Do what 90 seconds do: a test does not wait."""
        self.write("UPDATE leases SET expires_at = '2000-01-01 00:00:00.000000'")

    def write(self, statement):
        """Change the store behind the program's back."""
        with contextlib.closing(sqlite3.connect(self.store, timeout=30)) as database:
            database.execute(statement)
            database.commit()

    def rows(self, query):
        """Answer a query; no rows where the store was not made yet."""
        if not self.store.exists():
            return []
        with contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=30)) as database:
            try:
                return database.execute(query).fetchall()
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):
                    return []
                raise

    @property
    def has_begun(self):
        """Whether the store knows of this crawl: a leg that is killed early leaves none to resume."""
        return bool(self.rows(f"SELECT id FROM crawls WHERE id = {self.crawl_id}"))

    def stored(self):
        """Return the targets that this crawl has stored as asked for."""
        asked = f'SELECT url FROM pages WHERE "order" IS NOT NULL AND crawl_id = {self.crawl_id}'
        return {urlsplit(url).path for (url,) in self.rows(asked)}

    def ledger(self, names):
        """Return what the store holds, sorted, under these names."""
        return {name: sorted(self.rows(_TABLES[name]), key=repr) for name in names}

    def _wait_for(self, moment, process, asked_before, stored_before):
        log = self.store.with_name(self.store.name + "-wal")
        until = time.monotonic() + PATIENCE_SECONDS
        size = None
        while process.poll() is None and time.monotonic() < until:
            asked = len(self.site.targets) - asked_before
            if moment.kind == "start":
                time.sleep(moment.extra_seconds)
                return process.poll() is None
            if moment.kind == "commit":
                if len(self.stored()) >= stored_before + moment.number:
                    return True
            elif asked >= moment.number:
                if moment.kind == "request":
                    time.sleep(moment.extra_seconds)
                    return process.poll() is None
                now = log.stat().st_size if log.exists() else 0
                if size is not None and now != size:
                    return True
                size = now
            time.sleep(0.0005 if moment.kind == "write" else 0.002)
        return False


def faults_of(story, reference, *, concurrency):
    """Return in a sentence each what a cut crawl lost, repeated or changed, against one that was not cut."""
    faults = []
    for number, leg in enumerate(story.legs, start=1):
        again = leg.stored_before & set(leg.asked)
        if again:
            faults.append(f"leg {number} asked again for what was stored: {sorted(again)}")
        twice = sorted({each for each in leg.asked if leg.asked.count(each) > 1})
        if twice:
            faults.append(f"leg {number} asked twice for {twice}")
        most = 1 if concurrency == 1 else BATCH_PAGES + concurrency
        if leg.killed and len(leg.undone) > most:
            faults.append(f"leg {number} had {len(leg.undone)} pages under way or unstored, more than {most}")
        lost = leg.stored_before - leg.stored_after
        if lost:
            faults.append(f"leg {number} lost stored pages: {sorted(lost)}")
    if story.legs[-1].code != 0:
        faults.append(f"the last leg ended with {story.legs[-1].code}: {story.legs[-1].errors.strip()[-300:]}")
    found = story.ledger(reference)
    for name, rows in reference.items():
        missing = [row for row in rows if row not in set(found[name])]
        surplus = [row for row in found[name] if row not in set(rows)]
        if missing or surplus or len(found[name]) != len(rows):
            faults.append(f"{name}: {len(missing)} missing {missing[:3]}, {len(surplus)} too many {surplus[:3]}")
    return faults
