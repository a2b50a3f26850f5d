"""Nodes of structured data, however they were written down, and which of them is the product of the page.

JSON-LD, microdata and RDFa give the same shape: a mapping with `@type` and properties, each one value or a list.
"""

from collections.abc import Iterator, Mapping, Sequence

from arborist_pipeline.core.products.text import fold_text

Node = Mapping[str, object]

MAX_NODES = 5_000
MAX_VARIANTS = 2_500
_PRODUCTS = frozenset(
    "product productgroup productmodel individualproduct someproducts vehicle car motorcycle book".split()
)
_ASIDE = frozenset(
    """isrelatedto issimilarto isaccessoryorsparepartfor isconsumablefor itemreviewed review reviews hasvariant
    isvariantof itemlistelement itemoffered about mentions model subjectof hasoffercatalog includesobject""".split()
)


def iterate_nodes(value: object) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """Yield all nodes below a value with the property names that lead to each, outermost first; bounded."""
    stack: list[tuple[object, tuple[str, ...]]] = [(value, ())]
    budget = MAX_NODES
    while stack and budget:
        item, path = stack.pop()
        budget -= 1
        if isinstance(item, Mapping):
            yield item, path
            below = [
                (child, (*path, str(key).lower())) for key, child in item.items() if isinstance(child, dict | list)
            ]
            stack.extend(reversed(below[:200] if len(path) < 20 else ()))
        elif isinstance(item, list):
            stack.extend((child, path) for child in reversed(item[:MAX_VARIANTS]))


def types_of(node: Node) -> frozenset[str]:
    """Return the type names of a node in lower case, without the vocabulary's address."""
    names = [name for name in as_list(node.get("@type")) if isinstance(name, str)]
    return frozenset(
        name.strip().rstrip("/").rsplit("/", 1)[-1].rsplit("#", 1)[-1].rsplit(":", 1)[-1].lower() for name in names
    )


def is_product(node: Node) -> bool:
    """Whether a node is typed as a product of some kind, with a name."""
    types = types_of(node)
    return bool(types & _PRODUCTS) and (bool(types - {"book"}) or "offers" in node)


def product_nodes(values: Sequence[object]) -> tuple[Node, ...]:
    """Return the products that the nodes present as such: not those reviewed, related, listed or offered in passing."""
    found: list[Node] = []
    for node, path in iterate_nodes(list(values)):
        if is_product(node) and not _ASIDE.intersection(path):
            found.append(node)
    return tuple(found)


def as_list(value: object) -> list[object]:
    """Return a value as a list: JSON-LD writes one value without brackets."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def first(node: Node, *names: str) -> object:
    """Return the first value of the first of these properties that has one; text of a value object, else as it is."""
    for name in names:
        for value in as_list(node.get(name)):
            if isinstance(value, Mapping) and "@value" in value:
                value = value["@value"]  # noqa: PLW2901 - JSON-LD value objects stand for their value
            if value not in (None, "", {}):
                return value
    return None


def text_of(value: object) -> str:
    """Return the text of a value, or the name of a node that stands where a text is expected."""
    if isinstance(value, Mapping):
        value = first(value, "name", "@value", "title")
    if isinstance(value, list):
        value = value[0] if value else None
        return text_of(value) if isinstance(value, Mapping) else fold_text(value)
    return fold_text(value)
