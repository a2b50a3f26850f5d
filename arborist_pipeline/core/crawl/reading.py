"""One exchange read: what came of a request, as the row that the store keeps and the links that the frontier gets."""

import hashlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice

from arborist_pipeline.core.crawl.platform_paths import find_platform
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.records import BodyRetention, CrawledPage, CrawlRequest, Outcome, Site
from arborist_pipeline.core.documents.document import Document, DocumentStatus, build_document
from arborist_pipeline.core.products.extract import read_page
from arborist_pipeline.core.products.product import Product
from arborist_pipeline.core.web.fetch import FailureKind, FetchResult, is_html_type
from arborist_pipeline.core.web.html import MAX_TAGS, HtmlTree
from arborist_pipeline.core.web.links import LinkPlaces
from arborist_pipeline.core.web.page import Page, PageKind, parse_page
from arborist_pipeline.core.web.url import Url

_KEPT_HEADERS = ("content-type", "x-robots-tag", "etag", "last-modified", "expires")
_BLOCKED_STATUSES = frozenset({401, 403, 407, 429, 451})
_NO_PAGE = frozenset({Outcome.NOT_HTML, Outcome.EMPTY, Outcome.HTTP_ERROR, Outcome.SOFT_404})
_FEW_CHARACTERS = 200
_PROSE_CHARACTERS = 1_500  # in paragraphs: some 250 words, more than a calendar or a list of facets has


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What downstream would make of a body: bytes that differ may say the same (a token, a clock, a nonce)."""

    document: Document
    product: Product | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A crawled page with what was read from it on the way; `document` and `product` only where they were asked for.

    `text_key` is equal for pages that show the same text, None for those that show none of their own. `endpoint` is an
    address that tells what the page leaves open of its product. `content` is there where a stored version may say the
    same, so that this body need not be stored beside it. `places` tells where the page's links stand; it holds the
    tree, so whoever has asked it lets go of it.
    """

    page: CrawledPage
    document: Document | None = None
    product: Product | None = None
    text_key: bytes | None = None
    endpoint: Url | None = None
    content: Content | None = None
    places: LinkPlaces | None = None


def read_exchange(
    request: CrawlRequest, result: FetchResult, *, order: int, site: Site, policy: CrawlPolicy
) -> Reading:
    """Turn an exchange into its outcome; total. A body is parsed once, for links, kind, document and product alike."""
    outcome, reason = judge_exchange(result)
    if outcome is Outcome.OK:
        return _read_html(request, result, order=order, site=site, policy=policy)
    if outcome is Outcome.NOT_MODIFIED and request.stored is None:
        outcome, reason = Outcome.HTTP_ERROR, "status 304 to a request that named no version"
    # Of a body that did not come whole its links are good; its text and its facts are not.
    is_part = outcome in (Outcome.TRUNCATED, Outcome.TOO_LARGE) and not _looks_binary(result.body)
    part = parse_page(result) if is_part else None
    return Reading(page=_row(request, result, order=order, outcome=outcome, reason=reason, page=part))


def judge_exchange(result: FetchResult) -> tuple[Outcome, str]:
    """Return the outcome as far as status, headers and the mere presence of a body tell, and why."""
    if result.failure is not None:
        blocked = result.failure.kind is FailureKind.BLOCKED_ADDRESS
        outcome = Outcome.BLOCKED_ADDRESS if blocked else Outcome.NETWORK_ERROR
        return outcome, f"{result.failure.kind}: {result.failure.message}"
    status = result.status or 0
    if status == 304:
        return Outcome.NOT_MODIFIED, "the stored version still holds"
    if result.is_redirect:
        if result.redirect_to is None:
            return Outcome.HTTP_ERROR, f"status {status} without a Location that can be read: {result.location!r}"
        return Outcome.REDIRECT, f"status {status} to {result.redirect_to}"
    if status in _BLOCKED_STATUSES:
        return Outcome.BLOCKED, f"status {status}: ask the owner to allow this crawler"
    if not 200 <= status < 300:
        return Outcome.HTTP_ERROR, f"status {status}"
    return _judge_body(result)


def _judge_body(result: FetchResult) -> tuple[Outcome, str]:
    if not is_html_type(result.content_type):
        return Outcome.NOT_HTML, f"content type {result.content_type}"
    if result.too_large:
        return Outcome.TOO_LARGE, "the body is larger than the limit"
    if result.truncated:
        return Outcome.TRUNCATED, "the connection ended before the body did"
    if not result.body.strip():
        return Outcome.EMPTY, "no content"
    if _looks_binary(result.body):
        return Outcome.NOT_HTML, "the body is no text"
    return Outcome.OK, ""


def _read_html(request: CrawlRequest, result: FetchResult, *, order: int, site: Site, policy: CrawlPolicy) -> Reading:
    page = parse_page(result)
    loss = _loss(page.tree)
    if loss is not None:
        outcome, reason = loss
        row = _row(request, result, order=order, outcome=outcome, reason=reason, page=page)
        return Reading(page=row, places=page.found_links.places)
    found = read_page(page)
    stored = request.stored.body_sha256 if request.stored is not None else None
    is_known = stored is not None and stored == hashlib.sha256(result.body).digest()
    keeps_all = site.retention.bodies is BodyRetention.ALL
    may_be_same = policy.keep_bodies and stored is not None and not is_known and not keeps_all
    made = build_document(request.url, page, author=site.author) if policy.ingest or may_be_same else None
    sold = replace(found.product, tenant=site.tenant) if found.product else None
    document, product = (made, sold) if policy.ingest else (None, None)
    crawled = _row(
        request,
        result,
        order=order,
        outcome=Outcome.OK,
        reason=f"the same bytes as before: {found.reason}" if is_known else found.reason,
        kind=found.kind,
        page=page,
        body=result.body if policy.keep_bodies else None,
        root=document.document_root if document else None,
    )
    key = None if crawled.needs_rendering else _text_key(result, document)
    endpoint = found.endpoint if policy.keep_bodies else None
    content = Content(document=made, product=sold) if may_be_same and made is not None else None
    return Reading(page=crawled, document=document, product=product, text_key=key, endpoint=endpoint, content=content,
                   places=page.found_links.places)  # fmt: skip


def read_with_endpoint(
    reading: Reading, result: FetchResult, told: bytes, *, site: Site, policy: CrawlPolicy
) -> Reading:
    """Return a reading with what the platform's endpoint told of its product, to be kept beside the page's body."""
    found = read_page(parse_page(result), told)
    product = replace(found.product, tenant=site.tenant) if policy.ingest and found.product else None
    return replace(
        reading, product=product, endpoint=None, content=None, page=replace(reading.page, endpoint_body=told)
    )


def has_failed(page: CrawledPage, new_links: int) -> bool:
    """Whether an answer is no page; a redirect to what is known already is as good as none."""
    return page.outcome in _NO_PAGE or (page.outcome is Outcome.REDIRECT and not new_links)


def _loss(tree: HtmlTree) -> tuple[Outcome, str] | None:
    """Return the outcome of a page whose text is not read whole, and why; its links are good."""
    if tree.too_deep:
        return Outcome.TOO_DEEP, "elements are nested deeper than 1,000 levels: text may be lost"
    if tree.too_large:
        return Outcome.TOO_LARGE, f"more than {MAX_TAGS:,} tags, or attributes that cannot be told apart"
    return None


def _text_key(result: FetchResult, document: Document | None) -> bytes | None:
    """The root of the main text where a document was made, else the hash of the bytes; None where there is no text."""
    if document is None:
        return hashlib.sha256(result.body).digest()
    return document.main_root if document.status is DocumentStatus.OK else None


def _row(  # one for each thing that differs between outcomes
    request: CrawlRequest,
    result: FetchResult,
    *,
    order: int,
    outcome: Outcome,
    reason: str,
    kind: PageKind | None = None,
    page: Page | None = None,
    body: bytes | None = None,
    root: bytes | None = None,
) -> CrawledPage:
    known = request.stored if outcome is Outcome.NOT_MODIFIED else None
    if page and page.omissions:
        reason = f"{reason}; left out: {', '.join(page.omissions)}".removeprefix("; ")
    return CrawledPage(
        order=order,
        url=request.url,
        final_url=result.redirect_to or request.url,
        depth=request.depth,
        parent=request.parent,
        anchor=request.anchor,
        priority=request.priority,
        status=result.status,
        outcome=outcome,
        reason=reason,
        kind=known.kind if known else kind,
        title=page.title if page else known.title if known else None,
        elapsed_seconds=result.elapsed_seconds,
        size_bytes=len(result.body),
        fetched_at=result.fetched_at,
        headers=_kept(result.headers),
        body=body,
        dispatched_seq=request.dispatched_seq or None,
        platform=find_platform(page, result.headers) if page and request.wants_platform else None,
        links=page.links if page else None,
        malformed_links=page.malformed_links if page else (),
        canonical_url=page.canonical_url if page else None,
        refresh_to=page.refresh_to if page else known.refresh_to if known else None,
        redirect_to=result.redirect_to,
        location=result.location,
        noindex=page.noindex if page else False,
        nofollow=page.nofollow if page else False,
        needs_rendering=page is not None and _needs_rendering(page),
        has_prose=page is not None and _has_prose(page),
        document_root=root,
        stored=request.stored,
    )


def _kept(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {name: headers[name] for name in _KEPT_HEADERS if headers.get(name)}


def _looks_binary(body: bytes) -> bool:
    """Whether a body sent as HTML is a file of another kind: a known signature, or NULs that no UTF-16 explains."""
    head = body[:512]
    if head.startswith((b"%PDF-", b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"7z\xbc\xaf")):
        return True
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"<" in head:
        return False
    return head.count(0) > len(head) // 10


def _needs_rendering(page: Page) -> bool:
    """Whether the page is drawn by script: hardly any text, scripts, and no link for a crawler to follow."""
    if any(link.kind in ("a", "area") for link in page.links):
        return False
    if not any(_runs(script.get("type")) for script in page.tree.iter("script")):
        return False
    characters = 0
    for root in page.tree.roots:
        for element in root.iter("p", "h1", "h2", "h3", "li", "td", "span", "div"):
            characters += len((element.text or "").strip())
    return characters < _FEW_CHARACTERS


def _runs(script_type: str | None) -> bool:
    """Whether a script is a program (HTML §4.12.1); data blocks, such as JSON-LD, draw nothing."""
    essence = (script_type or "").partition(";")[0].strip().lower()
    return essence in ("", "module") or essence.endswith(("javascript", "ecmascript"))


def _has_prose(page: Page) -> bool:
    characters = 0
    paragraphs = page.tree.iter("p")
    for paragraph in paragraphs:
        characters += sum(map(len, paragraph.itertext())) if len(paragraph) else len(paragraph.text or "")
        if characters >= _PROSE_CHARACTERS:
            return True
        if len(paragraph):  # what lies in a paragraph is counted with it, and once
            deque(islice(paragraphs, sum(1 for _ in paragraph.iterdescendants("p"))), maxlen=0)
    return False
