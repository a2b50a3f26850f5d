"""Data that pages carry for their own scripts: JSON scripts, data attributes, literals in inline scripts.

Only what names a price, a variant or an article number is parsed, and never more than 6,000,000 characters a page.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from arborist_pipeline.core.products.literals import parse_literal_at, parse_values
from arborist_pipeline.core.products.nodes import Node
from arborist_pipeline.core.products.scan import PageScan

MAX_CHARACTERS = 6_000_000
MAX_LITERALS = 160
MAX_NODES = 60_000
MAX_DEPTH = 40
_TELLING = frozenset("variants product_attributes attributes price offers sku brand prices salePrice".split())
_HINTS = ("rice", "sku", "variant", "option1", "product_attributes")
_WORDS = (*_TELLING, *_HINTS)
_OPENS = r"\s{0,4}(?=\{\s{0,40}[\"'\w$]|\[\s{0,40}[\[{])"
_BEGIN = re.compile(  # each alternative begins with a character: the search then leaps from one of these to the next
    rf"={_OPENS}|:{_OPENS}|\({_OPENS}|JSON\.parse\(\s{{0,4}}(?=[\"'`][{{\[\\])|(?P<bare>\{{)(?=\"id\":\d+,\"title\":\")"
)
_NAME_BEFORE = re.compile(r"([\w$.]{2,60})[\"'\]]{0,2}\s{0,4}[=:(]?\s{0,4}$")
_TEMPLATE = re.compile(r"template|html|handlebars|mustache|shader|css")
MIN_LITERAL = 30
_NESTED = (dict, list)  # as a tuple: `dict | list` is made anew each time it is asked for
_END = object()


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
        if len(text) < budget and _tells(text):
            budget -= len(text)
            found.extend(Embedded(f"{element.tag}[data]", value, element) for value in parse_values(text)[:1])
    for script in scan.scripts[:600]:
        text = script.text or ""
        kind = (script.get("type") or "").lower()
        if len(text) < MIN_LITERAL or len(text) > budget or "ld+json" in kind or not _tells(text):
            continue
        budget -= len(text)
        if _TEMPLATE.search(kind):
            continue
        if "json" in kind or "x-magento-init" in kind or text.lstrip()[:1] in ("{", "["):
            name = script.get("id") or kind
            found.extend(Embedded(f"script#{name}", value, script) for value in parse_values(text)[:4])
        else:
            found.extend(_literals(text, script))
    return tuple(found)


def _tells(text: str) -> bool:
    """Whether a text names what products have; plain search for words, ten times as fast as one pattern."""
    return any(map(text.__contains__, _HINTS))


def _literals(text: str, script: etree._Element) -> Iterator[Embedded]:
    place, count = 0, 0
    last = 0
    for word in _WORDS:
        last = max(last, text.rfind(word, last))  # what stands before another word need not be looked for
    while count < MAX_LITERALS and (begin := _BEGIN.search(text, place)) is not None and begin.end() <= last:
        start = begin.start() if begin["bare"] else begin.end()
        value, end = parse_literal_at(text, start)
        if isinstance(value, dict | list) and value and end - start >= MIN_LITERAL:
            name = _NAME_BEFORE.search(text[max(0, begin.start() - 70) : start])
            count += 1
            yield Embedded(name[1] if name else "script", value, script)
        place = max(end, start + 1)


def telling_nodes(found: Sequence[Embedded]) -> tuple[tuple[Node, str], ...]:
    """Return the nodes of embedded data that have a key which products have, outermost first, with where they are.

    One walk serves all readers; it looks at 60,000 values a page at most.
    """
    telling: list[tuple[Node, str]] = []
    budget = MAX_NODES
    for embedded in found:
        levels: list[Iterator[object]] = [iter((embedded.value,))]
        while levels and budget:
            item = next(levels[-1], _END)
            if item is _END:
                levels.pop()
                continue
            budget -= 1
            children: Iterable[object] = ()
            if isinstance(item, dict):
                children = item.values()
                if not _TELLING.isdisjoint(item):
                    telling.append((item, embedded.where))
            elif isinstance(item, list):
                children = item[:3_000]
            below = [child for child in children if isinstance(child, _NESTED)]
            if below and len(levels) <= MAX_DEPTH:
                levels.append(iter(below))
    return tuple(telling)
