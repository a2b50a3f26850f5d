"""Stored bodies to products. No network."""

from collections import Counter
from dataclasses import replace

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import Clock, ProductItem, ProductStore, Put, StoredBody
from arborist_pipeline.core.products.extract import READER, extract_product
from arborist_pipeline.core.web.page import parse_body

BATCH_PAGES = 100


def extract_products(site: Site, *, store: ProductStore, clock: Clock) -> Counter[Put]:
    """Read all bodies that this version of the reader has not read yet; return what that did to the catalogue.

    Idempotent: a second call finds nothing to read. Products seen unchanged are renewed, those of gone pages retired.
    """
    puts: Counter[Put] = Counter()
    while bodies := store.pending_bodies(site.key, READER, limit=BATCH_PAGES):
        items = [_read(site, body) for body in bodies]
        puts += store.put_products(site.key, items, now=clock.now())
    return puts + store.settle(site.key, now=clock.now())


def _read(site: Site, source: StoredBody) -> ProductItem:
    product = extract_product(parse_body(source.body, url=source.url, headers=source.headers))
    return ProductItem(source=source, product=product and replace(product, tenant=site.tenant))
