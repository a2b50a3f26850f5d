"""storage: what a night adds to the store of a site whose pages all carry a new token, and of which 5 % say more."""

import sqlite3
import tempfile
from pathlib import Path
from zlib import crc32

from benchmarks.crawl_speed import arborist_command
from benchmarks.loopback_sites import Answer, FastSite, files_of
from benchmarks.measurement import print_table, run_measured
from benchmarks.peer_tools import documentation

CHANGING = 20  # one page in so many
BAR = "a night adds at most 10 % of the first one's bytes"


def measure(rounds: int) -> None:
    """Print the size of the store after each night, `rounds` of them after the first."""
    folder = documentation()
    if folder is None:
        return
    rows = []
    with FastSite(files_of(folder)) as site, tempfile.TemporaryDirectory() as home:
        answer = site.answer
        sizes: list[tuple[int, int]] = []
        for night in range(rounds + 1):
            site.answer = lambda path, night=night: _of_night(path, answer(path), night)  # type: ignore[misc]  # a default
            pages = site.pages
            run_measured(arborist_command(site.url), cwd=Path(home), output=Path(home) / "printed",
                         settings={"ARBORIST_HOME": home, "ARBORIST_ALLOW_PRIVATE": "1"})  # fmt: skip
            sizes.append(_sizes(Path(home) / "crawl" / "web.db"))
            whole, bodies = (
                now - before for now, before in zip(sizes[-1], sizes[-2] if night else (0, 0), strict=True)
            )
            rows.append((night + 1, site.pages - pages, f"{whole / 1e6:.2f} MB", f"{bodies / 1e6:.2f} MB",
                         f"{whole / (site.pages - pages):,.0f}", f"{whole / sizes[0][0]:.1%}"))  # fmt: skip
    print_table(
        f"storage. Bar: {BAR}", ("night", "pages", "added", "of it bodies", "bytes a page", "of the first"), rows
    )


def _of_night(path: str, found: Answer | None, night: int) -> Answer | None:
    """Give a page the token of its night, and one page in twenty, others each night, a line more."""
    if found is None or found.content_type != "text/html":
        return found
    changes = [each for each in range(1, night + 1) if crc32(f"{each} {path}".encode()) % CHANGING == 0]
    added = "".join(f"<p>Changed in night {each}, and for good reasons, too.</p>" for each in changes)
    token = f'<meta name="csrf-token" content="{crc32(f"{path} {night}".encode()):08x}">'
    body = found.body.replace(b"<head>", b"<head>" + token.encode(), 1).replace(b"</body>", added.encode() + b"</body>")
    return Answer(body)


def _sizes(path: Path) -> tuple[int, int]:
    """Return the bytes in the pages of a database that are in use, and those of stored bodies."""
    connection = sqlite3.connect(path)
    try:
        count, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0]
                             for name in ("page_count", "freelist_count", "page_size"))  # fmt: skip
        bodies = connection.execute("SELECT coalesce(sum(length(content)), 0) FROM bodies").fetchone()[0]
    finally:
        connection.close()
    return (count - free) * size, bodies
