"""Async work that ends well when its process is told to stop.

A handler that raises would do so wherever the interpreter happens to be: amid an event loop that tears tasks apart.
Here the signal cancels the work, which has time to close its books. It need not wait for the loop to come round: the
handler runs between two instructions, so that a second signal is heard however busy the loop is.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

SIGNALS = (signal.SIGINT, signal.SIGTERM)
Result = TypeVar("Result")


def run_interruptibly(
    work: Coroutine[Any, Any, Result], *, second_ends: bool = False
) -> tuple[Result, signal.Signals | None]:
    """Run to the end; return what came of it, and the signal that cancelled it, if one did.

    Where `second_ends` is set a second signal ends the process at once, as the system does it; else it changes
    nothing. Raises KeyboardInterrupt where the work did not end well when it was cancelled.
    """
    stop = _Stop(second_ends=second_ends)
    with _handled(stop):
        try:
            return asyncio.run(stop.guard(work)), stop.received
        except asyncio.CancelledError:
            if stop.received is None:
                raise
            raise KeyboardInterrupt from None


class _Stop:
    """The handler of the signals. `received` is the first that came."""

    def __init__(self, *, second_ends: bool) -> None:
        self.received: signal.Signals | None = None
        self._second_ends = second_ends
        self._cancel: Callable[[], object] | None = None

    async def guard(self, work: Coroutine[Any, Any, Result]) -> Result:
        task = asyncio.ensure_future(work)
        self._cancel = lambda: task.get_loop().call_soon_threadsafe(task.cancel)
        try:
            if self.received is not None:  # before there was anything to cancel
                task.cancel()
            return await task
        finally:
            self._cancel = None

    def __call__(self, number: int, _: FrameType | None) -> None:
        if self.received is not None:
            return
        self.received = signal.Signals(number)
        if self._second_ends:
            for each in SIGNALS:
                signal.signal(each, signal.SIG_DFL)
        if self._cancel is not None:
            self._cancel()


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread receives signals
        return
    # what a shell has its background work ignore stays ignored
    heard = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, handler) for number in heard}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
