"""A PostgreSQL server of the tests' own: data in a folder that goes with it, reached by a Unix socket only."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

SETTINGS = (
    "listen_addresses=",
    "fsync=off",  # nothing here needs to outlive the machine
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=60",
)
_USER = "postgres"  # the server refuses to run as root


def find_server_programs() -> Path | None:
    """Return the folder with initdb and pg_ctl, None where PostgreSQL is not installed."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name))
    folders = [*reversed(installed), *(Path(each) for each in os.environ.get("PATH", "").split(":") if each)]
    return next((each for each in folders if (each / "initdb").exists() and (each / "pg_ctl").exists()), None)


def why_no_server() -> str | None:
    """Say why no server can be started here, None where one can."""
    if find_server_programs() is None:
        return "PostgreSQL is not installed: no initdb and pg_ctl in PATH or /usr/lib/postgresql"
    if os.geteuid() == 0:
        try:
            pwd.getpwnam(_USER)
        except KeyError:
            return f"PostgreSQL does not run as root, and there is no user {_USER}"
    return None


@contextlib.contextmanager
def running_server() -> Iterator[str]:
    """Start a server and yield the URL of its `postgres` database; an end that is not clean takes the data too.

    Texts sort by the rules of a language, as on most servers: whoever needs the order of code points must say so.
    """
    programs = find_server_programs()
    assert programs is not None
    folder = Path(tempfile.mkdtemp(prefix="arborist-pg-", dir="/tmp"))
    as_user = {}
    if os.geteuid() == 0:
        owner = pwd.getpwnam(_USER)
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        as_user = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": ()}

    def run(program: str, *arguments: str) -> None:
        with (folder / "said").open("ab") as said:  # no pipe: the server would inherit it and keep it open
            done = subprocess.run([programs / program, "-D", folder / "data", *arguments], check=False, cwd=folder,
                                  stdin=subprocess.DEVNULL, stdout=said, stderr=said, **as_user)  # fmt: skip
        assert done.returncode == 0, (folder / "said").read_text()[-2000:]

    options = " ".join(f"-c {each}" for each in (*SETTINGS, f"unix_socket_directories={folder}"))
    try:
        run("initdb", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync", "--locale=C",
            "--locale-provider=icu", "--icu-locale=en-US")  # fmt: skip
        run("pg_ctl", "start", "--wait", "--log", str(folder / "log"), "--options", options)
        try:
            yield f"postgresql+psycopg://postgres@/postgres?host={folder}"
        finally:
            run("pg_ctl", "stop", "--wait", "--mode", "immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
