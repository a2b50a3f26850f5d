"""An HTTP/1.1 server on 127.0.0.1 that gives back its port, its connections and its threads when it is stopped."""

import contextlib
import socket
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Self


class LoopbackServer(ThreadingHTTPServer):
    """Serves from entering the context to leaving it; port 0 takes a free one.

    Connections that clients keep open are closed at the end and their threads joined: nothing outlives the context.
    A handler that waits should wait on `stopping`.
    """

    daemon_threads = False
    block_on_close = True
    request_queue_size = 128

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)
        self.stopping = Event()
        self._open: set[socket.socket] = set()
        self._lock = Lock()
        self._thread = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        """The address of the server, without a slash at the end."""
        return f"http://127.0.0.1:{self.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self.shutdown()
        self._thread.join()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):  # the client may have gone first
                    connection.shutdown(socket.SHUT_RDWR)
        self.server_close()

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as socketserver has it
        """Remember a connection, then serve it in a thread of its own."""
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - as socketserver has it
        """Forget a connection and close it."""
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, *_: object) -> None:
        """Let clients leave as they like; a fault of our own still ends the thread loudly."""
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            raise error


class QuietHandler(BaseHTTPRequestHandler):
    """Speaks HTTP/1.1 with connections kept open, and prints nothing.

    Write head and body in one piece, so that no answer waits for an acknowledgement of its head.
    """

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is http.server's
        """Print nothing: requests are recorded, not logged."""

    def request_body(self) -> bytes:
        """Return the body that was sent, so that the next request of the connection begins where it should."""
        return self.rfile.read(int(self.headers.get("content-length") or 0))

    def head(self, status: int, headers: list[tuple[str, str]]) -> bytes:
        """Return status line and headers, the empty line at their end included."""
        lines = [f"HTTP/1.1 {status} {self.responses.get(status, ('',))[0]}", f"Date: {self.date_time_string()}"]
        lines += [f"{name}: {value}" for name, value in headers]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
