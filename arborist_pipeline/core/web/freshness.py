"""Is a stored page still what the site serves? Validators, entity tags, dates of HTTP (RFC 9110 §5.6.7, §8.8, §13)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Literal, NamedTuple

MAX_RETRY_AFTER_SECONDS = 366 * 24 * 3_600.0
"""What any longer Retry-After is read as; a caller caps it far lower."""

_ENTITY_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e\x80-\U0010ffff]*)"')
_LIST_GAP = re.compile(r"[ \t]*(?:,[ \t]*|\Z)")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_TIME = r"(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d):(?P<second>[0-5]\d|60)"
_MONTH = f"(?P<month>{'|'.join(_MONTHS)})"
_DAY_NAME = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_HTTP_DATES = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"{_DAY_NAME}, (?P<day>\d\d) {_MONTH} (?P<year>\d{{4}}) {_TIME} GMT",
        rf"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?P<day>\d\d)-{_MONTH}-(?P<year>\d\d) {_TIME} GMT",
        rf"{_DAY_NAME} {_MONTH} (?P<day>[ \d]\d) {_TIME} (?P<year>\d{{4}})",
    )
)
_SECONDS = re.compile(r"([0-9]+(?:\.[0-9]+)?)[ \t]*(?:,|$)")


class Freshness(StrEnum):
    """What a recheck says of a stored page."""

    FRESH = "fresh"
    STALE = "stale"
    GONE = "gone"
    MOVED = "moved"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


class EntityTag(NamedTuple):
    """One entity tag: what stands between the quotes, and whether `W/` marks it as weak."""

    opaque: str
    is_weak: bool

    def matches_weakly(self, other: "EntityTag") -> bool:
        """Compare as If-None-Match does (RFC 9110 §8.8.3.2): the opaque parts alone, with case."""
        return self.opaque == other.opaque

    def matches_strongly(self, other: "EntityTag") -> bool:
        """Compare as If-Match and ranges do: equal, and neither is weak."""
        return self.opaque == other.opaque and not self.is_weak and not other.is_weak


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """ETag and Last-Modified exactly as the server sent them; to be sent back byte for byte.

    They are true where there is something to send: a date that is no HTTP-date is kept, never sent.
    """

    etag: str | None = None
    last_modified: str | None = None

    def __bool__(self) -> bool:
        return bool(self.request_headers)

    @property
    def request_headers(self) -> Mapping[str, str]:
        """The preconditions to send: both where both are known."""
        headers = {}
        if self.etag:
            headers["If-None-Match"] = self.etag
        if self.last_modified and is_http_date(self.last_modified):
            headers["If-Modified-Since"] = self.last_modified
        return headers

    def updated_by(self, headers: Mapping[str, str]) -> "Validators":
        """Return what to store after a 304 with these headers: each validator that it names replaces ours (§15.4.5)."""
        sent = validators_from(headers)
        return Validators(etag=sent.etag or self.etag, last_modified=sent.last_modified or self.last_modified)


def validators_from(headers: Mapping[str, str]) -> Validators:
    """Read the validators of an answer; empty strings count as absent."""
    return Validators(etag=headers.get("etag") or None, last_modified=headers.get("last-modified") or None)


def parse_entity_tags(field: str) -> tuple[EntityTag, ...] | Literal["*"] | None:
    """Read a list of entity tags (or an ETag, a list of one); "*" for any, None where the field is malformed."""
    field = field.strip(" \t")
    if field == "*":
        return "*"
    tags = []
    position = 0
    while position < len(field):
        tag = _ENTITY_TAG.match(field, position)
        if tag is not None:
            tags.append(EntityTag(tag[2], is_weak=tag[1] is not None))
            position = tag.end()
        gap = _LIST_GAP.match(field, position)
        if gap is None:
            return None
        position = gap.end()
    return tuple(tags)


def is_same_entity(etag: str, other: str) -> bool:
    """Whether two ETag values name one entity by weak comparison; malformed ones only if they are equal as they are."""
    if etag == other:
        return True
    one, two = parse_entity_tags(etag), parse_entity_tags(other)
    if not isinstance(one, tuple) or not isinstance(two, tuple):
        return False
    return len(one) == 1 == len(two) and one[0].matches_weakly(two[0])


def is_http_date(value: str) -> bool:
    """Whether a field value is an HTTP-date in any of its three forms."""
    return parse_http_date(value, now=datetime(2000, 1, 1, tzinfo=UTC)) is not None


def parse_http_date(value: str, *, now: datetime) -> datetime | None:
    """Read an HTTP-date (RFC 9110 §5.6.7: IMF-fixdate, RFC 850, asctime); None where it is none.

    A two-digit year that seems more than 50 years after `now` is the last one with these digits.
    """
    match = next(filter(None, (pattern.fullmatch(value) for pattern in _HTTP_DATES)), None)
    if match is None:
        return None
    year = int(match["year"])
    if len(match["year"]) == 2:
        year += now.year // 100 * 100
        year -= 100 if year > now.year + 50 else 0
    try:
        day = datetime(year, _MONTHS.index(match["month"]) + 1, int(match["day"]), tzinfo=UTC)
        return day + timedelta(hours=int(match["hour"]), minutes=int(match["minute"]), seconds=int(match["second"]))
    except (ValueError, OverflowError):
        return None


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Read Retry-After (RFC 9110 §10.2.3) as seconds from `now`, 0 <= seconds <= a year; None where it is unreadable.

    A date in the past is 0. Decimal fractions, against the grammar but seen, are read.
    """
    value = (value or "").strip()
    seconds = _SECONDS.match(value)
    if seconds is not None:
        return min(float(seconds[1]), MAX_RETRY_AFTER_SECONDS)
    date = parse_http_date(value, now=now)
    return None if date is None else min(max((date - now).total_seconds(), 0.0), MAX_RETRY_AFTER_SECONDS)
