"""A signal cancels the work, which closes its books; where it is wished a second one ends the process at once."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from arborist_pipeline.adapters.signals import SIGNALS, run_interruptibly


@pytest.fixture
def handlers():
    """Known handlers to find again afterwards; what reaches them is told."""
    caught = []
    before = {number: signal.signal(number, lambda number, _: caught.append(number)) for number in SIGNALS}
    yield [signal.getsignal(number) for number in SIGNALS]
    for number, handler in before.items():
        signal.signal(number, handler)
    assert caught == []


async def interrupted_work(*numbers):
    for number in numbers[:1]:
        os.kill(os.getpid(), number)
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        for number in numbers[1:]:
            os.kill(os.getpid(), number)
        await asyncio.sleep(0.01)
        return "books are closed"


@pytest.mark.parametrize("number", SIGNALS)
def test_work_closes_its_books_and_the_signal_is_told(number, handlers):
    assert run_interruptibly(interrupted_work(number)) == ("books are closed", number)
    assert [signal.getsignal(each) for each in SIGNALS] == handlers


@pytest.mark.usefixtures("handlers")
def test_a_second_signal_does_not_disturb_the_closing_of_the_books():
    ended = run_interruptibly(interrupted_work(signal.SIGTERM, signal.SIGINT, signal.SIGTERM))
    assert ended == ("books are closed", signal.SIGTERM)


@pytest.mark.usefixtures("handlers")
def test_a_signal_is_heard_while_the_loop_is_busy_and_before_it_runs():
    async def busy():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)  # noqa: ASYNC251  # the loop is not to come round
        os.kill(os.getpid(), signal.SIGTERM)
        return await interrupted_work()

    assert run_interruptibly(busy()) == ("books are closed", signal.SIGINT)


@pytest.mark.usefixtures("handlers")
def test_work_that_does_not_end_well_ends_in_a_keyboard_interrupt():
    async def careless():
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(3600)

    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(careless())


@pytest.mark.usefixtures("handlers")
def test_undisturbed_work_gives_its_result_or_its_error():
    async def work(value):
        if isinstance(value, Exception):
            raise value
        return value

    assert run_interruptibly(work(3)) == (3, None)
    with pytest.raises(ValueError, match="bad"):
        run_interruptibly(work(ValueError("bad")))


def test_outside_the_main_thread_work_runs_too():
    results = []
    thread = threading.Thread(target=lambda: results.append(run_interruptibly(asyncio.sleep(0, "done"))))
    thread.start()
    thread.join()
    assert results == [("done", None)]


def test_a_signal_that_is_ignored_stays_so():
    async def work():
        os.kill(os.getpid(), signal.SIGINT)
        return await asyncio.sleep(0, "done")

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert run_interruptibly(work()) == ("done", None)
    finally:
        signal.signal(signal.SIGINT, before)


STUBBORN = """
import asyncio
from arborist_pipeline.adapters.signals import run_interruptibly
async def stubborn():
    print("begun", flush=True)
    try:
        await asyncio.sleep(3600)
    finally:
        print("closing", flush=True)
        await asyncio.sleep(3600)
run_interruptibly(stubborn(), second_ends=True)
"""


@pytest.mark.parametrize("number", SIGNALS)
def test_where_it_is_wished_a_second_signal_ends_the_process_at_once(number):
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(number)
        assert process.stdout.readline() == "closing\n"
        process.send_signal(number)
        assert process.wait() == -number
