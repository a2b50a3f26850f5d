"""The frontier's rows: where each known URL of a site stands in the order, as the core decided it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

from sqlalchemy import (
    BindParameter,
    Connection,
    Engine,
    Integer,
    Row,
    Select,
    bindparam,
    literal,
    select,
    tuple_,
    type_coerce,
    update,
)

from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.moments import UtcDateTime, moment_writer
from arborist_pipeline.adapters.stores.prepared import Prepared, prepare_insert
from arborist_pipeline.adapters.stores.schema import arms, crawls, frontier, links, pages
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.crawl.entries import FrontierEntry, FrontierRow, KnownUrl, Lead, State
from arborist_pipeline.core.crawl.lessons import Lesson, lesson_from_json
from arborist_pipeline.core.crawl.records import Outcome, Priority, StoredPage, Tier
from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.links import LinkKind
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url

_IN_CHUNK = 500  # values in one IN list: below every database's limit on parameters
_PORTION = 2_000  # rows of a stream that are in memory at once
_STATES: dict[str, State] = {str(state): state for state in State}
_PAGE_KINDS = {str(kind): kind for kind in PageKind}
_READ_WELL = frozenset({Outcome.OK, Outcome.NOT_MODIFIED})
_HAS_LINKS = frozenset({Outcome.OK, Outcome.NOT_MODIFIED, Outcome.TRUNCATED, Outcome.TOO_LARGE, Outcome.TOO_DEEP})

_site_id: BindParameter[int] = bindparam("site_id")
_has_urls = frontier.c.url.in_(bindparam("urls", expanding=True))
_IDS = select(frontier.c.url, frontier.c.id).where(frontier.c.site_id == _site_id, _has_urls)
_KNOWN = select(
    frontier.c.url,
    frontier.c.state,
    frontier.c.bucket,
    frontier.c.seq,
    frontier.c.depth,
    type_coerce(frontier.c.fetched_at >= bindparam("since", type_=UtcDateTime), Integer),
    frontier.c.written,
).where(frontier.c.site_id == _site_id)
_ENTRY = select(
    *(frontier.c[name] for name in
      ("url", "depth", "state", "bucket", "seq", "parent", "anchor", "tier", "score", "why", "kind", "due_at",
       "written", "stored_page_id")),
    type_coerce(frontier.c.fetched_at.is_not(None), Integer).label("fetched"),
    *(frontier.c[name] for name in
      ("etag", "last_modified", "body_sha256", "links_page_id", "title", "nofollow", "redirect_to", "outcome",
       "document_root")),
).where(frontier.c.site_id == _site_id)  # fmt: skip
_ENTRIES = _ENTRY.where(_has_urls)
_IN_ORDER = (
    _ENTRY.where(frontier.c.state == bindparam("state"), frontier.c.bucket == bindparam("bucket"),
                 frontier.c.seq > bindparam("after"))
    .order_by(frontier.c.seq)
    .limit(bindparam("most"))
)  # fmt: skip
# The state stands in the text, since that is how a database sees that the index of done pages serves.
_DONE = (
    _ENTRY.where(frontier.c.state == literal(str(State.DONE), literal_execute=True),
                 frontier.c.bucket == bindparam("bucket"))
    .order_by(frontier.c.due_at, frontier.c.seq)
    .limit(bindparam("most"))
)  # fmt: skip
_until = bindparam("until", type_=UtcDateTime)
_ANSWERS = select(
    frontier.c.url, frontier.c.outcome, frontier.c.nofollow, frontier.c.links_page_id, frontier.c.redirect_to
).where(frontier.c.site_id == _site_id, _has_urls)
_LESSONS = (
    select(pages.c.url, pages.c.anchor, pages.c.parent, pages.c.lesson)
    .join(crawls, crawls.c.id == pages.c.crawl_id)
    .where(pages.c.completed_seq.is_not(None), pages.c.lesson.is_not(None))
)
_LINKS = select(links.c.page_id, links.c.url, links.c.anchor, links.c.kind).order_by(links.c.page_id, links.c.position)
_LINKS = _LINKS.where(links.c.page_id.in_(bindparam("pages", expanding=True)))


class SqlFrontierRows:
    """The committed rows of one site (`core.crawl.entries.FrontierRows`)."""

    def __init__(self, engine: Engine, site_key: str, crawl_id: int) -> None:
        self._engine, self._crawl_id = engine, crawl_id
        with reading(engine) as connection:
            self._site_id = site_id_of(connection, site_key)

    def known(self, since: datetime) -> Iterator[Sequence[KnownUrl]]:
        """Stream all rows a portion at a time, in any order; an answer counts as new if it came at `since` or later."""
        values = {"site_id": self._site_id, "since": since}
        with reading(self._engine) as connection:
            rows = connection.execution_options(stream_results=True).execute(_KNOWN, values)
            yield from cast("Iterator[Sequence[KnownUrl]]", rows.partitions(_PORTION))

    def entries(self, urls: Sequence[Url]) -> list[FrontierEntry]:
        """Return the entries of these URLs, as far as they have rows, in any order."""
        return [entry_of(row) for row in self._chunks(_ENTRIES, "urls", urls)]

    def in_order(
        self, state: State, bucket: int, *, after: int, limit: int, min_depth: int = 0, max_depth: int | None = None
    ) -> list[FrontierEntry]:
        """Return entries of a state and bucket with seq > `after` and min_depth <= depth <= max_depth, by seq."""
        query = _IN_ORDER if not min_depth else _IN_ORDER.where(frontier.c.depth >= min_depth)
        query = query if max_depth is None else query.where(frontier.c.depth <= max_depth)
        values = {"site_id": self._site_id, "state": state, "bucket": int(bucket), "after": after, "most": limit}
        return self._read(query, values)

    def due(
        self, bucket: int, *, until: datetime, is_full: bool, after: tuple[datetime, int] | None, limit: int
    ) -> list[FrontierEntry]:
        """Return done entries that are due at `until`, those with (due_at, seq) > `after`, in order of these.

        `is_full` takes all that were not answered after `until` instead, whenever they are due.
        """
        query = _DONE.where((frontier.c.fetched_at if is_full else frontier.c.due_at) <= _until)
        values: dict[str, Any] = {"site_id": self._site_id, "bucket": int(bucket), "until": until, "most": limit}
        if after is not None:
            place = tuple_(bindparam("date", type_=UtcDateTime), bindparam("seq"))
            query = query.where(tuple_(frontier.c.due_at, frontier.c.seq) > place)
            values |= {"date": after[0], "seq": after[1]}
        return self._read(query, values)

    def arms(self) -> list[tuple[int, str, str]]:
        """Return the site's arms: number, key and an example of its addresses."""
        query = select(arms.c.number, arms.c.key, arms.c.example).where(arms.c.site_id == self._site_id)
        with reading(self._engine) as connection:
            return [(row.number, row.key, row.example) for row in connection.execute(query)]

    def lessons(self, limit: int) -> Iterator[Lesson]:
        """Yield what first answers taught: the newest `limit` of earlier crawls, then all of this one, oldest first."""
        taught = _LESSONS.where(crawls.c.site_id == self._site_id)
        before = taught.where(pages.c.crawl_id < self._crawl_id).order_by(pages.c.id.desc()).limit(limit)
        own = taught.where(pages.c.crawl_id == self._crawl_id).order_by(pages.c.completed_seq)
        with reading(self._engine) as connection:
            rows = [*reversed(connection.execute(before).all()), *connection.execute(own)]
        for row in rows:
            lesson = lesson_from_json(row.lesson, url=row.url, anchor=row.anchor, parent=row.parent)
            if lesson is not None:
                yield lesson

    def leads(self, urls: Sequence[Url]) -> Iterator[Lead]:
        """Yield where these pages lead by their latest answers, each in its own order; nothing from nofollow pages."""
        answers = self._chunks(_ANSWERS, "urls", urls)
        homes = {row.links_page_id: row for row in answers if row.outcome in _HAS_LINKS and not row.nofollow}
        for link in self._chunks(_LINKS, "pages", [home for home in homes if home is not None]):
            page = homes[link.page_id]
            if link.kind != LinkKind.REFRESH or link.url != page.redirect_to:
                yield Lead(page.url, link.url, link.anchor)
        for page in answers:
            if page.redirect_to is not None and (page.outcome == Outcome.REDIRECT or not page.nofollow):
                yield Lead(page.url, page.redirect_to, "", is_hop=True)

    def _read(self, query: Select[Any], values: Mapping[str, Any]) -> list[FrontierEntry]:
        with reading(self._engine) as connection:
            return [entry_of(row) for row in connection.execute(query, values).all()]

    def _chunks(self, query: Select[Any], name: str, wanted: Sequence[Any]) -> list[Row[Any]]:
        found: list[Row[Any]] = []
        with reading(self._engine) as connection:
            for start in range(0, len(wanted), _IN_CHUNK):
                values = {"site_id": self._site_id, name: wanted[start : start + _IN_CHUNK]}
                found.extend(connection.execute(query, values))
        return found


def entry_of(row: Row[Any]) -> FrontierEntry:
    """Return a row as the frontier works with it."""
    (url, depth, state, bucket, seq, parent, anchor, tier, score, why, named, due_at, written, stored_page_id, fetched,
     *rest) = cast("tuple[Any, ...]", row)  # fmt: skip  # by place: by name costs as much as all the rest
    kind = _PAGE_KINDS[named] if named else None
    return FrontierEntry(
        url=url,
        depth=depth,
        state=_STATES[state],
        bucket=bucket,
        seq=seq,
        parent=parent,
        anchor=anchor,
        priority=_priority(tier, score, why),
        fetched=bool(fetched),
        kind=kind,
        due_at=due_at,
        stored=None if stored_page_id is None else _stored_page(stored_page_id, kind, rest),
        written=written,
    )


@lru_cache(maxsize=64)
def _priority(tier: str, score: float, why: str) -> Priority:
    """Return one object for each of the few priorities that rows have."""
    return Priority(Tier(tier), score, why)


def _stored_page(page_id: int, kind: PageKind | None, rest: Sequence[Any]) -> StoredPage:
    etag, last_modified, body_sha256, links_page_id, title, nofollow, redirect_to, outcome, document_root = rest
    return StoredPage(
        page_id=page_id,
        validators=Validators(etag=etag, last_modified=last_modified),
        body_sha256=body_sha256,
        links_page_id=links_page_id,
        kind=kind,
        title=title,
        nofollow=bool(nofollow),
        refresh_to=redirect_to if outcome in _READ_WELL else None,
        document_root=document_root,
    )


PLACE = ("state", "bucket", "seq", "depth", "parent", "anchor", "tier", "score", "why", "written")
"""The columns that tell where a URL stands in the order."""
_PLACED = tuple(f"{name}_" for name in PLACE)
_NEW = prepare_insert(frontier, "site_id", "url", *PLACE[:-1], "discovered_at", PLACE[-1])
_MOVED = Prepared(
    update(frontier)
    .where(frontier.c.site_id == bindparam("site"), frontier.c.url == bindparam("known_url"))
    .values({name: bindparam(f"{name}_", type_=frontier.c[name].type) for name in PLACE})
)


def insert_frontier(
    connection: Connection, site_id: int, changes: Iterable[FrontierRow], now: datetime
) -> dict[Url, Mapping[str, Any]]:
    """Insert the new rows of a batch; return the places of the others, for `move_rows`."""
    discovered_at = moment_writer(connection.dialect)(now)
    new: list[tuple[Any, ...]] = []
    moved: dict[Url, Mapping[str, Any]] = {}
    for row in changes:
        *place, written = _place_of(row)
        if row.is_new:
            new.append((site_id, row.url, *place, discovered_at, written))
        else:
            moved[row.url] = dict(zip(_PLACED, (*place, written), strict=True))
    _NEW.run_in_order(connection, new)
    return moved


def move_rows(connection: Connection, site_id: int, places: Mapping[Url, Mapping[str, Any]]) -> None:
    """Bring the places of known URLs up to date."""
    _MOVED.run(connection, [{"site": site_id, "known_url": url, **place} for url, place in places.items()])


def _place_of(row: FrontierRow) -> tuple[Any, ...]:
    tier, score, why = row.priority.tier, row.priority.score, row.priority.why
    return (str(row.state), int(row.bucket), row.seq, row.depth, row.parent, row.anchor, str(tier), score, why,
            row.written)  # fmt: skip


_NEW_ARMS = prepare_insert(arms)


def write_arms(connection: Connection, site_id: int, made: Sequence[tuple[int, str, str]]) -> None:
    """Store the arms that a batch's links were put into for the first time."""
    _NEW_ARMS.run_in_order(connection, [(site_id, *arm) for arm in made])


def frontier_ids(connection: Connection, site_id: int, urls: Sequence[Url]) -> dict[Url, int]:
    """Return the row ids of known URLs."""
    ids: dict[Url, int] = {}
    for start in range(0, len(urls), _IN_CHUNK):
        chunk = urls[start : start + _IN_CHUNK]
        found = connection.execute(_IDS, {"site_id": site_id, "urls": chunk})
        ids.update((Url(url), row_id) for url, row_id in found)
    return ids
