"""python -m benchmarks.run [NAME ...]: the slow measurements, all or by name. `--rounds N` changes how often."""

import argparse
import os
from datetime import UTC, datetime
from importlib import import_module

BENCHMARKS = {
    "crawl_speed": ("crawl_speed:measure", 5),
    "fetch_only": ("fetch_only:measure", 5),
    "two_sites": ("whole_runs:measure_two_sites", 3),
    "refresh_cost": ("whole_runs:measure_refresh", 3),
    "frontier_scale": ("frontier_scale:measure", 1),
    "extract_speed": ("extract_speed:measure", 3),
    "shop_fields": ("shop_fields:measure", 1),
    "shop_family": ("shop_family.table:measure", 5),
    "shops_first_pages": ("shops_first_pages:measure", 3),
    "report_scale": ("store_scale:measure_report", 3),
    "verify_scale": ("store_scale:measure_verify", 3),
    "ingest_speed": ("document_store:measure_ingest", 3),
    "search_scale": ("document_store:measure_search", 9),
    "overlap_scale": ("document_store:measure_overlap", 3),
    "storage": ("storage:measure", 2),
    "profile": ("crawl_profile:measure", 1),
    "loop_block": ("loop_block:measure", 1),
    "soak": ("soak:measure", 1),
    "kill": ("kill:measure", 100),
}
"""What each runs and how many rounds it takes (`kill`: how many kills, `shop_family`: how many shops a scheme)."""


def main() -> None:
    """Run what was named, one after the other."""
    parser = argparse.ArgumentParser(prog="benchmarks.run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of: {', '.join(BENCHMARKS)}")
    parser.add_argument("--rounds", type=int, help="how often each is measured (kill: how many kills)")
    parser.add_argument("--pages", type=int, help="how many pages the soak has")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    for name in options.names or BENCHMARKS:
        target, rounds = BENCHMARKS[name]
        module, _, function = target.partition(":")
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        print(f"== {name}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {os.cpu_count()} CPUs, load {load}", flush=True)
        given = {"pages": options.pages} if name == "soak" and options.pages else {}
        getattr(import_module(f"benchmarks.{module}"), function)(options.rounds or rounds, **given)


if __name__ == "__main__":
    main()
