"""The Fetcher over httpx, on aiohttp's transport: one client, one connection pool and one cookie jar a crawl.

No redirect is followed, no HEAD is sent before a GET, and whether a body is read at all is decided on its headers, or
on its first bytes where they name no type. A server may close a kept connection at any moment without a word (RFC 9112
§9.5): a request that meets this is repeated once, at once, on a new connection. All other trouble is the caller's to
weigh, a malformed head among it: it ends the exchange at once and may be asked for again later.
The jar takes the cookies of redirects only, which is what gets past a cookie wall. A cookie that comes with a page
wants to know its visitor again: sent back, it would make what the site says depend on the order of the crawl (goods
seen lately, carts), and no two nights alike.
"""

import asyncio
import contextlib
import re
import ssl
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from types import TracebackType
from typing import Any, Self

import aiohttp
import httpx
import yarl
from httpx_aiohttp import AiohttpTransport

from arborist_pipeline.adapters.addresses import GuardedResolver, find_blocked, is_public_host
from arborist_pipeline.core.web.codings import ACCEPT_ENCODING, BodyReader, parse_codings
from arborist_pipeline.core.web.fetch import (
    BodyRule,
    FailureKind,
    FetchFailure,
    FetchRequest,
    FetchResult,
    is_html_type,
)
from arborist_pipeline.core.web.sniffing import SNIFFED_BYTES, sniff_type
from arborist_pipeline.core.web.url import Url, redact, redact_unreadable, resolve, split_origin

_ACCEPT = {
    BodyRule.HTML: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
    BodyRule.ANY: "*/*",
    BodyRule.NONE: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
}
_KEEP_ALIVE_SECONDS = 30
_MAX_HEADER_BYTES = 64 * 1024  # of one field; browsers take more than the 8 KiB of many servers, and sites use it
_MAX_HEADERS = 256
_DRAINED_BYTES = 64 * 1024  # an unwanted body up to this size is read away, so that the connection lives on
_DRAIN_SECONDS = 1.0
_NOBODY_TRUSTED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # of those who ask for a context each HTTPS request brings
_USER = re.compile(r"^(\s*(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,})[^/\\?#]*@", re.IGNORECASE)  # and password, of a reference


class HttpFetcher:
    """Plain HTTP. Use it as an async context manager.

    `allow_private` lets it connect to loopback and private addresses; without it every address a name resolves to is
    checked, and the connection goes to a checked one.
    """

    def __init__(self, *, user_agent: str, connections: int, allow_private: bool = False) -> None:
        self._user_agent = user_agent
        self._connections = connections
        self._allow_private = allow_private
        self._jar = httpx.Cookies()
        self._has_cookies = False  # most sites send none, and looking one up takes a tenth of an exchange
        self._client: httpx.AsyncClient | None = None
        self._headers: dict[BodyRule, httpx.Headers] = {}
        self._transport = httpx.AsyncBaseTransport()
        self._sessions: tuple[aiohttp.ClientSession, ...] = ()

    async def __aenter__(self) -> Self:
        resolver = None if self._allow_private else GuardedResolver()
        kept = aiohttp.TCPConnector(
            limit=self._connections, keepalive_timeout=_KEEP_ALIVE_SECONDS, resolver=resolver, ssl=_NOBODY_TRUSTED
        )
        fresh = aiohttp.TCPConnector(limit=self._connections, force_close=True, resolver=resolver, ssl=_NOBODY_TRUSTED)
        self._sessions = (_open_session(kept), _open_session(fresh))
        sessions: Any = _Sessions(*self._sessions)  # what the transport asks of a session it has
        self._transport = AiohttpTransport(client=sessions, verify=_NOBODY_TRUSTED)
        self._client = httpx.AsyncClient(
            transport=self._transport,
            headers={"User-Agent": self._user_agent, "Accept-Encoding": ACCEPT_ENCODING},
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),  # it takes none by itself
            follow_redirects=False,
            timeout=None,  # noqa: S113  # each exchange has one deadline of its own, body included
        )
        for rule, accept in _ACCEPT.items():
            self._headers[rule] = httpx.Headers(self._client.headers)
            self._headers[rule]["Accept"] = accept
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None:
            await self._client.aclose()
            for session in self._sessions:
                await session.close()

    async def fetch(self, request: FetchRequest) -> FetchResult:
        """Do one exchange; whatever the network does comes back as a value."""
        if self._client is None:
            raise RuntimeError("the fetcher is not open: use it as an async context manager")
        fetched_at, started = datetime.now(UTC), time.monotonic()
        if not self._allow_private and not is_public_host(split_origin(request.url).host):
            failure = FetchFailure(kind=FailureKind.BLOCKED_ADDRESS, message="the address is not public")
            return FetchResult(requested_url=request.url, status=None, fetched_at=fetched_at, elapsed_seconds=0.0,
                               failure=failure)  # fmt: skip
        answer = _Answer(request.url)
        try:
            async with asyncio.timeout(request.timeout_seconds):
                await self._exchange(request, answer)
        except TimeoutError:
            answer.fail(FailureKind.TIMEOUT, f"no whole answer within {request.timeout_seconds:g} s")
        except (httpx.HTTPError, httpx.InvalidURL, aiohttp.ClientError, ValueError, OSError) as error:
            answer.fail(*_classify(error))
        return answer.result(fetched_at, time.monotonic() - started)

    async def _exchange(self, request: FetchRequest, answer: "_Answer") -> None:
        # What the client would build, had it not to merge what it never has: parameters, extensions, its own cookies.
        sent = httpx.Request(request.method, request.url, headers=self._headers[request.body])
        if request.validators is not None:
            sent.headers.update(request.validators.request_headers)
        if self._has_cookies:
            self._jar.set_cookie_header(sent)
        # Not by way of the client, which parses every Location, followed or not, and raises at what it cannot read.
        async with contextlib.aclosing(await self._transport.handle_async_request(sent)) as response:
            answer.take_head(response)
            if answer.location is not None and response.has_redirect_location:
                self._jar.extract_cookies(response)
                self._has_cookies = bool(self._jar)
            if answer.wants_body(request):
                await answer.read(response, request)
            elif request.method != "HEAD":
                await _drain(response)


def _open_session(connector: aiohttp.TCPConnector) -> aiohttp.ClientSession:
    trace = aiohttp.TraceConfig()
    trace.on_connection_reuseconn.append(_note_reuse)
    session = aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        max_line_size=_MAX_HEADER_BYTES,
        max_field_size=_MAX_HEADER_BYTES,
        max_headers=_MAX_HEADERS,
        trace_configs=[trace],
    )
    # By itself it repeats on new connections too, and repeats a lost one on the next kept one, which may be as dead.
    session._retry_connection = False  # noqa: SLF001  # it has no public switch
    return session


async def _note_reuse(_: aiohttp.ClientSession, context: Any, __: aiohttp.TraceConnectionReuseconnParams) -> None:  # noqa: ANN401  # aiohttp's own
    context.trace_request_ctx.is_reused = True


class _Sessions:
    """The session over kept connections, and the one over new ones that stands by, as the transport calls them."""

    def __init__(self, kept: aiohttp.ClientSession, fresh: aiohttp.ClientSession) -> None:
        self._kept, self._fresh = kept, fresh

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return httpx.create_ssl_context()  # reading a bundle of certificates takes as long as some ten pages

    def __call__(self) -> Self:  # the transport calls for its session
        return self

    def request(self, *, method: str, url: str, **options: Any) -> "_Sending":  # noqa: ANN401  # aiohttp's own
        # "encoded": aiohttp would quote some characters once more
        target = yarl.URL(url, encoded=True)
        if target.scheme == "https":
            options["ssl"] = self._trust
        return _Sending(self._kept, self._fresh, {"method": method, "url": target, **options})


class _Sending:
    """One request on its way. `is_reused` says whether it went over a connection that had served before."""

    def __init__(self, kept: aiohttp.ClientSession, fresh: aiohttp.ClientSession, options: dict[str, Any]) -> None:
        self._kept, self._fresh, self._options = kept, fresh, options
        self.is_reused = False

    async def __aenter__(self) -> aiohttp.ClientResponse:
        try:
            response = await self._kept.request(**self._options, trace_request_ctx=self)
        except (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError):
            if not self.is_reused:
                raise
            response = await self._fresh.request(**self._options)
        _end_with_connection(response)
        return response


def _end_with_connection(response: aiohttp.ClientResponse) -> None:
    """Let a body end when its connection does: where chunks are damaged aiohttp closes it and tells no reader."""
    connection, content = response.connection, response.content
    if connection is None or connection.protocol is None:
        return  # the body is there, whole
    closed = connection.protocol.closed

    def end(lost: asyncio.Future[None] | None) -> None:
        cause = lost.exception() if lost is not None else None
        if not content.is_eof() and content.exception() is None:
            content.set_exception(aiohttp.ClientPayloadError(f"the body is damaged: {cause or 'no valid chunk'}"))

    def part() -> None:
        if closed is not None:
            closed.remove_done_callback(end)

    if closed is None:
        end(None)
    else:
        closed.add_done_callback(end)
        content.on_eof(part)  # the connection serves on


class _Answer:
    """A FetchResult in the making: what had come when something broke is kept."""

    def __init__(self, url: Url) -> None:
        self.url = url
        self.status: int | None = None
        self.headers: Mapping[str, str] = {}
        self.location: str | None = None
        self.reader: BodyReader | None = None
        self.is_cut = False
        self.sniffed_type = ""
        self.failure: FetchFailure | None = None

    def take_head(self, response: httpx.Response) -> None:
        self.status = response.status_code
        joined: dict[str, str] = {}
        for raw_name, raw_value in response.headers.raw:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            if name == "location":  # bytes that are no ASCII are escaped one by one, whatever they mean
                location = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in raw_value)
                self.location = _USER.sub(r"\1", location)
            joined[name] = f"{joined[name]}, {value}" if name in joined else value
        self.headers = joined

    def wants_body(self, request: FetchRequest) -> bool:
        if request.method == "HEAD" or request.body is BodyRule.NONE:
            return False
        status = self.status or 0
        if status in (204, 304) or 300 <= status < 400:
            return False
        media_type = self.headers.get("content-type", "").split(";", 1)[0].strip().lower()
        return request.body is BodyRule.ANY or is_html_type(media_type)

    async def read(self, response: httpx.Response, request: FetchRequest) -> None:
        reader = BodyReader(parse_codings(self.headers.get("content-encoding", "")), request.max_body_bytes)
        self.reader = reader
        sniffs = request.body is BodyRule.HTML and not self.headers.get("content-type")
        async for piece in response.aiter_raw():
            reader.feed(piece)
            if sniffs and len(reader.body) >= SNIFFED_BYTES:
                sniffs = False
                self.sniffed_type = sniff_type(bytes(reader.body[:SNIFFED_BYTES]))
            if reader.is_full or self.sniffed_type:
                return
        reader.end()
        if sniffs:
            self.sniffed_type = sniff_type(bytes(reader.body[:SNIFFED_BYTES]))

    def fail(self, kind: FailureKind, message: str) -> None:
        if self.reader is not None and kind is not FailureKind.TIMEOUT:
            self.is_cut = True
        else:
            self.failure = FetchFailure(kind=kind, message=redact(message))

    def result(self, fetched_at: datetime, elapsed_seconds: float) -> FetchResult:
        reader = None if self.sniffed_type else self.reader  # no page: as if it had been left unread
        target = resolve(self.url, self.location) if self.location else None
        return FetchResult(
            requested_url=self.url,
            status=self.status,
            headers=self.headers,
            body=bytes(reader.body) if reader else b"",
            body_read=reader is not None,
            sniffed_type=self.sniffed_type,
            truncated=self.is_cut or (reader is not None and reader.is_broken),
            too_large=reader is not None and reader.is_too_large,
            redirect_to=target,
            location=self.location if target is not None else self.location and redact_unreadable(self.location),
            fetched_at=fetched_at,
            elapsed_seconds=elapsed_seconds,
            failure=self.failure,
        )


async def _drain(response: httpx.Response) -> None:
    """Read a short unwanted body away; what happens meanwhile changes nothing, for the answer is there."""
    length = response.headers.get("content-length", "")
    if not length.isdecimal() or int(length) > _DRAINED_BYTES:
        return  # of unknown length, a stream perhaps that never ends: another connection costs less
    with contextlib.suppress(httpx.HTTPError, aiohttp.ClientError, OSError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            async for _ in response.aiter_raw():
                pass


def _classify(error: BaseException) -> tuple[FailureKind, str]:
    """Map a library's error to why no whole answer came."""
    blocked = find_blocked(error)
    if blocked is not None:
        return FailureKind.BLOCKED_ADDRESS, str(blocked)
    causes = []
    link: BaseException | None = error
    while link is not None:
        causes.append(link)
        link = link.__cause__ or link.__context__
    said = next((cause.message for cause in causes if isinstance(cause, aiohttp.ClientResponseError)), str(error))
    said = said.partition("\n\n")[0].rstrip(": \n")  # after a blank line aiohttp shows what the server sent
    message = " ".join(said.split())[:300] or type(error).__name__
    if any(isinstance(cause, aiohttp.ClientConnectorDNSError) for cause in causes):
        return FailureKind.DNS, message
    if any(isinstance(cause, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError) for cause in causes):
        return FailureKind.TLS, message
    if any(isinstance(cause, aiohttp.ClientConnectorError | ConnectionError) for cause in causes):
        return FailureKind.CONNECT, message
    return FailureKind.PROTOCOL, message
