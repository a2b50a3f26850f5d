"""What a site's seed must be, and what to tell its owner where it is not."""

from arborist_pipeline.core.crawl.records import CrawledPage, Outcome
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


def seed_problem(page: CrawledPage, seed: Url) -> str | None:
    """Say what is wrong with the answer to a seed and what to do; None where a crawl can start from it."""
    if page.outcome is Outcome.REDIRECT and page.redirect_to is not None:
        if same_site(seed, page.redirect_to) or is_www_twin(seed, page.redirect_to):
            return None
        return f"{seed} redirects to another host: use {page.redirect_to} as seed_url"
    if page.outcome in (Outcome.OK, Outcome.NOT_MODIFIED, Outcome.REDIRECT):
        return None
    return f"the seed {seed} gave {page.outcome} ({page.reason}): {_ADVICE.get(page.outcome, 'see the reason')}"


def _bare(origin: Origin) -> tuple[str, int | None]:
    default = (origin.scheme, origin.port) in (("http", 80), ("https", 443))
    return origin.host.removeprefix("www."), None if default else origin.port
