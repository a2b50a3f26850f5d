r"""A server that writes what a test says, byte by byte, HTTP or not.

def talk(client):
    while client.read_request() is not None:
        client.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
with RawServer(talk) as server:
    fetch(server.url("/"))
assert server.requests == [(1, "/")]
"""

import contextlib
import socket
import socketserver
import ssl
from collections.abc import Callable
from threading import Lock
from typing import Self

from examples.demo_shop.loopback import LoopbackServer

_SEND_SECONDS = 60.0  # an upper bound: a client that takes nothing more has gone


class Client:
    """One connection, counted from 1."""

    def __init__(self, server: "RawServer", connection: socket.socket, number: int) -> None:
        self.number = number
        self._server = server
        self._connection = connection
        self._came = b""

    def secure(self, context: ssl.SSLContext) -> bool:
        """Speak TLS from here on; return whether the client agreed to."""
        try:
            self._connection = context.wrap_socket(self._connection, server_side=True)
        except OSError:
            return False
        return True

    def read_request(self) -> str | None:
        """Wait for the head of a request; return its target, None where the client has gone."""
        while b"\r\n\r\n" not in self._came:
            try:
                piece = self._connection.recv(65_536)
            except OSError:
                piece = b""
            if not piece:
                return None
            self._came += piece
        head, _, self._came = self._came.partition(b"\r\n\r\n")
        target = head.split(b" ", 2)[1].decode()
        self._server.note(self.number, target)
        return target

    def send(self, data: bytes) -> bool:
        """Write; return whether anybody was there to take it."""
        try:
            self._connection.sendall(data)
        except OSError:
            return False
        self._server.count(len(data))
        return not self._server.is_stopping

    def flood(self, data: bytes) -> None:
        """Write the same for as long as anybody takes it."""
        while self.send(data):
            pass

    def drip_pieces(self, *pieces: bytes, seconds: float = 0.1) -> None:
        """Write pieces that are to arrive one by one."""
        for piece in pieces:
            self.send(piece)
            self._server.wait(seconds)

    def say_nothing(self) -> None:
        """Keep the connection open and silent until the client leaves."""
        with contextlib.suppress(OSError):
            while self._connection.recv(65_536):
                pass

    def close(self) -> None:
        """End the connection; a second call does nothing."""
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_WR)
        self._connection.close()

    def reset(self) -> None:
        """Close so that the client gets a reset in place of an end."""
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self._connection.close()


class RawServer:
    """Calls `talk` for every connection to 127.0.0.1, in a thread of its own, and closes the connection after it.

    `requests` has (number of the connection, target) in order; `sent` counts all bytes that were written.
    """

    def __init__(self, talk: Callable[[Client], None]) -> None:
        self.requests: list[tuple[int, str]] = []
        self.sent = 0
        self.connections = 0
        self._lock = Lock()
        raw = self

        class _Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                self.request.settimeout(_SEND_SECONDS)
                client = Client(raw, self.request, raw.next_number())
                try:
                    talk(client)
                finally:
                    client.close()

        self._server = LoopbackServer(_Handler)  # type: ignore[arg-type]  # any handler will do

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.__exit__(None, None, None)

    def url(self, target: str = "/") -> str:
        return f"{self._server.url}{target}"

    @property
    def is_stopping(self) -> bool:
        return self._server.stopping.is_set()

    @property
    def targets(self) -> list[str]:
        return [target for _, target in self.requests]

    def wait(self, seconds: float) -> bool:
        """Wait, or less where the server stops; return whether it does."""
        return self._server.stopping.wait(seconds)

    def next_number(self) -> int:
        with self._lock:
            self.connections += 1
            return self.connections

    def note(self, number: int, target: str) -> None:
        with self._lock:
            self.requests.append((number, target))

    def count(self, size: int) -> None:
        with self._lock:
            self.sent += size
