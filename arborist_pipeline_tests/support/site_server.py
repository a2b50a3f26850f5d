"""A small site on loopback, for tests that need a real socket: it serves what a test says, and remembers who asked.

with LocalSite({"/": html("Home", links=["/a"]), "/a": redirect("/b"), "/b": Reply(status=503)}) as site:
    fetch(site.url("/"))
assert site.targets == ["/"]
"""

import gzip
import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from itertools import chain, repeat
from threading import Event, Lock
from typing import Self

from examples.demo_shop.loopback import LoopbackServer, QuietHandler

_TYPES = {"xml": "application/xml", "txt": "text/plain; charset=utf-8", "json": "application/json"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request as it came: header names are lower-case, `at` is the monotonic clock in seconds."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    at: float

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, and how it is sent.

    A header with a tuple of values is sent once for each.
    `body` goes out in `pieces`, `drip_seconds` before each but the first, `delay_seconds` before everything.
    `gzip` compresses where the client accepts it. A 200 without an etag header gets one (`etag`), and what matches
    If-None-Match is answered 304. `cut_after` closes the connection after so many bytes of the body, though the head
    has promised all of it. `content_length` states another length than the true one. `raw` is written as it stands in
    place of everything else, and the connection closed: b"" hangs up without a byte.
    """

    status: int = 200
    headers: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    body: bytes = b""
    delay_seconds: float = 0.0
    drip_seconds: float = 0.0
    pieces: int = 1
    chunked: bool = False
    gzip: bool = False
    etag: bool = True
    cut_after: int | None = None
    content_length: int | None = None
    close: bool = False
    raw: bytes | None = None


Page = Reply | str | bytes
Route = Page | Callable[[Request], Page]


def html(title: str | None, body: str = "", *, links: Iterable[str] = (), head: str = "") -> str:
    """A page: body is mark-up, each link becomes a paragraph with its href as anchor text; no title, no element."""
    anchors = "".join(f'<p><a href="{escape(href)}">{escape(href)}</a></p>\n' for href in links)
    title_element = "" if title is None else f"<title>{escape(title)}</title>\n"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{title_element}{head}</head>\n'
        f"<body>\n{body}\n{anchors}</body>\n</html>\n"
    )


def redirect(location: str, status: int = 301) -> Reply:
    """An answer that leads elsewhere."""
    return Reply(status=status, headers={"location": location})


def in_turn(*pages: Page) -> Callable[[Request], Page]:
    """A route that gives these answers one after the other, the last one for ever."""
    answers = chain(pages, repeat(pages[-1]))
    lock = Lock()

    def answer(_: Request) -> Page:
        with lock:
            return next(answers)

    return answer


class Gate(Event):
    """Holds answers back until it is set; leaving its context sets it, so that a test that fails in between ends."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.set()


class LocalSite:
    """Serves routes on 127.0.0.1 inside its context.

    A route is found by the whole target, else by its path; what has none is a 404. `routes` may be changed while the
    site is up. `requests` holds every request, oldest first; `most_at_once` the greatest number under way together.
    """

    def __init__(self, routes: Mapping[str, Route], *, missing: Page | None = None) -> None:
        self.routes = dict(routes)
        self.missing = Reply(status=404, body=html("Not found").encode()) if missing is None else missing
        self.requests: list[Request] = []
        self.most_at_once = 0
        self._at_once = 0
        self._lock = Lock()
        self._server = _SiteServer(self)

    def __enter__(self) -> Self:
        self._server.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.__exit__(None, None, None)

    @property
    def port(self) -> int:
        return self._server.server_port

    def url(self, target: str = "/") -> str:
        """The absolute address of a path and query."""
        return f"http://127.0.0.1:{self.port}{target}"

    @property
    def targets(self) -> list[str]:
        """What was asked with GET, in order."""
        return [request.target for request in self.requests if request.method == "GET"]

    def count(self, target: str, method: str = "GET") -> int:
        """How often a target was asked for."""
        return sum((each.method, each.target) == (method, target) for each in self.requests)

    def reply(self, request: Request) -> Reply:
        """The answer to a request, routes called and conditions met, before its body is compressed."""
        route = self.routes.get(request.target, self.routes.get(request.path, self.missing))
        page = route(request) if callable(route) else route
        if not isinstance(page, Reply):
            page = Reply(body=page.encode() if isinstance(page, str) else page)
        headers = {name.lower(): value for name, value in page.headers.items()}
        if page.body:
            headers.setdefault("content-type", _TYPES.get(request.path.rpartition(".")[2], "text/html; charset=utf-8"))
        if page.status == 200 and page.etag:
            headers.setdefault("etag", f'"{hashlib.sha256(page.body).hexdigest()[:16]}"')
        if page.status == 200 and _names_tag(request, str(headers.get("etag", ""))):
            return replace(page, status=304, headers=headers, body=b"")
        return replace(page, headers=headers)

    def begin(self, request: Request) -> None:
        with self._lock:
            self.requests.append(request)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)

    def end(self) -> None:
        with self._lock:
            self._at_once -= 1


class _SiteServer(LoopbackServer):
    def __init__(self, site: LocalSite) -> None:
        super().__init__(_SiteHandler)
        self.site = site


class _SiteHandler(QuietHandler):
    server: _SiteServer

    def do_GET(self) -> None:  # noqa: N802 - http.server names it so
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(
            method=self.command, target=self.path, headers=headers, body=self.request_body(), at=time.monotonic()
        )
        self.server.site.begin(request)
        try:
            held = b""
            for pause_seconds, block in self._blocks(request):
                self.wfile.write(held)
                self.server.stopping.wait(pause_seconds)
                held = block
        finally:
            self.server.site.end()  # before the last bytes: a client that has them all may ask again at once
        self.wfile.write(held)

    do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_GET  # noqa: N815 - http.server names them so

    def _blocks(self, request: Request) -> Iterator[tuple[float, bytes]]:
        """What is written, and how many seconds to wait before each block."""
        reply = self.server.site.reply(request)
        if reply.raw is not None:
            self.close_connection = True
            yield reply.delay_seconds, reply.raw
            return
        body, headers = _encoded(request, reply)
        bodiless = reply.status in (204, 304)
        if reply.chunked and not bodiless:
            headers["transfer-encoding"] = "chunked"
        elif not bodiless:
            headers["content-length"] = str(len(body) if reply.content_length is None else reply.content_length)
        if reply.close:
            headers["connection"] = "close"
        head = self.head(reply.status, _flat(headers))
        if bodiless or request.method == "HEAD":
            self.close_connection |= reply.close
            yield reply.delay_seconds, head
            return
        broken_promise = reply.cut_after is not None or reply.content_length not in (None, len(body))
        self.close_connection |= reply.close or broken_promise
        for number, piece in enumerate(_pieces(body, reply)):
            yield (reply.drip_seconds, piece) if number else (reply.delay_seconds, head + piece)


def _flat(headers: Mapping[str, str | tuple[str, ...]]) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, values in headers.items()
        for value in (values if isinstance(values, tuple) else (values,))
    ]


def _names_tag(request: Request, tag: str) -> bool:
    given = [each.strip() for each in request.headers.get("if-none-match", "").split(",")]
    return bool(tag) and request.method in ("GET", "HEAD") and (tag in given or "*" in given)


def _encoded(request: Request, reply: Reply) -> tuple[bytes, dict[str, str | tuple[str, ...]]]:
    headers = dict(reply.headers)
    if not (reply.gzip and reply.body and "gzip" in request.headers.get("accept-encoding", "")):
        return reply.body, headers
    headers["content-encoding"] = "gzip"
    return gzip.compress(reply.body, mtime=0), headers


def _pieces(body: bytes, reply: Reply) -> Iterator[bytes]:
    sent = body if reply.cut_after is None else body[: reply.cut_after]
    size = max(1, -(-len(sent) // reply.pieces))
    for start in range(0, len(sent), size) or [0]:
        piece = sent[start : start + size]
        yield b"%x\r\n%s\r\n" % (len(piece), piece) if reply.chunked and piece else piece
    if reply.chunked and reply.cut_after is None:
        yield b"0\r\n\r\n"
