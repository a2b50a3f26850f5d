"""The shop on a socket answers as the shop in process does, and remembers who asked."""

import http.client
import json
import socket
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from examples.demo_shop.serve import Exchange, ShopServer, serve_shop
from examples.demo_shop.shop import build_shop

REPOSITORY = Path(__file__).resolve().parents[2]


def ask(connection, method, target, headers=None, body=None):
    connection.request(method, target, body=body, headers=headers or {})
    answer = connection.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


@pytest.fixture
def served(shop):
    with serve_shop(shop) as server, closing(http.client.HTTPConnection("127.0.0.1", server.server_port)) as connection:
        yield server, connection


def test_one_connection_gets_what_the_shop_answers(served):
    server, connection = served
    host = {"Host": f"127.0.0.1:{server.server_port}"}
    for target in ("/", *server.shop.truth.pages[100:110], "/no-such-page", "/media/none.svg", server.shop.truth.pdf):
        status, headers, body = ask(connection, "GET", target)
        expected = server.shop.response("GET", target, {**host, "Accept-Encoding": "identity"})
        assert (status, body) == (expected.status, expected.body)
        assert expected.headers.items() <= headers.items()
        kept = connection.sock
        ask(connection, "HEAD", target)
        ask(connection, "POST", "/cart/add", body=b"id=1")
        assert connection.sock is kept


def test_the_log_names_method_target_status_and_condition(served):
    server, connection = served
    _, headers, _ = ask(connection, "GET", "/blog?page=2")
    ask(connection, "HEAD", "/blog?page=2", {"If-None-Match": headers["etag"]})
    ask(connection, "GET", "/nothing")
    assert server.log == [
        Exchange("GET", "/blog?page=2", 200, False),
        Exchange("HEAD", "/blog?page=2", 304, True),
        Exchange("GET", "/nothing", 404, False),
    ]


def test_leaving_the_context_gives_back_port_and_threads(shop):
    before = set(threading.enumerate())
    with serve_shop(shop) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
        ask(connection, "GET", "/")
    connection.close()
    assert set(threading.enumerate()) == before
    with socket.socket() as again:
        again.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        again.bind(("127.0.0.1", server.server_port))


def test_a_shop_in_a_context_has_no_control_addresses(served):
    server, connection = served
    assert ask(connection, "POST", "/-/change")[0] == 405
    assert ask(connection, "GET", "/-/change")[0] == 404
    assert server.shop.truth.changed is None


def test_the_control_addresses_tell_the_truth_and_change_the_shop():
    with (
        ShopServer(build_shop(), control=True) as server,
        closing(http.client.HTTPConnection("127.0.0.1", server.server_port)) as connection,
    ):
        truth = json.loads(ask(connection, "GET", "/-/truth")[2])
        assert (truth["changed"], len(truth["products"])) == (None, len(server.shop.truth.products))
        change = json.loads(ask(connection, "POST", "/-/change")[2])
        assert change["removed"] == server.shop.truth.changed.removed
        assert change["price_after"] == str(server.shop.truth.changed.price_after)
        assert ask(connection, "GET", change["removed"])[0] == 404


def test_the_shop_is_served_by_hand_and_says_where():
    command = [sys.executable, "-m", "examples.demo_shop.serve", "--port", "0"]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline()
            port = int(line.split("http://127.0.0.1:")[1].split("/")[0])
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
                assert ask(connection, "GET", "/")[0] == 200
        finally:
            process.terminate()
