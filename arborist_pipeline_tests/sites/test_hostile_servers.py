"""Servers that do all that a server can do wrong, crawled over sockets: every page ends as an outcome, in its time."""

import asyncio
import gzip
from dataclasses import replace

import pytest

from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline_tests.support.raw_server import RawServer
from arborist_pipeline_tests.workflows.conftest import Desk, StampedFetcher

SECONDS = 1.0  # for what ends by its time limit alone, in place of the usual fifteen
HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = HTML + b"Transfer-Encoding: chunked\r\n\r\n"


class Hurried:
    """A fetcher that gives the page in trouble less time."""

    def __init__(self, fetcher):
        self.fetcher = fetcher

    async def fetch(self, request):
        is_bad = request.url.endswith("/bad")
        return await self.fetcher.fetch(replace(request, timeout_seconds=SECONDS) if is_bad else request)


def page(body):
    return HTML + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def send(*pieces):
    return lambda client, _: client.drip_pieces(*pieces)


def flood(start, data):
    return lambda client, _: client.send(start) and client.flood(data)


def drip(start, data):
    return lambda client, _: client.drip_pieces(start, *(bytes([byte]) for byte in data))


def hold(*pieces):
    def talk(client, target):
        del target
        client.drip_pieces(*pieces, seconds=0)
        client.say_nothing()

    return talk


def chain(client, target):
    number = int(target.removeprefix("/bad").strip("/") or 0) + 1
    client.send(b"HTTP/1.1 302 Found\r\nLocation: /bad/%d\r\nContent-Length: 0\r\n\r\n" % number)


# What the server does at /bad, how that ends, and how often it is asked there at most. Trouble that may pass is asked
# for again three times, or once where each time costs all that a page may take; what comes by a malformed head too.
# A server that hangs up on a kept connection is asked at once on a new one, which is no attempt of its own.
TROUBLES = {
    "hangs up": (send(), "network_error", 8),
    "is silent": (hold(), "network_error", 2),
    "no http": (send(b"220 mail.example ESMTP\r\n"), "network_error", 4),
    "malformed line": (send(HTML + b"no colon\r\n\r\n<p>x"), "network_error", 4),
    "endless head line": (flood(HTML + b"X: ", b"x" * 65_536), "network_error", 4),
    "endless head": (flood(HTML, b"X: y\r\n" * 9_000), "network_error", 4),
    "endless interim answers": (flood(b"", b"HTTP/1.1 103 Hints\r\n\r\n" * 999), "network_error", 2),
    "slow head": (drip(HTML, b"X-Slow: " + b"x" * 400), "network_error", 2),
    "slow body": (drip(HTML + b"Content-Length: 400\r\n\r\n", b"x" * 400), "network_error", 2),
    "body held back": (hold(HTML + b"Content-Length: 400\r\n\r\n<p>"), "network_error", 2),
    "body cut off": (send(HTML + b"Content-Length: 400\r\n\r\n<p>x"), "truncated", 4),
    "damaged chunk": (hold(CHUNKED, b"4\r\n<p>x\r\n", b"ZZ\r\n"), None, 4),
    "endless body": (flood(CHUNKED, b"10000\r\n" + b"x" * 65_536 + b"\r\n"), "too_large", 1),
    "endless chunk extension": (flood(CHUNKED + b"1;", b"x" * 65_536), "network_error", 2),
    "damaged gzip": (send(HTML + b"Content-Encoding: gzip\r\nContent-Length: 40\r\n\r\n" + b"\x1f\x8b\x08" + b"x" * 37),
                     "truncated", 4),
    "bomb": (send(HTML + b"Content-Encoding: gzip\r\nConnection: close\r\n\r\n" + gzip.compress(bytes(30_000_000))),
             "too_large", 1),
    "file without a type": (flood(b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.7", bytes(65_536)), "not_html", 1),
    "stream that is no page": (flood(HTML.replace(b"html", b"css") + b"\r\n", bytes(65_536)), "not_html", 1),
    "another protocol": (send(b"HTTP/1.1 101 Other\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), None, 4),
    "status without meaning": (send(b"HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n"), "http_error", 1),
    "redirect to nowhere": (send(b"HTTP/1.1 302 Found\r\nLocation: https:\\\\[\r\nContent-Length: 0\r\n\r\n"),
                            "http_error", 1),
    "redirect to itself": (send(b"HTTP/1.1 302 Found\r\nLocation: /bad\r\nContent-Length: 0\r\n\r\n"), "redirect", 1),
    "redirects without end": (chain, "redirect", 1),
    "nothing": (send(page(b"")), "empty", 1),
    "binary as html": (send(page(b"\x89PNG\r\n\x1a\n" + bytes(100))), "not_html", 1),
}  # fmt: skip

TIMED_OUT = {"is silent", "endless interim answers", "slow head", "slow body", "body held back",
             "endless chunk extension"}  # fmt: skip


@pytest.mark.parametrize("trouble", TROUBLES)
def test_a_page_in_trouble_ends_as_an_outcome_and_the_others_are_crawled(store, clock, trouble):
    act, outcome, most = TROUBLES[trouble]

    def talk(client):
        while (target := client.read_request()) is not None:
            if target.startswith("/bad"):
                act(client, target)
                return
            links = b"".join(b'<a href="%s">x</a>' % link for link in (b"/bad", b"/good"))
            client.send(page(b"<title>x</title><p>words</p>" + links))

    async def crawl(desk):
        async with HttpFetcher(user_agent="arborist-crawler/test", connections=2, allow_private=True) as fetcher:
            chosen = Hurried(fetcher) if trouble in TIMED_OUT else fetcher
            return await desk.crawl(StampedFetcher(chosen, clock), concurrency=2)

    with RawServer(talk) as server:
        desk = Desk(store, clock, server.url())
        summary = asyncio.run(crawl(desk))
        asked = [target for target in server.targets if target.startswith("/bad")]
    bad = next(each for each in desk.pages if each.url.endswith("/bad"))
    assert desk.outcomes["/"] == desk.outcomes["/good"] == "ok"
    assert str(bad.outcome) == (outcome or str(bad.outcome))
    assert bad.outcome != "ok"
    assert bad.reason
    assert ("timeout" in bad.reason) == (trouble in TIMED_OUT)
    assert asked.count("/bad") <= most
    assert len(set(asked)) <= 12  # a chain of redirects has an end
    assert summary.pages == sum(page.order is not None for page in desk.pages)
