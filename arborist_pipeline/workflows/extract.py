"""Stored bodies to products. No network, but for the questions that the last tier puts to a model."""

from collections import Counter
from dataclasses import replace

from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import Clock, ProductItem, ProductStore, Put, StoredBody
from arborist_pipeline.core.products.extract import READER, Reading, read_page
from arborist_pipeline.core.products.wrapper import (
    WRAPPER,
    Wrapper,
    apply_wrapper,
    build_sample,
    build_wrapper,
    leaves_open,
)
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.workflows.model_tier import ModelTier

BATCH_PAGES = 100
SAMPLE_PAGES = 100
"""So many pages of a site are looked at to learn its wrapper, those that were found first."""


def extract_products(site: Site, *, store: ProductStore, clock: Clock, tier: ModelTier | None = None) -> Counter[Put]:
    """Read all bodies that this version of the reader has not read yet; return what that did to the catalogue.

    What a page leaves open is read where the site's other pages show it (`core.products.wrapper`), and `tier` fills
    what is open then. Idempotent: a second call finds nothing to read. Products seen unchanged are renewed, those of
    gone pages retired.
    """
    puts: Counter[Put] = Counter()
    own = _SiteWrapper(site, store)
    while bodies := store.pending_bodies(site.key, READER, limit=BATCH_PAGES):
        items = [_read(site, body, own, tier) for body in bodies]
        puts += store.put_products(site.key, items, now=clock.now())
    return puts + store.settle(site.key, now=clock.now())


class _SiteWrapper:
    """The wrapper of a site, learned from its stored pages when a page first leaves something open."""

    def __init__(self, site: Site, store: ProductStore) -> None:
        self._site, self._store = site, store
        self._wrapper: Wrapper | None = None

    def complete(self, reading: Reading) -> Reading:
        """Return a reading with its product completed from the site's other pages."""
        if not leaves_open(reading.product):
            return reading
        if self._wrapper is None:
            self._wrapper = self._learn()
        return replace(reading, product=apply_wrapper(self._wrapper, reading))

    def _learn(self) -> Wrapper:
        """Learn from the site's first pages, read or not: no version of the reader is called like the wrapper."""
        readings = map(_read_body, self._store.pending_bodies(self._site.key, WRAPPER, limit=SAMPLE_PAGES))
        return build_wrapper(sample for reading in readings if (sample := build_sample(reading)) is not None)


def _read(site: Site, source: StoredBody, own: _SiteWrapper, tier: ModelTier | None) -> ProductItem:
    reading = own.complete(_read_body(source))
    product = reading.product if tier is None else tier.complete(reading)
    return ProductItem(source=source, product=product and replace(product, tenant=site.tenant))


def _read_body(source: StoredBody) -> Reading:
    return read_page(parse_body(source.body, url=source.url, headers=source.headers), source.endpoint_body)
