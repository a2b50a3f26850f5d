"""arborist query: full-text search of the store."""

from typing import Any

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import Invocation, Misuse
from arborist_pipeline.cli.output import Progress, emit, json_line, printable, say
from arborist_pipeline.core.crawl.lines import timestamp
from arborist_pipeline.core.documents.words import Hit, Snippet, parse_query
from arborist_pipeline.core.errors import StoreError
from arborist_pipeline.core.settings import Settings


@click.command("query")
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 1_000), default=10, show_default=True, help="At most so many pages.")
@click.option("--site", "site_key", metavar="KEY", help="Only pages of this site.  [default: all]")
@click.option("--all", "all_versions", is_flag=True, help="Earlier versions and pages that are gone too.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a page; marks are places in the snippet.")
@click.pass_obj
def query(
    invocation: Invocation,
    words: tuple[str, ...],
    *,
    limit: int,
    site_key: str | None,
    all_versions: bool,
    as_json: bool,
) -> None:
    """Search the full text of the store: the pages that have all WORDS, the best first, each with a snippet.

    Letter case and accents do not matter. Words between quotes must stand together: arborist query '"desk lamp" oak'.
    All else is taken as data; there are no operators.

    What was stored since the last query is indexed first.
    """
    asked = parse_query(" ".join(words))
    if not asked:
        raise Misuse("there is no word in what you search for: a word is made of letters or digits")
    settings = wiring.load_settings(invocation.db)
    with wiring.opened_store(settings, read_only=True) as store:
        if site_key is not None and store.sites.load_site(site_key) is None:
            raise Misuse(f"the store has no site {site_key!r}: see arborist sites list")
        search = wiring.search_in(store)
        _catch_up(settings, search.count_missing())
        hits = search.find(asked, limit=limit, site_key=site_key, all_versions=all_versions)
    for hit in hits:
        emit(json_line(_to_json(hit)) if as_json else _shown(hit))
    if not hits:
        say("no page has all of these words")


def _catch_up(settings: Settings, missing: int) -> None:
    """Index what the store has and the index has not; a store that cannot be written is searched as it is."""
    if not missing:
        return
    try:
        with wiring.opened_store(settings) as store, Progress("indexing", unit="documents", total=missing) as progress:
            wiring.search_in(store).refresh(progress.advance)
    except StoreError as error:
        say(f"{missing} documents are not searched, since the index cannot be written: {error}")


def _shown(hit: Hit) -> str:
    title = printable(hit.title) if hit.title else "(no title)"
    older = "" if hit.is_current else f"  (until {timestamp(hit.last_seen_at)})"
    return f"{hit.uri}  {title}{older}\n    {printable(_marked(hit.snippet))}"


def _marked(snippet: Snippet) -> str:
    """Return a snippet with [ ] around the words that were asked for."""
    parts = []
    at = 0
    for start, end in snippet.marks:
        parts += [snippet.text[at:start], "[", snippet.text[start:end], "]"]
        at = end
    return "".join([*parts, snippet.text[at:]])


def _to_json(hit: Hit) -> dict[str, Any]:
    return {
        "url": hit.uri,
        "site": hit.site_key,
        "title": hit.title,
        "document_root": hit.root.hex(),
        "current": hit.is_current,
        "first_seen_at": timestamp(hit.first_seen_at),
        "last_seen_at": timestamp(hit.last_seen_at),
        "score": round(hit.score, 4),
        "snippet": hit.snippet.text,
        "marks": [list(mark) for mark in hit.snippet.marks],
    }
