"""Real shop software on loopback, built and served by the shared folder's own scripts."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest


@contextmanager
def serve_shop(folder: Path, **settings: str) -> Iterator[str]:
    """Serve a shop on a free port until the block ends; yield its address."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["bash", str(folder / "run.sh"), str(port)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True, env={**os.environ, **settings}
    ) as process:
        try:
            for line in process.stdout:
                if ready := re.match(r"ready (http://\S+)", line):
                    yield ready[1]
                    break
            else:
                pytest.fail(f"{folder.name} did not come up: its script ended with {process.wait()}")
        finally:
            os.killpg(process.pid, signal.SIGTERM)


@pytest.fixture(scope="session")
def oscar(shared, tmp_path_factory) -> Iterator[tuple[str, Path]]:
    """A django-oscar shop: its address, and the folder with the truth about it."""
    folder = shared / "shops" / "oscar"
    truth = tmp_path_factory.mktemp("oscar-truth")
    with serve_shop(folder) as url:
        subprocess.run(["bash", str(folder / "run.sh"), "truth", str(truth)], check=True)
        yield url, truth
