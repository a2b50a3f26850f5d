"""From the answer to a conditional request to what is true of the stored page (RFC 9110 §13, §15)."""

from dataclasses import dataclass

from arborist_pipeline.core.web.fetch import FailureKind, FetchResult
from arborist_pipeline.core.web.freshness import (
    Freshness,
    Validators,
    is_same_entity,
    parse_retry_after,
    validators_from,
)
from arborist_pipeline.core.web.url import Url

MAX_RECHECK_HOPS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a recheck found, why, and for `moved` where to.

    `retry_after_seconds` is the server's wish, 0 or more and uncapped but for a year; None where it has none.
    """

    freshness: Freshness
    reason: str
    moved_to: Url | None = None
    retry_after_seconds: float | None = None


def is_head_refused(result: FetchResult) -> bool:
    """Whether the server does not serve HEAD: to be asked again by a conditional GET, which then counts.

    It says so (405, 501), or breaks off, as those do that send content where there must be none (RFC 9110 §9.3.2).
    """
    is_broken = result.failure is not None and result.failure.kind is FailureKind.PROTOCOL
    return is_broken or result.status in (405, 501)


def judge_recheck(stored: Validators, result: FetchResult, *, reached: FetchResult | None = None) -> Verdict:
    """Judge a stored page by the answer to a conditional HEAD or GET that sent its validators.

    `reached` is the last answer of a redirect's chain: still a redirect where it turned in a circle or passed ten
    hops, None where it was not followed. 404 and 410 are gone at once; a refusal, an error of the server or of the
    network says nothing about the page, and is unknown.
    """
    if result.failure is not None:
        is_ours = result.failure.kind is FailureKind.BLOCKED_ADDRESS
        return Verdict(
            freshness=Freshness.BLOCKED if is_ours else Freshness.UNKNOWN,
            reason=f"{result.failure.kind}: {result.failure.message}",
        )
    if result.is_redirect:
        return _judge_redirect(result, reached)
    freshness, reason = _judge_status(stored, result)
    is_unknown = freshness is Freshness.UNKNOWN
    wait = parse_retry_after(result.headers.get("retry-after"), result.fetched_at) if is_unknown else None
    return Verdict(freshness=freshness, reason=reason, retry_after_seconds=wait)


def _judge_status(stored: Validators, result: FetchResult) -> tuple[Freshness, str]:
    match result.status:
        case 304 if stored:
            return Freshness.FRESH, "status 304"
        case 304:
            return Freshness.UNKNOWN, "status 304, though no precondition was sent"
        case 200 | 203:
            return _compare(stored, validators_from(result.headers))
        case 204 | 205:
            return Freshness.STALE, f"status {result.status}: nothing is left of the page"
        case 404 | 410:
            return Freshness.GONE, f"status {result.status}"
        case 405 | 501:
            return Freshness.UNKNOWN, f"status {result.status}: HEAD is not supported"
        case status:
            return Freshness.UNKNOWN, f"status {status} says nothing about the page"


def _compare(stored: Validators, sent: Validators) -> tuple[Freshness, str]:
    if stored.etag and sent.etag:
        is_same = is_same_entity(stored.etag, sent.etag)
        return (Freshness.FRESH, "equal ETag") if is_same else (Freshness.STALE, "another ETag")
    if not stored.etag and not sent.etag and stored.last_modified and sent.last_modified:
        is_same = stored.last_modified == sent.last_modified
        return (Freshness.FRESH, "equal Last-Modified") if is_same else (Freshness.STALE, "another Last-Modified")
    return Freshness.STALE, "nothing to compare: only the page itself can tell"


def _judge_redirect(result: FetchResult, reached: FetchResult | None) -> Verdict:
    target = result.redirect_to
    shown = f"status {result.status} to {target}"
    if target is None:
        return Verdict(freshness=Freshness.UNKNOWN, reason=f"status {result.status} without a readable target")
    is_permanent = result.status in (301, 308)
    if reached is None:
        if is_permanent:
            return Verdict(freshness=Freshness.MOVED, reason=shown, moved_to=target)
        return Verdict(freshness=Freshness.UNKNOWN, reason=f"{shown}, not followed")
    if reached.is_redirect:
        return Verdict(freshness=Freshness.UNKNOWN, reason=f"{shown}: a circle or too many hops")
    if reached.status in (200, 203, 304):
        if is_permanent:
            return Verdict(freshness=Freshness.MOVED, reason=shown, moved_to=target)
        return Verdict(freshness=Freshness.STALE, reason=f"{shown}: another page for now")
    end = judge_recheck(Validators(), reached)
    return Verdict(
        freshness=end.freshness, reason=f"{shown}: {end.reason}", retry_after_seconds=end.retry_after_seconds
    )
