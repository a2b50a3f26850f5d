"""The answer to "why": what one URL is to the store, in a sentence and as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from arborist_pipeline.core.crawl.admission import Rejection
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.lines import timestamp
from arborist_pipeline.core.crawl.priority import Bucket
from arborist_pipeline.core.crawl.records import Priority, Trap
from arborist_pipeline.core.documents.history import Version
from arborist_pipeline.core.report.queue_names import queue_name
from arborist_pipeline.core.report.url_record import InboundLinks, KnownSite, UrlRecord, UrlRequest
from arborist_pipeline.core.web.url import Url, redact

_REJECTIONS: Mapping[Rejection, str] = {
    Rejection.OTHER_SITE: "it is of another host than the site's",
    Rejection.FEED: "it is a feed's address, and feeds are no pages",
    Rejection.SITEMAP: "it is a sitemap's address, and sitemaps are no pages",
    Rejection.NOT_A_DOCUMENT: "its ending is that of a file which is no page",
    Rejection.EXCLUDED: "the site's include and exclude patterns leave it out",
    Rejection.ROBOTS: "robots.txt forbids it",
    Rejection.REPEATS: "its path says the same again and again",
    Rejection.REDIRECTS: "it is the end of a chain of more than ten redirects",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsWord:
    """What the stored copy of robots.txt says of a URL: the line that decides, None where none names it."""

    allowed: bool
    line: str | None
    url: Url
    fetched_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlAnswer:
    """All that is known of a URL. `site` is the one it belongs to, None for none of the store.

    `rejection` says why the site's rules would not let it be asked for now. `trap` is the pattern of the latest crawl
    that it is of. `near` are other spellings that a crawl has met, looked for where it has not met this one.
    """

    url: Url
    site: KnownSite | None
    record: UrlRecord | None
    robots: RobotsWord | None
    rejection: Rejection | None
    trap: Trap | None
    inbound: InboundLinks
    versions: tuple[Version, ...]
    near: tuple[Url, ...]


def tell_state(answer: UrlAnswer) -> str:
    """Return in one sentence what became of the URL, and why."""
    record = answer.record
    if record is None:
        return _tell_unknown(answer)
    asked = [request for request in record.requests if request.order is not None]
    if asked or (record.state is State.DONE and record.fetched_at is not None):
        return _tell_fetched(record, asked)
    if record.state is State.BEYOND:
        return f"never asked for: depth {record.path[-1].depth} is beyond the limit of the crawl that met it"
    if record.state is State.REFUSED:
        return f"never asked for: {_tell_refusal(answer, record)}"
    return f"never asked for so far: {_tell_place(answer, record)}"


def _tell_unknown(answer: UrlAnswer) -> str:
    if answer.site is None:
        return "no site of the store has this host and port"
    why = f": {_REJECTIONS[answer.rejection]}" if answer.rejection is not None else ""
    if answer.inbound.pages:
        return f"known by links alone, never taken into the crawl of {answer.site.site.key}{why}"
    return f"no crawl of {answer.site.site.key} has met this address" + (
        f", and none would ask for it{why}" if why else ""
    )


def _tell_fetched(record: UrlRecord, asked: list[UrlRequest]) -> str:
    latest = asked[0] if asked else record  # what robots.txt has forbidden since was answered all the same
    status = f" ({latest.status})" if latest.status is not None else ""
    parts = [f"asked for, {latest.outcome or 'no answer'}{status}"]
    if asked:
        parts.append(f"as request {asked[0].order} of crawl {asked[0].crawl_id}")
    if record.state is State.QUEUED:
        parts.append("queued to be asked for again")
    elif record.state is State.REFUSED:
        parts.append(f"refused since: {redact(record.reason or 'the rules of the site changed')}")
    if record.gone_at is not None:
        parts.append("gone")
    return ", ".join(parts)


def _tell_refusal(answer: UrlAnswer, record: UrlRecord) -> str:
    if record.reason:
        return redact(record.reason)
    if answer.robots is not None and not answer.robots.allowed:
        return f"robots.txt: {answer.robots.line}"
    if answer.rejection is not None:
        return _REJECTIONS[answer.rejection]
    return "the rules of the crawl that met it forbade it; those known now would not"


def _tell_place(answer: UrlAnswer, record: UrlRecord) -> str:
    place = record.place
    if place is None:
        return "it is in no queue"
    where = f"{place.before} before it among {queue_name(place)}, {place.queued} queued in all"
    if place.bucket == Bucket.LAST and answer.trap is not None:
        return f"withheld, as one of {answer.trap.template}; {where}"
    return where


def answer_to_json(answer: UrlAnswer, requests: tuple[UrlRequest, ...]) -> dict[str, Any]:
    """Return the answer as one JSON object, with these of its requests; values are written as contract §5 has them."""
    record, robots, trap = answer.record, answer.robots, answer.trap
    return {
        "url": answer.url,
        "site": answer.site and answer.site.site.key,
        "site_active": answer.site and answer.site.is_active,
        "state": _state(answer),
        "answer": tell_state(answer),
        **(_record_to_json(record) if record is not None else {}),
        "requests": [request_to_json(request) for request in requests],
        "robots": robots and {"allowed": robots.allowed, "line": robots.line, "url": robots.url,
                              "fetched_at": timestamp(robots.fetched_at)},
        "rejection": answer.rejection and answer.rejection.value,
        "trap": trap and {"template": trap.template, "asked": trap.asked, "left": trap.left, "example": trap.example},
        "linked_from": {"pages": answer.inbound.pages, "sources": [link._asdict() for link in answer.inbound.sources]},
        "versions": [_version_to_json(version) for version in answer.versions],
        "near": list(answer.near),
    }  # fmt: skip


def request_to_json(request: UrlRequest) -> dict[str, Any]:
    """Return a request in the words of contract §5.1."""
    return {
        "crawl": request.crawl_id, "order": request.order, "fetched_at": timestamp(request.fetched_at),
        "depth": request.depth, "parent": request.parent, "anchor": request.anchor, "status": request.status,
        "outcome": request.outcome.value, "reason": redact(request.reason), "kind": request.kind,
        "priority": _priority_to_json(request.priority), "title": request.title,
        "elapsed_seconds": round(request.elapsed_seconds, 3), "bytes": request.size_bytes,
    }  # fmt: skip


def _state(answer: UrlAnswer) -> str:
    if answer.record is not None:
        return answer.record.state.value
    return "unknown" if answer.site is not None else "no_site"


def _record_to_json(record: UrlRecord) -> dict[str, Any]:
    place, product, report = record.place, record.product, record.report
    return {
        "also_of": list(record.also_of),
        "discovered_at": timestamp(record.discovered_at),
        "depth": record.path[-1].depth,
        "path": [step._asdict() for step in record.path],
        "written": record.written,
        "priority": _priority_to_json(record.priority),
        "place": place and {"bucket": place.bucket, "among": queue_name(place), "before": place.before,
                            "queued": place.queued},
        "outcome": record.outcome and record.outcome.value,
        "status": record.status,
        "reason": record.reason and redact(record.reason),
        "kind": record.kind,
        "title": record.title,
        "fetched_at": _moment(record.fetched_at),
        "checked_at": _moment(record.checked_at),
        "verdict": record.verdict,
        "due_at": _moment(record.due_at),
        "gone_at": _moment(record.gone_at),
        "redirect_to": record.redirect_to,
        "redirected_from": list(record.redirected_from),
        "product": product and {**product.record, "is_current": product.is_current,
                                "first_seen_at": timestamp(product.first_seen_at),
                                "last_seen_at": timestamp(product.last_seen_at),
                                "retired_at": _moment(product.retired_at)},
        "report": report and {"crawl": report.crawl_id, "generated_at": timestamp(report.generated_at),
                              "findings": [{"signal": finding.signal, "severity": finding.severity.value,
                                            "certainty": finding.certainty.value, "message": finding.message}
                                           for finding in report.findings]},
    }  # fmt: skip


def _version_to_json(version: Version) -> dict[str, Any]:
    return {"version": version.number, "current": version.is_current, "observed_at": timestamp(version.observed_at),
            "last_seen_at": timestamp(version.last_seen_at), "document_root": version.document.root.hex(),
            "title": version.document.title}  # fmt: skip


def _priority_to_json(priority: Priority) -> dict[str, Any]:
    return {"tier": priority.tier.value, "score": priority.score, "why": priority.why}


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else timestamp(moment)
