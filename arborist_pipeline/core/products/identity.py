"""Whether two pages of a site show one product: shops serve it in every collection, and under every choice of a form.

The handle says which pages may; whether they do, their names and addresses say, and the numbers they give. Two goods of
one handle in two departments are two products.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from arborist_pipeline.core.products.text import is_alike
from arborist_pipeline.core.web.url import path_and_query


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
    if one.path == other.path or one.path.endswith(other.path) or other.path.endswith(one.path):
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
    chosen: dict[str, str] = {}
    for showing in sorted(showings, key=_rank):
        same = next((each for each in listed if is_same_product(each, showing)), showing)
        if same is showing:
            listed.append(showing)
        chosen[showing.url] = same.url
    return chosen


def _rank(showing: Showing) -> tuple[bool, bool, int, str]:
    return showing.canonical_url != showing.url, "?" in showing.url, len(showing.url), showing.url


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other
