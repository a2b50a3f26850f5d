"""What a report is made of: one fault of a site, where it is, how sure it is, and what to do about it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from arborist_pipeline.core.report.snapshot import LinkSource, SiteSnapshot

MAX_SOURCES = 50
"""Source pages that a finding names; `details.source_count` has the number of all."""


class Severity(StrEnum):
    """How much a fault costs the site's visitors, worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


class Certainty(StrEnum):
    """Whether the fault is shown, or may vanish once more of the site is known."""

    CERTAIN = "certain"
    CANDIDATE = "candidate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault (contract §5.4).

    `url` is the address that has it, `message` sentences for its owner that end with what to do, `sources` pages that
    link there with their anchor texts. `details` describes the fault, `evidence` is what it was seen by; both hold
    JSON values only.
    """

    signal: str
    url: str
    severity: Severity
    certainty: Certainty = Certainty.CERTAIN
    message: str
    sources: tuple[LinkSource, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)


def timestamp(moment: datetime | None) -> str | None:
    """Return a moment as reports write it: UTC, ISO 8601, to the second, with Z."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class SignalName(NamedTuple):
    """A name that findings may bear, and its heading for people."""

    name: str
    heading: str


SIGNAL_NAMES = (
    SignalName("broken_link", "Broken links"),
    SignalName("soft_404", "Missing pages that answer as if they were there"),
    SignalName("malformed_link", "Links no browser can follow"),
    SignalName("redirect_loop", "Redirect loops"),
    SignalName("redirect_chain", "Redirect chains"),
    SignalName("redirect_off_site", "Redirects that leave the site"),
    SignalName("redirected_link", "Links to addresses that moved"),
    SignalName("blocked_page", "Pages that refuse crawlers"),
    SignalName("robots_problem", "Problems with robots.txt"),
    SignalName("sitemap_error", "Problems with the sitemap"),
    SignalName("orphan", "Orphan pages"),
    SignalName("canonical_problem", "Canonical links that mislead"),
    SignalName("exact_duplicate", "Pages with the same text"),
    SignalName("main_duplicate", "Pages with the same main text"),
    SignalName("near_duplicate", "Pages with nearly the same text"),
    SignalName("partial_overlap", "Pages that share passages"),
    SignalName("shared_description", "Products with the same description"),
    SignalName("crawl_trap", "Addresses without end"),
    SignalName("deep_page", "Pages far from the start page"),
    SignalName("thin_page", "Pages with little text"),
    SignalName("untitled_page", "Pages without a title"),
)
"""Every name that a signal of `signals.SIGNALS` gives, in the order in which reports show them."""


class Signal(Protocol):
    """A function from a snapshot to findings; it knows no other signal. `__name__` says what it looks for."""

    __name__: str

    def __call__(self, snapshot: SiteSnapshot, /) -> Iterable[Finding]:
        """Yield what is wrong, in any order."""
        ...
