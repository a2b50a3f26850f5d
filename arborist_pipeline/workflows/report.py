"""Report on a site: one look at its sitemap, one snapshot of the store, every signal's findings."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from arborist_pipeline.core.crawl.admission import Rejection, allows_both, build_admission
from arborist_pipeline.core.crawl.reading import judge_exchange
from arborist_pipeline.core.crawl.records import Outcome, Site
from arborist_pipeline.core.ports import Clock, Fetcher, ReportStore
from arborist_pipeline.core.report.report import WebmasterReport, build_report
from arborist_pipeline.core.report.snapshot import (
    Listing,
    Probe,
    ProblemSource,
    SitemapUrl,
    SiteProblem,
    SiteSnapshot,
)
from arborist_pipeline.core.web.fetch import BodyRule, FetchFailure, FetchRequest, FetchResult
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.url import Url, resolve
from arborist_pipeline.workflows.host_leases import HostLeases
from arborist_pipeline.workflows.sitemaps import read_sitemap
from arborist_pipeline.workflows.visits import Visitor

MAX_PROBES = 50
"""Listed addresses that no page links to and no crawl asked for are asked for by HEAD: one that redirects or is dead
is no orphan. So many a report at most; the others are judged without."""

Tell = Callable[[str], None]


def _tell_nobody(line: str) -> None:
    del line


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteLook:
    """What was seen of a site for its report: the snapshot, and what its sitemap lists (None: none could be read).

    `failure` says why the site could not be asked at all; then the snapshot has the sitemap of an earlier look.
    """

    snapshot: SiteSnapshot
    entries: tuple[SitemapUrl, ...] | None
    failure: FetchFailure | None = None


async def report_site(
    site: Site,
    *,
    store: ReportStore,
    fetcher: Fetcher,
    clock: Clock,
    sitemap: Url | None = None,
    robots: RobotsRules | None = None,
    hosts: HostLeases | None = None,
    tell: Tell = _tell_nobody,
) -> WebmasterReport:
    """Look at the site, build the report, and store both the sitemap's entries and the findings.

    `sitemap` comes before the site's own setting; `robots` None: robots.txt is asked for; `hosts` as `Visitor` has it.
    """
    look = await look_at_site(
        site, store=store, fetcher=fetcher, clock=clock, sitemap=sitemap, robots=robots, hosts=hosts, tell=tell
    )
    if look.failure is None:
        store.put_sitemap_urls(site.key, look.entries or (), clock.now())
    report = build_report(look.snapshot, clock.now())
    store.replace_findings(site.key, look.snapshot.crawl_id, report.findings, report.generated_at)
    return report


async def look_at_site(
    site: Site,
    *,
    store: ReportStore,
    fetcher: Fetcher,
    clock: Clock,
    sitemap: Url | None = None,
    robots: RobotsRules | None = None,
    hosts: HostLeases | None = None,
    tell: Tell = _tell_nobody,
) -> SiteLook:
    """Read robots.txt and the sitemap, ask by HEAD for what the sitemap lists and nobody knows; write nothing.

    `tell` hears before each request what is asked for: at the pace of a polite crawl that may take minutes.
    """
    seed = store.seed_url(site.key)
    visitor = Visitor(site, fetcher, clock, seed=seed, rules=robots, hosts=hosts)
    rules = await visitor.rules_for(seed)
    failure = visitor.failure_of(seed)
    if failure is not None:
        snapshot = _with_problems(store.load_snapshot(site.key), _robots_problems(seed, rules))
        return SiteLook(snapshot=snapshot, entries=None, failure=failure)
    declared = await read_sitemap(seed, visitor=visitor, sitemap=sitemap or site.sitemap, tell=tell)
    entries = within_scope(site, seed, declared.entries)
    snapshot = store.load_snapshot(site.key, entries or ())
    snapshot = replace(snapshot, sitemap=None if entries is None else _denied(snapshot.sitemap, entries, rules))
    snapshot = _with_problems(snapshot, (*_robots_problems(seed, rules), *declared.problems))
    return SiteLook(snapshot=replace(snapshot, probes=await _probe(snapshot, visitor, tell)), entries=entries)


def build_report_from_store(site: Site, *, store: ReportStore, clock: Clock) -> WebmasterReport:
    """Build the report from what is stored alone: no network, and nothing is written."""
    return build_report(store.load_snapshot(site.key), clock.now())


def within_scope(site: Site, seed: Url, entries: Iterable[SitemapUrl] | None) -> tuple[SitemapUrl, ...] | None:
    """Leave out what the site's include and exclude patterns keep the crawl from: who links there is not known."""
    if entries is None:
        return None
    admission = build_admission(seed, include=site.include, exclude=site.exclude, robots={})
    return tuple(entry for entry in entries if admission.reject(Url(entry.url)) is not Rejection.EXCLUDED)


def _with_problems(snapshot: SiteSnapshot, problems: Iterable[SiteProblem]) -> SiteSnapshot:
    return replace(snapshot, problems=(*snapshot.problems, *problems))


def _robots_problems(seed: Url, rules: RobotsRules) -> Iterable[SiteProblem]:
    url = str(resolve(seed, "/robots.txt"))
    if rules.unreachable:
        yield SiteProblem(
            ProblemSource.ROBOTS, url,
            f"{rules.reason}; crawlers must then stay out of the whole site (RFC 9309). "
            "Serve the file with status 200, or answer 404 if there is none.",
        )  # fmt: skip
    for problem in rules.problems:
        yield SiteProblem(ProblemSource.ROBOTS, url, f"robots.txt {problem}. Correct the line.", is_serious=False)


def _denied(
    listings: tuple[Listing, ...] | None, entries: Iterable[SitemapUrl], rules: RobotsRules
) -> tuple[Listing, ...] | None:
    """Mark what robots.txt forbids as listed; a file that cannot be had forbids everything, a fault of its own."""
    if listings is None or rules.unreachable:
        return listings
    denied = {entry.url for entry in entries if not allows_both(rules, Url(entry.url), entry.written)}
    return tuple(listing._replace(is_denied=listing.is_denied or listing.url in denied) for listing in listings)


async def _probe(snapshot: SiteSnapshot, visitor: Visitor, tell: Tell) -> dict[str, Probe]:
    unknown = [
        listing.url
        for listing in snapshot.sitemap or ()
        if not (listing.is_linked or listing.is_denied or listing.url in snapshot.pages)
    ]
    probes: dict[str, Probe] = {}
    asked = unknown[:MAX_PROBES]
    for number, url in enumerate(asked, 1):
        tell(f"address {number} of {len(asked)} that the sitemap lists and no page links to: {url}")
        result = await visitor.ask(FetchRequest(url=Url(url), method="HEAD", body=BodyRule.NONE))
        if result is not None and not _is_good(result):  # HEAD may be refused or broken where GET is not
            result = await visitor.ask(FetchRequest(url=Url(url), body=BodyRule.NONE))
        if result is not None:
            outcome = Outcome.OK if _is_good(result) and not result.is_redirect else judge_exchange(result)[0]
            probes[url] = Probe(outcome, result.status, result.redirect_to)
    return probes


def _is_good(result: FetchResult) -> bool:
    return result.failure is None and result.status is not None and 200 <= result.status < 400
