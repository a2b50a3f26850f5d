"""shop_fields: the product pages of real shop software against what the shop holds; the share right of each field."""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx

from arborist_pipeline.core.products.extract import read_page
from arborist_pipeline.core.products.product import Product
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.support.shop_software import copy_truth, read_lines, serve_shop
from benchmarks.measurement import REPOSITORY, print_table

SHOPS = ("oscar", "cartridge", "evershop")
_BUYABLE = frozenset(("InStock", "BackOrder", "PreOrder", "LimitedAvailability"))

Truth = Mapping[str, Any]
_FIELDS: Mapping[str, tuple[str, Callable[[Product, Truth], bool]]] = {
    "name": ("title", lambda read, true: read.name == true["title"]),
    "price": ("price", lambda read, true: read.price == _asked(true)),
    "regular_price": ("regular_price", lambda read, true: read.regular_price == _regular(true)),
    "currency": (
        "currency",
        lambda read, true: read.currency == (true["currency"] if _asked(true) is not None else None),
    ),
    "availability": ("in_stock", lambda read, true: (read.availability in _BUYABLE) == true["in_stock"]),
    "sku": ("sku", lambda read, true: read.sku == true["sku"]),
    "category": ("category", lambda read, true: true["category"] in (read.category or ("",))[-1:]),
    "variants": ("variants", lambda read, true: len(read.variants) == len(true["variants"])),
}


def measure(rounds: int) -> None:
    """Print a row a shop; pages are always the same, so one round is enough."""
    del rounds
    shared = Path(os.environ.get("ARBORIST_SHARED") or REPOSITORY.parent / "shared") / "shops"
    rows = [_row(shared / name) for name in SHOPS if (shared / name / "run.sh").exists()]
    if not rows:
        print("without shops: set ARBORIST_SHARED to a folder that holds shops/", file=sys.stderr)
        return
    print_table("shop_fields, share right of what each shop holds", ("shop", "pages", "product pages", *_FIELDS), rows)


def _row(folder: Path) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as to:
        truth = read_lines(copy_truth(folder, Path(to)) / "truth.jsonl")
    right: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    with serve_shop(folder, SHOP_RATE_LIMIT="off") as url, httpx.Client(base_url=url, timeout=60) as client:
        for true in (each for each in truth if each.get("public", True)):
            answer = client.get(true["path"]).raise_for_status()
            page = parse_body(answer.content, url=canonicalize(str(answer.url)), headers=answer.headers)
            _count(read_page(page).product, _completed(true), right, asked)
    shares = (f"{right[name] / asked[name]:.3f}" if asked[name] else "" for name in _FIELDS)
    return folder.name, str(asked["page"]), f"{right['page'] / asked['page']:.3f}", *shares


def _completed(true: Truth) -> Truth:
    """Return a truth with stock under one name; only a category by its own name is comparable."""
    known = {**true, "in_stock": true.get("in_stock", true.get("available"))}
    return known if isinstance(known.get("category"), str) else {**known, "category": None}


def _count(read: Product | None, true: Truth, right: Counter[str], asked: Counter[str]) -> None:
    asked["page"] += 1
    right["page"] += read is not None
    for name, (key, is_right) in _FIELDS.items():
        if true.get(key) is not None:
            asked[name] += 1
            right[name] += read is not None and is_right(read, true)


def _asked(true: Truth) -> Decimal | None:
    """Return the price that the page shows: one of the shops shows none of what cannot be bought."""
    hidden = true["price"] is None or true.get("available") is False
    return None if hidden else Decimal(true["price"])


def _regular(true: Truth) -> Decimal | None:
    regular = Decimal(true["regular_price"])
    return regular if _asked(true) is not None and regular != _asked(true) else None
