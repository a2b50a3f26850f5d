"""arborist products: the catalogue as the store has it."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import Invocation, Misuse, not_built_yet
from arborist_pipeline.cli.output import emit, json_line, say, table
from arborist_pipeline.cli.product_view import render_product
from arborist_pipeline.core.crawl.lines import timestamp
from arborist_pipeline.core.errors import InvalidUrl
from arborist_pipeline.core.web.url import canonicalize

_COLUMNS = ("site", "url", "canonical_url", "tenant", "handle", "product_id", "group_id", "name", "brand", "category",
            "sku", "mpn", "gtin", "price", "regular_price", "low_price", "high_price", "currency", "availability",
            "condition", "images", "rating", "variants", "description")  # fmt: skip
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_SHOWN = ("name", "price", "currency", "availability", "sku", "url")


@click.group("products")
def products() -> None:
    """Read the catalogue."""


@products.command("list")
@click.option("--site", "site_key", metavar="KEY", help="Only products of this site.  [default: all]")
@click.option("--format", "form", type=click.Choice(["table", "csv", "jsonl"]), default="table", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format jsonl.")
@click.pass_obj
def list_products(invocation: Invocation, site_key: str | None, form: str, *, as_json: bool) -> None:
    """List the current products, by site and URL.

    jsonl has whole records; csv has a column a field, lists joined by " | " and variants counted, and an apostrophe
    before text that a spreadsheet would run as a formula.
    """
    with wiring.opened_store(wiring.load_settings(invocation.db), read_only=True) as store:
        _require_site(store.sites.load_site(site_key) if site_key else None, site_key)
        records = store.products.load_products(site_key)
        if as_json or form == "jsonl":
            lines: Iterable[str] = map(json_line, records)
        elif form == "csv":
            lines = _csv(records)
        else:
            rows = [[record[name] for name in _SHOWN] for record in records]
            lines = [table([name.upper() for name in _SHOWN], rows)] if rows else []
        count = 0
        for count, line in enumerate(lines, 1):  # noqa: B007  # the count is told below
            emit(line)
        if not count:
            say("no products so far: crawl a shop with arborist crawl --seed-url URL --ingest")


@products.command("show")
@click.argument("name", metavar="URL|HANDLE")
@click.option("--site", "site_key", metavar="KEY", help="Only products of this site.  [default: all]")
@click.option("--json", "as_json", is_flag=True, help="The whole record with its versions, a JSON object a line.")
@click.pass_obj
def show_product(invocation: Invocation, name: str, site_key: str | None, *, as_json: bool) -> None:
    """Show the current record of a product, by URL, canonical URL or handle.

    What it is and costs, where on the page each field was read, its variants, and its versions: since when each was
    seen and what it cost.
    """
    try:
        wanted: str = canonicalize(name)
    except InvalidUrl:
        wanted = name
    with wiring.opened_store(wiring.load_settings(invocation.db), read_only=True) as store:
        _require_site(store.sites.load_site(site_key) if site_key else None, site_key)
        found = wiring.lookup_in(store).find_products(wanted, site_key)
        if not found:
            raise Misuse(f"the store has no current product {name!r}: see arborist products list")
        for place, record in enumerate(map(_with_times, found)):
            versions = [_version(version) for version in store.products.load_versions(record["url"])]
            if as_json:
                emit(json_line(record | {"versions": versions}))
            else:
                emit("\n" * bool(place) + render_product(record, versions))


@products.command("export", context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def export_products() -> None:
    """Write the catalogue as a feed or a file (not built yet)."""
    raise not_built_yet("arborist products export", "arborist products list --format csv|jsonl prints the catalogue")


def _require_site(found: object, site_key: str | None) -> None:
    if site_key is not None and found is None:
        raise Misuse(f"the store has no site {site_key!r}: see arborist sites list")


def _version(version: Mapping[str, Any]) -> dict[str, Any]:
    record = version["record"]
    told = {name: record.get(name) for name in ("name", "price", "regular_price", "currency", "availability")}
    return _with_times({"is_current": version["is_current"], **told, "first_seen_at": version["first_seen_at"],
                        "last_seen_at": version["last_seen_at"]})  # fmt: skip


def _with_times(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: timestamp(value) if isinstance(value, datetime) else value for name, value in record.items()}


def _csv(records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield RFC 4180 rows, the first one with the names of the columns."""
    yield _csv_row(_COLUMNS)
    for record in records:
        yield _csv_row([_cell(name, record.get(name)) for name in _COLUMNS])


def _csv_row(cells: Iterable[object]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="").writerow(cells)
    return buffer.getvalue()


def _cell(name: str, value: Any) -> object:  # noqa: ANN401  # any JSON value of a record
    if name == "variants":
        return len(value or ())
    if name == "rating":
        return value and value.get("value")
    text = " | ".join(map(str, value)) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(_FORMULA_STARTS) else text
