"""python -m benchmarks.shop_family: how soon a crawl finds the products of generated shops, beside other orders."""

import argparse

from benchmarks.shop_family.schemes import SCHEMES
from benchmarks.shop_family.table import BUDGET, print_budget, print_cost, print_share
from benchmarks.shop_family.trials import BEST, BREADTH, ORDERS, PATTERN, TOLD, WITH_MODEL, build_sites

_SHORT = {"breadth": BREADTH, "pattern": PATTERN, "told": TOLD, "best": BEST, "model": WITH_MODEL}


def main() -> None:
    """Run what the options say."""
    parser = argparse.ArgumentParser(prog="benchmarks.shop_family", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1, help="how many shops of each scheme (default: 1)")
    parser.add_argument("--first-seed", type=int, default=0, help="the first of the seeds (default: 0)")
    parser.add_argument("--scheme", action="append", choices=tuple(SCHEMES), help="only this; may be repeated")
    parser.add_argument("--pages", type=int, default=BUDGET, help=f"the budget of each crawl (default: {BUDGET})")
    parser.add_argument("--order", action="append", choices=tuple(_SHORT), default=[],
                        help="compare with this one too; may be repeated (default: all)")  # fmt: skip
    parser.add_argument("--bare", action="store_true", help="shops whose mark-up tells nothing")
    parser.add_argument("--share", action="store_true", help="crawl three tenths of each shop instead")
    parser.add_argument("--cost", action="store_true", help="measure the CPU of the frontier instead")
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    sites = build_sites(options.scheme or SCHEMES, seeds, is_bare=options.bare)
    if options.cost:
        print_cost(next(iter(sites)))
    elif options.share:
        print_share(sites)
    else:
        chosen = [_SHORT[each] for each in options.order]
        orders = dict.fromkeys((BREADTH, PATTERN, *chosen)) if chosen else (WITH_MODEL, *ORDERS)
        print_budget(sites, options.pages, tuple(orders), lists_shops=True)


if __name__ == "__main__":
    main()
