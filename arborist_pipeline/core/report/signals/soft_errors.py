"""Soft 404s: addresses that do not exist and are answered with status 200 (RFC 9110 §15.5.5)."""

from collections.abc import Iterator

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.finding import Finding, Severity, timestamp
from arborist_pipeline.core.report.snapshot import Inlinks, SiteSnapshot


def find_soft_errors(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `soft_404` for each address that shows what the site shows for one that cannot exist."""
    for page in snapshot.pages.values():
        if page.outcome is not Outcome.SOFT_404:
            continue
        inlinks = snapshot.inlinks.get(page.url, Inlinks(0, ()))
        yield Finding(
            signal="soft_404",
            url=page.url,
            severity=Severity.ERROR if inlinks.total else Severity.WARNING,
            message="This address shows what the site shows for an address that does not exist, but answers with "
            f"status {page.status}, so search engines and link checkers take it for a page. Answer with status 404 or "
            "410, and link to a page that exists.",
            sources=inlinks.sources,
            details={"status": page.status, "source_count": inlinks.total},
            evidence={"reason": page.reason, "fetched_at": timestamp(page.fetched_at)},
        )
