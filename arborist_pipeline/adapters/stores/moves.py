"""A site whose seed names another host: what the store has of the former one is retired, its history kept."""

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, not_, or_, update

from arborist_pipeline.adapters.stores.schema import documents, frontier, products
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.records import Outcome

REASON = "the site has moved to another host"


def leave_other_hosts(connection: Connection, site_id: int, host: str, now: datetime) -> None:
    """Retire products, documents and known URLs of a site that are not of its host (HOST or HOST:PORT).

    URLs of the host that were retired in this way before are asked for again.
    """
    for table, uri in ((products, products.c.url), (documents, documents.c.document_uri)):
        mine = (table.c.site_id == site_id, table.c.is_current, not_(_is_of(uri, host)))
        retired = {"retired_at": now} if "retired_at" in table.c else {}
        connection.execute(update(table).where(*mine).values(is_current=False, **retired))
    known = frontier.c.site_id == site_id
    left = {"state": State.REFUSED, "outcome": Outcome.SKIPPED, "reason": REASON, "gone_at": now, "due_at": None,
            "verdict": None, "document_body": None, "product_body": None}  # fmt: skip
    connection.execute(update(frontier).where(known, not_(_is_of(frontier.c.url, host))).values(**left))
    again = {"state": State.QUEUED, "outcome": None, "reason": None, "gone_at": None, "fetched_at": None}
    was_left = (frontier.c.outcome == Outcome.SKIPPED, frontier.c.reason == REASON)
    connection.execute(update(frontier).where(known, *was_left, _is_of(frontier.c.url, host)).values(**again))


def _is_of(url: ColumnElement[str], host: str) -> ColumnElement[bool]:
    return or_(*(url.startswith(f"{scheme}://{host}/", autoescape=True) for scheme in ("http", "https")))
