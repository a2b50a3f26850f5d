"""Duplicates: several addresses with one document root, or with one root of the main text."""

from collections.abc import Iterator

from arborist_pipeline.core.report.duplicates import DuplicateGroup
from arborist_pipeline.core.report.finding import Certainty, Finding, Severity
from arborist_pipeline.core.report.snapshot import SiteSnapshot


def find_duplicates(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield an `exact_duplicate` or `main_duplicate` a group; a notice where the site says which address counts."""
    for group in snapshot.exact_duplicates:
        yield _finding(snapshot, group, "exact_duplicate", "the same text")
    for group in snapshot.main_duplicates:
        yield _finding(
            snapshot, group, "main_duplicate", "the same main text (only navigation, header or footer differ)"
        )


def _finding(snapshot: SiteSnapshot, group: DuplicateGroup, signal: str, what: str) -> Finding:
    canonicals = sorted({snapshot.canonical_of(url) for url in group.urls})
    is_declared = snapshot.agree_on_canonical(group.urls)
    advice = (
        "They tell search engines which one counts, so this costs little; link to that one only."
        if is_declared
        else "Keep one address and redirect the others to it, or name it as canonical in all of them."
    )
    are_shells = any(url in snapshot.pages and snapshot.pages[url].needs_rendering for url in group.urls)
    url = canonicals[0] if is_declared and canonicals[0] in group.urls else group.urls[0]
    return Finding(
        signal=signal,
        url=url,
        severity=Severity.NOTICE if is_declared else Severity.WARNING,
        certainty=Certainty.CANDIDATE if are_shells else Certainty.CERTAIN,
        message=f"{len(group.urls)} addresses show {what}. {advice}",
        details={"urls": list(group.urls), "count": len(group.urls), "canonical_urls": canonicals},
        evidence={"document_root" if signal == "exact_duplicate" else "main_root": group.root.hex()},
    )
