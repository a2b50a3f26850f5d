"""Broken links: targets on the site that answer with an error or not at all, and hrefs that are no address.

A page that asks for a login or keeps crawlers out is not broken; `blocked_pages` has it.
"""

from collections.abc import Iterator

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.finding import Certainty, Finding, Severity, timestamp
from arborist_pipeline.core.report.snapshot import Inlinks, PageFacts, SiteSnapshot


def find_broken_links(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `broken_link` for each faulty target that a page links to, a `malformed_link` for each unreadable href.

    An error of the server or the network may pass: those are candidates. A redirect to a broken page is broken.
    """
    for page in snapshot.pages.values():
        inlinks = snapshot.inlinks.get(page.url, Inlinks(0, ()))
        if not inlinks.total and page.url != snapshot.seed_url:
            continue
        last = snapshot.trail(page.url).urls[-1]
        broken = snapshot.pages.get(last)
        if broken is not None and snapshot.is_broken(last):
            yield _broken(page, broken, inlinks)
    for href, inlinks in snapshot.malformed_links.items():
        yield Finding(
            signal="malformed_link",
            url=href,
            severity=Severity.WARNING,
            message=f"{_pages(inlinks.total)} with an href that no browser can follow. Correct the address.",
            sources=inlinks.sources,
            details={"href": href, "source_count": inlinks.total},
        )


def _broken(page: PageFacts, broken: PageFacts, inlinks: Inlinks) -> Finding:
    is_lasting = broken.outcome is Outcome.HTTP_ERROR and (broken.status or 0) < 500
    how = "redirects to an address that " if broken is not page else ""
    how += f"answers with status {broken.status}" if broken.outcome is Outcome.HTTP_ERROR else "does not answer"
    advice = (
        "Link to a page that exists, bring the page back, or take the link out."
        if is_lasting
        else "This may pass: check again, and mend the server or the link if it stays."
    )
    return Finding(
        signal="broken_link",
        url=page.url,
        severity=Severity.ERROR if is_lasting else Severity.WARNING,
        certainty=Certainty.CERTAIN if is_lasting else Certainty.CANDIDATE,
        message=f"{_pages(inlinks.total)} here, but this address {how}. {advice}",
        sources=inlinks.sources,
        details={
            "status": broken.status,
            "outcome": broken.outcome,
            "source_count": inlinks.total,
            "final_url": broken.url,
        },
        evidence={"reason": broken.reason, "fetched_at": timestamp(broken.fetched_at)},
    )


def _pages(count: int) -> str:
    if not count:
        return "The site starts"
    return "1 page links" if count == 1 else f"{count} pages link"
