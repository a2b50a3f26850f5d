"""Canonical links are hints (RFC 6596): one that leads to a redirect, an error or a hidden page helps nobody."""

from collections.abc import Iterator

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.finding import Finding, Severity
from arborist_pipeline.core.report.snapshot import PageFacts, Probe, SiteSnapshot


def find_canonical_problems(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `canonical_problem` for each page whose canonical address is known not to show a page that may rank."""
    for page in snapshot.read_pages():
        target = page.canonical_url
        if target is None or target == page.url:
            continue
        answer = snapshot.answer(target)
        fault = _fault(snapshot, target, answer) if answer is not None else None
        if fault is not None:
            yield Finding(
                signal="canonical_problem",
                url=page.url,
                severity=Severity.WARNING,
                message=f"This page names {target} as canonical, but that address {fault}. "
                "Name an address that shows the page itself.",
                details={"canonical_url": target, "fault": fault},
                evidence={"status": answer.status if answer else None},
            )


def _fault(snapshot: SiteSnapshot, target: str, answer: PageFacts | Probe) -> str | None:
    if answer.outcome is Outcome.REDIRECT:
        return f"redirects to {answer.redirect_to}"
    if snapshot.is_broken(target):
        return f"answers with status {answer.status}" if answer.status else "does not answer"
    if isinstance(answer, Probe):
        return None
    if answer.outcome is Outcome.ROBOTS_DENIED:
        return "is forbidden by robots.txt"
    if answer.noindex:
        return "is kept out of the index (noindex)"
    if answer.canonical_url not in (None, target):
        return f"names yet another one ({answer.canonical_url})"
    return None
