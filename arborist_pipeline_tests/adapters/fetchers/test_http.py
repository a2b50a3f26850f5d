"""The HTTP fetcher over real sockets: what goes over the wire, and what comes back whatever the network does."""

import asyncio
import gzip
import socket
import ssl
import subprocess
import threading

import pytest
from aiohttp.abc import AbstractResolver

from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.core.web.fetch import BodyRule, FailureKind, FetchRequest
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.url import Url, canonicalize, resolve
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect


def fetch_all(*requests, connections=2, together=False):
    """Fetch with one client, one after the other or together."""

    async def run():
        async with HttpFetcher(user_agent="arborist-crawler/1.0 (+https://example.com/bot)", connections=connections,
                               allow_private=True) as fetcher:  # fmt: skip
            if together:
                return await asyncio.gather(*map(fetcher.fetch, requests))
            return [await fetcher.fetch(request) for request in requests]

    return asyncio.run(run())


def ask(site, target="/", **options):
    url = options.pop("url", None) or Url(site.url(target))
    return fetch_all(FetchRequest(url=url, **options))[0]


class TestAnswers:
    def test_a_page_comes_with_status_headers_and_body(self):
        with LocalSite({"/": Reply(body=b"<p>x</p>", headers={"Content-Type": "Text/HTML; charset=utf-8"})}) as site:
            result = ask(site)
        assert (result.status, result.body, result.body_read, result.failure) == (200, b"<p>x</p>", True, None)
        assert result.content_type == "text/html"
        assert all(name == name.lower() for name in result.headers)
        assert result.requested_url == site.url("/")
        assert result.elapsed_seconds > 0
        assert result.fetched_at.tzinfo is not None

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_a_redirect_is_an_answer_and_is_not_followed(self, status):
        with LocalSite({"/": redirect("/b?x=1#part", status), "/b": html("B")}) as site:
            result = ask(site)
            assert site.targets == ["/"]
        assert result.is_redirect
        assert result.redirect_to == site.url("/b?x=1")
        assert result.location == "/b?x=1#part"

    def test_bytes_of_a_location_that_are_no_ascii_are_escaped_one_by_one(self):
        raw = b"HTTP/1.1 301 Moved\r\nLocation: /caf\xe9/\xc3\xa9\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        with LocalSite({"/": Reply(raw=raw)}) as site:
            result = ask(site)
        assert result.location == "/caf%E9/%C3%A9"
        assert result.redirect_to == site.url("/caf%E9/%C3%A9")

    def test_a_location_that_cannot_be_read_is_kept_raw(self):
        with LocalSite({"/": redirect("http://[")}) as site:
            result = ask(site)
        assert (result.redirect_to, result.location) == (None, "http://[")

    @pytest.mark.parametrize("location", [
        "", " ", "http://", "http://[", "http:///x", "https:\\\\x.example\\a", "//x.example:99999/", "http://x.example:y/",
        "http://xn--a.example/", "http://a b.example/", "http://x.example/a b|c^d`{e}", "/%", "/%zz?%", "?", "#", "\\a",
        "javascript:alert(1)", "data:text/html,x", "mailto:a@b.c", "http:a", "http:/a", "/a\tb", "//", "///", "/" * 300,
        "http://1.2.3.4.5/", "http://0x.example/", "http://*/", "/" + "a" * 9_000, "http://%41/",
    ])  # fmt: skip
    def test_every_location_is_read_as_a_browser_reads_it(self, location):
        with LocalSite({"/": redirect(location, 302)}) as site:
            result = ask(site)
            assert (result.status, result.failure) == (302, None)
            assert result.redirect_to == (resolve(site.url("/"), location) if location.strip() else None)

    @pytest.mark.parametrize(("location", "kept", "target"), [
        ("http://me:hunter2@[/?token=hunter2", "http://[/?token=***", None),
        ("//me:hunter2@shop.example/?token=x", "//shop.example/?token=x", "http://shop.example/?token=x"),
        ("HTTPS:\\\\me@hunter2@shop.example\\a", "HTTPS:\\\\shop.example\\a", "https://shop.example/a"),
        ("http://shop.example//@you?u=a@b", "http://shop.example//@you?u=a@b", "http://shop.example//@you?u=a@b"),
    ])  # fmt: skip
    def test_a_location_is_kept_without_user_name_and_password(self, location, kept, target):
        with LocalSite({"/": redirect(location)}) as site:
            result = ask(site)
        assert (result.location, result.redirect_to) == (kept, target)

    def test_validators_go_out_as_they_came_and_a_304_has_no_body(self):
        with LocalSite({"/": Reply(body=b"<p>x</p>", headers={"ETag": 'W/"a b"'})}) as site:
            modified = "Thu, 01 Jan 2026 00:00:00 GMT"
            result = ask(site, validators=Validators(etag='W/"a b"', last_modified=modified))
            sent = site.requests[0].headers
        assert (sent["if-none-match"], sent["if-modified-since"]) == ('W/"a b"', modified)
        assert (result.status, result.body, result.body_read) == (304, b"", False)

    def test_head_asks_for_no_body(self):
        with LocalSite({"/": html("x")}) as site:
            result = ask(site, method="HEAD", body=BodyRule.NONE)
            assert site.requests[0].method == "HEAD"
        assert (result.status, result.body, result.body_read) == (200, b"", False)

    def test_repeated_headers_are_joined(self):
        with LocalSite({"/": Reply(body=b"x", headers={"X-Robots-Tag": ("noindex", "nofollow")})}) as site:
            assert ask(site).headers["x-robots-tag"] == "noindex, nofollow"

    @pytest.mark.parametrize("status", [200, 404, 403, 500, 503, 429])
    def test_every_status_is_a_value_with_its_body(self, status):
        with LocalSite({"/": Reply(status=status, body=b"<p>said</p>")}) as site:
            result = ask(site)
        assert (result.status, result.body) == (status, b"<p>said</p>")

    def test_a_compressed_page_comes_unpacked(self):
        page = html("x", "word " * 5_000).encode()
        with LocalSite({"/": Reply(body=page, gzip=True)}) as site:
            result = ask(site)
            assert "gzip" in site.requests[0].headers["accept-encoding"]
        assert result.body == page

    def test_a_chunked_page_comes_whole(self):
        with LocalSite({"/": Reply(body=b"<p>" + b"x" * 5_000, chunked=True, pieces=7)}) as site:
            assert len(ask(site).body) == 5_003


class TestWire:
    @pytest.mark.parametrize("target", [
        "/a%20b", "/caf%C3%A9", "/caf%E9", "/a+b?q=a+b&r=%2B", "/%2Fx%2fy", "/a;b=c?d;e", "/p(1)'*!", "/x?q=%E9%20",
        "/a%7Cb?u=http://x.example/y?z", "/a//b/c", "/%25", "/x?a[]=1&a[]=2", "/~me", "/x?q=%C3%A9&p=%2F",
    ])  # fmt: skip
    def test_the_url_goes_out_as_it_is(self, target):
        with LocalSite({}) as site:
            ask(site, target)
            assert [request.target for request in site.requests] == [target]

    def test_the_agent_names_itself_and_says_what_it_wants(self):
        with LocalSite({"/": html("x")}) as site:
            ask(site)
            sent = site.requests[0].headers
        assert sent["user-agent"] == "arborist-crawler/1.0 (+https://example.com/bot)"
        assert sent["accept"].startswith("text/html")
        assert sent["host"] == f"127.0.0.1:{site.port}"
        assert not {"referer", "cookie", "authorization", "if-none-match"} & set(sent)

    def test_passwords_and_proxies_of_this_machine_are_not_for_sites(self, tmp_path, monkeypatch):
        (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password hunter2\n")
        monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
        monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9/")
        with LocalSite({"/": html("x")}) as site:
            assert ask(site).status == 200
            assert "authorization" not in site.requests[0].headers

    def test_cookies_of_redirects_are_kept_within_a_client_and_forgotten_with_it(self):
        cookies = ("a=1; Path=/", "b=2; Path=/shop")
        routes = {"/": Reply(status=302, headers={"Location": "/a", "Set-Cookie": cookies}), "/shop/x": "y"}
        with LocalSite(routes) as site:
            fetch_all(*(FetchRequest(url=Url(site.url(target))) for target in ("/", "/a", "/shop/x")))
            ask(site)
            cookies = [request.headers.get("cookie", "") for request in site.requests]
        assert cookies[0] == cookies[3] == ""
        assert cookies[1] == "a=1"
        assert sorted(cookies[2].split("; ")) == ["a=1", "b=2"]

    def test_cookies_of_pages_are_not_sent_back(self):
        with LocalSite({"/": Reply(body=b"x", headers={"Set-Cookie": "seen=1; Path=/"})}) as site:
            fetch_all(*(FetchRequest(url=Url(site.url(target))) for target in ("/", "/", "/a")))
            assert [request.headers.get("cookie", "") for request in site.requests] == ["", "", ""]

    def test_connections_are_used_again_and_never_more_than_allowed(self):
        with LocalSite({f"/{n}": Reply(body=b"x", delay_seconds=0.02) for n in range(12)}) as site:
            fetch_all(*(FetchRequest(url=Url(site.url(f"/{n}"))) for n in range(12)), connections=3, together=True)
            assert 1 < site.most_at_once <= 3


class TestBodies:
    @pytest.mark.parametrize(
        "media_type", ["application/pdf", "image/png", "application/json", "text/plain", "text/xml"]
    )
    def test_what_is_no_html_is_left_unread(self, media_type):
        with LocalSite({"/": Reply(body=b"x" * 100, headers={"content-type": media_type})}) as site:
            result = ask(site)
        assert (result.status, result.body, result.body_read, result.failure) == (200, b"", False, None)

    @pytest.mark.parametrize("media_type", ["text/html", "TEXT/HTML;charset=x", "application/xhtml+xml", ""])
    def test_html_and_what_names_no_type_is_read(self, media_type):
        with LocalSite({"/": Reply(body=b"x", headers={"content-type": media_type})}) as site:
            assert ask(site).body == b"x"

    def test_any_body_is_read_where_it_is_asked_for(self):
        with LocalSite({"/robots.txt": Reply(body=b"User-agent: *", headers={"content-type": "text/plain"})}) as site:
            assert ask(site, "/robots.txt", body=BodyRule.ANY).body == b"User-agent: *"

    def test_a_body_above_the_limit_is_cut_and_said_to_be_too_large(self):
        with LocalSite({"/": Reply(body=b"<p>" + b"x" * 50_000)}) as site:
            result = ask(site, max_body_bytes=1_000)
        assert (result.too_large, result.truncated, len(result.body), result.failure) == (True, False, 1_000, None)

    def test_a_body_of_exactly_the_limit_is_whole(self):
        with LocalSite({"/": Reply(body=b"x" * 1_000)}) as site:
            result = ask(site, max_body_bytes=1_000)
        assert (result.too_large, len(result.body)) == (False, 1_000)

    def test_a_bomb_is_stopped_at_the_limit(self):
        bomb = gzip.compress(b"\0" * 30_000_000)
        headers = {"content-encoding": "gzip", "content-type": "text/html"}
        with LocalSite({"/": Reply(body=bomb, headers=headers)}) as site:
            result = ask(site, max_body_bytes=100_000)
        assert (result.too_large, len(result.body)) == (True, 100_000)

    @pytest.mark.parametrize("reply", [
        Reply(body=b"<p>" + b"x" * 900, cut_after=300), Reply(body=b"<p>" + b"x" * 900, cut_after=300, chunked=True),
    ])  # fmt: skip
    def test_a_body_that_ends_early_is_truncated_with_what_came(self, reply):
        with LocalSite({"/": reply}) as site:
            result = ask(site)
        assert (result.status, result.truncated, result.failure) == (200, True, None)
        assert 0 < len(result.body) < 900

    def test_a_damaged_compressed_body_is_truncated(self):
        body = gzip.compress(b"<p>" + bytes(range(256)) * 40)
        headers = {"content-encoding": "gzip", "content-type": "text/html"}
        with LocalSite({"/": Reply(body=body[: len(body) // 2], headers=headers)}) as site:
            result = ask(site)
        assert (result.status, result.truncated, result.failure) == (200, True, None)

    @pytest.mark.parametrize("media_type", ["audio/mpeg", "video/mp4"])
    def test_a_stream_that_never_ends_and_is_no_page_costs_nothing(self, media_type):
        endless = Reply(body=b"x" * 400, headers={"content-type": media_type}, chunked=True, pieces=400,
                        drip_seconds=0.25)  # fmt: skip
        with LocalSite({"/": endless, "/b": html("B")}) as site:
            stream, page = fetch_all(
                FetchRequest(url=Url(site.url("/"))), FetchRequest(url=Url(site.url("/b"))), connections=1
            )
        assert (stream.status, stream.failure, stream.body_read) == (200, None, False)
        assert page.status == 200

    def test_an_unwanted_body_that_breaks_off_changes_nothing(self):
        reply = Reply(body=b"x" * 900, headers={"content-type": "image/png"}, cut_after=300)
        with LocalSite({"/": reply}) as site:
            result = ask(site)
        assert (result.status, result.failure, result.truncated) == (200, None, False)


class TestTrouble:
    def test_a_server_that_says_nothing_is_a_timeout(self):
        with LocalSite({"/": Reply(body=b"x", delay_seconds=30)}) as site:
            result = ask(site, timeout_seconds=0.3)
        assert (result.status, result.failure.kind) == (None, FailureKind.TIMEOUT)
        assert "0.3 s" in result.failure.message

    def test_a_body_that_drips_longer_than_the_whole_exchange_may_take_is_a_timeout(self):
        with LocalSite({"/": Reply(body=b"x" * 100, pieces=100, drip_seconds=0.1)}) as site:
            result = ask(site, timeout_seconds=0.4)
        assert (result.status, result.failure.kind) == (200, FailureKind.TIMEOUT)

    def test_a_port_that_nobody_listens_on_is_a_failure_to_connect(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = canonicalize(f"http://127.0.0.1:{free.getsockname()[1]}/")
            (result,) = fetch_all(FetchRequest(url=url))
        assert result.failure.kind is FailureKind.CONNECT

    def test_a_name_that_does_not_exist_is_a_failure_of_dns_that_hides_secrets(self):
        failure = _fetch_unknown_name(canonicalize("http://no-such-name.invalid/?api_key=hunter2")).failure
        assert failure.kind is FailureKind.DNS
        assert "no-such-name.invalid" in failure.message
        assert "hunter2" not in failure.message

    @pytest.mark.parametrize("raw", [
        b"", b"not http at all\r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n: x\r\n\r\n", b"\x00\x01\x02\x03",
    ])  # fmt: skip
    def test_what_is_no_http_is_a_failure_and_no_exception(self, raw):
        with LocalSite({"/": Reply(raw=raw)}) as site:
            result = ask(site)
        assert result.status is None
        assert result.failure.kind in (FailureKind.PROTOCOL, FailureKind.CONNECT)
        assert result.failure.message

    def test_a_plain_server_asked_for_tls_is_a_failure_of_tls_or_connection(self):
        with LocalSite({"/": html("x")}) as site:
            (result,) = fetch_all(FetchRequest(url=canonicalize(f"https://127.0.0.1:{site.port}/")))
        assert result.failure.kind in (FailureKind.TLS, FailureKind.CONNECT)

    def test_a_certificate_that_nobody_vouches_for_is_a_failure_of_tls(self, tmp_path):
        key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)  # fmt: skip
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            thread = threading.Thread(target=_shake_hands, args=(listener, context))
            thread.start()
            (result,) = fetch_all(FetchRequest(url=canonicalize(f"https://127.0.0.1:{listener.getsockname()[1]}/")))
            thread.join()
        assert result.failure.kind is FailureKind.TLS

    def test_a_closed_fetcher_is_our_own_fault_and_raises(self):
        fetcher = HttpFetcher(user_agent="arborist-crawler/1.0", connections=1)
        with pytest.raises(RuntimeError, match="async context manager"):
            asyncio.run(fetcher.fetch(FetchRequest(url=canonicalize("http://shop.example/"))))


class _NoNames(AbstractResolver):
    """A resolver that knows no name; asking a real one would leave the machine."""

    async def resolve(self, host, port=0, family=socket.AF_INET):
        raise socket.gaierror(socket.EAI_NONAME, f"{host}:{port} is not known", family)

    async def close(self):
        pass


def _fetch_unknown_name(url):
    async def run():
        async with HttpFetcher(user_agent="arborist-crawler/1.0", connections=1, allow_private=True) as fetcher:
            await fetcher._sessions[0].connector._resolver.close()
            fetcher._sessions[0].connector._resolver = _NoNames()
            return await fetcher.fetch(FetchRequest(url=url))

    return asyncio.run(run())


def _shake_hands(listener, context):
    connection, _ = listener.accept()
    try:
        context.wrap_socket(connection, server_side=True).close()
    except OSError:
        connection.close()
