"""Which URL comes before which: a bucket for each class of work."""

import re
from enum import IntEnum

_PRODUCT_PATH = re.compile(r"/(?:products?|p|item)/(?P<slug>[^/]+)(?:/[^/]+)?/?$", re.IGNORECASE)
_NO_SLUG = frozenset(
    """all any archive brand brands cart categories category checkout collection collections compare feed filter index
    list new page pages popular review reviews sale search sitemap tag tags wishlist""".split()
)
_NO_PRODUCT_TAIL = re.compile(r"/(?:page|feed|reviews?|comments?|questions?|edit|add)(?:/\d*)?/?$", re.IGNORECASE)


class Bucket(IntEnum):
    """The order in which a run spends its budget (contract §6, night after night).

    A page that was answered stands in DUE_PRODUCT or DUE_OTHER, by how long it has been due; any other URL by seq.
    """

    DUE_PRODUCT = 0
    PRODUCT_SHAPED = 1
    DUE_OTHER = 2
    QUEUE = 3
    LAST = 4  # addresses of a pattern that only ever led to more of itself
    BEHIND = 5  # other addresses of known products, later pages of lists that brought nothing new; before LAST


FIRST_ARM = 16
"""From this number on a bucket is an arm (`core.crawl.arms`): product-shaped ones stand where PRODUCT_SHAPED does, the
others where QUEUE does. Those two hold what no arm was made for."""


def looks_like_product_url(url: str) -> bool:
    """Whether the path has a product segment before a slug: `/products/x`, `/product/x`, `/p/x`, `/item/x`.

    Index pages of these paths (`/products/`, `/products/all`, `/products?page=2`) are none.
    """
    path = url.split("://", 1)[-1].split("?", 1)[0]
    lowered = path.lower()
    if "/p" not in lowered and "/item/" not in lowered:  # most that are none
        return False
    match = _PRODUCT_PATH.search(path)
    return match is not None and match["slug"].lower() not in _NO_SLUG and not _NO_PRODUCT_TAIL.search(path)


def product_tail(url: str) -> str | None:
    """Return what names the product in a product-shaped URL, wherever in a collection it stands; None for others."""
    if not looks_like_product_url(url):
        return None
    path, mark, query = url.partition("?")
    match = _PRODUCT_PATH.search(path)
    return f"{match[0].rstrip('/')}{mark}{query}" if match is not None else None
