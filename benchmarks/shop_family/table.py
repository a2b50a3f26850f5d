"""shop_family: how soon a crawl finds the products of generated shops, beside other orders and the best possible."""

import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from benchmarks.measurement import print_table
from benchmarks.shop_family.network import ShopSite
from benchmarks.shop_family.schemes import SCHEMES
from benchmarks.shop_family.trials import (
    BEST,
    BREADTH,
    CRAWL,
    ORDERS,
    PATTERN,
    SHARE_OF_SHOP,
    TOLD,
    WITH_MODEL,
    Cost,
    Trial,
    build_sites,
    measure_cost,
    measure_crowded_cost,
    try_shop,
)

BUDGET = 60
BARS = {CRAWL: (0.60, 0.25), WITH_MODEL: (0.80, 0.50)}
"""Mean and worst share of products among the first pages, where the fixed pattern finds none."""
BAR_OF_BEST = 0.92
BAR_BEHIND = (3, 6)
"""Pages of 60, mean and worst, where the fixed pattern is right."""

_COLUMNS = (CRAWL, WITH_MODEL, BREADTH, PATTERN, TOLD, BEST)


def measure(rounds: int) -> None:
    """Print all tables over so many seeds; what is left of a shop at three tenths is measured on one seed."""
    sites = tuple(build_sites(SCHEMES, range(rounds)))
    print_budget(sites, BUDGET, (WITH_MODEL, *ORDERS))
    print_cost(sites[0])
    print_share(tuple(build_sites(SCHEMES, range(1))))


def print_budget(sites: Iterable[ShopSite], budget: int, orders: Sequence[str], *, lists_shops: bool = False) -> None:
    """Print what the first pages of each shop hold: by scheme, in all, and where the fixed pattern is right."""
    trials = [_told_of(site.shop.name, partial(try_shop, site, budget, orders)) for site in sites]
    names = [name for name in _COLUMNS if any(name in each.found for each in trials)]
    if lists_shops:
        rows = [(each.shop.name, each.size, *(_share(each, name) for name in names)) for each in trials]
        print_table("each shop", ("shop", "pages", *names), rows)
    hard = [each for each in trials if each.counts]
    _print_hard(hard, names, budget)
    for each in trials:
        if not each.counts and not each.shop.scheme.is_right:
            print(f"not counted, for other orders find its products: {each.shop.name}")
    _print_right([each for each in trials if each.shop.scheme.is_right], names)


def _print_hard(trials: Sequence[Trial], names: Sequence[str], budget: int) -> None:
    if not trials:
        return
    schemes = list(dict.fromkeys(each.shop.scheme_name for each in trials))
    groups = [(scheme, [each for each in trials if each.shop.scheme_name == scheme]) for scheme in schemes]
    rows = [(name, len(group), *(_mean_and_worst(group, order) for order in names))
            for name, group in (*groups, ("all", trials))]  # fmt: skip
    bars = [f"{BARS[name][0]:.2f}, {BARS[name][1]:.2f}" if name in BARS else "" for name in names]
    print_table(f"distinct products in the first {budget} pages / {budget}, mean and worst shop",
                ("scheme", "shops", *names), [*rows, ("bar", "", *bars)])  # fmt: skip


def _print_right(trials: Sequence[Trial], names: Sequence[str]) -> None:
    if not trials or PATTERN not in names:
        return
    rows = [(each.shop.name, each.size, *(each.found[name] for name in names), each.found[PATTERN] - each.found[CRAWL])
            for each in trials]  # fmt: skip
    print_table("where the fixed pattern is right, products", ("shop", "pages", *names, "behind the pattern"), rows)
    behind = [each.found[PATTERN] - each.found[CRAWL] for each in trials]
    print(f"behind the pattern: {statistics.mean(behind):.1f} on average, {max(behind)} at worst"
          f" (bars: {BAR_BEHIND[0]}, {BAR_BEHIND[1]})\n")  # fmt: skip


def print_share(sites: Iterable[ShopSite]) -> None:
    """Print what three tenths of each shop hold, beside the all-knowing order."""
    rows, shares = [], []
    for site in sites:
        budget = math.ceil(SHARE_OF_SHOP * site.size)
        trial = _told_of(f"{site.shop.name}, {budget} pages", partial(try_shop, site, budget, (PATTERN, BEST)))
        shares.append(trial.found[CRAWL] / trial.found[BEST])
        rows.append((site.shop.name, trial.size, budget, trial.found[CRAWL], trial.found[PATTERN], trial.found[BEST],
                     f"{shares[-1]:.2f}"))  # fmt: skip
    print_table(f"distinct products at {SHARE_OF_SHOP:.0%} of the shop",
                ("shop", "pages", "budget", CRAWL, PATTERN, BEST, "of the best"), rows)  # fmt: skip
    if shares:
        print(
            f"of the best: {statistics.mean(shares):.2f} on average, {min(shares):.2f} at worst (bar: {BAR_OF_BEST})\n"
        )


def print_cost(site: ShopSite) -> None:
    """Print what the frontier takes of a crawl's CPU."""
    costs = (measure_cost(site, BUDGET), measure_crowded_cost(site))
    rows = [_cost_row(each) for each in costs]
    print_table(f"CPU of the frontier, {site.shop.name}",
                ("queued", "pages", "frontier, ms a page", "all, ms a page", "share"), rows)  # fmt: skip


def _cost_row(cost: Cost) -> tuple[str, ...]:
    return (f"{cost.queued:,}" if cost.queued else "as it comes", str(cost.pages),
            f"{cost.frontier / cost.pages * 1000:.2f}", f"{cost.whole / cost.pages * 1000:.2f}",
            f"{cost.frontier / cost.whole:.1%}")  # fmt: skip


def _share(trial: Trial, name: str) -> str:
    return f"{trial.found[name] / trial.budget:.2f}" if name in trial.found else ""


def _mean_and_worst(trials: Sequence[Trial], name: str) -> str:
    shares = [each.found[name] / each.budget for each in trials if name in each.found]
    return f"{statistics.mean(shares):.2f}, {min(shares):.2f}" if shares else ""


def _told_of(what: str, work: Callable[[], Trial]) -> Trial:
    """Do a trial and say so, for who waits."""
    began = time.monotonic()
    trial = work()
    told = ", ".join(f"{name} {count}" for name, count in trial.found.items())
    print(f"{what}: {told} ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)
    return trial
