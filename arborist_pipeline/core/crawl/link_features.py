"""By what a link is judged before it is followed: numbered features, and what is known of them on any site.

The knowledge is stated as log-odds that a crawl's own evidence outweighs after a few pages. It speaks of what shops
have in common: a card with an image and a price, the words of baskets and imprints, numbers of pages in a query.
"""

from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from arborist_pipeline.core.crawl.platform_paths import PathKind
from arborist_pipeline.core.crawl.url_shapes import UrlShape
from arborist_pipeline.core.web.page import PageKind

SPACE = 1 << 14
"""How many numbers features have; those that share one are learned together."""
MAX_ANCHOR_WORDS = 8

_PRODUCT_BASE, _HUB_BASE = -1.5, -1.2
_PARTS = {  # of a page (`core.web.places`): log-odds of a product behind the link, and of a list of new ones
    "m": (0.0, 0.0), "n": (-1.2, 1.2), "h": (-1.2, 0.6), "f": (-2.0, -1.2), "a": (-0.3, 0.3), "b": (-2.0, -0.2),
    "p": (-4.0, 1.5), "l": (-1.0, -1.0), "s": (0.3, 0.0), "": (-0.5, 0.0),
}  # fmt: skip
_CONTENT = frozenset("ma")
_FOUND_ON: dict[str, tuple[float, float]] = {  # what the content of such pages links to
    PageKind.LISTING: (1.2, 0.0),
    PageKind.PRODUCT: (0.4, 0.0),
    PageKind.ARTICLE: (-1.0, -0.3),
    PageKind.OTHER: (-0.5, 0.0),
}
_SHOWN = {"i": (0.8, 0.0), "c": (1.8, -1.5), "t": (0.4, 0.0)}
_PATH_KINDS = {PathKind.PRODUCT: (3.6, -0.5), PathKind.LISTING: (-4.0, 2.5), PathKind.OTHER: (-5.0, -4.0)}
_REGEX = (3.6, -1.0)
_LATER_PAGE = (-4.0, 1.0)
_PRODUCT_KEYS = frozenset(
    """product_id products_id id_product product productid product-id pid sku item itemid item_id prod artikel
    artikelnr articleid art goods_id""".split()
)
_LIST_KEYS = frozenset(
    """sort order orderby order_by dir direction sortby sort_by filter filters view limit per_page perpage show mode
    display color colour size brand price min max min_price max_price rating tag q query s search add-to-cart
    add_to_wishlist add_to_compare replytocom currency lang return return_url redirect next ref""".split()
)
_LISTS = frozenset(
    """catalog catalogue categories category categoria categorie c cpath collection collections kategorie kategorien
    kategoria product-category departments tienda""".split()
)
_PROSE = frozenset(
    """article articles actualites blog blogs b faq help info journal magazine news post posts press recipes stories
    support topics wiki wp cms author authors u user account service""".split()
)
_JUNK_WORDS = frozenset(
    """about accessibility account affiliate affiliates agb basket blog careers cart checkout compare conditions contact
    cookie cookies datenschutz delivery dealers dispatch faq faqs help imprint impressum jobs journal kontakt legal
    locator login logout magazine mentions news newsletter password policies policy press privacy returns refunds
    register rss search security service shipping signin signup sitemap stockists stories subscribe support terms
    tracking versand warenkorb widerruf wishlist""".split()
)
_HUB_WORDS = frozenset(
    """all arrivals bestsellers brands catalog catalogue categories category clearance clothing collection collections
    deals departments gifts kids men new offers outlet products range sale shop store women""".split()
)
_NAMES = frozenset({"{words}", "{words-n}", "{n-words}", "{words-x}"})
_NUMBERS = frozenset({"{n}", "{x}", "{code}"})


class Features(NamedTuple):
    """The numbers of a link's features, and its log-odds beforehand: a product behind it, a list of new ones."""

    numbers: tuple[int, ...]
    product: float
    hub: float


def features_of_kind(shape: UrlShape, place: str, *, is_regex: bool, path_kind: PathKind | None) -> Features:
    """Return what holds for all links of a shape that stand in one place."""
    part, shown, path, found_on = _read_place(place)
    names = [
        "bias", f"shape {shape.text}", f"part {part}", f"shown {shown}", f"path {path}", f"first {shape.first}",
        f"last {shape.last}", f"depth {shape.depth}", f"kind {shape.text} {place}",
        f"on {found_on}", f"on {found_on} {part}{shown}",
        *(f"key {key}" for key in shape.keys),
    ]  # fmt: skip
    odds = [(_PRODUCT_BASE, _HUB_BASE), _PARTS.get(part, _PARTS[""]), *(_SHOWN[sign] for sign in shown)]
    if part in _CONTENT:
        odds.append(_FOUND_ON.get(found_on, (0.0, 0.0)))
    if is_regex:
        odds.append(_REGEX)
    if path_kind is not None:
        odds.append(_PATH_KINDS[path_kind])
    odds += _odds_of_shape(shape)
    return Features(tuple(map(number_of, names)), sum(odd[0] for odd in odds), sum(odd[1] for odd in odds))


def features_of_link(kind: Features, shape: UrlShape, anchor: str) -> Features:
    """Return what holds for one link: what holds for its kind, and its words."""
    said = anchor[:80].lower().split()[:MAX_ANCHOR_WORDS]
    words = {*shape.words, *said, *shape.before}
    product, hub = kind.product, kind.hub
    if not _JUNK_WORDS.isdisjoint(words):
        product, hub = product - 2.5, hub - 3.0
    elif not _HUB_WORDS.isdisjoint(words):
        product, hub = product - 0.5, hub + 1.2
    if said and all(word.isdecimal() for word in said):  # the number of a page
        product, hub = product - 2.0, hub + 0.5
    numbers = [number_of(f"word {word}") for word in shape.words]
    numbers += [number_of(f"says {word}") for word in said]
    numbers += [number_of(f"in {segment}") for segment in shape.before]
    return Features((*kind.numbers, *numbers), product, hub)


@lru_cache(maxsize=8_192)
def number_of(name: str) -> int:
    """Return the number of a feature, the same in every process."""
    return crc32(name.encode("utf-8", "replace")) % SPACE


def _read_place(place: str) -> tuple[str, str, str, str]:
    """Split a place into the part of the page, what its card shows, the hash of its path, and the kind of the page."""
    head, path, found_on = (*place.split("."), "", "")[:3]
    return head[:1], "".join(sign for sign in head[1:] if sign in _SHOWN), path, found_on


def _odds_of_shape(shape: UrlShape) -> list[tuple[float, float]]:
    odds = []
    if shape.is_page:
        odds.append(_LATER_PAGE)
    if not _PRODUCT_KEYS.isdisjoint(shape.keys):
        odds.append((2.5, -0.5))
    elif not _LIST_KEYS.isdisjoint(shape.keys):
        odds.append((-3.5, -2.0))
    if not _LISTS.isdisjoint((shape.first, *shape.text.split("/")[1:-1])):
        odds.append((-2.0, 1.8))
    if shape.first in _PROSE:
        odds.append((-2.2, -2.0))
    if shape.last.partition(".")[0] in _NAMES:
        odds.append((0.6, 0.0))
    elif shape.last.partition(".")[0] in _NUMBERS:
        odds.append((0.4, 0.0))
    if not shape.depth and not shape.keys:
        odds.append((-4.0, 0.5))
    return odds
