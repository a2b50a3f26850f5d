"""A real nginx over a folder of files, on a free port of loopback: gzip, ETag, Last-Modified, and a log to read back.

with NginxSite(Path("/usr/share/doc/NAME/html"), home) as site:
    fetch(site.url("/"))
assert site.take_log()[0].status == 200
"""

import contextlib
import json
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self

START_SECONDS = 30  # an upper bound for a loaded machine, not what it takes
_CONFIG = """
daemon off;
worker_processes 1;
pid {home}/nginx.pid;
error_log {home}/error.log;
events {{ worker_connections 256; }}
http {{
  types {{
    text/html html htm; text/css css; text/plain txt; application/javascript js; image/png png; image/svg+xml svg;
  }}
  default_type application/octet-stream;
  client_body_temp_path {home}/body; proxy_temp_path {home}/proxy; fastcgi_temp_path {home}/fastcgi;
  uwsgi_temp_path {home}/uwsgi; scgi_temp_path {home}/scgi;
  log_format lines escape=json '{{"method": "$request_method", "target": "$request_uri", "status": $status, '
    '"body_bytes": $body_bytes_sent, "if_none_match": "$http_if_none_match", "coding": "$sent_http_content_encoding", '
    '"connection": $connection}}';
  access_log {home}/access.log lines;
  gzip on; gzip_min_length 200;
  keepalive_requests 1000000;
  absolute_redirect off;
  server {{ listen 127.0.0.1:{port}; root {folder}; index index.html; }}
}}
"""


def find_nginx() -> str | None:
    """Return the path of the program; where packages put it is not always on the PATH of a user."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/opt/homebrew/bin")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRequest:
    """One answered request as nginx saw it; `body_bytes` went over the wire, head not counted."""

    method: str
    target: str
    status: int
    body_bytes: int
    if_none_match: str
    coding: str
    connection: int


class NginxSite:
    """Serves `folder` inside its context; `home` is a folder of its own for configuration and logs."""

    def __init__(self, folder: Path, home: Path) -> None:
        self._home = home
        self._folder = folder
        self._read = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def __enter__(self) -> Self:
        program = find_nginx()
        if program is None:
            raise FileNotFoundError("there is no nginx on this machine")
        self._home.mkdir(parents=True, exist_ok=True)
        self.port = _free_port()
        config = self._home / "nginx.conf"
        config.write_text(_CONFIG.format(home=self._home, port=self.port, folder=self._folder))
        self._process = subprocess.Popen([program, "-p", str(self._home), "-e", str(self._home / "error.log"), "-c",
                                          str(config)])  # fmt: skip
        self._wait_until_it_listens()
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()

    def url(self, target: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{target}"

    def take_log(self) -> list[LoggedRequest]:
        """Return what was asked since the last call, oldest first."""
        lines = (self._home / "access.log").read_text().splitlines()
        new, self._read = lines[self._read :], len(lines)
        return [LoggedRequest(**json.loads(line)) for line in new]

    def _wait_until_it_listens(self) -> None:
        assert self._process is not None
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.05)
        self._process.kill()
        self._process.wait()
        raise RuntimeError(f"nginx did not start: {(self._home / 'error.log').read_text()}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
