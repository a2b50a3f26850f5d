"""The rules of --fail-on: which findings of a report make a build fail."""

import difflib
import re
from typing import NamedTuple

from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.report.finding import SIGNAL_NAMES, Certainty, Severity
from arborist_pipeline.core.report.report import WebmasterReport

_RULE = re.compile(r"\s*([a-z0-9_]+)\s*(?:>\s*(\d{1,9}))?\s*")
_NAMES = (*(signal.name for signal in SIGNAL_NAMES), *(severity.value for severity in Severity))
_RANKS = tuple(severity.value for severity in Severity)  # worst first


class Gate(NamedTuple):
    """More findings than `allowed` of a signal, or of a severity and all worse ones, fail.

    Candidates, which may vanish once more of the site is known, count only where `counts_candidates`.
    """

    name: str
    allowed: int
    counts_candidates: bool = False

    def verdict(self, report: WebmasterReport) -> str | None:
        """Say how the report fails this gate, None where it passes."""
        findings = [finding for finding in report.findings
                    if self.counts_candidates or finding.certainty is Certainty.CERTAIN]  # fmt: skip
        if self.name in _RANKS:
            counted = _RANKS[: _RANKS.index(self.name) + 1]
            count = sum(finding.severity.value in counted for finding in findings)
            what = f"findings of severity {' or '.join(counted)}"
        else:
            count = sum(finding.signal == self.name for finding in findings)
            what = f"findings of {self.name}"
        return None if count <= self.allowed else f"{count} {what}, at most {self.allowed} pass"


def parse_gate(rule: str) -> Gate:
    """Read `broken_link`, `broken_link>5`, `error` or `warning>20`. Raises ConfigError naming what can stand there."""
    match = _RULE.fullmatch(rule)
    if match is None:
        raise ConfigError(f"--fail-on {rule!r}: write a signal or a severity, and >N for what may pass, such as "
                          "broken_link, 'broken_link>5', error")  # fmt: skip
    name = match[1]
    if name not in _NAMES:
        near = difflib.get_close_matches(name, _NAMES, n=1)
        hint = f"did you mean {near[0]}?" if near else f"known are: {', '.join(_NAMES)}"
        raise ConfigError(f"--fail-on {rule!r}: there is no signal or severity {name}; {hint}")
    return Gate(name, int(match[2] or 0))
