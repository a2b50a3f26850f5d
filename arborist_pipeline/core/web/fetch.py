"""One exchange with a site, as data. A fetcher never raises for the network's sake: what went wrong is a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from arborist_pipeline.core.web.freshness import Validators
from arborist_pipeline.core.web.url import Url

MAX_BODY_BYTES = 10 * 1024 * 1024
PAGE_TIMEOUT_SECONDS = 15.0
ROBOTS_TIMEOUT_SECONDS = 5.0


class BodyRule(StrEnum):
    """Which bodies are read at all; the decision is made on the headers, before the body."""

    HTML = "html"
    ANY = "any"
    NONE = "none"


class FailureKind(StrEnum):
    """Why no whole answer came."""

    TIMEOUT = "timeout"
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    PROTOCOL = "protocol"
    BLOCKED_ADDRESS = "blocked_address"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchFailure:
    """A failure of the network: its kind and what the library said, without secrets."""

    kind: FailureKind
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRequest:
    """What to ask for. `timeout_seconds` bounds the whole exchange, body included."""

    url: Url
    method: str = "GET"
    validators: Validators | None = None
    body: BodyRule = BodyRule.HTML
    max_body_bytes: int = MAX_BODY_BYTES
    timeout_seconds: float = PAGE_TIMEOUT_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchResult:
    """What came back for one request; a redirect is a result, never followed.

    `status` is None exactly when `failure` is set and no header arrived. `headers` has lower-case names, repeated
    ones joined by ", ". `body` is the content after decoding (empty where the rule or a cap kept it unread).
    `body_read` tells an empty body from an unread one. `sniffed_type` is what the body gave away where no header named
    a type, "" where it may be a page. `redirect_to` is the resolved target, None if there is none or if it cannot be
    read; `location` has the header as it came, without user name and password.
    """

    requested_url: Url
    status: int | None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    body_read: bool = False
    sniffed_type: str = ""
    truncated: bool = False
    too_large: bool = False
    redirect_to: Url | None = None
    location: str | None = None
    fetched_at: datetime
    elapsed_seconds: float
    failure: FetchFailure | None = None

    @property
    def content_type(self) -> str:
        """The media type in lower case without parameters; where none is named the sniffed one, or ""."""
        return self.headers.get("content-type", "").split(";", 1)[0].strip().lower() or self.sniffed_type

    @property
    def is_redirect(self) -> bool:
        """Whether the status asks for another address (RFC 9110 §15.4)."""
        return self.status in (301, 302, 303, 307, 308)


HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})


def is_html_type(content_type: str) -> bool:
    """Whether a media type is HTML; XHTML is, an absent type is given the benefit of the doubt."""
    return content_type in HTML_TYPES or not content_type
