"""An order that knows every page before it is asked for, and yet may ask only for what it has seen linked.

The best such order cannot be computed (it is a set cover); this one is near it. Products that are linked come before
all else: each counts one, and nothing counts more. That never costs anything: whatever lists are asked for, asking for
products first finds as many at every point. What remains is the choice of lists once no product waits: of all ways of
up to four lists, the one that shows most goods not yet seen for each page that it takes. Lists that no way can beat end
the search at once. Lists of one sort share few goods among them, those of two sorts many, so that is done once with all
lists alike and once for each sort with a preference for it, and the one that finds most is taken. Posts, help and desks
lead to no good that lists do not show, and are left out.
"""

from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice

from arborist_pipeline.core.web.url import Url
from benchmarks.shop_family.network import ShopSite
from benchmarks.shop_family.shop import Kind, Shop, Spot

_LISTS = frozenset({Kind.CATEGORY, Kind.LISTING, Kind.BRAND, Kind.BRANDS})
_LONGEST_WAY = 4


def _any(shop: Shop, spot: Spot) -> bool:
    """Favour nothing."""
    del shop, spot
    return True


def _departments(shop: Shop, spot: Spot) -> bool:
    return _is_plain(spot) and shop.catalogue.categories[spot.number].parent is None


def _categories(shop: Shop, spot: Spot) -> bool:
    return _is_plain(spot) and shop.catalogue.categories[spot.number].parent is not None


def _brands(shop: Shop, spot: Spot) -> bool:
    del shop
    return spot.kind is Kind.BRAND


def _is_plain(spot: Spot) -> bool:
    return spot.kind in (Kind.CATEGORY, Kind.LISTING) and not spot.choice


_PREFERENCES = (_any, _departments, _categories, _brands)


def all_knowing(site: ShopSite, pages: int) -> list[Url]:
    """Return the first so many addresses of the order; fewer where it has found every product before."""
    orders = [list(islice(_Search(site, favours).walk(), pages)) for favours in _PREFERENCES]
    return max(orders, key=lambda order: len({site.good_at(url) for url in order}))


class _Search:
    """What was seen so far: `known` has a bit for each good, `lists` waits, `goods` is to be asked for at once."""

    def __init__(self, site: ShopSite, favours: Callable[[Shop, Spot], bool]) -> None:
        self.site = site
        self.favours = favours
        self.known = 0
        self.seen: set[Url] = {site.seed}
        self.lists: dict[Url, None] = {}
        self.goods: deque[Url] = deque()
        self.shown = cache(self._shown)
        self.onward = cache(self._onward)

    def walk(self) -> Iterator[Url]:
        """Yield the order."""
        yield self._take(self.site.seed)
        while True:
            while self.goods:
                yield self._take(self.goods.popleft())
            way = self._best_way(self.favours) or self._best_way(_any)
            if not way:
                return
            for url in way:
                yield self._take(url)
                while self.goods:
                    yield self._take(self.goods.popleft())

    def _take(self, url: Url) -> Url:
        self.lists.pop(url, None)
        for link in self.site.links(url):
            if link.url in self.seen:
                continue
            self.seen.add(link.url)
            good = self.site.good_at(link.url)
            if good is not None and not self.known >> good & 1:
                self.known |= 1 << good
                self.goods.append(link.url)
            elif good is None and self._is_list(link.url):
                self.lists[link.url] = None
        return url

    def _best_way(self, favours: Callable[[Shop, Spot], bool]) -> tuple[Url, ...]:
        """Return the way to a favoured list with most new goods a page, the first found of equals; () where none is."""
        best: tuple[float, tuple[Url, ...]] = (0.0, ())
        level: list[tuple[tuple[Url, ...], int]] = [((url,), self.shown(url)) for url in self.lists]
        reached = set(self.lists)
        for length in range(1, _LONGEST_WAY + 1):
            for way, shown in level:
                worth = (shown & ~self.known).bit_count() / length
                spot = self.site.spot_at(way[-1])
                if worth > best[0] and spot is not None and favours(self.site.shop, spot):
                    best = (worth, way)
            if best[0] >= self.site.shop.theme.per_page:
                break
            level = list(self._extended(level, reached))
        return best[1]

    def _extended(
        self, level: list[tuple[tuple[Url, ...], int]], reached: set[Url]
    ) -> Iterator[tuple[tuple[Url, ...], int]]:
        for way, shown in level:
            for url in self.onward(way[-1]):
                if url not in reached and url not in self.seen:
                    reached.add(url)
                    yield (*way, url), shown | self.shown(url)

    def _is_list(self, url: Url) -> bool:
        spot = self.site.spot_at(url)
        return spot is not None and spot.kind in _LISTS

    def _shown(self, url: Url) -> int:
        """Return the goods that a list shows, a bit each."""
        spot = self.site.spot_at(url)
        if spot is None or not self.site.shop.lists_goods(spot):
            return 0
        size = self.site.shop.theme.per_page
        return sum(1 << good for good in self.site.shop.listed(spot)[(spot.page - 1) * size : spot.page * size])

    def _onward(self, url: Url) -> tuple[Url, ...]:
        """Return the lists that a list leads to; one that is narrowed or ordered leads to nothing that is new."""
        spot = self.site.spot_at(url)
        if spot is None or spot.choice:
            return ()
        return tuple(link.url for link in self.site.links(url) if self._is_list(link.url))
