"""The processes of this machine: who we are, and whether another has ended."""

import functools
import hashlib
import os
import socket
from pathlib import Path

from arborist_pipeline.core.crawl.holder import Process, parse_holder

_PROC = Path("/proc")
_IDENTITY = (_PROC / "sys/kernel/random/boot_id", _PROC / "self/ns/pid")


def this_process() -> Process:
    """Return the process that runs this."""
    return Process(machine=_machine(), number=os.getpid())


def has_ended(holder: str) -> bool:
    """Whether a holder's process is known to have ended: it ran on this machine and is there no longer."""
    process = parse_holder(holder)
    if process is None or process.machine != _machine():
        return False
    try:
        os.kill(process.number, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it is there, and another user's
    return _is_unreaped(process.number)


@functools.cache
def _machine() -> str:
    """Return the machine's name and, where it can be told, which start of it and which namespace of processes this is.

    Containers and cloned machines may share a name, and numbers of processes mean nothing between them.
    """
    try:
        boot, space = _IDENTITY[0].read_text(), str(_IDENTITY[1].readlink())
    except OSError:
        return socket.gethostname()
    return f"{socket.gethostname()}/{hashlib.sha256(f'{boot}{space}'.encode()).hexdigest()[:8]}"


def _is_unreaped(number: int) -> bool:
    """Whether a process has ended and only waits for its parent to ask how."""
    try:
        state = (_PROC / str(number) / "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in ("Z", "X")
