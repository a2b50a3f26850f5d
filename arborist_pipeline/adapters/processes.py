"""The processes of this machine: who we are, and whether another has ended."""

import os
import socket

from arborist_pipeline.core.crawl.holder import Process, parse_holder


def this_process() -> Process:
    """Return the process that runs this."""
    return Process(machine=socket.gethostname(), number=os.getpid())


def has_ended(holder: str) -> bool:
    """Whether a holder's process is known to have ended: it ran on this machine and its number is no longer in use."""
    process = parse_holder(holder)
    if process is None or process.machine != socket.gethostname():
        return False
    try:
        os.kill(process.number, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it is there, and another user's
    return False
