"""The links of a page version: stored under the page row that introduced them, named by later rows with the same."""

from collections.abc import Sequence
from typing import NamedTuple, cast

from sqlalchemy import Connection, bindparam, select

from arborist_pipeline.adapters.stores.prepared import prepare_insert
from arborist_pipeline.adapters.stores.schema import links
from arborist_pipeline.core.crawl.records import CrawledPage
from arborist_pipeline.core.web.links import Link, LinkKind
from arborist_pipeline.core.web.url import Url

_KINDS = {str(kind): kind for kind in LinkKind}
_NEW = prepare_insert(links)
_OF_PAGE = (
    select(links.c.url, links.c.anchor, links.c.kind, links.c.nofollow, links.c.written)
    .where(links.c.page_id == bindparam("page"))
    .order_by(links.c.position)
)


class Answer(NamedTuple):
    """A page as it is stored: the ids of its row and of its URL's, its body's hash, and where its links stand.

    `told` is the hash of what the platform's endpoint said of its product.
    """

    page: CrawledPage
    page_id: int
    row_id: int
    body: bytes | None
    told: bytes | None
    links_page_id: int | None


def home_of_links(connection: Connection, page: CrawledPage, page_id: int, body: bytes | None) -> int | None:
    """Return under which page row the links of a page stand: its own, unless its stored version has the same."""
    stored = page.stored.links_page_id if page.stored else None
    if page.links is None:
        return stored
    if page.stored is None or stored is None:
        return page_id
    is_same_body = body is not None and body == page.stored.body_sha256
    return stored if is_same_body or load_links(connection, stored) == page.links else page_id


def write_links(connection: Connection, answers: Sequence[Answer]) -> None:
    """Store the links that stand under a page's own row."""
    new = [
        (answer.page_id, position, link.url, link.text, str(link.kind), link.nofollow, link.written)
        for answer in answers
        if answer.links_page_id == answer.page_id
        for position, link in enumerate(answer.page.links or ())
    ]
    _NEW.run_in_order(connection, new)


def load_links(connection: Connection, page_id: int) -> tuple[Link, ...]:
    """Return the links stored under a page version, in their order on the page."""
    found = cast(
        "Sequence[tuple[Url, str, str, bool, str | None]]", connection.execute(_OF_PAGE, {"page": page_id}).all()
    )
    return tuple(
        Link(url=url, text=text, kind=_KINDS[kind], nofollow=nofollow, written=written)
        for url, text, kind, nofollow, written in found
    )
