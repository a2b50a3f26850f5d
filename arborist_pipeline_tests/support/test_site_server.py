"""The local site keeps its word: what a test asks it to serve is what goes over the wire."""

import gzip
import http.client
import socket
import threading
from contextlib import closing

import pytest

from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, in_turn, redirect


def ask(site, target="/", method="GET", headers=None, body=None):
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)) as connection:
        connection.request(method, target, body=body, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def raw_answer(site, target="/"):
    with closing(socket.create_connection(("127.0.0.1", site.port), timeout=10)) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        pieces = []
        while piece := connection.recv(65536):
            pieces.append(piece)
        return b"".join(pieces)


def test_a_text_is_an_html_page_with_a_strong_validator():
    with LocalSite({"/": html("Home", "<p>Hello</p>", links=["/a?b=1&c=2"])}) as site:
        status, headers, body = ask(site)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert headers["etag"].startswith('"')
    assert b"<title>Home</title>" in body
    assert b'<a href="/a?b=1&amp;c=2">' in body


@pytest.mark.parametrize(
    ("target", "media_type"), [("/robots.txt", "text/plain; charset=utf-8"), ("/sitemap.xml", "application/xml")]
)
def test_a_media_type_follows_from_the_name(target, media_type):
    with LocalSite({target: "x"}) as site:
        assert ask(site, target)[1]["content-type"] == media_type


def test_a_route_is_found_by_target_before_path_and_the_rest_is_404():
    with LocalSite({"/a?x=1": "one", "/a": "any"}) as site:
        assert [ask(site, target)[2] for target in ("/a?x=1", "/a?x=2", "/a")] == [b"one", b"any", b"any"]
        assert ask(site, "/b")[0] == 404


def test_every_request_is_remembered_in_order():
    with LocalSite({"/": "x"}) as site:
        ask(site, "/?q=1", headers={"X-Mark": "m"})
        ask(site, "/form", method="POST", body=b"a=b")
    first, second = site.requests
    assert (first.method, first.target, first.path, first.headers["x-mark"]) == ("GET", "/?q=1", "/", "m")
    assert (second.method, second.target, second.body) == ("POST", "/form", b"a=b")
    assert first.at <= second.at
    assert site.targets == ["/?q=1"]
    assert (site.count("/form"), site.count("/form", "POST")) == (0, 1)


@pytest.mark.parametrize("given", ["{tag}", '"other", {tag}', "*"])
def test_a_matching_validator_is_answered_304_without_a_body(given):
    with LocalSite({"/": "same"}) as site:
        tag = ask(site)[1]["etag"]
        status, headers, body = ask(site, headers={"If-None-Match": given.format(tag=tag)})
        assert (status, headers["etag"], body) == (304, tag, b"")
        site.routes["/"] = "other"
        assert ask(site, headers={"If-None-Match": given.format(tag=tag)})[0] == (304 if given == "*" else 200)


def test_an_answer_without_a_validator_has_none():
    with LocalSite({"/": Reply(body=b"x", etag=False)}) as site:
        assert "etag" not in ask(site)[1]
        assert ask(site, headers={"If-None-Match": "*"})[0] == 200


def test_a_redirect_leads_elsewhere_and_head_has_no_body():
    with LocalSite({"/old": redirect("/new", 308), "/new": "body"}) as site:
        status, headers, _ = ask(site, "/old")
        assert (status, headers["location"]) == (308, "/new")
        status, headers, body = ask(site, "/new", method="HEAD")
        assert (status, headers["content-length"], body) == (200, "4", b"")


def test_gzip_is_sent_only_where_it_is_accepted():
    text = html("Home", "<p>word</p>" * 50).encode()
    with LocalSite({"/": Reply(body=text, gzip=True)}) as site:
        assert ask(site)[2] == text
        _, headers, body = ask(site, headers={"Accept-Encoding": "br, gzip"})
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == text


@pytest.mark.parametrize("text", [b"", b"a", b"0123456789" * 7])
def test_chunks_add_up_to_the_body(text):
    with LocalSite({"/": Reply(body=text, chunked=True, pieces=4)}) as site:
        _, headers, body = ask(site)
    assert headers["transfer-encoding"] == "chunked"
    assert "content-length" not in headers
    assert body == text


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body=b"0123456789", cut_after=4),
        Reply(body=b"0123", content_length=10),
        Reply(body=b"0123456789", cut_after=4, chunked=True),
    ],
)
def test_a_cut_answer_ends_before_it_promised(reply):
    with LocalSite({"/": reply}) as site, pytest.raises(http.client.IncompleteRead) as caught:
        ask(site)
    assert b"0123".startswith(caught.value.partial)


def test_a_raw_answer_goes_out_as_it_stands():
    with LocalSite({"/": Reply(raw=b"HTTP/9.9 what\r\n"), "/gone": Reply(raw=b"")}) as site:
        assert raw_answer(site) == b"HTTP/9.9 what\r\n"
        assert raw_answer(site, "/gone") == b""


def test_a_header_with_several_values_is_sent_several_times():
    with LocalSite({"/": Reply(headers={"set-cookie": ("a=1", "b=2")}, close=True)}) as site:
        answer = raw_answer(site)
    assert b"set-cookie: a=1\r\nset-cookie: b=2\r\n" in answer
    assert b"connection: close" in answer


def test_a_dripping_body_sends_its_first_piece_at_once():
    with (
        LocalSite({"/": Reply(body=b"firstlater", pieces=2, drip_seconds=3600)}) as site,
        closing(socket.create_connection(("127.0.0.1", site.port), timeout=10)) as connection,
    ):
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        seen = b""
        while not seen.endswith(b"first"):
            piece = connection.recv(4096)
            assert piece, seen
            seen += piece


def test_routes_may_be_called_and_may_answer_in_turn():
    def echo(request):
        return f"{request.method} {request.target}"

    with LocalSite({"/echo": echo, "/turns": in_turn(Reply(status=503), "well")}) as site:
        assert ask(site, "/echo?x")[2] == b"GET /echo?x"
        assert [ask(site, "/turns")[0] for _ in range(3)] == [503, 200, 200]


def test_requests_under_way_together_are_counted():
    both = threading.Barrier(2)

    def meet(_):
        both.wait(timeout=10)
        return "met"

    with LocalSite({"/": "alone", "/meet": meet}) as site:
        ask(site)
        ask(site)
        assert site.most_at_once == 1
        threads = [threading.Thread(target=ask, args=(site, "/meet")) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert site.most_at_once == 2


def test_stopping_gives_back_port_and_threads_though_clients_hold_on():
    before = set(threading.enumerate())
    with LocalSite({"/": "x", "/slow": Reply(delay_seconds=3600)}) as site:
        kept = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
        kept.request("GET", "/")
        assert kept.getresponse().read() == b"x"
        waiting = socket.create_connection(("127.0.0.1", site.port), timeout=10)
        waiting.sendall(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        while not site.count("/slow"):
            threading.Event().wait(0.005)
    kept.close()
    waiting.close()
    assert set(threading.enumerate()) == before
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", site.port))


def test_one_connection_serves_many_requests():
    with LocalSite({"/": "x"}) as site, closing(http.client.HTTPConnection("127.0.0.1", site.port)) as connection:
        sockets = set()
        for _ in range(3):
            connection.request("POST", "/", body=b"sent and read")
            assert connection.getresponse().read() == b"x"
            sockets.add(connection.sock)
        assert len(sockets) == 1
