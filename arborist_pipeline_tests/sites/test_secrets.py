"""A site full of secrets and of text that means to be more than text, and everything a crawl shows or stores of it."""

import csv
import io
import json
import os
import re
import sqlite3
import subprocess
import sys

import pytest

from arborist_pipeline_tests.conftest import REPOSITORY
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect

SECRET = "hunter2"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HOSTILE = (
    "\x1b[2J\x1b]0;owned\x07=cmd|' /C calc'!A1</title><script>alert(1)</script>\u202e\x9b31m\r\n\u2028[x](javascript:1)"
)


def site_of_secrets():
    """Addresses with user names and passwords in every place where a site may write one."""

    def tail(request):
        del request
        return redirect(f"//me:{SECRET}@{host()}/landed")

    def host():
        return f"127.0.0.1:{site.port}"

    def home(request):
        del request
        links = [
            "/moved",
            "/broken",
            f"http://me:{SECRET}@{host()}/signed",
            f"ftp://me:{SECRET}@files.example/",
            f"http://me:{SECRET}@[",
            f"//me:a/{SECRET}@{host()}/",
            f"http://[shop?token={SECRET}",
        ]
        return html("Home", "".join(f'<a href="{link}">words</a>' for link in links))

    site = LocalSite({
        "/": home, "/moved": tail, "/broken": redirect(f"http://me:{SECRET}@[/"), "/landed": html("Landed"),
        "/signed": html("Signed", head=f'<link rel="canonical" href="http://me:{SECRET}@127.0.0.1/signed">'),
        "/robots.txt": Reply(status=404),
    })  # fmt: skip
    return site


def site_of_hostile_text():
    words = " ".join(f"word{n}" for n in range(120))
    title = HOSTILE.replace("</title>", "&lt;/title&gt;").replace("<script>", "&lt;script&gt;")
    bad = "/gone?" + "a" * 10
    links = f'<a href="{bad}" title="t">{title}</a><a href="http://[{title}">{title}</a>'
    page = f"<title>{title}</title><p>{words}</p>"
    return LocalSite(
        {"/": f'{page}{links}<a href="/a">{title}</a>', "/a": f"{page}{links}", "/robots.txt": Reply(status=404)}
    )


@pytest.fixture
def arborist(tmp_path):
    """Call the command line in a process of its own; stdout and stderr as text, whatever the exit code."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ARBORIST_", "CRAWL_"))}
    settings = {"ARBORIST_HOME": str(tmp_path), "ARBORIST_ALLOW_PRIVATE": "1", "PYTHONPATH": str(REPOSITORY)}

    def call(*arguments, environment=None):
        command = [sys.executable, "-m", "arborist_pipeline", *arguments]
        variables = kept | settings | (environment or {})
        done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, check=False)
        return done.stdout.decode(), done.stderr.decode()

    return call


def dump(tmp_path):
    database = sqlite3.connect(tmp_path / "crawl" / "web.db")
    try:
        return "\n".join(database.iterdump())
    finally:
        database.close()


def test_no_password_of_an_address_is_shown_or_stored(arborist, tmp_path):
    with site_of_secrets() as site:
        seed = site.url("/").replace("http://", f"http://me:{SECRET}@")
        shown = "".join(arborist("crawl", "--seed-url", seed, "--fast", "--ingest", "--json"))
        shown += "".join("".join(arborist("crawl-report", "--seed-url", seed, "--format", form))
                         for form in ("json", "md", "html", "csv", "sarif"))  # fmt: skip
        asked = set(site.targets)
        assert not [request for request in site.requests if "authorization" in request.headers]
    assert {"/moved", "/broken", "/landed", "/signed"} <= asked
    assert SECRET not in shown
    assert SECRET not in dump(tmp_path)


@pytest.mark.parametrize("address", [
    f"ftp://me:{SECRET}@files.example/", f"postgresql+psycopg://me:{SECRET}@db.example/web", f"http://me:{SECRET}@[",
])  # fmt: skip
def test_an_address_that_is_refused_is_shown_without_its_password(arborist, address):
    for arguments in (("crawl", "--seed-url", address), ("--db", address, "db", "check"), ("sites", "add", address)):
        assert SECRET not in "".join(arborist(*arguments))


ENVIRONMENT = {
    "OPENAI_API_KEY": f"sk-{SECRET}", "HTTP_PROXY": f"http://me:{SECRET}@127.0.0.1:9", "NO_PROXY": "127.0.0.1",
    "OPENAI_BASE_URL": f"http://me:{SECRET}@127.0.0.1:9/v1", "ARBORIST_LLM_MODEL": "a-model",
}  # fmt: skip


class TestRefresh:
    """A night over a site whose seed has a token, with secrets in the environment: what Dagster keeps of it."""

    @pytest.fixture
    def refreshed(self, arborist, tmp_path):
        """Refresh a site with links that have secrets too; return its result and all that was said."""

        def refresh(**environment):
            links = "".join(f'<a href="{link}">words</a>' for link in
                            (f"/a?api_key={SECRET}", f"/gone?token={SECRET}", f"http://me:{SECRET}@[/"))  # fmt: skip
            pages = {"/a": html("A", "<p>A page with words of its own.</p>")}
            with LocalSite({"/": html("Home", links), **pages, "/robots.txt": "User-agent: *\nCrawl-delay: 0"}) as site:
                (tmp_path / "sites.yaml").write_text(
                    f"sites:\n  - {{key: shop, mode: fast, seed_url: '{site.url('/')}?token={SECRET}'}}\n"
                )
                out, err = arborist("refresh", "--all", "--json", environment=ENVIRONMENT | environment)
                assert out, err
                return json.loads(out), out + err

        return refresh

    @staticmethod
    def kept_by_dagster(tmp_path):
        files = [path for path in (tmp_path / "dagster").rglob("*") if path.is_file()]
        assert any(path.suffix == ".db" for path in files)
        return b"".join(path.read_bytes() for path in files)

    def test_nothing_that_dagster_keeps_and_no_line_has_a_secret(self, refreshed, tmp_path):
        result, said = refreshed()
        assert result["ok"], said
        assert result["counts"]["findings"]["broken_link"] == 1
        assert SECRET not in said
        kept = self.kept_by_dagster(tmp_path)
        assert b"token=***" in kept
        assert SECRET.encode() not in kept

    def test_neither_has_the_password_of_a_store_that_cannot_be_reached(self, refreshed, tmp_path):
        pytest.importorskip("psycopg")
        result, said = refreshed(ARBORIST_DB=f"postgresql+psycopg://me:{SECRET}@127.0.0.1:9/web")
        assert not result["ok"]
        assert "127.0.0.1" in result["reason"]
        assert SECRET not in said
        assert SECRET.encode() not in self.kept_by_dagster(tmp_path)


def test_lines_of_json_have_what_an_address_needs_and_no_secret_besides(arborist):
    with LocalSite({"/": lambda _: redirect(f"/next?token={SECRET}"), "/robots.txt": Reply(status=404)}) as site:
        out, err = arborist("crawl", "--seed-url", site.url("/"), "--fast", "--json", environment=ENVIRONMENT)
    assert SECRET not in err
    for line in map(json.loads, out.splitlines()):
        others = {name: value for name, value in line.items() if name not in ("url", "final_url", "parent")}
        assert SECRET not in json.dumps(others)


class TestHostileText:
    @pytest.fixture
    def shown(self, arborist):
        """What every way of showing the crawl prints: format to text."""
        with site_of_hostile_text() as site:
            outputs = {"lines": arborist("crawl", "--seed-url", site.url(), "--fast")[0]}
            crawled = arborist("crawl", "--seed-url", site.url(), "--fast", "--ingest", "--json")
            outputs |= {"json lines": crawled[0], "words": crawled[1]}
            for form in ("json", "md", "html", "csv", "sarif"):
                outputs[form] = arborist("crawl-report", "--seed-url", site.url(), "--format", form)[0]
        return outputs

    def test_nothing_that_steers_a_terminal_gets_through_and_json_and_csv_keep_what_was_written(self, shown):
        steering = {form: CONTROLS.findall(text.replace("\r\n", "\n")) for form, text in shown.items()}
        assert {form: found for form, found in steering.items() if found} == {}
        titles = [line["title"] for line in map(json.loads, shown["json lines"].splitlines()) if "title" in line]
        assert any("\x1b[2J" in title for title in titles)
        assert any("<script>alert(1)</script>" in title for title in titles)

    def test_no_form_of_the_report_lets_it_be_mark_up_or_a_formula(self, shown):
        assert "<script>alert" not in shown["html"]
        assert not re.search(r"(?<!\\)<script", shown["md"])
        assert not re.search(r"(?<!\\)\]\(javascript", shown["md"])
        cells = [cell for row in csv.reader(io.StringIO(shown["csv"], newline="")) for cell in row]
        assert cells
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r"))]
