"""The sitemap: files that cannot be read, and listed addresses that do not show a page that may rank."""

from collections.abc import Iterator

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.finding import Certainty, Finding, Severity
from arborist_pipeline.core.report.snapshot import Listing, PageFacts, ProblemSource, SiteSnapshot


def find_sitemap_problems(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `sitemap_error` for each fault of a file and each listed address that should not be listed."""
    for problem in snapshot.problems:
        if problem.source is ProblemSource.SITEMAP:
            yield Finding(
                signal="sitemap_error",
                url=problem.url,
                severity=Severity.WARNING if problem.is_serious else Severity.NOTICE,
                message=problem.message,
            )
    if snapshot.sitemap is None:
        yield Finding(
            signal="sitemap_error",
            url=snapshot.seed_url,
            severity=Severity.NOTICE,
            message="No sitemap could be read, so orphan pages are unknown: there may be none or many. "
            "Publish one and name it in robots.txt, or give its address for the report.",
            details={"orphans": "unknown"},
        )
    for listing in snapshot.sitemap or ():
        fault = _fault(snapshot, listing)
        if fault is not None:
            yield _listed(snapshot, listing, fault)


def _listed(snapshot: SiteSnapshot, listing: Listing, fault: str) -> Finding:
    answer = snapshot.answer(listing.url)
    may_pass = snapshot.is_broken(listing.url) and (answer is None or not answer.status or answer.status >= 500)
    return Finding(
        signal="sitemap_error",
        url=listing.url,
        severity=Severity.WARNING,
        certainty=Certainty.CANDIDATE if may_pass else Certainty.CERTAIN,
        message=f"The sitemap lists this address, but it {fault}. List only addresses that show a page of their own.",
        details={"sitemap": listing.sitemap, "fault": fault},
        evidence={"status": answer.status if answer else None},
    )


def _fault(snapshot: SiteSnapshot, listing: Listing) -> str | None:
    if listing.is_denied:
        return "is forbidden by robots.txt"
    answer = snapshot.answer(listing.url)
    if answer is None:
        return None
    if answer.outcome is Outcome.REDIRECT:
        return f"redirects to {answer.redirect_to}"
    if snapshot.is_broken(listing.url):
        return f"answers with status {answer.status}" if answer.status else "does not answer"
    return _page_fault(answer) if isinstance(answer, PageFacts) else None


def _page_fault(page: PageFacts) -> str | None:
    if page.outcome is Outcome.SOFT_404:
        return "shows what the site shows for an address that does not exist"
    if page.noindex:
        return "is kept out of the index (noindex)"
    if page.canonical_url not in (None, page.url):
        return f"names {page.canonical_url} as canonical"
    return None
