"""A trial: one shop, walked by the crawl and in the orders that it is compared with; what each found."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arborist_pipeline.core.crawl.records import CrawledPage
from arborist_pipeline.core.web.url import Url
from benchmarks.shop_family.all_knowing import all_knowing
from benchmarks.shop_family.crawls import TAKES_MODEL, crawl_shop
from benchmarks.shop_family.frontier_cost import CrowdedFetcher, FrontierMeter
from benchmarks.shop_family.network import ShopSite
from benchmarks.shop_family.policies import Order, breadth_first, pattern_first, pattern_then_told
from benchmarks.shop_family.schemes import SCHEMES
from benchmarks.shop_family.scripted_model import ScriptedModel
from benchmarks.shop_family.shop import Shop

CRAWL, WITH_MODEL, BEST = "Arborist", "with model", "all-knowing"
BREADTH, PATTERN, TOLD = "breadth first", "pattern first", "pattern, then told"
ORDERS: Mapping[str, Order] = {
    BREADTH: breadth_first, PATTERN: pattern_first, TOLD: pattern_then_told, BEST: all_knowing,
}  # fmt: skip
SHARE_OF_SHOP = 0.3
MOST_BREADTH, MOST_PATTERN = 0.02, 0.25
_CROWDED_PAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What each order found of a shop: distinct products in its first `budget` pages."""

    shop: Shop
    size: int
    budget: int
    found: Mapping[str, int]
    llm_calls: int

    @property
    def counts(self) -> bool:
        """Whether a shop tells anything: neither the order of discovery nor the fixed pattern finds its products."""
        shares = (self.found[BREADTH] / self.budget, self.found[PATTERN] / self.budget)
        return not self.shop.scheme.is_right and shares[0] <= MOST_BREADTH and shares[1] <= MOST_PATTERN


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """CPU seconds in the frontier and of all, over so many pages, with so many addresses queued before."""

    frontier: float
    whole: float
    pages: int
    queued: int


def build_sites(schemes: Iterable[str], seeds: Iterable[int], *, is_bare: bool = False) -> Iterator[ShopSite]:
    """Build shops; four seeds in a row give those of each kind: related goods or none, large menu or flat."""
    for scheme in schemes:
        for seed in seeds:
            kind = list(SCHEMES).index(scheme) + seed
            yield ShopSite(Shop(scheme, seed, related=bool(kind & 1), nav_heavy=bool(kind & 2), is_bare=is_bare))


def try_shop(site: ShopSite, budget: int, orders: Sequence[str]) -> Trial:
    """Let the crawl and each of these orders spend the budget on a shop."""
    found, llm_calls = {CRAWL: count_goods(site, crawl_shop(site, budget).asked)}, 0
    if TAKES_MODEL and WITH_MODEL in orders:
        run = crawl_shop(site, budget, model=ScriptedModel(site))
        found[WITH_MODEL], llm_calls = count_goods(site, run.asked), run.llm_calls
    found |= {name: count_goods(site, ORDERS[name](site, budget)) for name in orders if name in ORDERS}
    if BEST in found:  # what is better than it was possible, so the best possible is no less
        found[BEST] = max(found.values())
    return Trial(shop=site.shop, size=site.size, budget=budget, found=found, llm_calls=llm_calls)


def count_goods(site: ShopSite, urls: Iterable[Url]) -> int:
    """Count the products among addresses, each once however many it has."""
    return len({good for url in urls if (good := site.good_at(url)) is not None})


def measure_cost(site: ShopSite, budget: int) -> Cost:
    """Measure a crawl with a queue as it comes."""
    began = time.process_time()
    with FrontierMeter() as meter:
        run = crawl_shop(site, budget)
    return Cost(frontier=meter.seconds, whole=time.process_time() - began, pages=len(run.asked), queued=0)


def measure_crowded_cost(site: ShopSite) -> Cost:
    """Measure so many pages of a crawl in whose queue 100,000 addresses stand."""
    crowded = CrowdedFetcher.CROWDED
    at: list[tuple[float, float]] = []

    def watch(page: CrawledPage) -> None:
        if page.order == crowded + 1:
            at.append((meter.seconds, time.process_time()))

    with FrontierMeter() as meter:
        crawl_shop(site, crowded + 1 + _CROWDED_PAGES, make_fetcher=CrowdedFetcher, watch=watch)
        frontier, whole = meter.seconds - at[0][0], time.process_time() - at[0][1]
    return Cost(frontier=frontier, whole=whole, pages=_CROWDED_PAGES, queued=crowded * CrowdedFetcher.EXTRA)
