"""arborist history: the versions of a page and what changed from one to the next; the same of a whole site."""

from collections.abc import Callable, Iterator
from datetime import datetime
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
from arborist_pipeline.core.documents.site_tree import PageStep, SiteState
from arborist_pipeline.core.errors import RootMismatch
from arborist_pipeline.core.web.url import Url, canonicalize

LoadChunks = Callable[[DocumentFacts], tuple[Chunk, ...]]


@click.command("history")
@click.argument("url", required=False)
@click.option("--version", "number", type=click.IntRange(min=1), metavar="N", help="Only this version; 1: the oldest.")
@click.option("--text", "as_text", is_flag=True, help="Print the text of the version (without --version: the newest).")
@click.option("--site", "site_key", metavar="KEY", help="Instead of a page's: the roots of a site, crawl by crawl.")
@click.option("--between", type=(int, int), metavar="A B", help="With --site: what changed between two of its crawls.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a version, with its changes.")
@click.pass_obj
def history(
    invocation: Invocation,
    url: str | None,
    number: int | None,
    site_key: str | None,
    between: tuple[int, int] | None,
    *,
    as_text: bool,
    as_json: bool,
) -> None:
    """Show the versions of a page, oldest first: when each was seen, and what changed chunk by chunk.

    Nothing is ever overwritten: the text of every version comes back with --text, to the byte.

    With --site: the Merkle root over the site's pages after each crawl. --between says "same" of two crawls with one
    root, else which pages are new, gone or changed.
    """
    if (url is None) == (site_key is None) or (between and site_key is None):
        raise Misuse("name a page by its URL, or a site with --site KEY (then --between A B compares two crawls)")
    if site_key is not None:
        _show_site(invocation, site_key, between, as_json=as_json)
    elif url is not None:
        _show_page(invocation, canonicalize(url), number, as_text=as_text, as_json=as_json)


def _show_page(invocation: Invocation, uri: Url, number: int | None, *, as_text: bool, as_json: bool) -> None:
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


def _show_site(invocation: Invocation, site_key: str, between: tuple[int, int] | None, *, as_json: bool) -> None:
    with wiring.opened_store(wiring.load_settings(invocation.db), read_only=True) as store:
        if store.sites.load_site(site_key) is None:
            raise Misuse(f"the store has no site {site_key!r}: see arborist sites list")
        trees = wiring.site_trees_in(store)
        states = trees.load_states(site_key)
        if between is None:
            for state, taken_at in states:
                emit(_state_line(state, taken_at, as_json=as_json))
            return
        by_crawl = {state.crawl_id: state for state, _ in states}
        unknown = [str(crawl) for crawl in between if crawl not in by_crawl]
        if unknown:
            raise Misuse(f"{site_key} has no root after crawl {' or '.join(unknown)}: "
                         f"see arborist history --site {site_key}")  # fmt: skip
        before, after = sorted((by_crawl[crawl] for crawl in between), key=lambda state: state.number)
        steps = trees.compare(before, after)
    if not steps and not as_json:
        emit("same")
    for step in steps:
        emit(json_line(_step_to_json(step)) if as_json else f"{step.step:8}{step.url}")


def _state_line(state: SiteState, taken_at: datetime, *, as_json: bool) -> str:
    if as_json:
        return json_line({"crawl": state.crawl_id, "taken_at": timestamp(taken_at), "pages": state.size,
                          "root": state.root.hex()})  # fmt: skip
    return f"crawl {state.crawl_id}  {timestamp(taken_at)}  {state.size} pages  root {state.root.hex()}"


def _step_to_json(step: PageStep) -> dict[str, Any]:
    roots = (None if root is None else root.hex() for root in (step.from_root, step.to_root))
    return {"url": step.url, "step": step.step, **dict(zip(("from_root", "to_root"), roots, strict=True))}


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
