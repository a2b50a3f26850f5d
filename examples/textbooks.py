"""`make crawl-textbooks` and kin: sites of `kind: textbook`, each into a database of its own."""

import argparse
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from arborist_pipeline.adapters.site_list_file import SiteListFile
from arborist_pipeline.core.crawl.records import Site, SiteType
from arborist_pipeline.core.errors import ArboristError
from arborist_pipeline.core.settings import Settings, read_settings
from arborist_pipeline.core.web.url import split_origin


def main() -> int:
    """Crawl textbooks, or count what their databases hold; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["crawl", "stats"])
    parser.add_argument("key", nargs="?", help="one textbook of the site list; all without it")
    arguments = parser.parse_args()
    try:
        settings = read_settings(os.environ, user_home=str(Path.home()))
        books = _textbooks(settings, arguments.key)
    except ArboristError as error:
        print(error, file=sys.stderr)
        return 2
    if not books:
        print("no site of the list has kind: textbook" + (f" and the key {arguments.key}" if arguments.key else ""),
              file=sys.stderr)  # fmt: skip
        return 2
    if arguments.what == "stats":
        for site in books:
            print(f"{site.key:<40} {_documents(_database(settings, site)):>8} documents")
        return 0
    return max(_crawl(settings, site) for site in books)


def _textbooks(settings: Settings, key: str | None) -> list[Site]:
    sites = SiteListFile(settings.site_lists, max_pages=settings.max_pages).load()
    return [site for site in sites if site.kind is SiteType.TEXTBOOK and key in (None, site.key)]


def _database(settings: Settings, site: Site) -> Path:
    host = split_origin(site.seed_url).host
    return Path(settings.textbooks) / f"{host}.db"


def _crawl(settings: Settings, site: Site) -> int:
    command = [sys.executable, "-m", "arborist_pipeline", "--db", str(_database(settings, site)), "crawl", "--ingest",
               "--seed-url", site.seed_url, "--depth", str(site.depth), "--max-pages", str(site.max_pages)]  # fmt: skip
    if site.author:
        command += ["--author", site.author]
    return subprocess.run(command, check=False).returncode


def _documents(path: Path) -> int:
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM current_documents WHERE status = 'ok'").fetchone()[0])


if __name__ == "__main__":
    sys.exit(main())
