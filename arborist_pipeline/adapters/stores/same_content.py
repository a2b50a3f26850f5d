"""New bytes that say nothing new: a page whose token, clock or nonce changed is not stored again each night."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, select

from arborist_pipeline.adapters.stores.page_links import load_links
from arborist_pipeline.adapters.stores.product_addresses import STANDS
from arborist_pipeline.adapters.stores.products import record_digest
from arborist_pipeline.adapters.stores.schema import documents, frontier, products
from arborist_pipeline.core.crawl.reading import Reading
from arborist_pipeline.core.crawl.records import CrawledPage
from arborist_pipeline.core.documents.document import RECIPE
from arborist_pipeline.core.products.extract import READER
from arborist_pipeline.core.products.product import to_json
from arborist_pipeline.core.web.url import Url

_IN_CHUNK = 500  # values in one IN list: below every database's limit on parameters


def find_same_content(connection: Connection, site_id: int, readings: Sequence[Reading]) -> dict[Url, bytes]:
    """Return the pages whose stored body says what the new one says, with its hash: it goes on standing for them.

    The same are text, landmarks, title, kind, links and product, as this program reads them, and the headers that it
    reads them by: what is read again of the stored body, without network, is what the new one would give.
    """
    asked = {reading.page.url: reading for reading in readings if reading.content is not None}
    urls = list(asked)
    same: dict[Url, bytes] = {}
    for start in range(0, len(urls), _IN_CHUNK):
        for row in connection.execute(_SELECT.where(frontier.c.site_id == site_id,
                                                    frontier.c.url.in_(urls[start : start + _IN_CHUNK]))):  # fmt: skip
            reading = asked[row.url]
            if _says_the_same(reading, row) and load_links(connection, row.links_page_id) == reading.page.links:
                same[row.url] = row.body_sha256
    return same


def _says_the_same(reading: Reading, row: Row[Any]) -> bool:
    if reading.content is None or _headers_of(reading.page) != (row.content_type, row.x_robots_tag):
        return False
    document, product = reading.content.document, reading.content.product
    digest = None if product is None else record_digest(to_json(product))
    shown = (reading.page.kind, document.document_root, document.main_root, document.title, digest)
    return shown == (row.kind, row.document_root, row.main_root, row.title, row.digest)


def _headers_of(page: CrawledPage) -> tuple[str | None, str | None]:
    return page.headers.get("content-type"), page.headers.get("x-robots-tag")


_SELECT: Select[Any] = (
    select(
        frontier.c.url,
        frontier.c.kind,
        frontier.c.body_sha256,
        frontier.c.links_page_id,
        frontier.c.content_type,
        frontier.c.x_robots_tag,
        documents.c.document_root,
        documents.c.main_root,
        documents.c.title,
        products.c.digest,
    )
    .join(
        documents,
        and_(
            documents.c.site_id == frontier.c.site_id,
            documents.c.document_uri == frontier.c.url,
            documents.c.recipe == RECIPE,
            documents.c.is_current,
        ),
    )
    .outerjoin(products, and_(products.c.site_id == frontier.c.site_id, products.c.url == frontier.c.url, STANDS))
    .where(
        frontier.c.document_body == frontier.c.body_sha256,
        frontier.c.document_recipe == RECIPE,
        frontier.c.product_body == frontier.c.body_sha256,
        frontier.c.product_reader == READER,
        frontier.c.endpoint_body.is_(None),
    )
)
