"""Addresses without end: patterns whose pages led only to more of themselves, and what they would cost a crawler."""

from collections.abc import Iterator

from arborist_pipeline.core.crawl.policy import POLITE_DELAY_SECONDS
from arborist_pipeline.core.report.finding import Finding, Severity
from arborist_pipeline.core.report.snapshot import SiteSnapshot


def find_traps(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `crawl_trap` for each pattern that the latest crawl left unfinished."""
    for trap in snapshot.traps:
        minutes = trap.left * POLITE_DELAY_SECONDS / 60
        yield Finding(
            signal="crawl_trap",
            url=trap.example,
            severity=Severity.WARNING,
            message=f"{trap.asked} addresses like {trap.template} led to nothing but more of themselves. {trap.left} "
            f"more are known, at least {minutes:.0f} minutes of a polite crawler's time, and each may lead on. Link to "
            "those alone that show something, or disallow the pattern in robots.txt.",
            details={
                "template": trap.template,
                "asked": trap.asked,
                "left": trap.left,
                "seconds_at_least": trap.left * POLITE_DELAY_SECONDS,
            },
        )
