"""arborist history: the versions of a page, and what changed from one to the next."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import Failure, Invocation, Misuse
from arborist_pipeline.cli.output import emit, json_line, printable
from arborist_pipeline.core.crawl.lines import timestamp
from arborist_pipeline.core.documents.document import Chunk
from arborist_pipeline.core.documents.history import (
    Change,
    DocumentFacts,
    Version,
    diff_chunks,
    diff_lines,
    restore_text,
)
from arborist_pipeline.core.errors import RootMismatch
from arborist_pipeline.core.web.url import Url, canonicalize

LoadChunks = Callable[[DocumentFacts], tuple[Chunk, ...]]


@click.command("history")
@click.argument("url")
@click.option("--version", "number", type=click.IntRange(min=1), metavar="N", help="Only this version; 1: the oldest.")
@click.option("--text", "as_text", is_flag=True, help="Print the text of the version (without --version: the newest).")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a version, with its changes.")
@click.pass_obj
def history(invocation: Invocation, url: str, number: int | None, *, as_text: bool, as_json: bool) -> None:
    """Show the versions of a page, oldest first: when each was seen, and what changed chunk by chunk.

    Nothing is ever overwritten: the text of every version comes back with --text, to the byte.
    """
    uri = canonicalize(url)
    with wiring.opened_store(wiring.load_settings(invocation.db), read_only=True) as store:
        past = wiring.history_of(store)
        versions = past.load_versions(uri)
        if not versions:
            raise Misuse(f"the store has no document of {uri}: crawl it with arborist crawl --seed-url {uri} --ingest")
        if number is not None and number > len(versions):
            raise Misuse(f"{uri} has {len(versions)} versions, counted from 1: there is no version {number}")
        if as_text:
            emit(_text(past.load_chunks, uri, versions[(number or 0) - 1]))
            return
        for version, changes in _changes(past.load_chunks, versions, number):
            if as_json:
                emit(json_line(_to_json(uri, version, changes)))
            else:
                emit("\n".join(_lines(version, changes)))


def _text(load_chunks: LoadChunks, uri: Url, version: Version) -> str:
    try:
        return restore_text(version.document, load_chunks(version.document))
    except RootMismatch as error:
        raise Failure(f"version {version.number} of {uri} is damaged ({error}): run arborist verify") from error


def _changes(
    load_chunks: LoadChunks, versions: tuple[Version, ...], number: int | None
) -> Iterator[tuple[Version, tuple[Change, ...]]]:
    if number in (None, 1):
        yield versions[0], ()
    for before, version in pairwise(versions):
        if number in (None, version.number):
            yield version, diff_chunks(load_chunks(before.document), load_chunks(version.document))


def _lines(version: Version, changes: tuple[Change, ...]) -> Iterator[str]:
    document = version.document
    seen = f"seen {timestamp(version.observed_at)} to {timestamp(version.last_seen_at)}"
    chunks = f"{document.leaf_count} chunks" if document.leaf_count != 1 else "1 chunk"
    title = printable(document.title) if document.title else "(no title)"
    current = "  current" if version.is_current else ""
    yield f"version {version.number}  {seen}  {chunks}  root {document.root.hex()[:16]}  {title}{current}"
    for change in changes:
        yield f"  @@ from chunk {change.old_position}, now chunk {change.new_position} @@"
        for line in diff_lines(change):
            yield f"  {line[:1]} {printable(line[1:])}"


def _to_json(uri: Url, version: Version, changes: tuple[Change, ...]) -> dict[str, Any]:
    document = version.document
    return {
        "url": uri,
        "version": version.number,
        "current": version.is_current,
        "observed_at": timestamp(version.observed_at),
        "last_seen_at": timestamp(version.last_seen_at),
        "title": document.title,
        "status": document.status,
        "recipe": document.recipe,
        "document_root": document.root.hex(),
        "main_root": document.main_root.hex(),
        "supersedes": version.supersedes.hex() if version.supersedes else None,
        "chunks": document.leaf_count,
        "characters": document.characters,
        "changes": [
            {"old_position": change.old_position, "new_position": change.new_position,
             "removed": list(change.removed), "added": list(change.added)}
            for change in changes
        ],
    }  # fmt: skip
