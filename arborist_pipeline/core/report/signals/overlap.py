"""Near duplicates and partial overlap: pages that share leaves, boilerplate set apart."""

from collections.abc import Iterator

from arborist_pipeline.core.report.finding import Finding, Severity
from arborist_pipeline.core.report.overlap import OverlapCluster, OverlapKind
from arborist_pipeline.core.report.snapshot import SiteSnapshot


def find_overlaps(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `near_duplicate` or `partial_overlap` a cluster, under the URL of its longest page."""
    for cluster in snapshot.overlaps:
        is_near = cluster.kind is OverlapKind.NEAR
        urls = sorted((cluster.leader, *(member.url for member in cluster.members)))
        is_declared = snapshot.agree_on_canonical(urls)
        yield Finding(
            signal="near_duplicate" if is_near else "partial_overlap",
            url=cluster.leader,
            severity=Severity.WARNING if is_near and not is_declared else Severity.NOTICE,
            message=_near_message(len(urls), is_declared=is_declared) if is_near else _partial_message(cluster),
            details={
                "urls": urls,
                "count": len(urls),
                "shares": {member.url: member.share for member in cluster.members},
                "passage": cluster.passage,
            },
            evidence={"shared_leaf": cluster.leaf.hex()},
        )


def _near_message(count: int, *, is_declared: bool) -> str:
    if is_declared:
        return (
            f"{count} pages have nearly the same text and name one canonical address, so this costs little. "
            "Link to that one only."
        )
    return (
        f"{count} pages have nearly the same text, so they compete with each other in search. "
        "Merge them, make each say what only it has to say, or name one of them as canonical."
    )


def _partial_message(cluster: OverlapCluster) -> str:
    lowest = min(member.share for member in cluster.members)
    who = (
        f"1 other page shares passages with this page ({lowest:.0%} of its text)."
        if len(cluster.members) == 1
        else f"{len(cluster.members)} other pages share passages with this page ({lowest:.0%} of their text or more)."
    )
    return f"{who} If the passages matter, keep them on one page and link to it from the others."
