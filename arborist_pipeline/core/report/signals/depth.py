"""Depth: pages that take many clicks from the start page are seldom visited and seldom crawled."""

from collections.abc import Iterator

from arborist_pipeline.core.report.finding import Certainty, Finding, Severity
from arborist_pipeline.core.report.snapshot import SiteSnapshot

MAX_CLICKS = 4
SHOWN_PATH = 30


def find_deep_pages(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `deep_page` for each page more than four clicks away; a candidate while a shorter path may turn up."""
    certainty = Certainty.CERTAIN if snapshot.is_complete else Certainty.CANDIDATE
    for page in snapshot.read_pages():
        if page.clicks is None or page.clicks <= MAX_CLICKS:
            continue
        path = snapshot.path_to(page.url)
        yield Finding(
            signal="deep_page",
            url=page.url,
            severity=Severity.NOTICE,
            certainty=certainty,
            message=(
                f"This page is {page.clicks} clicks from the start page; more than {MAX_CLICKS} is far. "
                "Link to it from a category or overview page nearer to the start."
            ),
            details={"clicks": page.clicks, "path": list(path[:SHOWN_PATH])},
            evidence={"unfetched": snapshot.unfetched},
        )
