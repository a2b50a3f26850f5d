"""Products that are told in the same words: search engines then show one of them, and buyers cannot tell them apart."""

from collections.abc import Iterator

from arborist_pipeline.core.report.finding import Finding, Severity
from arborist_pipeline.core.report.snapshot import SiteSnapshot


def find_shared_descriptions(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `shared_description` a group of different products whose pages give one description."""
    for urls in snapshot.shared_descriptions:
        if snapshot.agree_on_canonical(urls):
            continue  # one product under several addresses, and the site says so
        yield Finding(
            signal="shared_description",
            url=urls[0],
            severity=Severity.WARNING,
            message=f"{len(urls)} products have the same description. Say of each what only it is.",
            details={"urls": list(urls), "count": len(urls)},
        )
