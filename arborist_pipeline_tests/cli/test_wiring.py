"""What the command line loads for a crawl, and what it leaves as it was."""

import os
import subprocess
import sys

import certifi
import pytest

_OPEN = """
import os, sys
from arborist_pipeline.cli import wiring
before = dict(os.environ)
wiring.open_fetcher(wiring.load_settings(None), connections=1)
print(dict(os.environ) == before, "httpx._main" in sys.modules, "rich" in sys.modules)
import aiohttp.connector, httpx
contexts = aiohttp.connector._SSL_CONTEXT_VERIFIED, httpx.create_ssl_context()
print(*(context.cert_store_stats()["x509"] > 0 for context in contexts))
"""


@pytest.mark.parametrize("own", [{}, {"SSL_CERT_FILE": certifi.where()}])
def test_a_client_is_loaded_without_extras_and_trusts_what_it_trusted(own):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SSL_CERT", "ARBORIST"))}
    run = subprocess.run(
        [sys.executable, "-c", _OPEN], env=environment | own, check=True, capture_output=True, text=True
    )
    assert run.stdout.splitlines() == ["True False False", "False True"]
