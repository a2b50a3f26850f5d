"""Real sites that lie on the machine: the HTML documentation of system packages, and what links it holds."""

from collections import deque
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

PREFERRED = ("python3*-doc", "postgresql-doc*")
"""Two large sites by two generators; where a package is missing another folder of documentation stands in."""
_ROOT = Path("/usr/share/doc")
_FEWEST_PAGES, _MOST_PAGES = 60, 3_000


def find_doc_sites() -> list[Path]:
    """Return up to one folder for each preferred package, others in place of the missing; [] where there is none."""
    found: dict[Path, None] = {}
    for pattern in (*PREFERRED, "*"):
        for index in sorted(_ROOT.glob(f"{pattern}/html/index.html")):
            folder = index.parent.resolve()
            if folder not in found and len(found) < len(PREFERRED) and _is_a_good_size(folder):
                found[folder] = None
                if pattern != "*":
                    break
    return list(found)


def linked_targets(folder: Path) -> tuple[set[str], set[str]]:
    """Walk the files by the standard library alone; return the paths that links reach, and those that lead nowhere."""
    there, missing = {"/"}, set()
    queue = deque(["/"])
    while queue:
        at = queue.popleft()
        for target in _targets(folder, at):
            if target in there or target in missing:
                continue
            if _file_of(folder, target).is_file():
                there.add(target)
                queue.append(target)
            else:
                missing.add(target)
    return there, missing


def _targets(folder: Path, at: str) -> list[str]:
    reader = _Anchors()
    reader.feed(_file_of(folder, at).read_text(errors="replace"))
    local = (urljoin(f"http://site{at}", urldefrag(href.strip())[0]) for href in reader.hrefs)
    parts = [urlsplit(url) for url in local]
    return [each.path for each in parts if each.netloc == "site" and each.path.endswith((".html", ".htm", "/"))]


def _file_of(folder: Path, target: str) -> Path:
    path = folder / unquote(target).lstrip("/")
    return path / "index.html" if target.endswith("/") else path


def _is_a_good_size(folder: Path) -> bool:
    return _FEWEST_PAGES <= sum(1 for _ in folder.rglob("*.html")) <= _MOST_PAGES


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag in ("a", "area") and href:
            self.hrefs.append(href)
