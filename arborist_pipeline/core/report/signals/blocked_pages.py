"""Bot walls and logins: pages that exist and answer us with a refusal. One finding a kind of refusal."""

from collections import defaultdict
from collections.abc import Iterator

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.finding import Finding, Severity
from arborist_pipeline.core.report.snapshot import PageFacts, SiteSnapshot


def find_blocked_pages(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `blocked_page` for each status that pages refuse with; the finding says what to ask the owner for."""
    refused: defaultdict[tuple[int | None, str], list[PageFacts]] = defaultdict(list)
    for page in snapshot.pages.values():
        if page.outcome is Outcome.BLOCKED:
            refused[page.status, page.reason].append(page)
    for (status, reason), pages in refused.items():
        urls = sorted(page.url for page in pages)
        yield Finding(
            signal="blocked_page",
            url=urls[0],
            severity=Severity.WARNING,
            message=_message(status, len(urls)),
            details={"urls": urls, "count": len(urls), "status": status},
            evidence={"reason": reason},
        )


def _message(status: int | None, count: int) -> str:
    pages = "1 page" if count == 1 else f"{count} pages"
    if status in (401, 407):
        return (
            f"{pages} asked for a login, so nothing can be said about their content. "
            "If the public should see them, open them; if not, do not link to them from public pages."
        )
    if status == 429:
        return (
            f"{pages} answered that we ask too often. Ask the owner to raise the rate limit for this crawler's "
            "user agent, or crawl more slowly."
        )
    return (
        f"{pages} kept this crawler out (bot protection), so nothing can be said about their content; they are not "
        "counted as broken. Ask the owner to allow this crawler's user agent or address in the firewall."
    )
