"""A process is known to have ended only where it ran here and is there no longer."""

import subprocess
import sys

from arborist_pipeline.adapters.processes import has_ended, this_process
from arborist_pipeline.core.crawl.holder import Process, name_holder


def ended_process():
    """Return a process of this machine that has just ended."""
    with subprocess.Popen([sys.executable, "-c", "pass"]) as child:
        child.wait()
    return Process(this_process().machine, child.pid)


def test_a_process_that_ended_is_known_to():
    assert has_ended(name_holder("a crawl", ended_process()))


def test_a_process_that_was_killed_and_that_nobody_has_asked_after_has_ended_too():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        holder = name_holder("a crawl", Process(this_process().machine, child.pid))
        assert not has_ended(holder)
        child.kill()
        while not has_ended(holder):
            assert child.returncode is None
        child.stdin.close()


def test_this_process_and_the_first_have_not():
    assert not has_ended(name_holder("a crawl", this_process()))
    assert not has_ended(name_holder("a crawl", Process(this_process().machine, 1)))


def test_nothing_is_known_of_other_machines_and_nameless_holders():
    number = ended_process().number
    namesake = this_process().machine.partition("/")[0] + "/00000000"  # another container of the same name
    for machine in ("elsewhere.example", namesake):
        assert not has_ended(name_holder("a crawl", Process(machine, number)))
    assert not has_ended("a crawl")
