"""Stored bodies to products. No network, but for the questions that the last tier puts to a model."""

from collections import Counter
from dataclasses import replace

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import Clock, ProductItem, ProductStore, Put, StoredBody
from arborist_pipeline.core.products.extract import READER, read_page
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.workflows.model_tier import ModelTier

BATCH_PAGES = 100


def extract_products(site: Site, *, store: ProductStore, clock: Clock, tier: ModelTier | None = None) -> Counter[Put]:
    """Read all bodies that this version of the reader has not read yet; return what that did to the catalogue.

    `tier` fills what pages left open. Idempotent: a second call finds nothing to read. Products seen unchanged are
    renewed, those of gone pages retired.
    """
    puts: Counter[Put] = Counter()
    while bodies := store.pending_bodies(site.key, READER, limit=BATCH_PAGES):
        items = [_read(site, body, tier) for body in bodies]
        puts += store.put_products(site.key, items, now=clock.now())
    return puts + store.settle(site.key, now=clock.now())


def _read(site: Site, source: StoredBody, tier: ModelTier | None) -> ProductItem:
    reading = read_page(parse_body(source.body, url=source.url, headers=source.headers))
    product = reading.product if tier is None else tier.complete(reading)
    return ProductItem(source=source, product=product and replace(product, tenant=site.tenant))
