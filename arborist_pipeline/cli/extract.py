"""arborist extract: products from saved HTML, without network."""

import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from arborist_pipeline.cli.explanation import explain
from arborist_pipeline.cli.invocation import ExitCode, Invocation, Misuse, finish
from arborist_pipeline.cli.output import Progress, json_line, say
from arborist_pipeline.core.errors import ConfigError, InvalidUrl
from arborist_pipeline.core.products.extract import Reading, read_page
from arborist_pipeline.core.products.product import to_json
from arborist_pipeline.core.web.page import Page, parse_body
from arborist_pipeline.core.web.url import Url, canonicalize, same_site

MAX_FILE_BYTES = 64 * 1024 * 1024
_UNKNOWN = canonicalize("https://saved.invalid/page")
_STDIN = "-"
_GZIP = b"\x1f\x8b"


class SavedPage(NamedTuple):
    """A file to read, as its line of output names it; `url` and `charset` None where they are not known."""

    name: str
    path: Path
    url: str | None = None
    charset: str | None = None


@click.command("extract")
@click.argument("files", nargs=-1, metavar="[FILE]...", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--url", metavar="URL", help="The address that the file was served under.")
@click.option(
    "--batch",
    metavar="MANIFEST.jsonl",
    type=click.Path(path_type=Path),
    help="Read the files that this manifest names: objects with file, url and charset.",
)
@click.option(
    "--explain",
    "explained",
    is_flag=True,
    help="Print for people how each page was read: what spoke for its kind, how sources voted on each field, why "
    "there is no handle.",
)
@click.pass_obj
def extract(
    invocation: Invocation, files: tuple[Path, ...], url: str | None, batch: Path | None, *, explained: bool
) -> None:
    """Read products from saved HTML files, plain or gzip (- reads stdin); no network, no store.

    Prints {"file", "kind", "product"} a line; product is null where a page is not one product's page. In a manifest,
    paths are relative to it (or to the folder above, where they lie there), and charset stands for the one that the
    server declared. Without a URL the page's own canonical link is taken, if it has one. A file that cannot be read
    is said on stderr, and the others go on.
    """
    del invocation
    if bool(files) == (batch is not None):
        raise Misuse("name files, or a manifest with --batch, not both; see arborist extract --help")
    if url is not None and (batch is not None or len(files) > 1):
        raise Misuse("--url is the address of one file; several files with their addresses go into a --batch manifest")
    pages: Iterable[SavedPage | str]
    pages = [SavedPage(str(file), file, url) for file in files] if batch is None else read_manifest(batch)
    if url is not None:
        canonicalize(url)
    failed = 0
    with Progress("reading", unit="files") as progress:
        for page in pages:
            try:
                progress.emit(_explain(page) if explained else json_line(_read(page)))
            except (ConfigError, InvalidUrl) as error:
                failed += 1
                say(f"arborist: {error}")
            progress.advance()
    if failed:
        say(f"{failed} files could not be read")
        finish(ExitCode.FAILED)


def read_manifest(path: Path) -> Iterator[SavedPage | str]:
    """Yield the entries of a manifest, and in their place what is wrong with those that are none.

    Raises ConfigError where the manifest itself cannot be read.
    """
    try:
        lines = path.open(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise ConfigError(f"the manifest {path} cannot be read: {error.strerror}") from error
    with lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _entry(path, number, line)


def _entry(manifest: Path, number: int, line: str) -> SavedPage | str:
    where = f"{manifest}, line {number}"
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return f"{where}: this is no JSON object"
    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str) or not entry["file"]:
        return f"{where}: expected an object with file, url and charset"
    url, charset = (entry.get(name) for name in ("url", "charset"))
    if not isinstance(url, str | None) or not isinstance(charset, str | None):
        return f"{where}: url and charset are strings or null"
    return SavedPage(entry["file"], _place(manifest, entry["file"]), url or None, charset)


def _place(manifest: Path, file: str) -> Path:
    """Return where a file of a manifest lies: beside it, or below the folder above where it lies there instead."""
    beside, above = manifest.parent / file, manifest.parent / ".." / file
    return above if not beside.exists() and above.exists() else beside


def _read(saved: SavedPage | str) -> dict[str, Any]:
    """Read a file to its line of output; raises ConfigError or InvalidUrl for what cannot be read."""
    name, reading = _reading(saved)
    return {"file": name, "kind": reading.kind.value, "product": to_json(reading.product)}


def _explain(saved: SavedPage | str) -> str:
    """Read a file to the text that explains its reading; raises as `_read` does."""
    return "\n".join([*explain(*_reading(saved)), ""])


def _reading(saved: SavedPage | str) -> tuple[str, Reading]:
    if isinstance(saved, str):
        raise ConfigError(saved)
    try:
        body = _body(saved.path)
        page = _page(body, saved)
    except InvalidUrl as error:
        raise InvalidUrl(f"{saved.name}: {error}") from error
    return saved.name, read_page(page)


def _page(body: bytes, saved: SavedPage) -> Page:
    headers = {"content-type": f"text/html; charset={saved.charset}" if saved.charset else "text/html"}
    if saved.url is not None:
        return parse_body(body, url=canonicalize(saved.url), headers=headers)
    page = parse_body(body, url=_UNKNOWN, headers=headers)
    own: Url | None = page.canonical_url
    if own is None or same_site(own, _UNKNOWN):
        say(f"{saved.name}: no --url and no canonical link; relative addresses are resolved against {_UNKNOWN}")
        return page
    return parse_body(body, url=own, headers=headers)


def _opened(path: Path) -> io.BufferedReader:
    """Open a file, or what stands on stdin where it is called -."""
    if str(path) != _STDIN:
        return path.open("rb")
    return io.BufferedReader(io.BytesIO(sys.stdin.buffer.read(MAX_FILE_BYTES + 1)))


def _body(path: Path) -> bytes:
    try:
        with _opened(path) as file:
            is_gzip = file.peek(2)[:2] == _GZIP
            source: io.BufferedIOBase = gzip.GzipFile(fileobj=file) if is_gzip else file
            body = source.read(MAX_FILE_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ConfigError(f"{path}: damaged gzip data ({error})") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(body) > MAX_FILE_BYTES:
        raise ConfigError(f"{path} is larger than {MAX_FILE_BYTES // 2**20} MiB: no page is")
    return body
