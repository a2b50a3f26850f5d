"""python -m benchmarks.shop_family: how soon a crawl finds the products of generated shops, beside other orders."""

import argparse
from collections.abc import Iterable

from arborist_pipeline.core.web.url import Url
from benchmarks.measurement import print_table
from benchmarks.shop_family.crawls import crawl_shop
from benchmarks.shop_family.network import ShopSite
from benchmarks.shop_family.policies import breadth_first, pattern_first, pattern_then_told
from benchmarks.shop_family.schemes import SCHEMES
from benchmarks.shop_family.shop import Shop


def main() -> None:
    """Run what the options say."""
    parser = argparse.ArgumentParser(prog="benchmarks.shop_family", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="how many shops of each scheme (default: 5)")
    parser.add_argument("--pages", type=int, default=60, help="the budget of each crawl (default: 60)")
    parser.add_argument("--scheme", action="append", choices=tuple(SCHEMES), help="only this; may be repeated")
    options = parser.parse_args()
    pages = options.pages
    rows = []
    for scheme in options.scheme or SCHEMES:
        for seed in range(options.seeds):
            site = build_site(scheme, seed)
            crawl = crawl_shop(site, pages)
            counts = [
                distinct_goods(site, order)
                for order in (
                    crawl.asked,
                    breadth_first(site, pages),
                    pattern_first(site, pages),
                    pattern_then_told(site, pages),
                )
            ]
            rows.append((site.shop.name, site.size, *(f"{each / pages:.2f}" for each in counts)))
            print(rows[-1], flush=True)
    print_table(
        f"distinct products in the first {pages} fetches / {pages}",
        ("shop", "pages", "Arborist", "breadth first", "pattern first", "pattern, then told"),
        rows,
    )


def build_site(scheme: str, seed: int) -> ShopSite:
    """Build the shop of a scheme and a seed: the first four seeds have each kind once, with related goods or not."""
    kind = list(SCHEMES).index(scheme) + seed
    return ShopSite(Shop(scheme, seed, related=bool(kind & 1), nav_heavy=bool(kind & 2)))


def distinct_goods(site: ShopSite, asked: Iterable[Url]) -> int:
    """Count the products among these addresses, each once however many it has."""
    return len({good for url in asked if (good := site.good_at(url)) is not None})


if __name__ == "__main__":
    main()
