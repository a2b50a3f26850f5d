"""Crawls that are told to stop: they ask for nothing more, keep what came, let go of the host, and say how to go on."""

import signal
import sqlite3
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from arborist_pipeline_tests.faults.killing import Story
from arborist_pipeline_tests.support.site_server import Gate, LocalSite, html

BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])


def held_pages(gate):
    """A site of pages without end whose answers wait for the gate, the first one's excepted."""

    def answer(request):
        gate.wait()
        return html(request.target, links=[f"/{int(request.target[1:]) + step}" for step in (1, 2, 3)])

    pages = {f"/{number}": answer for number in range(1, 200)}
    return {"/robots.txt": "User-agent: *\nCrawl-delay: 0\n", "/": html("0", links=["/1", "/2", "/3", "/4"]), **pages}


def wait_until(condition):
    while not condition():
        time.sleep(0.005)


@BOTH
@pytest.mark.parametrize("options", [("--fast", "--concurrency", "4"), ()])
def test_after_a_signal_nothing_more_is_asked_for_and_the_host_is_free(number, options, tmp_path):
    with LocalSite(held_pages(gate := Gate())) as site, gate:
        story = Story(site, tmp_path / "home")
        with story.start("crawl", "--seed-url", site.url(), "--depth", "50", *options) as process:
            wait_until(lambda: site.count("/4") if options else site.count("/1"))
            asked = len(site.requests)
            process.send_signal(number)
            _, errors = process.communicate()
        assert process.returncode == 1
        assert "stopped by interrupted" in errors
        assert f"go on with: arborist crawl --seed-url {site.url()}" in errors
        assert errors.rstrip().endswith("--resume")
        assert len(site.requests) == asked
    assert story.rows("SELECT stopped_by, pages FROM crawls") == [("interrupted", 1)]
    ((expires_at,),) = story.rows("SELECT expires_at FROM leases")
    assert datetime.fromisoformat(expires_at).replace(tzinfo=UTC) <= datetime.now(UTC)


@BOTH
def test_a_second_signal_ends_the_command_at_once_and_what_was_committed_is_kept(number, tmp_path):
    with LocalSite(held_pages(gate := Gate())) as site, gate:
        options = ("--fast", "--concurrency", "1", "--depth", "1")
        story = Story(site, tmp_path / "home", *options)
        with story.start("crawl", "--seed-url", site.url(), *options) as process:
            wait_until(lambda: site.count("/1"))
            with sqlite3.connect(story.store, isolation_level=None) as blocker:
                blocker.execute("BEGIN IMMEDIATE")  # while another program writes, no books can be closed
                process.send_signal(number)
                wait_until(lambda: not is_caught(process.pid, number))
                process.send_signal(number)
                process.communicate()
            blocker.close()
        assert process.returncode == -number
        gate.set()
        rest = story.leg(resume=True)  # at once: the process that holds the host is known to be gone
    assert (rest.code, set(rest.asked)) == (0, {"/1", "/2", "/3", "/4"})


def is_caught(pid, number):
    """Whether a process has a handler of its own for a signal."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    mask = next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt"))
    return bool(int(mask, 16) >> (number - 1) & 1)
