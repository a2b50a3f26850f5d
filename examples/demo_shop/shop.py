"""The shop itself: requests in, answers out, nothing else. `serve.py` puts it on a socket."""

import gzip
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from urllib.parse import parse_qsl, unquote

from examples.demo_shop.catalogue import build_catalogue, build_items
from examples.demo_shop.dice import Dice
from examples.demo_shop.edition import Document, Edition, first_edition, second_edition
from examples.demo_shop.faults import build_plan
from examples.demo_shop.markup import ORIGIN
from examples.demo_shop.truth import Change, Truth

SEED = 7
_HOST = re.compile(r"[A-Za-z0-9.\-]+(:\d+)?|\[[0-9A-Fa-f:.]+\](:\d+)?")
_ABSOLUTE = re.compile(r"^https?://[^/?#]*", re.IGNORECASE)  # RFC 9112 §3.2.2: servers take the absolute form too
_COMPRESSED = re.compile(r"^(text/|application/(xml|rss\+xml)|image/svg)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer: header names are lower-case, the body is empty for HEAD and 304."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Shop:
    """A shop that a seed decides. It is the same between requests until `change` is called."""

    def __init__(self, seed: int = SEED) -> None:
        self._dice = Dice(seed)
        self._catalogue = build_catalogue(build_items(self._dice))
        self._plan = build_plan(self._catalogue)
        self._edition = first_edition(self._dice, self._catalogue, self._plan)

    def __repr__(self) -> str:
        phase = 2 if self.truth.changed else 1
        return f"Shop(pages={self.truth.page_count}, products={len(self.truth.products)}, phase={phase})"

    @property
    def truth(self) -> Truth:
        """What is true of the shop now."""
        return self._edition.truth

    def change(self) -> Change:
        """Move to the second phase: one price, one text, one page gone. Called again it changes nothing more."""
        if self.truth.changed is None:
            self._edition = second_edition(self._dice, self._catalogue, self._plan, self._edition)
        change = self.truth.changed
        assert change is not None  # noqa: S101 - a second edition always has its change
        return change

    def response(self, method: str, path_and_query: str, headers: Mapping[str, str] | None = None) -> Response:
        """Answer a request. Header names may be in any case; parameters that the shop does not know are ignored."""
        asked = {name.lower(): value for name, value in (headers or {}).items()}
        if method not in ("GET", "HEAD"):
            return _refusal(method, path_and_query)
        edition = self._edition
        document = edition.documents.get(_document_key(path_and_query), edition.missing)
        answer = _answer(document, asked, edition)
        return answer if method == "GET" else Response(status=answer.status, headers=answer.headers, body=b"")


def build_shop(seed: int = SEED) -> Shop:
    """Build the shop; a second or two of work, no input or output."""
    return Shop(seed)


def _document_key(target: str) -> str:
    raw_path, _, raw_query = _ABSOLUTE.sub("", target).partition("#")[0].partition("?")
    query = dict(parse_qsl(raw_query))
    path = unquote(raw_path) or "/"
    if query.get("page", "1") != "1":
        return f"{path}?page={query['page']}"
    if "sort_by" in query and path == "/collections/everything":
        return f"{path}?sort_by=price-ascending"
    return path


def _refusal(method: str, target: str) -> Response:
    if method == "POST" and _document_key(target) == "/cart/add":
        return Response(status=303, headers={"location": "/cart", "content-length": "0"}, body=b"")
    return Response(status=405, headers={"allow": "GET, HEAD", "content-length": "0"}, body=b"")


def _answer(document: Document, asked: Mapping[str, str], edition: Edition) -> Response:
    if document.location is not None:
        headers = {"location": document.location, "content-length": "0"}
        return Response(status=document.status, headers=headers, body=b"")
    host = asked.get("host", "")
    origin = f"http://{host if _HOST.fullmatch(host) else 'localhost'}"
    body = document.body.replace(ORIGIN.encode(), origin.encode())
    digest = hashlib.sha256(body).hexdigest()[:24]
    headers = {"content-type": document.media_type, "vary": "Accept-Encoding"}
    suffix = ""
    if _COMPRESSED.match(document.media_type) and _accepts_gzip(asked.get("accept-encoding", "")):
        body = gzip.compress(body, compresslevel=5, mtime=0)
        headers["content-encoding"] = "gzip"
        suffix = "-gzip"  # RFC 9110 §8.8.3.3: another coding, another strong validator
    if document is not edition.missing:
        headers["etag"] = f'"{digest}{suffix}"'
        headers["last-modified"] = format_datetime(document.modified, usegmt=True)
        headers["cache-control"] = "no-cache"
        if _is_unchanged(asked, {f'"{digest}"', f'"{digest}-gzip"'}, document.modified):
            del headers["content-type"]
            headers.pop("content-encoding", None)
            return Response(status=304, headers=headers, body=b"")
    headers["content-length"] = str(len(body))
    return Response(status=document.status, headers=headers, body=body)


def _is_unchanged(asked: Mapping[str, str], tags: set[str], modified: datetime) -> bool:
    """Whether a conditional request asks for what it has (RFC 9110 §13.2.2: the date counts only without a tag)."""
    if "if-none-match" in asked:
        given = {tag.strip().removeprefix("W/") for tag in asked["if-none-match"].split(",")}
        return "*" in given or bool(given & tags)
    try:
        since = parsedate_to_datetime(asked.get("if-modified-since", ""))
    except ValueError:
        return False
    return modified <= (since if since.tzinfo else since.replace(tzinfo=UTC))


def _accepts_gzip(header: str) -> bool:
    for part in header.lower().split(","):
        coding, _, parameters = part.partition(";")
        if coding.strip() in ("gzip", "*"):
            return not re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", parameters)
    return False
