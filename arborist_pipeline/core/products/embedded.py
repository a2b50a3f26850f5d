"""Data that pages carry for their own scripts: JSON scripts, data attributes, literals in inline scripts.

Only what names a price, a variant or an article number is parsed, and never more than 6,000,000 characters a page.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lxml import etree

from arborist_pipeline.core.products.literals import parse_literal_at, parse_values
from arborist_pipeline.core.products.nodes import Node
from arborist_pipeline.core.products.scan import PageScan

MAX_CHARACTERS = 6_000_000
MAX_LITERALS = 160
MAX_NODES = 60_000
_HINT = re.compile(r"price|variant|\bsku\b|product|amount", re.IGNORECASE)
_BEGIN = re.compile(
    r"[=:]\s{0,4}(?=[{\[])|\(\s{0,4}(?=\{)|JSON\.parse\(\s{0,4}(?=[\"'`][{\[\\])|(?=\{\"id\":\d+,\"title\":\")"
)
_NAME_BEFORE = re.compile(r"([\w$.]{2,60})[\"'\]]{0,2}\s{0,4}[=:(]?\s{0,4}$")
MIN_LITERAL = 30


@dataclass(frozen=True, slots=True)
class Embedded:
    """One value, where it was found (an element, or the name it is assigned to), and the element that carries it."""

    where: str
    value: object
    element: etree._Element


def parse_embedded(scan: PageScan) -> tuple[Embedded, ...]:
    """Return the values that a page carries for its scripts, in document order; total."""
    found: list[Embedded] = []
    budget = MAX_CHARACTERS
    for element, text in scan.data_attributes[:2_000]:
        if len(text) < budget and _HINT.search(text):
            budget -= len(text)
            found.extend(Embedded(f"{element.tag}[data]", value, element) for value in parse_values(text)[:1])
    for script in scan.scripts[:600]:
        text = script.text or ""
        kind = (script.get("type") or "").lower()
        if len(text) < MIN_LITERAL or len(text) > budget or "ld+json" in kind or not _HINT.search(text):
            continue
        budget -= len(text)
        if "json" in kind or "x-magento-init" in kind:
            name = script.get("id") or kind
            found.extend(Embedded(f"script#{name}", value, script) for value in parse_values(text)[:4])
        elif kind in ("", "text/javascript", "application/javascript", "module", "text/x-shopify-app"):
            found.extend(_literals(text, script))
    return tuple(found)


def _literals(text: str, script: etree._Element) -> Iterator[Embedded]:
    place, count = 0, 0
    while count < MAX_LITERALS and (begin := _BEGIN.search(text, place)) is not None:
        value, end = parse_literal_at(text, begin.end())
        if isinstance(value, dict | list) and value and end - begin.end() >= MIN_LITERAL:
            name = _NAME_BEFORE.search(text[max(0, begin.start() - 70) : begin.end()])
            count += 1
            yield Embedded(name[1] if name else "script", value, script)
        place = max(end, begin.end() + 1) if value is not None else begin.end() + 1


def find_nodes(value: object, is_wanted: Callable[[Node], bool]) -> Iterator[Node]:
    """Yield the nodes below a value that are wanted, outermost first, not those inside one that is; bounded."""
    stack: list[tuple[object, int]] = [(value, 0)]
    budget = MAX_NODES
    while stack and budget:
        item, depth = stack.pop()
        budget -= 1
        if isinstance(item, Mapping):
            if is_wanted(item):
                yield item
            elif depth < 40:
                stack.extend(
                    (child, depth + 1) for child in reversed(list(item.values())) if isinstance(child, dict | list)
                )
        elif isinstance(item, list):
            stack.extend((child, depth + 1) for child in reversed(item[:3_000]) if isinstance(child, dict | list))
