"""Whether two pages of a site show one product: shops serve it in every collection, and under every choice of a form.

The handle says which pages may; whether they do, their names and addresses say, and the numbers they give. Two goods of
one handle in two departments are two products.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from arborist_pipeline.core.products.text import is_alike
from arborist_pipeline.core.web.url import path_and_query

_Key = tuple[object, ...]
_ANY = "any number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """One page's product, as far as it tells which product that is."""

    url: str
    canonical_url: str | None
    handle: str | None
    name: str
    product_id: str | None = None
    sku: str | None = None
    gtin: str | None = None
    price: Decimal | str | None = None

    @property
    def target(self) -> str:
        """The address that the page itself calls its own."""
        return self.canonical_url or self.url

    @property
    def path(self) -> str:
        """The path of its address, without the query."""
        return path_and_query(self.url).partition("?")[0].rstrip("/")


def is_same_product(one: Showing, other: Showing) -> bool:
    """Whether two pages of one site show the same product. Symmetric."""
    if one.handle != other.handle or not is_alike(one.name, other.name):
        return False
    if one.target == other.target:
        return True
    if one.handle is None or _differ(one.product_id, other.product_id) or _differ(one.gtin, other.gtin):
        return False
    if one.path == other.path or _is_tail(one.path, other.path) or _is_tail(other.path, one.path):
        return True
    if _differ(one.sku, other.sku):
        return False
    numbers = ((one.product_id, other.product_id), (one.gtin, other.gtin), (one.sku, other.sku))
    return any(left is not None and left == right for left, right in numbers) or (
        one.price is not None and one.price == other.price
    )


def choose_addresses(showings: Iterable[Showing]) -> dict[str, str]:
    """Return for each page's address the one under which its product is listed, itself included.

    That is the page which names its own address as canonical, else the one without a query, then the shortest.
    """
    listed: list[Showing] = []
    by_key: defaultdict[_Key, list[int]] = defaultdict(list)
    chosen: dict[str, str] = {}
    for showing in sorted(showings, key=_rank):
        rivals = sorted({place for key in _asked_keys(showing) for place in by_key.get(key, ())})
        same = next((listed[place] for place in rivals if is_same_product(listed[place], showing)), showing)
        if same is showing:
            for key in _given_keys(showing):
                by_key[key].append(len(listed))
            listed.append(showing)
        chosen[showing.url] = same.url
    return chosen


def _given_keys(showing: Showing) -> Iterator[_Key]:
    """Yield under what a listed page is found by others that may show its product."""
    yield from _shared_keys(showing)
    yield "path", showing.path
    yield from (("whole of", tail) for tail in _tails(showing.path))
    if showing.price is not None:
        yield from (("price", showing.price, sku) for sku in {showing.sku, _ANY})


def _asked_keys(showing: Showing) -> Iterator[_Key]:
    """Yield the keys that a listed page which shows the same product has at least one of."""
    yield from _shared_keys(showing)
    yield from (("path", tail) for tail in (showing.path, *_tails(showing.path)))
    yield "whole of", showing.path
    if showing.price is not None:
        yield from (("price", showing.price, sku) for sku in ((showing.sku, None) if showing.sku else (_ANY,)))


def _shared_keys(showing: Showing) -> Iterator[_Key]:
    yield "target", showing.target
    yield from ((name, getattr(showing, name)) for name in ("product_id", "gtin", "sku"))


def _tails(path: str) -> Iterator[str]:
    """Yield the shorter paths that a path ends in."""
    return (path[place:] for place, mark in enumerate(path) if mark == "/" and place)


def _is_tail(path: str, end: str) -> bool:
    """Whether a path ends in another; that of a home page, which is none, says nothing."""
    return bool(end) and path.endswith(end)


def _rank(showing: Showing) -> tuple[bool, bool, int, str]:
    return showing.canonical_url != showing.url, "?" in showing.url, len(showing.url), showing.url


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other
