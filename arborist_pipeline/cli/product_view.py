"""A product as a person reads it: what it is and costs, where each field came from, variants and versions as tables."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arborist_pipeline.cli.output import printable, table

_SHOWN_CHARACTERS = 80
_SHOWN_ITEMS = 5
_UNLISTED = frozenset({"site", "name", "variants", "sources", "conflicts", "first_seen_at", "last_seen_at", "versions"})
_VARIANT_FIELDS = ("sku", "mpn", "gtin", "price", "regular_price", "availability", "url")


def render_product(record: Mapping[str, Any], versions: Sequence[Mapping[str, Any]]) -> str:
    """Return a record of contract §5.2, with `site` and the times it was seen, as lines of text; no last line end.

    `versions` are oldest first, each with its price, currency, availability, and when it was seen first and last.
    """
    blocks = [_head(record), table(("FIELD", "FROM", "VALUE"), _fields(record))]
    if record.get("variants"):
        blocks.append(_variants(record["variants"]))
    if record.get("conflicts"):
        rows = [[conflict[name] for name in ("field", "taken", "other", "tier")] for conflict in record["conflicts"]]
        blocks.append(table(("DISPUTED", "TAKEN", "OTHER", "SAID BY"), _short(rows)))
    names = ("first_seen_at", "last_seen_at", "price", "regular_price", "currency", "availability")
    blocks.append(table(("SINCE", "LAST SEEN", "PRICE", "REGULAR", "CURRENCY", "AVAILABILITY"),
                        [[version.get(name) for name in names] for version in versions]))  # fmt: skip
    return "\n\n".join(blocks)


def _head(record: Mapping[str, Any]) -> str:
    price = _money(record.get("price"), record)
    regular = _money(record.get("regular_price"), record)
    low, high = record.get("low_price"), record.get("high_price")
    offer = [price or "no price"]
    if regular is not None and regular != price:
        offer.append(f"instead of {regular}")
    if low is not None and high is not None and low != high:
        offer.append(f"variants from {low} to {high}")
    offer.append(record.get("availability") or "availability unknown")
    return "\n".join([printable(str(record["name"])), ", ".join(map(printable, offer)), str(record["url"])])


def _money(amount: str | None, record: Mapping[str, Any]) -> str | None:
    """Return an amount with its currency; a price of nothing is a price."""
    return None if amount is None else f"{amount} {record.get('currency') or '(no currency)'}"


def _fields(record: Mapping[str, Any]) -> Iterator[Sequence[object]]:
    sources = record.get("sources") or {}
    for name, value in record.items():
        if name in _UNLISTED or value is None or value == []:
            continue
        source = sources.get(name)
        read = f"{source['tier']}: {source['where']}" if source else None
        yield from _short([(name, read, _text(value))])


def _text(value: object) -> str:
    if isinstance(value, list):
        return " | ".join(map(str, value[:_SHOWN_ITEMS])) + (
            f" | … {len(value)} in all" if value[_SHOWN_ITEMS:] else ""
        )
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {item}" for name, item in value.items() if item is not None)
    return str(value)


def _variants(variants: Sequence[Mapping[str, Any]]) -> str:
    options = list(dict.fromkeys(name for variant in variants for name in variant.get("options") or ()))
    used = [name for name in _VARIANT_FIELDS if any(variant.get(name) is not None for variant in variants)]
    headings = ["VARIANT", *(printable(name).upper() for name in options), *(name.upper() for name in used)]
    rows = (
        [variant.get("title"), *((variant.get("options") or {}).get(name) for name in options),
         *(variant.get(name) for name in used)]
        for variant in variants
    )  # fmt: skip
    return table(headings, _short(rows))


def _short(rows: Any) -> Iterator[list[object]]:  # noqa: ANN401  # rows of any JSON values
    """Yield rows with long texts cut; addresses stay whole, to be copied."""
    for row in rows:
        yield [
            f"{value[: _SHOWN_CHARACTERS - 1]}…"
            if isinstance(value, str) and len(value) > _SHOWN_CHARACTERS and not value.startswith("http")
            else value
            for value in row
        ]
