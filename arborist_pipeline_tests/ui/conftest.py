"""Dagster's UI and daemon over the code location, with two demo shops to crawl, and a Chromium to look at them."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from arborist_pipeline.defs.home import ensure_dagster_home
from arborist_pipeline_tests.support.chromium import find_chromium
from examples.demo_shop.serve import serve_shop
from examples.demo_shop.shop import build_shop

REPOSITORY = Path(__file__).resolve().parents[2]
SCREENSHOTS = REPOSITORY / ".screenshots"
START_SECONDS = 180  # an upper bound for a loaded machine, not what it takes
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
# A background shell may hand down ignored signals, and Dagster would ignore them too.
DAGSTER = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
from dagster._cli import main
sys.exit(main())
"""


class DagsterUi:
    """The UI at `url`, over a home of its own; `log` is what its processes print."""

    def __init__(self, home, port):
        self.home = home
        self.url = f"http://127.0.0.1:{port}"
        self.log = home / "dagster.log"
        self._port = port
        self._process = None

    def __enter__(self):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("ARBORIST", "CRAWL"))}
        environment |= {
            "ARBORIST_HOME": str(self.home), "ARBORIST_SITES": str(self.home / "sites.yaml"),
            "ARBORIST_ALLOW_PRIVATE": "1", "DAGSTER_HOME": str(ensure_dagster_home(str(self.home / "dagster"))),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }  # fmt: skip
        command = [sys.executable, "-c", DAGSTER, "dev", "-w", "workspace.yaml", "-h", "127.0.0.1", "-p",
                   str(self._port)]  # fmt: skip
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=REPOSITORY, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
        try:
            self._wait_for_start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        """Ask the group to end, and make it end."""
        for number, seconds in ((signal.SIGINT, 30), (signal.SIGKILL, 30)):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
                if number is signal.SIGKILL:
                    return

    def ask(self, query, **variables):
        """Ask the UI's GraphQL and return its data."""
        body = json.dumps({"query": query, "variables": variables})
        status, text = self._request("POST", "/graphql", body)
        said = json.loads(text)
        assert status == 200, text
        assert "errors" not in said, said["errors"]
        return said["data"]

    def wait_for(self, what, condition, seconds=START_SECONDS):
        """Wait until a condition gives something true, and return that."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            found = condition()
            if found:
                return found
            time.sleep(0.5)
        pytest.fail(f"{what} did not come about in {seconds} s; the end of the log:\n{self.log.read_text()[-4000:]}")

    def _wait_for_start(self):
        def answers():
            assert self._process.poll() is None, self.log.read_text()[-4000:]
            try:
                return self._request("GET", "/server_info")[0] == 200
            except OSError:
                return False

        self.wait_for("the UI", answers)

    def _request(self, method, path, body=None):
        headers = {"content-type": "application/json"}
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()


@pytest.fixture(scope="module")
def shops():
    """Two demo shops with other goods each, by the key of their site."""
    with serve_shop(build_shop()) as first, serve_shop(build_shop(seed=7)) as second:
        yield {"first-shop": first, "second-shop": second}


@pytest.fixture(scope="module")
def ui(tmp_path_factory, shops):
    """The UI, its daemon and two listed sites; the registry sensor has made them partitions."""
    home = tmp_path_factory.mktemp("home")
    entries = "".join(f"  - {{key: {key}, seed_url: '{shop.url}/'}}\n" for key, shop in shops.items())
    (home / "sites.yaml").write_text(f"defaults: {{mode: fast, max_pages: 25}}\nsites:\n{entries}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with DagsterUi(home, port) as ui:
        yield ui


@pytest.fixture(scope="module")
def browser():
    """A Chromium; skips where the machine has none.

    Playwright keeps an event loop running in this thread until it is closed, and no other test could start one.
    """
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium here: install the package chromium, or name one with ARBORIST_CHROMIUM")
    with (
        sync_playwright() as playwright,
        contextlib.closing(playwright.chromium.launch(executable_path=path, args=ARGUMENTS)) as browser,
    ):
        yield browser


@pytest.fixture
def page(browser):
    """A page; in the end it must have asked nobody but loopback, and had no error of its own."""
    strangers, faults = [], []
    with contextlib.closing(browser.new_page(viewport={"width": 1600, "height": 1000})) as page:
        page.set_default_timeout(START_SECONDS * 1000)
        page.on("request", lambda request: strangers.append(request.url) if _is_stranger(request.url) else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        yield page
    assert strangers == []
    assert faults == []


def _is_stranger(url):
    return url.startswith(("http", "ws")) and not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:"))


@pytest.fixture
def keep(page):
    """Keep a picture of the page under a name."""
    SCREENSHOTS.mkdir(exist_ok=True)
    return lambda name: page.screenshot(path=SCREENSHOTS / f"{name}.png")
