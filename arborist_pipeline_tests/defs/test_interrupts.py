"""A signal cancels the work, which closes its books; then the signal is raised again as if nothing had been between."""

import asyncio
import os
import signal
import threading

import pytest

from arborist_pipeline.defs.interrupts import run_interruptibly


@pytest.fixture
def caught():
    """What arrives at the handlers that stood before."""
    caught = []
    before = {number: signal.signal(number, lambda number, _: caught.append(number)) for number in
              (signal.SIGINT, signal.SIGTERM)}  # fmt: skip
    yield caught
    for number, handler in before.items():
        signal.signal(number, handler)


async def interrupted_work(number, books):
    os.kill(os.getpid(), number)
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        await asyncio.sleep(0)
        books.append("closed")
        return "summary"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_work_closes_its_books_before_the_signal_is_passed_on(number, caught):
    books = []
    handlers = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    assert run_interruptibly(interrupted_work(number, books)) == "summary"
    assert books == ["closed"]
    assert caught == [number]
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == handlers


def test_under_pythons_own_handler_it_ends_in_a_keyboard_interrupt():
    books = []
    with pytest.raises(KeyboardInterrupt):
        run_interruptibly(interrupted_work(signal.SIGINT, books))
    assert books == ["closed"]


def test_a_second_signal_does_not_cancel_the_closing_of_the_books(caught):
    async def work():
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.01)
            return "closed"

    assert run_interruptibly(work()) == "closed"
    assert caught == [signal.SIGINT]


def test_undisturbed_work_gives_its_result_or_its_error(caught):
    async def work(value):
        if isinstance(value, Exception):
            raise value
        return value

    assert run_interruptibly(work(3)) == 3
    with pytest.raises(ValueError, match="bad"):
        run_interruptibly(work(ValueError("bad")))
    assert caught == []


def test_outside_the_main_thread_work_runs_too():
    results = []

    async def work():
        results.append("done")

    thread = threading.Thread(target=lambda: run_interruptibly(work()))
    thread.start()
    thread.join()
    assert results == ["done"]
