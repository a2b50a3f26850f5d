"""Look at a site before a night relies on it: robots.txt, the seed's answer, and how long its budget takes."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN, CrawlPolicy, build_policy
from arborist_pipeline.core.crawl.politeness import agreed_delay
from arborist_pipeline.core.crawl.reading import read_exchange
from arborist_pipeline.core.crawl.records import CrawledPage, CrawlRequest, Mode, Priority, Site, Tier
from arborist_pipeline.core.crawl.seed import is_www_twin, robots_problem, seed_problem
from arborist_pipeline.core.ports import Clock, Fetcher
from arborist_pipeline.core.web.fetch import FetchRequest
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.url import Url, same_site, split_origin
from arborist_pipeline.workflows.report import MAX_PROBES
from arborist_pipeline.workflows.robots import RobotsKeeper

_MAX_HOPS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCheck:
    """What a night would meet. `pages` 0: no cap; `hours` for the crawl, at most `max_minutes`, and for the report.

    `answer` is the seed's status and outcome, `robots` what robots.txt says about it, `problem` why the site cannot be
    crawled and what to do, `plan` what a run would do.
    """

    key: str
    seed_url: str
    answer: str
    robots: str
    problem: str | None
    pages: int
    delay_seconds: float
    hours: float
    plan: str

    def to_json(self) -> dict[str, Any]:
        """Return the check as JSON values."""
        return asdict(self)


async def check_site(site: Site, *, fetcher: Fetcher, clock: Clock, cpus: int) -> SiteCheck:
    """Fetch robots.txt and, where it allows that, the seed; nothing is stored."""
    policy = build_policy(site, cpus=cpus)
    keeper = RobotsKeeper(fetcher, PRODUCT_TOKEN, Counter(), clock)
    url, page = site.seed_url, None
    for _ in range(_MAX_HOPS):
        rules = await keeper.rules_for(split_origin(url))
        if not rules.allows(url):
            _, problem = robots_problem(url, rules, keeper.failures.get(split_origin(url)))
            return _check(site, policy, rules, page, problem)
        if page is not None:
            await clock.sleep(_delay(policy, rules))
        page = await _ask(site, policy, fetcher, url)
        target = page.redirect_to
        if target is None or not (same_site(site.seed_url, target) or is_www_twin(site.seed_url, target)):
            return _check(site, policy, rules, page, seed_problem(page, url))
        url = target
    return _check(site, policy, rules, page, f"{site.seed_url} redirects more than {_MAX_HOPS} times: name the page "
                  "that it leads to as seed_url")  # fmt: skip


async def _ask(site: Site, policy: CrawlPolicy, fetcher: Fetcher, url: Url) -> CrawledPage:
    request = CrawlRequest(url=url, depth=0, parent=None, anchor="", priority=Priority(Tier.SEED, 1.0, "the seed"))
    result = await fetcher.fetch(FetchRequest(url=url))
    return read_exchange(request, result, order=1, site=site, policy=policy).page


def _check(
    site: Site, policy: CrawlPolicy, rules: RobotsRules, page: CrawledPage | None, problem: str | None
) -> SiteCheck:
    delay = _delay(policy, rules)
    elapsed = page.elapsed_seconds if page else 0.0
    seconds = night_seconds(policy, delay=delay, elapsed=elapsed) + look_seconds(delay=delay, elapsed=elapsed)
    budget = f"{policy.max_pages} pages" if policy.max_pages else f"{policy.max_minutes:g} minutes"
    pace = f"{policy.concurrency} at once" if policy.mode is Mode.FAST else f"one page every {delay:g} s"
    links = len(page.links or ()) if page else 0
    return SiteCheck(
        key=site.key,
        seed_url=site.seed_url,
        answer="not asked" if page is None else f"{page.status or '-'} {page.outcome}",
        robots=_why(rules, site.seed_url),
        problem=problem,
        pages=policy.max_pages,
        delay_seconds=delay,
        hours=0.0 if problem else round(seconds / 3600, 2),
        plan="nothing" if problem else f"{budget}, {pace}, {policy.max_depth} hops deep; the seed has {links} links",
    )


def night_seconds(policy: CrawlPolicy, *, delay: float, elapsed: float) -> float:
    """Return how long a run takes whose pages answer in `elapsed` seconds and start `delay` seconds apart."""
    longest = policy.max_minutes * 60
    if not policy.max_pages:
        return longest
    a_page = elapsed / policy.concurrency if policy.mode is Mode.FAST else max(delay, elapsed)
    return min(longest, policy.max_pages * a_page)


def look_seconds(*, delay: float, elapsed: float) -> float:
    """Return how long the report may ask, one at a time, for what the sitemap lists and no page links to."""
    return MAX_PROBES * max(delay, elapsed)


def _delay(policy: CrawlPolicy, rules: RobotsRules) -> float:
    if not policy.honours_crawl_delay:
        return policy.delay_seconds
    return agreed_delay(rules.crawl_delay, default=policy.delay_seconds)


def _why(rules: RobotsRules, url: Url) -> str:
    line = rules.line_for(url)
    return rules.reason or (f"robots.txt, {line}" if line else "robots.txt allows it")
