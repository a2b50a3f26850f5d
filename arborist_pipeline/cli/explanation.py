"""How a page was read, for people: its kind and what spoke for it, and how sources voted on each field."""

from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal

from arborist_pipeline.cli.output import printable, table
from arborist_pipeline.core.products.extract import Reading
from arborist_pipeline.core.products.merge import Ballot
from arborist_pipeline.core.products.product import Product, Rating, decimal_text
from arborist_pipeline.core.products.verdict import FLOORS

_MAX_CELL = 60
_ORDER = [field.name for field in fields(Product)]


def explain(name: str, reading: Reading) -> Iterator[str]:
    """Yield the lines that explain a reading; whatever pages say in them cannot steer a terminal."""
    yield f"{name}: {printable(str(reading.evidence.page.url))}"
    yield f"kind: {reading.kind.value}, because: {printable(reading.reason)}"
    yield from _traits(reading)
    product = reading.product
    if product is not None:
        handle = product.handle or f"none, because {product.handle_reason}"
        yield f"handle: {printable(handle)}"
    for field in sorted(reading.ballots, key=_ORDER.index):
        yield ""
        yield f"{field}: {_outcome(field, product)}"
        yield _indented(table(("SOURCE", "VALUE", "WEIGHT", "RESULT", "RAW TEXT", "WHERE"),
                              map(_row, reading.ballots[field])))  # fmt: skip
    yield from _conflicts(product)


def _traits(reading: Reading) -> Iterator[str]:
    if not reading.traits:
        yield "  decided at one look: nothing was weighed"
        return
    ordered = sorted(reading.traits, key=lambda trait: (trait[0].value, -trait[1]))
    yield _indented(
        table(("KIND", "POINTS", "SEEN"), ((kind.value, f"{worth:.2f}", what) for kind, worth, what in ordered))
    )
    floors = ", ".join(f"{kind.value} {floor:g}" for kind, floor in FLOORS.items())
    yield f"  needed: {floors}"


def _outcome(field: str, product: Product | None) -> str:
    value = getattr(product, field)
    if value in (None, ()):
        return "left empty: what was taken contradicts another field"
    return _cut(_text(value))


def _row(ballot: Ballot) -> tuple[object, ...]:
    return (ballot.tier, _cut(_text(ballot.value)), f"{ballot.weight:.2f}", ballot.result, _cut(ballot.raw),
            _cut(ballot.where))  # fmt: skip


def _conflicts(product: Product | None) -> Iterator[str]:
    conflicts = product.conflicts if product is not None else ()
    if conflicts:
        yield ""
        yield "conflicts:"
        rows = ((each.field, _cut(each.taken), _cut(each.other), each.tier) for each in conflicts)
        yield _indented(table(("FIELD", "TAKEN", "OTHER", "SAID BY"), rows))


def _text(value: object) -> str:
    """Return a value as a cell: lists by their number and first entry."""
    if isinstance(value, tuple):
        return f"{len(value)}: {value[0]}" if value and isinstance(value[0], str) else f"{len(value)}"
    if isinstance(value, Rating):
        value = value.value
    return decimal_text(value) if isinstance(value, Decimal) else str(value)


def _cut(text: str) -> str:
    line = printable(text)
    return line if len(line) <= _MAX_CELL else line[: _MAX_CELL - 1] + "…"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
