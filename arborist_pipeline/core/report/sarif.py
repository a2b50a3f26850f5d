"""A report as a SARIF 2.1.0 log (OASIS standard), so that code hosts and CI show findings as they show a linter's."""

from hashlib import sha256
from typing import Any
from urllib.parse import quote

from arborist_pipeline.core.report.finding import SIGNAL_NAMES, Finding, Severity, timestamp
from arborist_pipeline.core.report.report import WebmasterReport
from arborist_pipeline.core.web.url import resolve

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}
_RULE_INDEX = {signal.name: place for place, signal in enumerate(SIGNAL_NAMES)}
_URI_MARKS = "%:/?#[]@!$&'()*+,;=-._~"


def to_sarif(report: WebmasterReport) -> dict[str, Any]:
    """Return the log as JSON values: a rule a signal, a result a finding, its sources as related locations."""
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "Arborist", "rules": [_rule(*signal) for signal in SIGNAL_NAMES]}},
                "invocations": [{"executionSuccessful": True, "endTimeUtc": timestamp(report.generated_at)}],
                "columnKind": "unicodeCodePoints",
                "properties": {
                    "site": report.site,
                    "complete": report.complete,
                    "unfetched": report.unfetched,
                    **report.details,
                },
                "results": [_result(finding) for finding in report.findings],
            }
        ],
    }


def _rule(name: str, heading: str) -> dict[str, Any]:
    return {"id": name, "name": heading.title().replace(" ", ""), "shortDescription": {"text": heading}}


def _result(finding: Finding) -> dict[str, Any]:
    related = [
        {"id": number, **_location(source.url), "message": {"text": source.anchor or "links here"}}
        for number, source in enumerate(finding.sources, start=1)
    ]
    return {
        "ruleId": finding.signal,
        "ruleIndex": _RULE_INDEX[finding.signal],
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding.url)],
        "relatedLocations": related,
        # The same fault of the same address in the next report is the same result.
        "partialFingerprints": {
            "arboristFinding/v1": sha256(f"{finding.signal}\n{finding.url}".encode(errors="replace")).hexdigest(),
        },
        "properties": {
            "certainty": finding.certainty.value,
            "details": dict(finding.details),
            "evidence": dict(finding.evidence),
        },
    }


def _location(url: str) -> dict[str, Any]:
    """Return a location; an href that is no address becomes one reference, escaped whole (RFC 3986 §2.1)."""
    is_address = resolve(None, url) is not None
    uri = quote(url, safe=_URI_MARKS if is_address else "", errors="replace")
    return {"physicalLocation": {"artifactLocation": {"uri": uri}}}
