"""The peers that Arborist is measured beside, each installed where it can be had: said, not failed, where it cannot."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from benchmarks.measurement import REPOSITORY, WORKPLACE

SCRIPTS = REPOSITORY / "benchmarks" / "peers"
_PACKAGES = {"scrapy": "scrapy==2.19.*", "crawlee": "crawlee[parsel]", "extruct": "extruct", "py-spy": "py-spy"}
_BIN = WORKPLACE / "peers" / "bin"


@cache
def peer_python(name: str) -> str | None:
    """Return the interpreter that has a package, in an environment apart from ours; None where there is none."""
    python = _BIN / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(WORKPLACE / "peers")], check=True)
    shown = subprocess.run([str(python), "-m", "pip", "show", "-q", name], check=False, capture_output=True)
    if shown.returncode == 0:
        return str(python)
    print(f"installing {_PACKAGES[name]}", file=sys.stderr)
    install = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", "--compile", _PACKAGES[name]]
    if subprocess.run(install, check=False, stdout=sys.stderr).returncode == 0:
        return str(python)
    print(f"without {name}: it cannot be installed here", file=sys.stderr)
    return None


@cache
def peer_program(name: str, package: str) -> str | None:
    """Return the path of a program, from the system's packages if need be; None where there is none."""
    if package in _PACKAGES:
        return str(_BIN / name) if peer_python(package) else None
    if shutil.which(name) is None and os.geteuid() == 0 and shutil.which("apt-get") is not None:
        subprocess.run(["apt-get", "install", "-y", "-qq", package], check=False, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})  # fmt: skip
    if shutil.which(name) is None:
        print(f"without {name}: it cannot be installed here", file=sys.stderr)
    return shutil.which(name)


def peer_script(package: str, script: str) -> list[str] | None:
    """Return the command of one of our scripts over a peer, None where the peer is not to be had."""
    python = peer_python(package)
    return [python, str(SCRIPTS / script)] if python else None


def documentation() -> Path | None:
    """Return a folder of real pages: the HTML documentation of PostgreSQL as Debian packages it."""
    found = sorted(Path("/usr/share/doc").glob("postgresql-doc-*/html/index.html"))
    if not found:
        print("without real pages: install postgresql-doc", file=sys.stderr)
    return found[-1].parent.resolve() if found else None
