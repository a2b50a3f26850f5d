"""Async work inside a synchronous op that ends well when the run is cancelled.

Dagster interrupts by raising from a signal handler, wherever the interpreter happens to be: amid an event loop that
tears tasks apart. Here the signal cancels the work, which has time to close its books, and is passed on after that.
"""

import asyncio
import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
Result = TypeVar("Result")


def run_interruptibly(work: Coroutine[Any, Any, Result]) -> Result:
    """Run to the end, return what came of it; SIGINT or SIGTERM cancels it, and is raised again once it has ended."""
    received: list[signal.Signals] = []
    try:
        return asyncio.run(_cancelled_by_signals(work, received))
    finally:
        if received:
            signal.raise_signal(received[0])


async def _cancelled_by_signals(work: Coroutine[Any, Any, Result], received: list[signal.Signals]) -> Result:
    task = asyncio.ensure_future(work)

    def cancel(number: signal.Signals) -> None:
        if not received:
            task.cancel()
        received.append(number)

    with _handled(asyncio.get_running_loop(), cancel):
        return await task


@contextmanager
def _handled(loop: asyncio.AbstractEventLoop, handler: Any) -> Iterator[None]:  # noqa: ANN401  # a callable of a signal
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread receives signals
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number in _SIGNALS:
        loop.add_signal_handler(number, handler, number)
    try:
        yield
    finally:
        for number, old in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, old)
