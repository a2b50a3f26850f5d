"""`make run`: the main job, shown. Without a URL on the bundled demo shop, with one on a real site (politely).

The demo tells a story of three nights: the first finds the shop, on the second nothing has changed, and before the
third the shop changes a price and a text and removes a page.

Store, runs and reports go where all others go. Sites that no list has go into a list of their own, make-run/sites.yaml
below ARBORIST_HOME: a person's own list is only read.
"""

import argparse
import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import select

from arborist_pipeline.__main__ import refresh_sites
from arborist_pipeline.adapters.site_list_file import SiteListFile
from arborist_pipeline.adapters.stores.schema import supersedes
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.crawl.refresh import SiteRefresh
from arborist_pipeline.core.errors import ArboristError
from arborist_pipeline.core.settings import Settings, read_settings
from arborist_pipeline.core.web.url import canonicalize, same_site, split_origin
from examples.demo_shop.serve import serve_shop
from examples.demo_shop.shop import Shop, build_shop
from examples.demo_shop.walk import breadth_first

DEMO_KEY = "demo-shop"
DEMO_PORT = 8765
ROWS = (  # what a person wants to know, and where the refresh says it
    ("pages fetched", "pages"),
    ("products among the first 60 fetches", "first_60_products"),
    ("products in the catalogue", "products"),
    ("… with a price", "with_price"),
    ("documents: new", "documents_new"),
    ("documents: unchanged", "documents_unchanged"),
    ("documents: superseded", "documents_superseded"),
    ("documents: gone", "documents_gone"),
)
FINDINGS = (
    ("orphans", "orphan"),
    ("exact duplicates", "exact_duplicate"),
    ("broken links", "broken_link"),
    ("redirect chains", "redirect_chain"),
    ("thin pages", "thin_page"),
    ("untitled pages", "untitled_page"),
)


def main() -> int:
    """Run the story that the arguments ask for; return the exit code."""
    parser = argparse.ArgumentParser(prog="make run", description=__doc__)
    parser.add_argument("url", nargs="?", help="a real site; without it the demo shop is served and crawled")
    url = parser.parse_args().url
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # in step with what comes on stderr
    try:
        return run_site(url) if url else run_demo()
    except ArboristError as error:
        print(f"make run: {error}", file=sys.stderr)
        return 2


def run_site(url: str) -> int:
    """Refresh a site once, with its settings where a person's list has it, and print what came of it."""
    settings = read_settings(os.environ, user_home=str(Path.home()))
    site = _find(settings, url)
    is_listed = site is not None
    if site is None:
        settings = _with_own_list(settings)
        site = _find(settings, url) or _site_list(settings).add(url)
    print(f"Crawling {site.seed_url} in {site.mode} mode, {site.max_pages or 'any number of'} pages at most …")
    results = [_refresh(settings, site.key, full=False)]
    _print_table(results, ["this run"])
    _print_places(settings, results[-1], site)
    if not is_listed:
        _retire(settings, site.key)
        print(f"every day  .venv/bin/arborist sites add {site.seed_url}, then .venv/bin/arborist refresh --all")
    return 0 if results[-1].ok else 1


def run_demo() -> int:
    """Serve the demo shop, refresh it three times, change it before the third."""
    os.environ["ARBORIST_ALLOW_PRIVATE"] = "1"  # the shop is on loopback
    settings = _with_own_list(read_settings(os.environ, user_home=str(Path.home())))
    shop = build_shop()
    with serve_shop(shop, port=_free_port(settings)) as server:
        site = _list_demo(settings, server.url)
        walk = breadth_first(shop)
        print(f"A demo shop of {shop.truth.page_count} pages is at {server.url}/ while this runs.")
        nights = [_refresh(settings, DEMO_KEY, full=True)]
        asked = len(server.log)
        nights.append(_refresh(settings, DEMO_KEY, full=True))
        still = [exchange for exchange in server.log[asked:] if exchange.method == "GET"]
        change = shop.change()
        changed_at = datetime.now(UTC)
        nights.append(_refresh(settings, DEMO_KEY, full=True))
    _print_table(nights, ["shop as built", "still shop", "changed shop"])
    print(
        f"\nA breadth-first walk would have had {walk.products} products among its first {len(walk.fetched)} fetches."
    )
    print(f"On the still shop {sum(exchange.status == 304 for exchange in still)} of {len(still)} answers were 304: "
          "no body, nothing written twice.")  # fmt: skip
    print(f"Then the shop changed the price of {change.repriced} from {change.price_before} to {change.price_after}, "
          f"the text of {change.rewritten}, and removed {change.removed}:")  # fmt: skip
    ok = _print_history(settings, shop, since=changed_at, base=site.seed_url)
    _print_places(settings, nights[-1], site)
    _retire(settings, DEMO_KEY)
    return 0 if ok and all(night.ok for night in nights) else 1


def _refresh(settings: Settings, key: str, *, full: bool) -> SiteRefresh:
    def say(line: str) -> None:
        print(f"  {line}", file=sys.stderr)

    (result,) = refresh_sites([key], full=full, settings=settings, say=say)
    if not result.ok:
        print(f"{key} failed: {result.reason}", file=sys.stderr)
    return result


def _site_list(settings: Settings) -> SiteListFile:
    return SiteListFile(settings.site_lists, max_pages=settings.max_pages)


def _with_own_list(settings: Settings) -> Settings:
    return replace(settings, site_lists=(f"{settings.home}/make-run/sites.yaml",))


def _find(settings: Settings, url: str) -> Site | None:
    """Return the listed site that an address belongs to."""
    sites, seed = _site_list(settings), canonicalize(url)
    return next((site for site in (sites.load() if sites.exists else ()) if same_site(site.seed_url, seed)), None)


def _retire(settings: Settings, key: str) -> None:
    """Keep the nights away from a site that no list of a person's has; its history stays."""
    store = open_store(settings.store)
    try:
        store.sites.retire_site(key, datetime.now(UTC))
    finally:
        store.close()


def _list_demo(settings: Settings, url: str) -> Site:
    sites = _site_list(settings)
    known = {site.key: site for site in (sites.load() if sites.exists else ())}
    if DEMO_KEY in known:
        if known[DEMO_KEY].seed_url == canonicalize(url):
            return known[DEMO_KEY]
        sites.remove(DEMO_KEY)
    return sites.add(url, key=DEMO_KEY, settings={"mode": "fast", "max_pages": 0})


def _free_port(settings: Settings) -> int:
    """Return the port that the demo shop had last, else its usual one; 0 (any) where that is taken."""
    sites = _site_list(settings)
    known = {site.key: site for site in (sites.load() if sites.exists else ())}
    port = split_origin(known[DEMO_KEY].seed_url).port if DEMO_KEY in known else DEMO_PORT
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return 0
    return port


def _print_table(nights: Sequence[SiteRefresh], names: Sequence[str]) -> None:
    rows = [(label, *(night.counts.get(name, "-") for night in nights)) for label, name in ROWS]
    rows += [(f"report: {label}", *(_finding(night.counts, name) for night in nights)) for label, name in FINDINGS]
    width = max(len(row[0]) for row in rows)
    print("\n" + " " * width + "".join(f"{name:>15}" for name in names))
    for label, *values in rows:
        print(f"{label:<{width}}" + "".join(f"{value!s:>15}" for value in values))


def _finding(counts: Mapping[str, Any], signal: str) -> object:
    return counts["findings"].get(signal, 0) if "findings" in counts else "-"


def _print_history(settings: Settings, shop: Shop, *, since: datetime, base: str) -> bool:
    """Print what the store knows of the change, and prove a chunk of the new text; return whether the proof holds."""
    change = shop.truth.changed
    store = open_store(settings.store, read_only=True)
    try:
        for row in store.products.price_changes(DEMO_KEY, since):
            if row["price"] != row["old_price"]:
                print(f"  price     {row['url']}  {row['old_price']} → {row['price']} {row['currency']}")
        with store.engine.connect() as connection:
            edges = connection.execute(select(supersedes).where(supersedes.c.observed_at >= since)).all()
    finally:
        store.close()
    rewritten = base.rstrip("/") + change.rewritten if change else ""
    for edge in sorted(edges, key=lambda edge: edge.uri != rewritten)[:3]:
        print(f"  version   {edge.uri}  {edge.from_root.hex()[:12]}… superseded by {edge.to_root.hex()[:12]}…")
    if len(edges) > 3:
        print(f"            and {len(edges) - 3} more pages that show the price or the missing page")
    return _prove(settings, rewritten)


def _prove(settings: Settings, url: str) -> bool:
    arborist = [sys.executable, "-m", "arborist_pipeline", "--db", settings.store]
    proof = subprocess.run([*arborist, "prove", url], check=False, capture_output=True, text=True)
    path = Path(settings.home) / "proof.json"
    path.write_text(proof.stdout, encoding="utf-8")
    checked = subprocess.run([*arborist, "verify-proof", str(path)], check=False, capture_output=True, text=True)
    if proof.returncode or checked.returncode:
        print(f"  proof     failed: {proof.stderr}{checked.stderr}")
        return False
    root = json.loads(proof.stdout)["root"]
    print(f"  proof     a chunk of {url} is proved against root {root[:12]}… with no database: {path}")
    return True


def _print_places(settings: Settings, result: SiteRefresh, site: Site) -> None:
    print(f"\nreport     {result.counts.get('report', '- (the run failed)')}")
    print(f"store      {settings.store}")
    print(f"catalogue  .venv/bin/arborist products list --site {site.key}")
    print("UI         make dev, then http://127.0.0.1:3000/ (these runs are in it)")


if __name__ == "__main__":
    sys.exit(main())
