"""The top of the command line: names, help, exit codes, one line for every failure."""

import sqlite3
import subprocess
import sys

import click
import pytest

from arborist_pipeline.adapters.stores import engine
from arborist_pipeline.cli import COMMANDS
from arborist_pipeline.cli.program import Entry, build_program
from arborist_pipeline.core.errors import ConfigError, InvalidUrl, LeaseHeld, StoreError

UNBUILT = ("status", "changes")


def test_every_command_of_the_contract_is_there():
    assert set(COMMANDS) == {
        "crawl", "crawler", "crawl-report", "refresh", "sites", "products", "extract", "query", "verify", "prove",
        "verify-proof", "history", "why", "status", "changes", "validate", "db",
    }  # fmt: skip


@pytest.mark.parametrize("name", COMMANDS)
def test_every_entry_names_a_command_of_that_name(name):
    command = build_program(COMMANDS).get_command(click.Context(click.Command("arborist")), name)
    assert command.name == name


def test_help_lists_every_command_with_its_line(arborist):
    result = arborist("--help")
    assert result.exit_code == 0
    for name, entry in COMMANDS.items():
        assert f"\n  {name} " in result.stdout
        assert entry.help.split()[0] in result.stdout


def test_help_imports_no_heavy_library():
    code = (
        "import sys; from arborist_pipeline.cli import main; main(['--help']);"
        "print(sorted({'sqlalchemy', 'httpx', 'aiohttp', 'dagster', 'tqdm', 'yaml'} & set(sys.modules)),"
        " file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
    assert done.stdout.startswith("Usage: arborist ")


def test_a_crawl_loads_no_library_that_it_may_not_need():
    code = (
        "import sys; import arborist_pipeline.cli.crawl, arborist_pipeline.adapters.fetchers.http;"
        "print(sorted({'alembic', 'chardet', 'dagster', 'openai', 'pandas', 'playwright', 'tqdm'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", UNBUILT)
@pytest.mark.parametrize("arguments", [(), ("x", "--limit", "3")])
def test_a_command_to_come_says_so_and_is_wrong_use(arborist, name, arguments):
    result = arborist(name, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"arborist: not built yet: arborist {name}\n"


@pytest.mark.parametrize("name", UNBUILT)
def test_a_command_to_come_is_listed_as_such(arborist, name):
    assert "not built yet" in COMMANDS[name].help
    assert "Not built yet." in arborist(name, "--help").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("crawl",),
        ("crawl", "--seed-url"),
        ("crawl", "--depth", "x"),
        ("--nonsense",),
        ("--db", " ", "db", "check"),
    ],
)
def test_wrong_use_ends_with_2(arborist, arguments):
    result = arborist(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr


def _raising(error):
    @click.command("fail")
    def fail():
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (ConfigError("mend it"), 2, "arborist: mend it\n"),
        (InvalidUrl("no URL"), 2, "arborist: no URL\n"),
        (StoreError("locked"), 1, "arborist: locked\n"),
        (LeaseHeld("held"), 1, "arborist: held\n"),
        (KeyboardInterrupt(), 1, "arborist: interrupted; what was stored until now is kept\n"),
    ],
)
def test_an_error_of_ours_is_one_line_and_its_exit_code(capsys, monkeypatch, error, code, line):
    monkeypatch.setattr(sys.modules[__name__], "fail", _raising(error), raising=False)
    program = build_program({"fail": Entry(f"{__name__}:fail", "Fail.")})
    assert program.run(["fail"]) == code
    assert capsys.readouterr() == ("", line)


def test_a_fault_of_ours_is_not_hidden(monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "fail", _raising(ZeroDivisionError()), raising=False)
    with pytest.raises(ZeroDivisionError):
        build_program({"fail": Entry(f"{__name__}:fail", "Fail.")}).run(["fail"])


def test_db_before_the_command_names_another_store(arborist, home, tmp_path):
    assert arborist("--db", tmp_path / "other.db", "db", "upgrade").exit_code == 0
    assert (tmp_path / "other.db").exists()
    assert not home.exists()


def test_db_comes_before_the_environment(arborist, monkeypatch, tmp_path):
    monkeypatch.setenv("ARBORIST_DB", str(tmp_path / "environment.db"))
    arborist("--db", tmp_path / "option.db", "db", "upgrade")
    arborist("db", "upgrade")
    assert sorted(path.name for path in tmp_path.glob("*.db")) == ["environment.db", "option.db"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARBORIST_ALLOW_PRIVATE", "perhaps"),
        ("CRAWL_MAX_PAGES", "many"),
        ("ARBORIST_USER_AGENT", "9 lives"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(arborist, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    result = arborist("sites", "list")
    assert (result.exit_code, result.stdout) == (2, "")
    assert name in result.stderr


def test_the_version_is_told(arborist):
    assert arborist("--version").stdout.startswith("arborist, version ")


def test_a_locked_store_ends_with_1_and_says_what_to_do(arborist, home, monkeypatch):
    arborist("db", "upgrade")
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0.05)
    holder = sqlite3.connect(home / "crawl/web.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        result = arborist("crawl", "--seed-url", "http://127.0.0.1:1/")
    finally:
        holder.close()
    assert result.exit_code == 1
    assert "is locked" in result.stderr


def test_a_file_that_is_no_store_ends_with_1(arborist, tmp_path):
    (tmp_path / "notes.db").write_text("this is no database, " * 200)
    result = arborist("--db", tmp_path / "notes.db", "products", "list")
    assert result.exit_code == 1
    assert "not a database" in result.stderr


@pytest.mark.parametrize("location", ["nonsense://x", "postgresql+nodriver://u:secret@h/x"])
def test_a_store_address_without_a_driver_is_configuration(arborist, location):
    result = arborist("--db", location, "db", "check")
    assert result.exit_code == 2
    assert "secret" not in result.stderr
