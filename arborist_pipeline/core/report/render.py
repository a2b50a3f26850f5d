"""A report as text: Markdown and HTML for people, JSON, CSV and SARIF for programs. All are pure and deterministic."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from itertools import groupby

from arborist_pipeline.core.report.controls import escape_controls, mask_controls
from arborist_pipeline.core.report.finding import SIGNAL_NAMES, Finding, timestamp
from arborist_pipeline.core.report.html import render_html
from arborist_pipeline.core.report.report import WebmasterReport, state_of_walk, to_json
from arborist_pipeline.core.report.sarif import to_sarif

SHOWN_FINDINGS = 100
"""Findings of one signal that Markdown spells out; JSON and CSV have all."""
SHOWN_SOURCES = 5
CSV_COLUMNS = (
    "site", "signal", "severity", "certainty", "url", "message", "source_count", "source_url", "source_anchor",
    "details",
)  # fmt: skip
_HEADINGS = {signal.name: signal.heading for signal in SIGNAL_NAMES}
_MARKDOWN_ESCAPES = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_[]<>#|"} | {"\n": " ", "\r": " "})
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def render_json(report: WebmasterReport) -> str:
    """Return the report in the shape of contract §5.4."""
    return escape_controls(json.dumps(to_json(report), ensure_ascii=False, indent=2)) + "\n"


def render_sarif(report: WebmasterReport) -> str:
    """Return the report as a SARIF 2.1.0 log."""
    return escape_controls(json.dumps(to_sarif(report), ensure_ascii=False, indent=2)) + "\n"


def csv_rows(report: WebmasterReport) -> list[dict[str, str | int]]:
    """Return a row for each finding and source page; a finding without sources has one row."""
    rows: list[dict[str, str | int]] = []
    for finding in report.findings:
        row: dict[str, str | int] = {
            "site": report.site,
            "signal": finding.signal,
            "severity": finding.severity.value,
            "certainty": finding.certainty.value,
            "url": finding.url,
            "message": finding.message,
            "source_count": finding.details.get("source_count", len(finding.sources)),
            "details": json.dumps(dict(finding.details), ensure_ascii=False, sort_keys=True),
        }
        rows.extend({**row, "source_url": source.url, "source_anchor": source.anchor} for source in finding.sources)
        if not finding.sources:
            rows.append({**row, "source_url": "", "source_anchor": ""})
    return rows


def render_csv(report: WebmasterReport) -> str:
    """Return `csv_rows` as CSV (RFC 4180) with a header; text that a spreadsheet would run as a formula is quoted."""
    target = io.StringIO()
    writer = csv.DictWriter(target, CSV_COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({column: _inert(value) for column, value in row.items()} for row in csv_rows(report))
    return mask_controls(target.getvalue())


def render_markdown(report: WebmasterReport) -> str:
    """Return the report as Markdown; whatever came from the site is escaped."""
    lines = [f"# Webmaster report: {_escape(report.site)}", "", *_markdown_head(report), ""]
    for signal, group in groupby(report.findings, key=lambda finding: finding.signal):
        findings = list(group)
        lines += [f"## {_HEADINGS[signal]} ({len(findings)})", ""]
        for finding in findings[:SHOWN_FINDINGS]:
            lines += _markdown_finding(finding)
        if len(findings) > SHOWN_FINDINGS:
            lines.append(f"- … and {len(findings) - SHOWN_FINDINGS:,} more (JSON and CSV have all)")
        lines.append("")
    return mask_controls("\n".join(lines).rstrip("\n") + "\n")


RENDERERS: Mapping[str, Callable[[WebmasterReport], str]] = {
    "md": render_markdown,
    "html": render_html,
    "json": render_json,
    "csv": render_csv,
    "sarif": render_sarif,
}
"""By the name that the command line gives them."""


def _markdown_head(report: WebmasterReport) -> list[str]:
    state = _escape(state_of_walk(report))
    lines = [f"Start page: {_link(report.seed_url)}  ", f"Made: {timestamp(report.generated_at)}  ", state, ""]
    lines += ["| Signal | Findings |", "| --- | ---: |"]
    lines += [f"| {_HEADINGS[signal]} | {count:,} |" for signal, count in report.summary.items() if count]
    if not report.findings:
        lines += ["| No faults found | 0 |"]
    histogram = report.details.get("depth_histogram", {})
    if histogram:
        lines += ["", "| Clicks from the start page | Pages |", "| ---: | ---: |"]
        lines += [f"| {clicks} | {pages:,} |" for clicks, pages in histogram.items()]
        if report.details.get("unreached"):
            lines.append(f"| no path known | {report.details['unreached']:,} |")
    return lines


def _markdown_finding(finding: Finding) -> list[str]:
    certainty = "" if finding.certainty == "certain" else f", {finding.certainty}"
    lines = [f"- **{finding.severity}{certainty}** {_link(finding.url)}", f"  {_escape(finding.message)}"]
    for source in finding.sources[:SHOWN_SOURCES]:
        anchor = f" “{_escape(source.anchor)}”" if source.anchor else ""
        lines.append(f"  - linked from {_link(source.url)}{anchor}")
    more = finding.details.get("source_count", len(finding.sources)) - min(len(finding.sources), SHOWN_SOURCES)
    if more > 0:
        lines.append(f"  - and from {more:,} more pages")
    for label, urls in (("via", finding.details.get("hops")), ("also", finding.details.get("urls"))):
        lines += [f"  - {label} {_link(url)}" for url in (urls or ())[: 2 * SHOWN_SOURCES] if url != finding.url]
    unnamed = finding.details.get("count", 0) - 2 * SHOWN_SOURCES
    if unnamed > 0:
        lines.append(f"  - and {unnamed:,} more addresses")
    return lines


def _escape(text: str) -> str:
    return text.translate(_MARKDOWN_ESCAPES)


def _link(url: str) -> str:
    """Return an autolink where the address is one, else escaped text; neither can break out of its line."""
    is_plain = url.startswith(("http://", "https://")) and not any(mark in url for mark in " <>\n\r\t")
    return f"<{url}>" if is_plain else _escape(url)


def _inert(value: str | int) -> str | int:
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value
