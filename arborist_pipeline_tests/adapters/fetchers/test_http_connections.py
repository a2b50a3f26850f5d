"""Kept connections, heads of every size and kind, and bodies without a type: what the fetcher makes of raw bytes."""

import asyncio
from dataclasses import replace

import pytest

from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.core.web.fetch import BodyRule, FailureKind, FetchRequest
from arborist_pipeline.core.web.url import Url
from arborist_pipeline_tests.support.raw_server import RawServer

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 8\r\n\r\n<p>x</p>"
ENOUGH = 64 * 1024 * 1024  # what a fetcher may take of a flood before it hangs up


def fetch(server, *waves, connections=4, **options):
    """Fetch targets in waves: those of a wave together, one wave after the other, all with one client."""

    async def run():
        results = {}
        async with HttpFetcher(user_agent="arborist-crawler/1.0", connections=connections,
                               allow_private=True) as fetcher:  # fmt: skip
            for wave in waves:
                requests = [FetchRequest(url=Url(server.url(target)), **options) for target in wave]
                answers = await asyncio.gather(*map(fetcher.fetch, requests))
                results |= dict(zip(wave, answers, strict=True))
        return results

    return asyncio.run(run())


def ask(answer, **options):
    """Ask a server that answers every request with these bytes, then hangs up."""

    def talk(client):
        if client.read_request() is not None:
            client.send(answer)

    with RawServer(talk) as server:
        (result,) = fetch(server, ["/"], **options).values()
    return result


class TestKeptConnections:
    def test_one_connection_serves_one_request_after_another(self):
        def talk(client):
            while client.read_request() is not None:
                client.send(PAGE)

        with RawServer(talk) as server:
            fetch(server, ["/a"], ["/b"], ["/c"])
            assert server.requests == [(1, "/a"), (1, "/b"), (1, "/c")]

    @pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
    def test_a_request_on_a_connection_that_had_died_is_repeated_once_on_a_new_one(self, reset):
        def talk(client):
            client.read_request()
            client.send(PAGE)
            if client.read_request() is not None and reset:
                client.reset()

        with RawServer(talk) as server:
            results = fetch(server, ["/a"], ["/b"])
            assert server.requests == [(1, "/a"), (1, "/b"), (2, "/b")]
        assert [result.status for result in results.values()] == [200, 200]
        assert results["/b"].failure is None

    def test_all_kept_connections_may_have_died_at_once(self):
        def talk(client):
            client.read_request()
            client.send(PAGE)
            client.read_request()

        first, second = [f"/{n}" for n in range(4)], [f"/again/{n}" for n in range(4)]
        with RawServer(talk) as server:
            results = fetch(server, first, second)
            asked = [server.targets.count(target) for target in second]
        assert {result.status for result in results.values()} == {200}
        assert set(asked) <= {1, 2}
        assert 2 in asked

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_who_hangs_up_on_a_new_connection_is_not_asked_twice(self, method):
        with RawServer(lambda client: client.read_request()) as server:
            (result,) = fetch(server, ["/"], method=method).values()
            assert server.targets == ["/"]
        assert result.failure.kind in (FailureKind.CONNECT, FailureKind.PROTOCOL)

    def test_who_hangs_up_on_the_repeat_too_has_failed(self):
        def talk(client):
            client.read_request()
            if client.number == 1:
                client.send(PAGE)
                client.read_request()

        with RawServer(talk) as server:
            results = fetch(server, ["/a"], ["/b"])
            assert server.targets == ["/a", "/b", "/b"]
        assert results["/b"].status is None

    def test_an_answer_that_is_no_http_on_a_kept_connection_is_not_asked_for_twice(self):
        def talk(client):
            client.read_request()
            client.send(PAGE)
            client.read_request()
            client.send(b"what?\r\n\r\n")

        with RawServer(talk) as server:
            results = fetch(server, ["/a"], ["/b"])
            assert server.targets == ["/a", "/b"]
        assert results["/b"].failure.kind is FailureKind.PROTOCOL

    def test_bytes_after_an_answer_do_not_become_the_next_one(self):
        def talk(client):
            client.read_request()
            client.send(PAGE + PAGE.replace(b"x", b"y"))
            while client.read_request() is not None:
                client.send(PAGE.replace(b"x", b"z"))

        with RawServer(talk) as server:
            results = fetch(server, ["/a"], ["/b"])
        assert results["/a"].body == b"<p>x</p>"
        assert results["/b"].failure is not None or results["/b"].body in (b"<p>x</p>", b"<p>z</p>")


class TestVersions:
    @pytest.mark.parametrize("head", [
        b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n",
        b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nConnection: keep-alive\r\nContent-Length: 8\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200\r\nContent-Type: text/html\r\nContent-Length: 8\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncOnTeNt-TyPe:text/html\r\nCONTENT-LENGTH:8\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" + PAGE[:-8],
        b"HTTP/1.1 103 Early Hints\r\nLink: </x.css>; rel=preload\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + PAGE[:-8],
    ])  # fmt: skip
    def test_a_page_comes_whole_whatever_the_version_and_what_is_said_before(self, head):
        result = ask(head + b"<p>x</p>")
        assert (result.status, result.body, result.truncated, result.failure) == (200, b"<p>x</p>", False, None)


class TestHeads:
    @pytest.mark.parametrize("size", [9_000, 40_000])
    def test_a_long_field_as_sites_send_them_is_taken(self, size):
        field = b"Content-Security-Policy: " + b"x" * size + b"\r\n"
        result = ask(PAGE.replace(b"Content-Type", field + b"Content-Type"))
        assert (result.status, len(result.headers["content-security-policy"])) == (200, size)

    def test_two_hundred_fields_are_taken(self):
        fields = b"".join(b"Link: </%d.css>\r\n" % n for n in range(200))
        result = ask(PAGE.replace(b"Content-Type", fields + b"Content-Type"))
        assert (result.status, result.headers["link"].count("css")) == (200, 200)

    @pytest.mark.parametrize("start", [
        b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 ", b"HTTP/1.1 200 OK\r\n", b"",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n1\r\nx\r\n0\r\nX: ",
    ], ids=["value", "reason", "fields", "garbage", "trailer"])  # fmt: skip
    @pytest.mark.parametrize("flood", [b"x" * 65_536, b"X-Y: z\r\n" * 8_192], ids=["one line", "many lines"])
    def test_a_head_without_end_is_given_up_after_a_bounded_number_of_bytes(self, start, flood):
        def talk(client):
            if client.read_request() is not None and client.send(start):
                client.flood(flood)

        with RawServer(talk) as server:
            (result,) = fetch(server, ["/"], timeout_seconds=10).values()
            assert server.sent < ENOUGH
        assert result.truncated or result.failure.kind in (FailureKind.PROTOCOL, FailureKind.CONNECT)

    @pytest.mark.parametrize("line", [b"no colon", b": no name", b"sp ace: x", b"X\x00: y", b"Content-Length: 1, 2"])
    def test_a_malformed_line_ends_the_exchange_at_once_as_a_failure_of_protocol(self, line):
        def talk(client):
            client.read_request()
            client.send(b"HTTP/1.1 200 OK\r\n" + line + b"\r\nContent-Type: text/html\r\n\r\n<p>x</p>")
            client.say_nothing()

        with RawServer(talk) as server:
            (result,) = fetch(server, ["/"], timeout_seconds=60).values()
            assert server.targets == ["/"]
        assert result.failure.kind is FailureKind.PROTOCOL

    @pytest.mark.parametrize(("start", "flood"), [
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 100),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n1;", b"x" * 65_536),
    ], ids=["interim answers", "a chunk extension"])  # fmt: skip
    def test_what_is_read_over_without_end_is_a_timeout(self, start, flood):
        def talk(client):
            if client.read_request() is not None and client.send(start):
                client.flood(flood)

        with RawServer(talk) as server:
            (result,) = fetch(server, ["/"], timeout_seconds=1).values()
        assert result.failure.kind is FailureKind.TIMEOUT


class TestChunks:
    HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/html\r\n\r\n"
    DAMAGED = (b"ZZ\r\n", b"-1\r\n", b"2\r\nlonger\r\n", b"f" * 40 + b"\r\n", b"\x00" * 64, b"0\r\nno trailer\r\n\r\n")

    @pytest.mark.parametrize("damaged", DAMAGED)
    def test_damage_within_a_body_ends_it_at_once_with_what_came(self, damaged):
        def talk(client):
            client.read_request()
            client.drip_pieces(self.HEAD, b"4\r\n<p>x\r\n", damaged)
            client.say_nothing()

        with RawServer(talk) as server:
            (result,) = fetch(server, ["/"], timeout_seconds=60).values()
        assert (result.status, result.truncated, result.failure) == (200, True, None)
        assert result.body.startswith(b"<p>x")

    @pytest.mark.parametrize("damaged", DAMAGED)
    def test_damage_that_comes_with_the_head_is_a_failure_of_protocol_in_words(self, damaged):
        def talk(client):
            client.read_request()
            client.send(self.HEAD + b"4\r\n<p>x\r\n" + damaged)
            client.say_nothing()

        with RawServer(talk) as server:
            (result,) = fetch(server, ["/"], timeout_seconds=60).values()
        assert result.failure.kind is FailureKind.PROTOCOL
        assert not result.failure.message.startswith("400")

    def test_what_a_server_sent_instead_of_http_is_no_part_of_the_reason(self):
        def talk(client):
            client.read_request()
            client.send(b"<html><body>Welcome</body></html>\r\n\r\n")
            client.say_nothing()

        with RawServer(talk) as server:
            (result,) = fetch(server, ["/"], timeout_seconds=60).values()
        assert result.failure.kind is FailureKind.PROTOCOL
        assert "Welcome" not in result.failure.message
        assert "status line" in result.failure.message

    def test_chunks_in_any_pieces_and_with_extensions_and_trailers_come_whole(self):
        def talk(client):
            client.read_request()
            client.drip_pieces(self.HEAD[:30], self.HEAD[30:], b"4;a=b\r\n<p", b">x\r", b"\n0\r\nX-Sum: 1\r\n\r\n")
            client.read_request()
            client.send(PAGE)
            client.say_nothing()

        with RawServer(talk) as server:
            results = fetch(server, ["/a"], ["/b"])
            assert server.requests == [(1, "/a"), (1, "/b")]
        assert results["/a"].body == b"<p>x"
        assert results["/b"].status == 200


class TestTypes:
    @staticmethod
    def untyped(body):
        return b"HTTP/1.1 200 OK\r\n\r\n" + body

    def test_a_body_without_a_type_that_is_mark_up_is_a_page(self):
        result = ask(self.untyped(b"<p>x</p>"))
        assert (result.body, result.body_read, result.content_type) == (b"<p>x</p>", True, "")

    def test_a_file_without_a_type_is_left_after_its_first_bytes(self):
        def talk(client):
            client.read_request()
            client.send(self.untyped(b"%PDF-1.7\n"))
            client.flood(b"\x00" * 65_536)

        with RawServer(talk) as server:
            (result,) = fetch(server, ["/"], timeout_seconds=60).values()
            assert server.sent < ENOUGH
        assert (result.status, result.body, result.body_read, result.failure) == (200, b"", False, None)
        assert result.content_type == "application/pdf"
        assert not result.too_large

    def test_a_short_file_without_a_type_is_seen_for_what_it_is(self):
        assert ask(self.untyped(b"GIF89a")).content_type == "image/gif"

    def test_a_stated_type_is_believed(self):
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n%PDF-1.7"
        assert replace(ask(answer), elapsed_seconds=0).body == b"%PDF-1.7"

    def test_what_is_asked_for_whatever_it_is_is_not_sniffed(self):
        result = ask(self.untyped(b"%PDF-1.7"), body=BodyRule.ANY)
        assert (result.body, result.content_type) == (b"%PDF-1.7", "")
