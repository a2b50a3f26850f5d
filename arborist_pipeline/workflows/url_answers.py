"""Why a URL was fetched when it was, or never: what the store has of it, beside the rules that hold for it now."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Protocol

from arborist_pipeline.core.crawl.admission import Rejection, allows_both, build_admission
from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN
from arborist_pipeline.core.crawl.records import Trap
from arborist_pipeline.core.crawl.traps import url_template
from arborist_pipeline.core.documents.history import Version
from arborist_pipeline.core.ports import RobotsCopy, RobotsStore
from arborist_pipeline.core.report.url_answer import RobotsWord, UrlAnswer
from arborist_pipeline.core.report.url_record import InboundLinks, KnownSite, UrlRecord, near_spellings
from arborist_pipeline.core.web.robots import RobotsRules, allow_all, parse_robots
from arborist_pipeline.core.web.url import Origin, Url, same_site, split_origin

_EVER = datetime.min.replace(tzinfo=UTC)


class UrlRecordStore(Protocol):
    """What a store has of one URL."""

    def load_sites(self) -> Sequence[KnownSite]:
        """Return all sites, active ones first."""
        ...

    def load_record(self, url: Url) -> UrlRecord | None:
        """Return what is known of a URL by the site that asked for it last, None where no crawl has met it."""
        ...

    def known_among(self, urls: Sequence[Url]) -> Sequence[Url]:
        """Return those of some URLs that a crawl has met, in their order."""
        ...

    def known_with_query(self, url: Url) -> Sequence[Url]:
        """Return some known URLs that are this one with a query, or with another."""
        ...

    def load_inbound(self, url: Url) -> InboundLinks:
        """Return which pages link to a URL, known or not."""
        ...


def explain_url(
    url: Url, *, records: UrlRecordStore, robots: RobotsStore, load_versions: Callable[[Url], tuple[Version, ...]]
) -> UrlAnswer:
    """Gather all that is known of a URL; asks the store alone, never the site."""
    record = records.load_record(url)
    site = _site_of(url, records.load_sites(), record)
    copy = robots.load_robots(split_origin(url), since=_EVER)
    rules = None if copy is None else _rules_of(copy)
    written = record.written if record is not None else None
    word = None
    if rules is not None and copy is not None:
        allowed = allows_both(rules, url, written)
        decides = url if written is None or not rules.allows(url) else Url(written)
        word = RobotsWord(allowed=allowed, line=rules.line_for(decides), url=copy.url, fetched_at=copy.fetched_at)
    near: tuple[Url, ...] = ()
    if record is None:
        near = tuple(dict.fromkeys([*records.known_among(near_spellings(url)), *records.known_with_query(url)]))
    return UrlAnswer(
        url=url,
        site=site,
        record=record,
        robots=word,
        rejection=None if site is None else _rejection(url, site, rules, written),
        trap=None if record is None else _trap_of(url, record.traps),
        inbound=records.load_inbound(url),
        versions=load_versions(url),
        near=near,
    )


def _site_of(url: Url, sites: Sequence[KnownSite], record: UrlRecord | None) -> KnownSite | None:
    """Return the site that asked for a URL, else the first whose host it has, by its seed or where that answers."""
    of_host = [each for each in sites if same_site(each.seed_url, url) or same_site(each.site.seed_url, url)]
    by_record = [each for each in sites if record is not None and each.site.key == record.site_key]
    return next(iter([*by_record, *of_host]), None)


def _rules_of(copy: RobotsCopy) -> RobotsRules:
    if not 200 <= copy.status < 300:
        return allow_all(f"no robots.txt: status {copy.status}")
    return parse_robots(copy.body, PRODUCT_TOKEN, base_url=copy.url)


def _rejection(url: Url, known: KnownSite, rules: RobotsRules | None, written: str | None) -> Rejection | None:
    by_origin: dict[Origin, RobotsRules] = {} if rules is None else {split_origin(url): rules}
    site = known.site
    admission = build_admission(known.seed_url, include=site.include, exclude=site.exclude, robots=by_origin)
    return admission.reject(url, written=written)


def _trap_of(url: Url, traps: Sequence[Trap]) -> Trap | None:
    template = url_template(url) or url
    return next((trap for trap in traps if trap.template == template), None)
