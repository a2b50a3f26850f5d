"""HTTPS on loopback: a site is believed only with a certificate that somebody trusted vouches for, and for its name."""

import asyncio
import ssl
import subprocess

import pytest

from arborist_pipeline.adapters.fetchers.http import HttpFetcher
from arborist_pipeline.core.web.fetch import FailureKind, FetchRequest
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.support.raw_server import RawServer
from arborist_pipeline_tests.workflows.conftest import Desk

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 8\r\n\r\n<p>x</p>"


class Authority:
    """Somebody who vouches for names: a root certificate in a folder, and what is signed with it."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.root = folder / "root.pem"
        self._openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=An authority",
                      "-keyout", "root.key", "-out", "root.pem")  # fmt: skip

    def sign(self, name, *, days=30):
        """Return a context for a server of that name."""
        (self.folder / "names").write_text(f"subjectAltName=DNS:{name}\n")
        self._openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", "site.key", "-out",
                      "site.csr")  # fmt: skip
        self._openssl("x509", "-req", "-in", "site.csr", "-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial",
                      "-days", str(days), "-extfile", "names", "-out", "site.pem")  # fmt: skip
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "site.pem", self.folder / "site.key")
        return context

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)


@pytest.fixture
def trusted(tmp_path, monkeypatch):
    """The one authority that this machine trusts."""
    authority = Authority(tmp_path / "trusted")
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.root))
    return authority


def serve(context):
    def talk(client):
        if client.secure(context):
            while client.read_request() is not None:
                client.send(PAGE)

    return RawServer(talk)


def fetch(server):
    async def run():
        async with HttpFetcher(user_agent="arborist-crawler/test", connections=1, allow_private=True) as fetcher:
            url = canonicalize(server.url("/").replace("http://127.0.0.1", "https://localhost"))
            return await fetcher.fetch(FetchRequest(url=url))

    return asyncio.run(run())


def test_a_site_that_a_trusted_authority_vouches_for_is_believed(trusted):
    with serve(trusted.sign("localhost")) as server:
        result = fetch(server)
    assert (result.status, result.body, result.failure) == (200, b"<p>x</p>", None)


@pytest.mark.parametrize("fault", ["another name", "over", "another authority"])
def test_a_site_that_nobody_vouches_for_is_a_failure_of_tls_and_is_sent_nothing(trusted, tmp_path, fault):
    context = {
        "another name": lambda: trusted.sign("other.example"),
        "over": lambda: trusted.sign("localhost", days=-1),
        "another authority": lambda: Authority(tmp_path / "unknown").sign("localhost"),
    }[fault]()
    with serve(context) as server:
        result = fetch(server)
        assert server.requests == []
    assert (result.status, result.failure.kind) == (None, FailureKind.TLS)
    assert "certificate" in result.failure.message.lower()


def test_a_crawl_of_such_a_site_says_why_and_is_not_retried(trusted, store, clock):
    with serve(trusted.sign("other.example")) as server:
        desk = Desk(store, clock, server.url("/").replace("http://127.0.0.1", "https://localhost"))
        summary = asyncio.run(desk.crawl_http(connections=1))
        assert server.requests == []
    assert summary.pages in (0, 1)
    assert "tls" in summary.reason.lower() or "certificate" in summary.reason.lower()
