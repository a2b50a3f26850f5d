"""Stored crawls as they were decided: requests, answers and lessons, to be replayed. Only SELECTs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Engine, Row, Select, func, or_, select

from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.frontier_rows import SqlFrontierRows
from arborist_pipeline.adapters.stores.page_links import load_links
from arborist_pipeline.adapters.stores.schema import arms, crawls, frontier, pages, recrawl_checks, redirects, sites
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.core.crawl.frontier import LESSONS
from arborist_pipeline.core.crawl.intake import LISTED
from arborist_pipeline.core.crawl.lessons import Lesson, lesson_from_json
from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.crawl.replay import RecordedCrawl, RecordedPage, Unreplayable
from arborist_pipeline.core.web.links import Link, LinkKind
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.url import Url, resolve_both

_LED_ON = frozenset({Outcome.OK, Outcome.NOT_MODIFIED, Outcome.TRUNCATED, Outcome.TOO_LARGE, Outcome.TOO_DEEP,
                     Outcome.SOFT_404})  # fmt: skip
_BEGIN_ONE = "begin one with arborist crawl, which starts from the seed alone"
_PAGES = (
    select(pages, redirects.c.target, redirects.c.location, frontier.c.nofollow)
    .outerjoin(redirects, redirects.c.page_id == pages.c.id)
    .join(frontier, frontier.c.id == pages.c.frontier_id)
    .order_by(pages.c.order)
)


class SqlReplays:
    """The crawls of one store."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def load_crawl(self, site_key: str, crawl_id: int) -> RecordedCrawl | Unreplayable:
        """Return a crawl of a site with all that its decisions followed from, or why that is not to be had."""
        with reading(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            all_crawls = connection.execute(select(crawls).where(crawls.c.site_id == site_id).order_by(crawls.c.id))
            known = {row.id: row for row in all_crawls}
            crawl = known.get(crawl_id)
            if crawl is None:
                return Unreplayable(reason=f"there is no crawl {crawl_id} of {site_key}: {_tell(known)}")
            before = [row for row in known.values() if row.id < crawl_id]
            goes_on = bool(before) and crawl.config["walk"] != Walk.FRESH
            problem = _decisions_problem(connection, crawl) or (
                _past_problem(connection, crawl, before[0]) if goes_on else None
            )
            if problem is not None:
                return Unreplayable(reason=problem)
            earlier = []
            for each in before if goes_on else ():
                if _has_asked(connection, each):
                    found = self._load(connection, site_key, each, known)
                    if isinstance(found, Unreplayable):
                        return Unreplayable(reason=f"crawl {crawl_id} went on from crawl {each.id}: {found.reason}")
                    earlier.append(found)
            recorded = self._load(connection, site_key, crawl, known)
        if isinstance(recorded, Unreplayable):
            return recorded
        return replace(recorded, earlier=tuple(earlier), first_seq=1 if not earlier else recorded.first_seq)

    def _load(
        self, connection: Connection, site_key: str, crawl: Row[Any], known: Mapping[int, Row[Any]]
    ) -> RecordedCrawl | Unreplayable:
        rows = connection.execute(_PAGES.where(pages.c.crawl_id == crawl.id)).all()
        made = [(row.number, row.key, row.example)
                for row in connection.execute(select(arms).where(arms.c.site_id == crawl.site_id))]  # fmt: skip
        since = [row for row in known.values() if row.id > crawl.id]
        problem = _decisions_problem(connection, crawl) or _sitemap_problem(crawl, since, made)
        if problem is not None:
            return Unreplayable(reason=problem)
        lessons: Select[Any] = select(pages.c.url, pages.c.lesson, pages.c.crawl_id).where(
            pages.c.order.is_not(None), crawls.c.site_id == crawl.site_id
        ).join(crawls, crawls.c.id == pages.c.crawl_id).order_by(pages.c.id)  # fmt: skip
        answers = connection.execute(lessons).all()
        before = [row for row in answers if row.crawl_id < crawl.id]
        later = [row for row in reversed(answers) if row.crawl_id > crawl.id]  # of what waited then, the arm since
        of_site = frontier.c.site_id == crawl.site_id
        waiting = connection.execute(select(frontier.c.url, frontier.c.bucket).where(of_site))
        last = max((number for row in before for number in _numbers(row.lesson)), default=0)
        arm_of = {Url(row.url): row.bucket for row in waiting}
        arm_of |= _arms_in(later) | _arms_in(before)
        arm_of |= {Url(example): number for number, _, example in sorted(made, reverse=True) if number > last}
        arm_of |= _arms_in(rows)
        recorded = tuple(_page_of(connection, row) for row in rows if row.completed_seq is not None)
        begins_at_seed = not crawl.config["urls"] and (crawl.config["walk"] == Walk.FRESH or not before)
        return RecordedCrawl(
            number=crawl.id,
            seed=recorded[0].url if begins_at_seed else _seed_of(connection, crawl),
            walk=Walk(crawl.config["walk"]),
            full=crawl.config["full"],
            first_seq=crawl.config.get("first_seq", 0),
            started_at=crawl.started_at,
            max_pages=crawl.config["max_pages"],
            max_depth=crawl.config["depth"],
            pages=recorded,
            only=tuple(map(Url, crawl.config["urls"])),
            listed=_listed(connection, crawl, since),
            forbidden=_forbidden(connection, crawl) - frozenset(page.url for page in recorded),
            arm_of=arm_of,
            arms=tuple(made),
            last_arm_before=last,
            lessons_before=self._lessons_before(site_key, crawl.id),
            fetched_before=frozenset(Url(row.url) for row in before),
            has_later=bool(later),
        )

    def _lessons_before(self, site_key: str, crawl_id: int) -> tuple[Lesson, ...]:
        """Return what the frontier began with: of a number that no crawl has all lessons are earlier ones."""
        rows = SqlFrontierRows(self._engine, site_key, crawl_id)
        with reading(self._engine) as connection:
            query = select(pages.c.id).where(pages.c.crawl_id == crawl_id, pages.c.lesson.is_not(None))
            own = len(connection.execute(query).all())
        lessons = tuple(rows.lessons(LESSONS))
        return lessons[: len(lessons) - own]


def _listed(connection: Connection, crawl: Row[Any], later: Sequence[Row[Any]]) -> tuple[Link, ...]:
    """Return what the sitemap told a crawl of, in order: each address has a seq from when it was first taken in."""
    mine = [frontier.c.site_id == crawl.site_id, frontier.c.why == LISTED.why,
            frontier.c.seq >= crawl.config.get("first_seq", 0)]  # fmt: skip
    if later:
        mine.append(frontier.c.discovered_at < later[0].started_at)
    rows = connection.execute(select(frontier.c.url, frontier.c.written).where(*mine).order_by(frontier.c.seq))
    return tuple(Link(url=Url(row.url), text="", written=row.written) for row in rows)


def _sitemap_problem(crawl: Row[Any], later: Sequence[Row[Any]], made: Iterable[tuple[int, str, str]]) -> str | None:
    """Say why the order of a sitemap is lost: a later crawl that began afresh has met its addresses anew."""
    if not any(each.config["walk"] == Walk.FRESH for each in later):
        return None
    if not any(key.endswith(" s") for _, key, _ in made):
        return None
    return (f"the site's sitemap was crawled too, and a crawl after {crawl.id} has met its addresses in another order: "
            f"replay the last one that began afresh")  # fmt: skip


def _decisions_problem(connection: Connection, crawl: Row[Any]) -> str | None:
    """Say why a crawl has no decisions to repeat, and what to do."""
    asked = [pages.c.crawl_id == crawl.id, pages.c.order.is_not(None)]
    undecided = or_(pages.c.dispatched_seq.is_(None), pages.c.completed_seq.is_(None))
    counts = select(func.count(), func.count().filter(undecided)).where(*asked)
    count, without = connection.execute(counts).one()
    if count and not without:
        return None
    return f"crawl {crawl.id} has no recorded decisions: it fetched nothing, or an older version made it; {_BEGIN_ONE}"


def _past_problem(connection: Connection, crawl: Row[Any], first: Row[Any]) -> str | None:
    """Say why what earlier crawls left to one that went on from them is not known any more."""
    older = select(frontier.c.id).where(
        frontier.c.site_id == crawl.site_id, frontier.c.discovered_at < first.started_at
    )
    if connection.scalar(older.limit(1)) is not None:
        return f"crawl {crawl.id} went on from crawls whose rows were deleted (retention): {_BEGIN_ONE}"
    checked = select(recrawl_checks.c.id).where(
        recrawl_checks.c.site_id == crawl.site_id, recrawl_checks.c.checked_at < crawl.started_at
    )
    if connection.scalar(checked.limit(1)) is not None:
        return f"pages were checked before crawl {crawl.id}, which changed what was due when: {_BEGIN_ONE}"
    return None


def _has_asked(connection: Connection, crawl: Row[Any]) -> bool:
    asked = select(pages.c.id).where(pages.c.crawl_id == crawl.id, pages.c.order.is_not(None))
    return connection.scalar(asked.limit(1)) is not None


def _seed_of(connection: Connection, crawl: Row[Any]) -> Url:
    return Url(connection.execute(select(sites.c.seed_url).where(sites.c.id == crawl.site_id)).scalar_one())


def _forbidden(connection: Connection, crawl: Row[Any]) -> frozenset[Url]:
    """Return what robots.txt had forbidden in a crawl or before it; what it allowed later was asked for then."""
    denied = select(pages.c.url).join(crawls, crawls.c.id == pages.c.crawl_id).where(
        crawls.c.site_id == crawl.site_id, crawls.c.id <= crawl.id, pages.c.outcome == Outcome.ROBOTS_DENIED
    )  # fmt: skip
    return frozenset(map(Url, connection.scalars(denied)))


def _tell(known: Mapping[int, Row[Any]]) -> str:
    return f"its crawls are {', '.join(map(str, [*known][-10:]))}" if known else _BEGIN_ONE


def _arms_in(rows: Iterable[Row[Any]]) -> dict[Url, int]:
    return {Url(row.url): row.lesson["arm"] for row in rows if row.lesson}


def _numbers(lesson: Mapping[str, Any] | None) -> list[int]:
    return [] if lesson is None else [lesson["arm"], *map(int, lesson.get("finds") or ())]


def _page_of(connection: Connection, row: Row[Any]) -> RecordedPage:
    outcome, target = Outcome(row.outcome), _target_of(row)
    home = row.links_page_id if outcome is not Outcome.SOFT_404 or row.links_page_id == row.id else None
    leads_on = outcome in _LED_ON and not row.nofollow  # a soft 404 that was found out later had led on before
    links = load_links(connection, home) if leads_on and home is not None else ()
    if target is not None and target.kind is LinkKind.REFRESH:
        written = next((link for link in links if link.kind is LinkKind.REFRESH), target)
        links = tuple(link for link in links if link.kind is not LinkKind.REFRESH or link.url != target.url)
        target = None if row.nofollow else written
    return RecordedPage(
        order=row.order,
        dispatched_seq=row.dispatched_seq,
        completed_seq=row.completed_seq,
        url=Url(row.url),
        why=row.why,
        kind=PageKind(row.kind) if row.kind else None,
        outcome=outcome,
        status=row.status,
        fetched_at=row.fetched_at,
        links=links,
        target=target,
        lesson=lesson_from_json(row.lesson, url=row.url, anchor=row.anchor, parent=row.parent),
    )


def _target_of(row: Row[Any]) -> Link | None:
    if row.target is None:
        return None
    if row.outcome == Outcome.REDIRECT:
        _, written = resolve_both(row.url, row.location or "")
        return Link(url=Url(row.target), text=row.anchor, written=written)
    return Link(url=Url(row.target), text="", kind=LinkKind.REFRESH)
