"""What a site's seed must be, and what to tell its owner where it is not."""

from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN
from arborist_pipeline.core.crawl.records import CrawledPage, Outcome, StoppedBy
from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
from arborist_pipeline.core.web.robots import RobotsRules
from arborist_pipeline.core.web.url import Origin, Url, same_site, split_origin

_ADVICE = {
    Outcome.NOT_HTML: "name a page of the site as seed_url",
    Outcome.BLOCKED: "ask the owner to allow this crawler, or to list its address",
    Outcome.BLOCKED_ADDRESS: "set ARBORIST_ALLOW_PRIVATE=1 if reaching a private address is meant",
    Outcome.HTTP_ERROR: "check the address in a browser, and correct seed_url or try again later",
    Outcome.NETWORK_ERROR: "check that the name is spelt right and that the site is up, then try again",
}


def is_www_twin(seed: Url, target: Url) -> bool:
    """Whether two URLs are of one host but for a leading `www.`; ports count."""
    one, other = split_origin(seed), split_origin(target)
    return _bare(one) == _bare(other) and one.host != other.host


def is_another_host(former: Url, seed: Url) -> bool:
    """Whether a site whose seed was `former` is another site by its seed now; a leading `www.` makes no other."""
    return not (same_site(former, seed) or is_www_twin(former, seed))


def seed_problem(page: CrawledPage, seed: Url) -> str | None:
    """Say what is wrong with the answer to a seed and what to do; None where a crawl can start from it."""
    if page.outcome is Outcome.REDIRECT and page.redirect_to is not None:
        if same_site(seed, page.redirect_to) or is_www_twin(seed, page.redirect_to):
            return None
        return f"{seed} redirects to another host: use {page.redirect_to} as seed_url"
    if page.outcome in (Outcome.OK, Outcome.NOT_MODIFIED, Outcome.REDIRECT):
        return None
    return f"the seed {seed} gave {page.outcome} ({page.reason}): {_ADVICE.get(page.outcome, 'see the reason')}"


def robots_problem(seed: Url, rules: RobotsRules, failure: FetchFailure | None) -> tuple[StoppedBy, str]:
    """Say why robots.txt ends a crawl before its seed, and what to do. `failure`: why no answer came for it at all.

    A host that does not answer is down or misspelt; a file that cannot be had is the site's fault to mend, and may
    pass; a rule is the owner's will.
    """
    if failure is not None:
        blocked = failure.kind is FailureKind.BLOCKED_ADDRESS
        advice = _ADVICE[Outcome.BLOCKED_ADDRESS if blocked else Outcome.NETWORK_ERROR]
        return StoppedBy.ERRORS, f"{seed} cannot be reached ({failure.kind}: {failure.message}): {advice}"
    if rules.unreachable:
        reason = rules.reason or "robots.txt unreachable"
        return StoppedBy.ROBOTS, (
            f"{reason}, so nothing of {seed} may be fetched (RFC 9309): try again later; if it stays, the site has to "
            "serve the file with status 200, or answer 404 if there is none"
        )
    return StoppedBy.ROBOTS, (
        f"robots.txt forbids the seed {seed} (its line is {rules.line_for(seed)!r}): ask the owner to allow "
        f"{PRODUCT_TOKEN}, or name a seed_url that it allows"
    )


def _bare(origin: Origin) -> tuple[str, int | None]:
    default = (origin.scheme, origin.port) in (("http", 80), ("https", 443))
    return origin.host.removeprefix("www."), None if default else origin.port
