"""Real shop software on loopback, built and served by the shared folder's own scripts."""

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def serve_shop(folder: Path, **settings: str) -> Iterator[str]:
    """Serve a shop on a free port until the block ends; yield its address. The first time it is built: minutes."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["bash", str(folder / "run.sh"), str(port)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True, env={**os.environ, **settings}
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if ready := re.match(r"ready (http://\S+)", line):
                    yield ready[1]
                    break
            else:
                raise RuntimeError(f"{folder.name} did not come up: its script ended with {process.wait()}")
        finally:
            os.killpg(process.pid, signal.SIGTERM)


def copy_truth(folder: Path, to: Path) -> Path:
    """Copy what a shop really holds to a folder and return it. Not while it is served: some hold a lock then."""
    subprocess.run(["bash", str(folder / "run.sh"), "truth", str(to)], check=True)
    return to


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file with one a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
