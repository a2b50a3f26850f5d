"""Microdata (HTML §5) and RDFa Lite, read to the nodes that JSON-LD would give.

A struck price becomes `listPrice`: shops mark the old and the new price with the same property. An offer that stands
outside of its product, as some templates have it, is given to the only product that has none.
"""

from collections.abc import Mapping, Sequence

from lxml import etree

from arborist_pipeline.core.products.nodes import is_product, types_of
from arborist_pipeline.core.products.scan import PageScan, Zone
from arborist_pipeline.core.web.html import inline_text

MAX_PROPERTIES = 20_000
MAX_VALUE_CHARACTERS = 20_000
_LINK_ATTRIBUTES: Mapping[str, str] = {
    "a": "href", "area": "href", "link": "href", "img": "src", "audio": "src", "embed": "src", "iframe": "src",
    "source": "src", "track": "src", "video": "src", "object": "data", "data": "value", "meter": "value",
    "time": "datetime",
}  # fmt: skip
_TEXT_LINKS = frozenset(("name", "brand", "title", "category", "manufacturer", "sku", "model"))


def parse_item_data(scan: PageScan) -> tuple[dict[str, object], ...]:
    """Return the top-level items of a page in document order; total."""
    items = _read_items(scan, scan.items, scan.properties, _MICRODATA)
    items += _read_items(scan, scan.typed, scan.rdfa_properties, _RDFA)
    _adopt_offers(items)
    return tuple(items)


class _Syntax:
    """The names of one syntax's attributes."""

    def __init__(self, scope: str, kind: str, name: str) -> None:
        self.scope, self.kind, self.name = scope, kind, name


_MICRODATA = _Syntax("itemscope", "itemtype", "itemprop")
_RDFA = _Syntax("typeof", "typeof", "property")


def _read_items(
    scan: PageScan, scopes: Sequence[etree._Element], properties: Sequence[etree._Element], syntax: _Syntax
) -> list[dict[str, object]]:
    nodes: dict[etree._Element, dict[str, object]] = {
        element: {"@type": (element.get(syntax.kind) or "").split(), "@element": element} for element in scopes
    }
    borrowed = _references(scan, scopes)
    nested: set[etree._Element] = set()
    for element in properties[:MAX_PROPERTIES]:
        owners = _owners(element, nodes, borrowed)
        own = nodes.get(element)
        for owner in owners:
            if own is not None and owner is not own:
                nested.add(element)
            _set_property(owner, element, own, scan, syntax)
    return [node for element, node in nodes.items() if element not in nested]


def _references(scan: PageScan, scopes: Sequence[etree._Element]) -> dict[etree._Element, list[etree._Element]]:
    """Return by referred element the items that take it in by itemref."""
    borrowed: dict[etree._Element, list[etree._Element]] = {}
    referring = [scope for scope in scopes if scope.get("itemref")]
    named: dict[str, etree._Element] = {}
    for element in scan.page.tree.iter() if referring else ():
        named.setdefault(element.get("id") or "", element)
    for scope in referring:
        for identity in (scope.get("itemref") or "").split()[:20]:
            target = named.get(identity)
            if target is not None:
                borrowed.setdefault(target, []).append(scope)
    return borrowed


def _owners(
    element: etree._Element,
    nodes: Mapping[etree._Element, dict[str, object]],
    borrowed: Mapping[etree._Element, Sequence[etree._Element]],
) -> list[dict[str, object]]:
    owners: list[dict[str, object]] = []
    if borrowed and element in borrowed:
        owners += [nodes[scope] for scope in borrowed[element]]
    node = element.getparent()
    while node is not None:
        if node in nodes:
            return [*owners, nodes[node]]
        if borrowed and node in borrowed:
            owners += [nodes[scope] for scope in borrowed[node]]
        node = node.getparent()
    return owners


def _set_property(
    owner: dict[str, object], element: etree._Element, own: dict[str, object] | None, scan: PageScan, syntax: _Syntax
) -> None:
    names = (element.get(syntax.name) or "").split()
    value: object = own
    for name in names[:6]:
        key = name.rsplit("/", 1)[-1].rsplit(":", 1)[-1]
        if own is None:
            value = _value(element, key)
        if key == "price" and scan.zone(element) & Zone.STRUCK:
            key = "listPrice"
        values = owner.setdefault(key, [])
        if isinstance(values, list) and value not in ("", None):
            values.append(value)


def _value(element: etree._Element, key: str) -> str:
    tag = str(element.tag)
    content = element.get("content")
    if content is not None and (tag == "meta" or content.strip()):
        return content.strip()
    attribute = _LINK_ATTRIBUTES.get(tag)
    if attribute and not (tag == "a" and key in _TEXT_LINKS):
        linked = element.get(attribute)
        if linked and linked.strip():
            return linked.strip()
    if tag == "img" or (key == "image" and element.get("src")):
        return (element.get("data-src") or element.get("src") or "").strip()
    return inline_text(element)[:MAX_VALUE_CHARACTERS]


def _adopt_offers(items: list[dict[str, object]]) -> None:
    products = [item for item in items if is_product(item)]
    strays = [item for item in items if types_of(item) & {"offer", "aggregateoffer"}]
    if len(products) == 1 and "offers" not in products[0] and strays:
        products[0]["offers"] = strays[:1]
