"""May a URL be asked for at all? One verdict with a reason, the same for links, redirect targets and the seed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from arborist_pipeline.core.crawl.traps import repeats_itself
from arborist_pipeline.core.web.extensions import looks_like_document
from arborist_pipeline.core.web.feeds import looks_like_feed_url, looks_like_sitemap_url
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.url import Origin, Url, path_and_query, site_key, split_origin


class Rejection(StrEnum):
    """Why a URL is not asked for."""

    OTHER_SITE = "other_site"
    FEED = "feed"
    SITEMAP = "sitemap"
    NOT_A_DOCUMENT = "not_a_document"
    EXCLUDED = "excluded"
    ROBOTS = "robots"
    REPEATS = "repeats"  # the same run of path segments again and again
    REDIRECTS = "redirects"  # a chain of more than ten


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The rules of one site. `robots` holds the rules of each origin known so far and may grow during a crawl."""

    site: tuple[str, int | None]
    include: tuple[re.Pattern[str], ...] = ()
    exclude: tuple[re.Pattern[str], ...] = ()
    robots: Mapping[Origin, RobotsRules] = field(default_factory=dict)

    def reject(self, url: Url, *, written: str | None = None) -> Rejection | None:
        """Return why a URL may not be asked for, None if it may.

        `written` is the address as the link to it has it, where robots.txt may see it differently.
        """
        if site_key(url) != self.site:
            return Rejection.OTHER_SITE
        if looks_like_feed_url(url):
            return Rejection.FEED
        if looks_like_sitemap_url(url):
            return Rejection.SITEMAP
        if not looks_like_document(url):
            return Rejection.NOT_A_DOCUMENT
        if not self._is_included(url):
            return Rejection.EXCLUDED
        if repeats_itself(url):
            return Rejection.REPEATS
        return None if self.robots_allow(url, written=written) else Rejection.ROBOTS

    def robots_allow(self, url: Url, *, written: str | None = None) -> bool:
        """Whether the rules known for the URL's origin allow it; unknown rules are asked before the request."""
        rules = self.robots.get(split_origin(url))
        return rules is None or allows_both(rules, url, written)

    def _is_included(self, url: Url) -> bool:
        if not self.include and not self.exclude:
            return True
        target = path_and_query(url)
        if any(pattern.search(target) or pattern.search(url) for pattern in self.exclude):
            return False
        return not self.include or any(pattern.search(target) or pattern.search(url) for pattern in self.include)


def allows_both(rules: RobotsRules, url: Url, written: str | None) -> bool:
    """Whether the rules allow a URL and the form in which it is written on the page that links to it."""
    return rules.allows(url) and (written is None or rules.allows(written))


def build_admission(
    seed: Url, *, include: tuple[str, ...], exclude: tuple[str, ...], robots: Mapping[Origin, RobotsRules]
) -> Admission:
    """Compile a site's patterns. A pattern is a prefix of the path (`/shop/`) or of the URL; `*` is any run."""
    return Admission(
        site=site_key(seed),
        include=tuple(map(_compile, include)),
        exclude=tuple(map(_compile, exclude)),
        robots=robots,
    )


def _compile(pattern: str) -> re.Pattern[str]:
    end = "$" if pattern.endswith("$") else ""
    return re.compile("^" + ".*?".join(map(re.escape, pattern.removesuffix("$").split("*"))) + end)
