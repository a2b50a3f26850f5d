"""Stored bodies to products, in batches, without network."""

import asyncio
import signal
import subprocess
import sys

from arborist_pipeline.core.ports import Put
from arborist_pipeline.workflows import extract
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline_tests.adapters.stores.conftest import product_page

LAMPS = {f"/products/lamp-{n}": product_page(f"{n}.50", name=f"Lamp {n}") for n in range(1, 4)}
SITE = {"/": "<p>Home</p>" + "".join(f'<a href="{path}">lamp</a>' for path in LAMPS)} | LAMPS


def test_every_product_page_becomes_a_product_and_no_other_page_does(desk, table):
    asyncio.run(desk.crawl(table(SITE)))
    assert extract_products(desk.site, store=desk.store.products, clock=desk.clock) == {Put.NEW: 3}
    found = {record["name"]: record["price"] for record in desk.store.products.load_products("shop")}
    assert found == {"Lamp 1": "1.50", "Lamp 2": "2.50", "Lamp 3": "3.50"}


def test_all_bodies_are_read_however_small_the_batches(desk, table, monkeypatch):
    monkeypatch.setattr(extract, "BATCH_PAGES", 1)
    asyncio.run(desk.crawl(table(SITE)))
    assert extract_products(desk.site, store=desk.store.products, clock=desk.clock) == {Put.NEW: 3}


def test_a_second_call_finds_nothing_to_do(desk, table):
    asyncio.run(desk.crawl(table(SITE)))
    extract_products(desk.site, store=desk.store.products, clock=desk.clock)
    assert extract_products(desk.site, store=desk.store.products, clock=desk.clock) == {}


def test_another_reader_reads_all_bodies_again(desk, table):
    asyncio.run(desk.crawl(table(SITE)))
    extract_products(desk.site, store=desk.store.products, clock=desk.clock)
    assert desk.store.products.pending_bodies("shop", extract.READER, limit=9) == ()
    assert len(desk.store.products.pending_bodies("shop", "reader-next", limit=9)) == 4


def lamp(number: int, *, marked: bool) -> str:
    page = product_page(f"{number}.50", name=f"Lamp {number}").replace('"sku": "L-1"', f'"sku": "L{number}"')
    page = page.replace("<button>", f"<p class=code>L{number}</p><button>")
    return page if marked else page[: page.index("<script")]


def test_what_a_page_leaves_open_is_read_where_the_other_pages_of_the_site_show_it(desk, table):
    lamps = {f"/products/lamp-{n}": lamp(n, marked=n < 7) for n in range(1, 9)}
    home = "<p>Home</p>" + "".join(f'<a href="{path}">lamp</a>' for path in lamps)
    asyncio.run(desk.crawl(table({"/": home} | lamps)))
    extract_products(desk.site, store=desk.store.products, clock=desk.clock)
    records = {record["name"]: record for record in desk.store.products.load_products("shop")}
    assert {name: record["sku"] for name, record in records.items()} == {f"Lamp {n}": f"L{n}" for n in range(1, 9)}
    assert {records[name]["sources"]["sku"]["tier"] for name in ("Lamp 1", "Lamp 6")} == {"jsonld"}
    assert {records[name]["sources"]["sku"]["tier"] for name in ("Lamp 7", "Lamp 8")} == {"wrapper"}
    desk.store.products.forget_readings("shop")
    again = extract_products(desk.site, store=desk.store.products, clock=desk.clock)
    assert again == {Put.UNCHANGED: 8}


KILLED = """
import os, signal, sys
from arborist_pipeline.adapters.clock import SystemClock
from arborist_pipeline.adapters.stores.products import SqlProductStore
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.workflows import extract

extract.BATCH_PAGES = 2
store = open_store(sys.argv[1])
put, batches = SqlProductStore.put_products, []
def put_some(self, *arguments, **options):
    if len(batches) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    batches.append(put(self, *arguments, **options))
    return batches[-1]
SqlProductStore.put_products = put_some
store.products.forget_readings("shop")
extract.extract_products(store.sites.load_site("shop"), store=store.products, clock=SystemClock())
"""


def test_reading_all_again_goes_on_where_it_was_killed(desk, table, tmp_path):
    lamps = {f"/products/lamp-{n}": product_page(f"{n}.50", name=f"Lamp {n}") for n in range(1, 8)}
    home = "<p>Home</p>" + "".join(f'<a href="{path}">lamp</a>' for path in lamps)
    asyncio.run(desk.crawl(table({"/": home} | lamps)))
    extract_products(desk.site, store=desk.store.products, clock=desk.clock)
    before = list(desk.store.products.load_products("shop"))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "web.db")], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert list(desk.store.products.load_products("shop")) == before
    assert len(desk.store.products.pending_bodies("shop", extract.READER, limit=99)) == 8 - 2 * 2
    assert extract_products(desk.site, store=desk.store.products, clock=desk.clock).total() == 4
    assert list(desk.store.products.load_products("shop")) == before
