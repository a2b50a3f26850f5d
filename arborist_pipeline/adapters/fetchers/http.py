"""The Fetcher over httpx, on aiohttp's transport: one client, one connection pool and one cookie jar a crawl.

No redirect is followed, no HEAD is sent before a GET, and whether a body is read at all is decided on its headers.
The jar takes the cookies of redirects only, which is what gets past a cookie wall. A cookie that comes with a page
wants to know its visitor again: sent back, it would make what the site says depend on the order of the crawl (goods
seen lately, carts), and no two nights alike.
"""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from datetime import UTC, datetime
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
from arborist_pipeline.core.web.url import Url, redact, resolve, split_origin

_ACCEPT = {
    BodyRule.HTML: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
    BodyRule.ANY: "*/*",
    BodyRule.NONE: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1",
}
_KEEP_ALIVE_SECONDS = 30
_DRAINED_BYTES = 64 * 1024  # an unwanted body up to this size is read away, so that the connection lives on
_DRAIN_SECONDS = 1.0


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
        self._client: httpx.AsyncClient | None = None
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        resolver = None if self._allow_private else GuardedResolver()
        connector = aiohttp.TCPConnector(
            limit=self._connections,
            keepalive_timeout=_KEEP_ALIVE_SECONDS,
            resolver=resolver,
            ssl=httpx.create_ssl_context(),
        )
        self._session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        self._client = httpx.AsyncClient(
            transport=AiohttpTransport(client=_ExactSession(self._session)),  # type: ignore[arg-type]  # by shape
            headers={"User-Agent": self._user_agent, "Accept-Encoding": ACCEPT_ENCODING},
            cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),  # it takes none by itself
            follow_redirects=False,
            timeout=None,  # noqa: S113  # each exchange has one deadline of its own, body included
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None and self._session is not None:
            await self._client.aclose()
            await self._session.close()

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
                await self._exchange(self._client, request, answer)
        except TimeoutError:
            answer.fail(FailureKind.TIMEOUT, f"no whole answer within {request.timeout_seconds:g} s")
        except (httpx.HTTPError, aiohttp.ClientError, ValueError, OSError) as error:
            answer.fail(*_classify(error))
        return answer.result(fetched_at, time.monotonic() - started)

    async def _exchange(self, client: httpx.AsyncClient, request: FetchRequest, answer: "_Answer") -> None:
        headers = {"Accept": _ACCEPT[request.body]}
        if request.validators is not None:
            headers.update(request.validators.request_headers)
        sent = client.build_request(request.method, request.url, headers=headers)
        self._jar.set_cookie_header(sent)
        async with contextlib.aclosing(await client.send(sent, stream=True)) as response:
            answer.take_head(response)
            if response.has_redirect_location:
                self._jar.extract_cookies(response)
            if answer.wants_body(request):
                await answer.read(response, request.max_body_bytes)
            elif request.method != "HEAD":
                await _drain(response)


class _ExactSession:
    """A session that sends URLs as they are: aiohttp would quote some characters once more."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session

    def __call__(self) -> Self:  # the transport calls for its session
        return self

    def request(self, *, method: str, url: str, **options: Any) -> Any:  # noqa: ANN401  # aiohttp's own
        return self._session.request(method, yarl.URL(url, encoded=True), **options)


class _Answer:
    """A FetchResult in the making: what had come when something broke is kept."""

    def __init__(self, url: Url) -> None:
        self.url = url
        self.status: int | None = None
        self.headers: Mapping[str, str] = {}
        self.location: str | None = None
        self.reader: BodyReader | None = None
        self.is_cut = False
        self.failure: FetchFailure | None = None

    def take_head(self, response: httpx.Response) -> None:
        self.status = response.status_code
        joined: dict[str, str] = {}
        for raw_name, raw_value in response.headers.raw:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
            if name == "location":  # bytes that are no ASCII are escaped one by one, whatever they mean
                self.location = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in raw_value)
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

    async def read(self, response: httpx.Response, limit: int) -> None:
        self.reader = BodyReader(parse_codings(self.headers.get("content-encoding", "")), limit)
        async for piece in response.aiter_raw():
            self.reader.feed(piece)
            if self.reader.is_full:
                return
        self.reader.end()

    def fail(self, kind: FailureKind, message: str) -> None:
        if self.reader is not None and kind is not FailureKind.TIMEOUT:
            self.is_cut = True
        else:
            self.failure = FetchFailure(kind=kind, message=redact(message))

    def result(self, fetched_at: datetime, elapsed_seconds: float) -> FetchResult:
        reader = self.reader
        target = resolve(self.url, self.location) if self.location else None
        return FetchResult(
            requested_url=self.url,
            status=self.status,
            headers=self.headers,
            body=bytes(reader.body) if reader else b"",
            body_read=reader is not None,
            truncated=self.is_cut or (reader is not None and reader.is_broken),
            too_large=reader is not None and reader.is_too_large,
            redirect_to=target,
            location=self.location,
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
    message = " ".join(str(error).split())[:300] or type(error).__name__
    if any(isinstance(cause, aiohttp.ClientConnectorDNSError) for cause in causes):
        return FailureKind.DNS, message
    if any(isinstance(cause, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError) for cause in causes):
        return FailureKind.TLS, message
    if any(isinstance(cause, aiohttp.ClientConnectorError | ConnectionError) for cause in causes):
        return FailureKind.CONNECT, message
    return FailureKind.PROTOCOL, message
