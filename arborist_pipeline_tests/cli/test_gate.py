"""The rules of --fail-on."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from arborist_pipeline.cli.gate import Gate, parse_gate
from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.report.finding import SIGNAL_NAMES, Certainty, Finding, Severity
from arborist_pipeline.core.report.report import WebmasterReport


def report(*findings):
    made = tuple(Finding(signal=signal, url="https://a.example/", severity=severity, message="")
                 for signal, severity in findings)  # fmt: skip
    return WebmasterReport(site="a", seed_url="https://a.example/", generated_at=datetime(2026, 1, 1, tzinfo=UTC),
                           complete=True, unfetched=0, summary={}, findings=made)  # fmt: skip


FOUND = report(
    ("broken_link", Severity.ERROR),
    ("broken_link", Severity.WARNING),
    ("orphan", Severity.WARNING),
    ("deep_page", Severity.NOTICE),
)


@pytest.mark.parametrize(
    ("rule", "fails"),
    [
        ("broken_link", True),
        ("broken_link>1", True),
        ("broken_link > 2", False),
        (" orphan ", True),
        ("orphan>0", True),
        ("orphan>1", False),
        ("thin_page", False),
        ("error", True),
        ("error>1", False),
        ("warning>2", True),
        ("warning>3", False),
        ("notice>3", True),
        ("notice>4", False),
    ],
)
def test_a_rule_counts_a_signal_or_a_severity_and_what_is_worse(rule, fails):
    assert (parse_gate(rule).verdict(FOUND) is not None) is fails


def test_candidates_count_only_where_that_is_asked_for():
    found = report(("orphan", Severity.WARNING), ("broken_link", Severity.ERROR))
    unsure = replace(
        found, findings=tuple(replace(finding, certainty=Certainty.CANDIDATE) for finding in found.findings)
    )
    for rule in ("orphan", "warning", "error"):
        assert parse_gate(rule).verdict(unsure) is None
        assert parse_gate(rule)._replace(counts_candidates=True).verdict(unsure) is not None


@pytest.mark.parametrize("name", [*(signal.name for signal in SIGNAL_NAMES), *Severity])
def test_every_signal_and_severity_can_be_named_and_passes_an_empty_report(name):
    assert parse_gate(name) == Gate(name, 0)
    assert parse_gate(f"{name}>3").verdict(report()) is None


@pytest.mark.parametrize("rule", ["", "broken_links", "errors", "broken_link>", "broken_link>x", "broken_link>=3",
                                  ">3", "broken_link>-1", "BROKEN_LINK", "broken_link>9999999999", "a;b"])  # fmt: skip
def test_what_is_no_rule_is_refused_with_what_can_stand_there(rule):
    with pytest.raises(ConfigError, match=r"--fail-on"):
        parse_gate(rule)


def test_a_near_miss_is_told():
    with pytest.raises(ConfigError, match=r"did you mean broken_link\?"):
        parse_gate("broken_links")
