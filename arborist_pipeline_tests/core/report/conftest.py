"""A report with everything a renderer meets, hostile text among it."""

from datetime import UTC, datetime

import pytest

from arborist_pipeline.core.report.finding import SIGNAL_NAMES, Certainty, Finding, Severity
from arborist_pipeline.core.report.report import WebmasterReport
from arborist_pipeline.core.report.snapshot import LinkSource

SITE = "https://shop.example"
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'`&amp;|[x](javascript:alert(3))\n# Big"


@pytest.fixture
def hostile():
    return HOSTILE


@pytest.fixture
def report():
    findings = (
        Finding(
            signal="broken_link",
            url=f"{SITE}/dead",
            severity=Severity.ERROR,
            message="1 page links here.",
            sources=(LinkSource(f"{SITE}/", HOSTILE), LinkSource(f"{SITE}/b", "")),
            details={"status": 404, "source_count": 120},
            evidence={"fetched_at": "2026-01-15T12:00:00Z"},
        ),
        Finding(
            signal="malformed_link",
            url='javascript:alert(4)//http://["<b>',
            severity=Severity.WARNING,
            message=f"Written as {HOSTILE}",
            sources=(LinkSource(f'{SITE}/?q="><script>', "=1+1"),),
        ),
        Finding(
            signal="redirect_chain",
            url=f"{SITE}/a",
            severity=Severity.WARNING,
            certainty=Certainty.CANDIDATE,
            message="Visitors are sent on.",
            details={"hops": [f"{SITE}/a", f"{SITE}/b", f"{SITE}/<i>"]},
        ),
        Finding(
            signal="near_duplicate",
            url=f"{SITE}/p",
            severity=Severity.NOTICE,
            message="Much the same.",
            details={"urls": [f"{SITE}/p", f"{SITE}/q"], "count": 2, "passage": HOSTILE},
        ),
    )
    counts = {finding.signal: 1 for finding in findings}
    return WebmasterReport(
        site=f"shop {HOSTILE}",
        seed_url=f"{SITE}/",
        generated_at=datetime(2026, 1, 15, 12, tzinfo=UTC),
        complete=False,
        unfetched=1_234,
        summary={signal.name: counts.get(signal.name, 0) for signal in SIGNAL_NAMES},
        findings=findings,
        details={"pages": 4_000, "unreached": 2, "depth_histogram": {"0": 1, "1": 3_000}},
    )
