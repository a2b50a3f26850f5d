"""The report of a site: every signal's findings in one order that depends on nothing but the snapshot."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from arborist_pipeline.core.crawl.records import StoppedBy
from arborist_pipeline.core.report.finding import SIGNAL_NAMES, Finding, Severity, timestamp
from arborist_pipeline.core.report.signals import SIGNALS
from arborist_pipeline.core.report.snapshot import SiteSnapshot

_SIGNAL_ORDER = {signal.name: place for place, signal in enumerate(SIGNAL_NAMES)}
_BROKEN_OFF = frozenset({StoppedBy.ERRORS, StoppedBy.ROBOTS, StoppedBy.LEASE_LOST, StoppedBy.INTERRUPTED})
_SEVERITY_ORDER = {severity: place for place, severity in enumerate(Severity)}


@dataclass(frozen=True, slots=True, kw_only=True)
class WebmasterReport:
    """What a webmaster gets. `site` is the site's key, `summary` has every signal's count, 0 where it found nothing.

    `details` describes the site as a whole: `pages` read, `unreached` of them, `depth_histogram` (clicks to pages),
    `stopped_by` and `stop_reason` of the latest crawl.
    """

    site: str
    seed_url: str
    generated_at: datetime
    complete: bool
    unfetched: int
    summary: Mapping[str, int]
    findings: tuple[Finding, ...]
    details: Mapping[str, Any] = field(default_factory=dict)


def build_report(snapshot: SiteSnapshot, generated_at: datetime) -> WebmasterReport:
    """Ask every signal; equal snapshots give equal reports."""
    findings = sorted((finding for signal in SIGNALS for finding in signal(snapshot)), key=_order)
    counts = Counter(finding.signal for finding in findings)
    return WebmasterReport(
        site=snapshot.site,
        seed_url=snapshot.seed_url,
        generated_at=generated_at,
        complete=snapshot.is_complete,
        unfetched=snapshot.unfetched,
        summary={signal.name: counts[signal.name] for signal in SIGNAL_NAMES},
        findings=tuple(findings),
        details=_details(snapshot),
    )


def state_of_walk(report: WebmasterReport) -> str:
    """Say in a sentence or two how much of the site the report rests on."""
    if report.complete:
        return "The walk was exhausted: every known address was asked for."
    stopped_by, reason = report.details.get("stopped_by"), report.details.get("stop_reason")
    gaps = [] if report.details.get("pages", 1) else ["no page could be read"]
    if report.unfetched:
        gaps.append(f"{report.unfetched:,} known addresses are not fetched yet")
    if stopped_by is None:
        gaps.append("no crawl has come to its end")
    elif stopped_by in _BROKEN_OFF or not report.unfetched:
        gaps.append(f"the latest crawl was stopped by {stopped_by}{f' ({reason})' if reason else ''}")
    return f"The walk is not complete: {'; '.join(gaps)}. So some findings are candidates, and others may be missing."


def to_json(report: WebmasterReport) -> dict[str, Any]:
    """Return the report as JSON values in the shape of contract §5.4; `details` is added to it."""
    return {
        "site": report.site,
        "generated_at": timestamp(report.generated_at),
        "complete": report.complete,
        "unfetched": report.unfetched,
        "summary": dict(report.summary),
        "findings": [finding_to_json(finding) for finding in report.findings],
        "details": dict(report.details),
    }


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """Return one finding as JSON values."""
    return {
        "signal": finding.signal,
        "url": finding.url,
        "severity": finding.severity.value,
        "certainty": finding.certainty.value,
        "message": finding.message,
        "sources": [{"url": source.url, "anchor": source.anchor} for source in finding.sources],
        "details": dict(finding.details),
        "evidence": dict(finding.evidence),
    }


def _order(finding: Finding) -> tuple[int, int, str, str, str]:
    details = json.dumps(finding.details, sort_keys=True)
    place = _SIGNAL_ORDER[finding.signal]
    return place, _SEVERITY_ORDER[finding.severity], finding.url, finding.message, details


def _details(snapshot: SiteSnapshot) -> dict[str, Any]:
    clicks = Counter(page.clicks for page in snapshot.read_pages())
    unreached = clicks.pop(None, 0)
    return {
        "pages": clicks.total() + unreached,
        "unreached": unreached,
        "depth_histogram": {
            str(depth): clicks[depth] for depth in sorted(depth for depth in clicks if depth is not None)
        },
        "stopped_by": snapshot.stopped_by,
        "stop_reason": snapshot.stop_reason,
    }
