"""arborist why: all that is known of one URL, and why it was fetched when it was, or never."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import Invocation
from arborist_pipeline.cli.output import emit, json_line, printable, table
from arborist_pipeline.cli.product_view import render_product
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.lines import timestamp
from arborist_pipeline.core.documents.history import Version
from arborist_pipeline.core.report.queue_names import queue_name
from arborist_pipeline.core.report.url_answer import UrlAnswer, answer_to_json, tell_state
from arborist_pipeline.core.report.url_record import PageProduct, UrlRecord, UrlRequest
from arborist_pipeline.core.web.url import canonicalize, redact
from arborist_pipeline.workflows.url_answers import explain_url

_LATEST = 5
_LINKS = 5
_LABEL = 11
_HEADINGS = ("CRAWL", "REQUEST", "AT", "STATUS", "OUTCOME", "KIND", "TIER", "SCORE", "WHY")


@click.command("why")
@click.argument("url")
@click.option("--all", "is_all", is_flag=True, help="Every crawl that met it, not only the latest five.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_obj
def why(invocation: Invocation, url: str, *, is_all: bool, as_json: bool) -> None:
    """Tell all that is known of one URL, from the store alone.

    How it was found, what robots.txt says, what put it where it came in the order of its crawl, each answer, its
    product with where each field was read, its versions, what the latest report found. Of a URL that was never fetched
    the place in the queue, or what keeps it out; of an unknown one the nearest spellings that are known.
    """
    asked = canonicalize(url)
    with wiring.opened_store(wiring.load_settings(invocation.db), read_only=True) as store:
        answer = explain_url(
            asked, records=wiring.url_records_in(store), robots=store.robots,
            load_versions=wiring.history_of(store).load_versions,
        )  # fmt: skip
    met = answer.record.requests if answer.record is not None else ()
    shown = met if is_all else met[:_LATEST]
    if as_json:
        emit(json_line(answer_to_json(answer, shown)))
        return
    emit("\n".join(_lines(answer, shown)))


def _lines(answer: UrlAnswer, shown: Sequence[UrlRequest]) -> Iterator[str]:
    yield printable(answer.url)
    yield printable(tell_state(answer))
    yield ""
    yield from _labelled("site", _site(answer))
    record = answer.record
    if record is not None:
        yield from _labelled("found", _found(record))
        yield from _labelled("path", _path(record))
    yield from _labelled("linked from", _links(answer))
    yield from _labelled("robots.txt", _robots(answer))
    if record is not None:
        yield from _labelled("order", _order(record))
        yield from _labelled("answer", _answer(record))
        yield from _labelled("redirects", _redirects(record))
        yield from _labelled("again", _again(record))
        yield from _labelled("report", _report(record))
    yield from _labelled("versions", map(_version, answer.versions))
    yield from _labelled("did you mean", answer.near)
    if record is None:
        return
    if record.requests:
        yield ""
        yield table(_HEADINGS, map(_request_row, shown))
        left = len(record.requests) - len(shown)
        if left:
            yield f"{left} earlier: --all shows them"
    if record.product is not None:
        yield ""
        yield _product(record.product, record.site_key)


def _labelled(label: str, lines: Iterator[str] | Sequence[str]) -> Iterator[str]:
    """Yield lines beside a label, which stands before the first."""
    for number, line in enumerate(lines):
        yield f"{'' if number else label:{_LABEL}}  {printable(redact(line))}"


def _site(answer: UrlAnswer) -> Iterator[str]:
    if answer.site is not None:
        key, seed_url = answer.site.site.key, answer.site.seed_url
        yield f"{key}, from {seed_url}{'' if answer.site.is_active else ' (retired: no longer in a site list)'}"
    if answer.record is not None and answer.record.also_of:
        yield f"known to {', '.join(answer.record.also_of)} as well"


def _found(record: UrlRecord) -> Iterator[str]:
    yield f"{_when(record.discovered_at)}, depth {record.path[-1].depth}"
    if record.written is not None:
        yield f"written as {record.written}"


def _path(record: UrlRecord) -> Iterator[str]:
    for step in record.path:
        yield f"{step.depth}  {step.url}" + (f'  by the link "{step.anchor}"' if step.anchor else "")


def _links(answer: UrlAnswer) -> Iterator[str]:
    inbound = answer.inbound
    for source in inbound.sources[:_LINKS]:
        yield source.url + (f'  "{source.anchor}"' if source.anchor else "")
    if inbound.pages > _LINKS:
        yield f"and {inbound.pages - _LINKS} more"


def _robots(answer: UrlAnswer) -> Iterator[str]:
    if answer.robots is None:
        if answer.site is not None:
            yield "no copy is stored"
        return
    word = answer.robots
    line = word.line or "no line is about it"
    yield f"{'allowed' if word.allowed else 'forbidden'}: {line} (copy of {_when(word.fetched_at)})"


def _order(record: UrlRecord) -> Iterator[str]:
    latest = next((request for request in record.requests if request.order is not None), None)
    if latest is None and record.state is State.REFUSED:
        return
    priority = latest.priority if latest is not None else record.priority
    yield f"{priority.why or 'no reason was kept'} (tier {priority.tier}, score {priority.score:.2f})"
    if latest is None:
        return
    yield f"request {latest.order} of crawl {latest.crawl_id}, {_when(latest.fetched_at)}"
    if record.place is not None:
        place = record.place
        yield f"queued again: {place.before} before it among {queue_name(place)}, {place.queued} queued in all"


def _answer(record: UrlRecord) -> Iterator[str]:
    if record.outcome is None:
        return
    status = f" {record.status}" if record.status is not None else ""
    kind = f", {record.kind} page" if record.kind else ""
    yield f"{record.outcome}{status}{kind}" + (f": {record.reason}" if record.reason else "")
    if record.title:
        yield f'"{record.title}"'


def _redirects(record: UrlRecord) -> Iterator[str]:
    if record.redirect_to is not None:
        yield f"to {record.redirect_to}"
    for url in record.redirected_from:
        yield f"from {url}"


def _again(record: UrlRecord) -> Iterator[str]:
    if record.due_at is not None:
        yield f"due {_when(record.due_at)}"
    if record.checked_at is not None and record.verdict is not None:
        yield f"checked {_when(record.checked_at)}: {record.verdict}"
    if record.gone_at is not None:
        yield f"gone since {_when(record.gone_at)}"


def _report(record: UrlRecord) -> Iterator[str]:
    report = record.report
    if report is None:
        return
    if not report.findings:
        yield f"nothing in that of {_when(report.generated_at)}"
    for finding in report.findings:
        yield f"{finding.signal} ({finding.severity}, {finding.certainty}): {finding.message}"


def _version(version: Version) -> str:
    seen = f"seen {_when(version.observed_at)} to {_when(version.last_seen_at)}"
    return (
        f"{version.number}  {seen}  root {version.document.root.hex()[:16]}{'  current' if version.is_current else ''}"
    )


def _request_row(request: UrlRequest) -> tuple[object, ...]:
    priority = request.priority
    return (request.crawl_id, request.order, _when(request.fetched_at), request.status, request.outcome, request.kind,
            priority.tier, f"{priority.score:.2f}", priority.why)  # fmt: skip


def _product(product: PageProduct, site_key: str) -> str:
    seen = {"first_seen_at": _when(product.first_seen_at), "last_seen_at": _when(product.last_seen_at)}
    record = {"site": site_key, **product.record, **seen}
    if product.retired_at is not None:
        head = f"product it showed until {_when(product.retired_at)}"
    else:
        head = "product" if product.is_current else "product, which the catalogue lists under another address"
    return f"{head}\n{render_product(record, [record])}"


def _when(moment: datetime) -> str:
    return timestamp(moment)[:19] + "Z"
