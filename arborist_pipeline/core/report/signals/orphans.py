"""Orphans: pages that the sitemap lists and no link leads to (standards: canonical sitemap minus canonical reached).

Not orphans: what robots.txt forbids, what redirects, what is dead, and what names another page as canonical. Those
that are faults are faults of the sitemap. Without a sitemap orphans are unknown, not none and not all.
"""

from collections.abc import Iterator, Mapping, Sequence

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.finding import MAX_SOURCES, Certainty, Finding, Severity
from arborist_pipeline.core.report.snapshot import READ_OUTCOMES, Listing, SiteSnapshot

MAX_CANDIDATES = 10
"""More candidates than this are one finding: a walk that is far from done makes one of every page it has not met."""


def find_orphans(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield an `orphan` for each listed page that no link leads to; certain only after an exhausted walk.

    Of candidates there are ten at most, else one finding for all, under the address of the start page: `details` has
    their number in `count` and the first 50 in `urls`.
    """
    unread = snapshot.unread
    orphans = [listing for listing in snapshot.sitemap or () if _is_orphan(snapshot, listing)]
    evidence = {"pages_read": sum(1 for _ in snapshot.read_pages()), "stopped_by": snapshot.stopped_by}
    is_certain = snapshot.is_complete and not unread
    if not is_certain and len(orphans) > MAX_CANDIDATES:
        yield _all_candidates(snapshot, orphans, unread, evidence)
        return
    for listing in orphans:
        page = snapshot.pages.get(listing.url)
        yield Finding(
            signal="orphan",
            url=listing.url,
            severity=Severity.WARNING,
            certainty=Certainty.CERTAIN if is_certain else Certainty.CANDIDATE,
            message=_CERTAIN if is_certain else _candidates("this page and no page read so far links to it", "if it "
                    "stays here, link to it or take it out of the sitemap.", snapshot, unread),
            details={"sitemap": listing.sitemap, "unfetched": snapshot.unfetched, "unread": unread},
            evidence=evidence | {"fetched": page is not None, "title": page.title if page else None},
        )  # fmt: skip


def _all_candidates(
    snapshot: SiteSnapshot, orphans: Sequence[Listing], unread: int, evidence: Mapping[str, object]
) -> Finding:
    what = f"{len(orphans):,} pages that no page read so far links to"
    return Finding(
        signal="orphan",
        url=snapshot.seed_url,
        severity=Severity.NOTICE,
        certainty=Certainty.CANDIDATE,
        message=_candidates(what, "those that stay here are orphans.", snapshot, unread),
        details={"count": len(orphans), "urls": [listing.url for listing in orphans[:MAX_SOURCES]],
                 "sitemaps": sorted({listing.sitemap for listing in orphans})[:MAX_SOURCES],
                 "unfetched": snapshot.unfetched, "unread": unread},
        evidence=evidence,
    )  # fmt: skip


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


_CERTAIN = (
    "The sitemap lists this page, but no page of the site links to it, so visitors cannot find it. "
    "Link to it from a page they do see, or take it out of the sitemap."
)


def _candidates(what: str, then: str, snapshot: SiteSnapshot, unread: int) -> str:
    gaps = [f"{snapshot.unfetched} known addresses are not fetched yet"] if snapshot.unfetched else []
    if unread:
        gaps.append(f"the links of {unread} pages could not be seen (bot walls, or pages drawn by script)")
    if not gaps:
        gaps.append(f"the latest crawl ended early ({snapshot.stopped_by or 'it did not finish'})")
    return f"The sitemap lists {what}, but {' and '.join(gaps)}. Crawl the rest of the site before acting; {then}"
