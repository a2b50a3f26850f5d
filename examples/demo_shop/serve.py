"""The shop on a loopback socket: in a context for tests and `make run`, or by hand.

    python -m examples.demo_shop.serve --port 8000

Served by hand it also answers /-/truth (what is true of the shop, as JSON) and /-/change (move to the second phase).
"""

import argparse
import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import NamedTuple

from examples.demo_shop.loopback import LoopbackServer, QuietHandler
from examples.demo_shop.shop import SEED, Response, Shop, build_shop


class Exchange(NamedTuple):
    """One request as the server saw it; `conditional` says that it named a validator."""

    method: str
    target: str
    status: int
    conditional: bool


class ShopServer(LoopbackServer):
    """Serves a shop and remembers each exchange in `log`, oldest first."""

    def __init__(self, shop: Shop, port: int = 0, *, control: bool = False) -> None:
        super().__init__(_ShopHandler, port)
        self.shop = shop
        self.control = control
        self.log: list[Exchange] = []


class _ShopHandler(QuietHandler):
    server: ShopServer

    def do_GET(self) -> None:  # noqa: N802 - http.server names it so
        """Answer from the shop, or from the control addresses where these are on."""
        self.request_body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        answer = self._control() if self.server.control else None
        answer = answer or self.server.shop.response(self.command, self.path, headers)
        conditional = "if-none-match" in headers or "if-modified-since" in headers
        self.server.log.append(Exchange(self.command, self.path, answer.status, conditional))
        self.wfile.write(self.head(answer.status, list(answer.headers.items())) + answer.body)

    do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_GET  # noqa: N815 - http.server names them so

    def _control(self) -> Response | None:
        if self.path not in ("/-/change", "/-/truth") or self.command not in ("GET", "POST"):
            return None
        data = self.server.shop.change() if self.path == "/-/change" else self.server.shop.truth
        body = json.dumps(_plain(data), indent=1, ensure_ascii=False).encode()
        headers = {"content-type": "application/json", "content-length": str(len(body))}
        return Response(status=200, headers=headers, body=body)


@contextmanager
def serve_shop(shop: Shop, port: int = 0) -> Iterator[ShopServer]:
    """Serve a shop on 127.0.0.1 inside the context; the server has `url` and `log`."""
    with ShopServer(shop, port) as server:
        yield server


def main(arguments: list[str] | None = None) -> int:
    """Serve the shop until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.demo_shop.serve", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--port", type=int, default=8000, help="port on 127.0.0.1; 0 takes a free one")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed, another shop")
    chosen = parser.parse_args(arguments)
    with ShopServer(build_shop(chosen.seed), chosen.port, control=True) as server:
        print(f"{server.shop!r} at {server.url}/ (Ctrl-C ends it)", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("closed", file=sys.stderr)
    return 0


def _plain(value: object) -> object:
    """Return a value of the truth as JSON has it; amounts are decimal strings."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return value if isinstance(value, str | int | bool) or value is None else str(value)


if __name__ == "__main__":
    sys.exit(main())
