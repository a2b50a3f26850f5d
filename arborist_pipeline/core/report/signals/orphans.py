"""Orphans: pages that the sitemap lists and no link leads to (standards: canonical sitemap minus canonical reached).

Not orphans: what robots.txt forbids, what redirects, what is dead, and what names another page as canonical. Those
that are faults are faults of the sitemap. Without a sitemap orphans are unknown, not none and not all.
"""

from collections.abc import Iterator

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.finding import Certainty, Finding, Severity
from arborist_pipeline.core.report.snapshot import READ_OUTCOMES, Listing, SiteSnapshot


def find_orphans(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield an `orphan` for each listed page that no link leads to; certain only after an exhausted walk."""
    unread = snapshot.unread
    pages_read = sum(1 for _ in snapshot.read_pages())
    certainty = Certainty.CERTAIN if snapshot.is_complete and not unread else Certainty.CANDIDATE
    for listing in snapshot.sitemap or ():
        if not _is_orphan(snapshot, listing):
            continue
        page = snapshot.pages.get(listing.url)
        yield Finding(
            signal="orphan",
            url=listing.url,
            severity=Severity.WARNING,
            certainty=certainty,
            message=_message(snapshot, certainty, unread),
            details={"sitemap": listing.sitemap, "unfetched": snapshot.unfetched, "unread": unread},
            evidence={
                "pages_read": pages_read,
                "stopped_by": snapshot.stopped_by,
                "fetched": page is not None,
                "title": page.title if page else None,
            },
        )


def _is_orphan(snapshot: SiteSnapshot, listing: Listing) -> bool:
    url = listing.url
    if listing.is_linked or listing.is_denied or snapshot.is_reached(url) or snapshot.is_reached(_other_scheme(url)):
        return False
    answer = snapshot.answer(url)
    if answer is not None and answer.outcome not in (*READ_OUTCOMES, Outcome.BLOCKED, Outcome.EMPTY):
        return False
    return not (snapshot.canonical_of(url) != url and snapshot.is_reached(snapshot.canonical_of(url)))


def _other_scheme(url: str) -> str:
    """Return the same address under http or https: one site, so a link to either reaches the page."""
    scheme, rest = url.split(":", 1)
    return f"{'http' if scheme == 'https' else 'https'}:{rest}"


def _message(snapshot: SiteSnapshot, certainty: Certainty, unread: int) -> str:
    if certainty is Certainty.CERTAIN:
        return (
            "The sitemap lists this page, but no page of the site links to it, so visitors cannot find it. "
            "Link to it from a page they do see, or take it out of the sitemap."
        )
    gaps = [f"{snapshot.unfetched} known addresses are not fetched yet"] if snapshot.unfetched else []
    if unread:
        gaps.append(f"the links of {unread} pages could not be seen (bot walls, or pages drawn by script)")
    if not gaps:
        gaps.append(f"the latest crawl ended early ({snapshot.stopped_by or 'it did not finish'})")
    return (
        f"The sitemap lists this page and no page read so far links to it, but {' and '.join(gaps)}. "
        "Crawl the rest of the site before acting; if it stays here, link to it or take it out of the sitemap."
    )
