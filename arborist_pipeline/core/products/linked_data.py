"""JSON-LD in script elements, read tolerantly to nodes (JSON-LD 1.1 §7, embedding in HTML)."""

from collections.abc import Sequence

from lxml import etree

from arborist_pipeline.core.products.literals import parse_values
from arborist_pipeline.core.products.nodes import Node, iterate_nodes

MAX_SCRIPTS = 80


def parse_linked_data(scripts: Sequence[etree._Element]) -> tuple[object, ...]:
    """Return the values of all JSON-LD scripts in order, references to nodes by @id filled in; total."""
    values: list[object] = []
    blocks = [script for script in scripts if "ld+json" in (script.get("type") or "").lower()]
    for script in blocks[:MAX_SCRIPTS]:
        values.extend(parse_values(script.text or ""))
    _fill_references(values)
    return tuple(values)


def _fill_references(values: list[object]) -> None:
    """Put the node that bears an @id in the place of a bare {"@id": x}, one level deep."""
    known: dict[str, Node] = {}
    bare: list[tuple[dict[str, object], str, str]] = []
    for node, _ in iterate_nodes(values):
        identity = node.get("@id")
        if isinstance(identity, str) and len(node) > 1:
            known.setdefault(identity, node)
        if isinstance(node, dict):
            bare.extend((node, key, str(value["@id"])) for key, value in node.items()
                        if isinstance(value, dict) and [*value] == ["@id"])  # fmt: skip
    for holder, key, identity in bare:
        target = known.get(identity)
        if target is not None and target is not holder:
            holder[key] = dict(target)
