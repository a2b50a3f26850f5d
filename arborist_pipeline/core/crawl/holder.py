"""Who holds a host's lease, told so that a person and a program on the same machine both understand it."""

import re
from typing import NamedTuple

_PROCESS = re.compile(r"\(process (\d+) on ([^)]+)\)$")


class Process(NamedTuple):
    """A process by its number on a machine."""

    machine: str
    number: int


def name_holder(what: str, process: Process) -> str:
    """Return the name of a holder: what it is, and the process it runs in."""
    return f"{what} (process {process.number} on {process.machine})"


def parse_holder(name: str) -> Process | None:
    """Return the process that a holder's name tells of, None where it tells of none."""
    match = _PROCESS.search(name)
    return Process(machine=match[2], number=int(match[1])) if match else None
