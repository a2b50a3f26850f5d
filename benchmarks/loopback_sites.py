"""Sites on 127.0.0.1 that cost next to nothing to serve: files with a delay, and a shop made on the fly."""

import asyncio
import gzip
import hashlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import unquote

_TYPES = {".css": "text/css", ".txt": "text/plain", ".png": "image/png", ".svg": "image/svg+xml", ".js": "text/plain"}


@dataclass(frozen=True, slots=True)
class Answer:
    """A 200 ready to be sent; `zipped` for clients that accept gzip."""

    body: bytes
    zipped: bytes | None = None
    content_type: str = "text/html"


class FastSite:
    """Serves what `answer` gives for a path (None: 404), after a delay, from a thread with a loop of its own.

    `pages` counts the answers that were pages; `url` is where it begins.
    """

    def __init__(self, answer: Callable[[str], Answer | None], *, delay_seconds: float = 0.0) -> None:
        self.answer = answer
        self.delay_seconds = delay_seconds
        self.pages = 0
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _listen(self) -> asyncio.Server:
        return await self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)


class _Connection(asyncio.Protocol):
    """One kept-alive connection; requests have no bodies here, and none comes before the last one is answered."""

    def __init__(self, site: FastSite) -> None:
        self._site = site
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # what a TCP server hands out
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head, self._buffer = self._buffer[:end], self._buffer[end + 4 :]
            answer = self._answer(head)
            if self._site.delay_seconds:
                asyncio.get_running_loop().call_later(self._site.delay_seconds, self._send, answer)
            else:
                self._send(answer)

    def _send(self, answer: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(answer)

    def _answer(self, head: bytes) -> bytes:
        target = head.split(b" ", 2)[1].decode("ascii", "replace").partition("?")[0]
        found = self._site.answer(unquote(target))
        if found is None:
            return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nnot found"
        self._site.pages += found.content_type == "text/html"
        body, coding = found.body, b""
        if found.zipped is not None and b"gzip" in head:
            body, coding = found.zipped, b"Content-Encoding: gzip\r\n"
        tag = hashlib.blake2b(found.body, digest_size=8).hexdigest().encode()
        return (
            b'HTTP/1.1 200 OK\r\nContent-Type: %b\r\nETag: "%b"\r\n%bContent-Length: %d\r\n\r\n'
            % (found.content_type.encode(), tag, coding, len(body))
        ) + body  # fmt: skip


def files_of(folder: Path) -> Callable[[str], Answer | None]:
    """Answer with the files of a folder, read and compressed once."""
    ready: dict[str, Answer] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            body = path.read_bytes()
            kind = "text/html" if path.suffix in (".html", ".htm") else _TYPES.get(path.suffix, "application/pdf")
            ready[f"/{path.relative_to(folder)}"] = Answer(body, gzip.compress(body, 6), kind)
    ready["/"] = ready["/index.html"]
    return ready.get


class GeneratedShop:
    """A shop of so many goods, all alike and no two the same; a page is made when it is asked for, about 14 KB."""

    def __init__(self, goods: int) -> None:
        self.goods = goods
        self.lists = -(-goods // 40)
        self._menu = "".join(f'<li><a href="/list/{number}">Department {number}</a></li>'
                             for number in range(min(self.lists, 40)))  # fmt: skip
        self._filler = "".join(f'<div class="note" data-row="{row}"><span>Delivery in {row} days</span></div>\n'
                               for row in range(60))  # fmt: skip

    def __call__(self, path: str) -> Answer | None:
        """Answer a path; None where the shop has no such page."""
        kind, _, name = path.strip("/").partition("/")
        if not name:
            return self._page("The shop", "<h1>The shop</h1>") if not kind else None
        number = int(name) if name.isdecimal() else -1
        if kind == "list" and 0 <= number < self.lists:
            return self._list(number)
        return self._good(number) if kind == "product" and 0 <= number < self.goods else None

    def _page(self, title: str, body: str, head: str = "") -> Answer:
        start = f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{title}</title>{head}</head>"
        frame = f"<nav><ul>{self._menu}</ul></nav><main>{body}</main><footer>{self._filler}</footer>"
        return Answer(f"{start}<body>{frame}</body></html>".encode())

    def _list(self, number: int) -> Answer:
        goods = range(number * 40, min(number * 40 + 40, self.goods))
        cards = "".join(f'<li><a href="/product/{each}">Good {each}</a> <b>{each % 97}.50 EUR</b></li>'
                        for each in goods)  # fmt: skip
        after = f'<a href="/list/{number + 1}">Next</a>' if number + 1 < self.lists else ""
        return self._page(f"Department {number}", f"<h1>Department {number}</h1><ul>{cards}</ul>{after}")

    def _good(self, number: int) -> Answer:
        price = f"{number % 97}.50"
        offer = {"@type": "Offer", "price": price, "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}
        data = {"@context": "https://schema.org", "@type": "Product", "name": f"Good {number}", "sku": f"S{number}",
                "description": f"Good number {number}, made by hand.", "offers": offer}  # fmt: skip
        related = "".join(f'<li><a href="/product/{(number * 31 + step) % self.goods}">See also {step}</a></li>'
                          for step in range(7, 15))  # fmt: skip
        words = " ".join(f"word{number % 1000}-{each}" for each in range(300))
        body = (f'<h1>Good {number}</h1><p class="price">{price} EUR</p><p>{words}</p><ul>{related}</ul>'
                f'<a href="/list/{number // 40}">Back</a>')  # fmt: skip
        return self._page(f"Good {number}", body,
                          f'<script type="application/ld+json">{json.dumps(data)}</script>')  # fmt: skip
