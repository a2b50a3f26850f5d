"""Sitemaps (sitemaps.org 0.9): sets, indexes, text files and feeds, read without trust in them. Total on any input.

No entity but XML's own five is resolved, a document type is refused, nothing is fetched or opened. Element names
count without their namespace, extensions (image, video, news, xhtml) do not count at all.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date
from email.utils import parsedate_to_datetime
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from lxml import etree

from arborist_pipeline.core.web.url import Url, resolve, resolve_both, site_key
from arborist_pipeline.core.web.xml_text import iter_text, repair_xml

MAX_ENTRIES = 50_000
MAX_LOC_CHARACTERS = 2_048
_EXAMPLE_CHARACTERS = 200
_PROLOG = re.compile(r"(?:\s+|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_DECLARATION = re.compile(r"\s*<\?xml.*?\?>", re.DOTALL)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_LINE = re.compile(r"[^\r\n]+")
_W3C_DATE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?"
    r"(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?)?)?",
    re.ASCII,
)


class SitemapKind(StrEnum):
    """What a file turned out to be, by its own first element or lines."""

    URLSET = "urlset"
    INDEX = "index"
    TEXT = "text"
    FEED = "feed"
    NOT_A_SITEMAP = "not_a_sitemap"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapEntry:
    """A page that a sitemap declares; `lastmod` is a W3C date as written (a feed's in ISO 8601), None if unreadable.

    `written` is the address before it was brought to canonical form, as in `links.Link`.
    """

    url: Url
    lastmod: str | None = None
    written: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """One file: pages (of a set, text file or feed) or further sitemaps (of an index), each once, in order.

    `problems` has a line for each kind of fault, with an example and how often it came.
    """

    kind: SitemapKind
    entries: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[Url, ...] = ()
    problems: tuple[str, ...] = ()


class _Shape(NamedTuple):
    """What a kind of file is made of, in local names and lower case."""

    kind: SitemapKind
    parent: str
    entry: str
    dates: tuple[str, ...]


_SHAPES = {
    "urlset": _Shape(SitemapKind.URLSET, "urlset", "url", ("lastmod",)),
    "sitemapindex": _Shape(SitemapKind.INDEX, "sitemapindex", "sitemap", ("lastmod",)),
    "rss": _Shape(SitemapKind.FEED, "channel", "item", ("pubdate",)),
    "rdf": _Shape(SitemapKind.FEED, "rdf", "item", ("pubdate",)),
    "feed": _Shape(SitemapKind.FEED, "feed", "entry", ("updated", "published")),
}


def parse_sitemap(body: bytes, url: str, *, site_url: str | None = None) -> SitemapFile:
    """Read what a sitemap file at `url` declares for the site of `site_url` (by default the site of `url`).

    Both are canonical URLs. Pages of other sites are left out and reported; child sitemaps may lie anywhere. At most
    50,000 entries and 52,428,800 bytes are read. A file that is no sitemap gives nothing and says why.
    """
    found = _Found(url, site_url or url)
    pieces = iter_text(body, found.report)
    head = next(pieces, "").lstrip("\ufeff")
    prolog = _PROLOG.match(head)
    start = prolog.end() if prolog else 0
    if head[start : start + 9].lower() == "<!doctype":
        found.report("not a sitemap: it has a document type, which is refused", head[start : start + 60])
        return found.file(SitemapKind.NOT_A_SITEMAP)
    root = _ROOT.match(head, start)
    if root is None:
        return _read_lines("".join((head, *pieces)), found)
    shape = _SHAPES.get(root[1].lower())
    if shape is None:
        found.report("not a sitemap: XML or HTML of another kind", root[0])
        return found.file(SitemapKind.NOT_A_SITEMAP)
    if head[:1].isspace() and _DECLARATION.match(head):
        found.report("not well-formed: space before the XML declaration", "")
    _read_xml(chain((_DECLARATION.sub("", head, count=1),), pieces), shape, found)
    return found.file(shape.kind)


def parse_w3c_date(text: str) -> str | None:
    """Return a W3C date (any of its six precisions) as written, None where it is none or names no day."""
    match = _W3C_DATE.fullmatch(text)
    if match is None:
        return None
    try:
        date(int(match["year"]), int(match["month"] or 1), int(match["day"] or 1))
    except ValueError:
        return None
    return text


class _Found:
    """What a file declares, as it is read, and what is wrong with it."""

    def __init__(self, url: str, site_url: str) -> None:
        self.entries_seen = 0
        self._url = url
        self._folder = url[: url.split("?", 1)[0].rfind("/") + 1]
        host, port = site_key(site_url)
        authority = host if port is None else f"{host}:{port}"
        self._site = (f"https://{authority}/", f"http://{authority}/")
        self._found: dict[Url, SitemapEntry] = {}
        self._faults: dict[str, tuple[int, str]] = {}

    @property
    def is_full(self) -> bool:
        return self.entries_seen > MAX_ENTRIES

    def report(self, fault: str, example: str) -> None:
        count, first = self._faults.get(fault, (0, example[:_EXAMPLE_CHARACTERS]))
        self._faults[fault] = (count + 1, first)

    def add(self, loc: str, shape: _Shape | None, lastmod: str | None = None) -> None:
        """Take in one address; where `shape` is None, a line of text, which must be absolute."""
        self.entries_seen += 1
        if self.is_full:
            self.report("more than 50,000 entries: the rest is not read", "")
            return
        if len(loc) >= MAX_LOC_CHARACTERS:
            self.report("an address has 2,048 characters or more", loc)
        url, written = resolve_both(None, loc)
        if url is None and shape is not None:
            url, written = resolve_both(self._url, loc)
            if url is not None:
                self.report("an address is relative", loc)
        if url is None:
            self.report("no http(s) address", loc)
        elif not url.startswith(self._site) and (shape is None or shape.kind is not SitemapKind.INDEX):
            self.report("an address of another site is left out", loc)
        elif url in self._found:
            self.report("an address is repeated", loc)
            if written is None:  # one in plain form is enough
                self._found[url] = replace(self._found[url], written=None)
        else:
            self._found[url] = SitemapEntry(url=url, lastmod=lastmod, written=written)
            if shape is not None and shape.kind is SitemapKind.URLSET and not url.startswith(self._folder):
                self.report("an address lies outside the sitemap's folder", loc)

    def file(self, kind: SitemapKind) -> SitemapFile:
        is_index = kind is SitemapKind.INDEX
        return SitemapFile(
            kind=kind,
            entries=() if is_index else tuple(self._found.values()),
            sitemaps=tuple(self._found) if is_index else (),
            problems=tuple(map(_problem, self._faults.items())),
        )


class _EntryTarget:
    """Takes the events of the parser, keeps no tree: the address and date of each entry, as it closes."""

    def __init__(self, shape: _Shape, found: _Found) -> None:
        self.is_root_closed = False
        self._shape = shape
        self._found = found
        self._path: list[str] = []
        self._entry_depth = 0  # 0: outside of any entry
        self._namespace = ""
        self._field = ""
        self._texts: dict[str, list[str]] = {}

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = tag[tag.rfind("}") + 1 :].lower()
        namespace = tag[: len(tag) - len(name)]
        depth = len(self._path)
        if name == self._shape.entry and self._may_open(namespace):
            if self._entry_depth:  # the entry before was never closed
                self._close_entry()
            self._entry_depth, self._namespace, self._field, self._texts = depth, namespace, "", {}
        elif self._entry_depth and depth == self._entry_depth + 1 and namespace == self._namespace:
            self._open_field(name, attributes)
        self._path.append(name)

    def data(self, text: str) -> None:
        if self._field:
            self._texts[self._field].append(text)

    def end(self, _tag: str) -> None:
        self._path.pop()  # the parser closes in order, whatever the file says
        depth = len(self._path)
        self.is_root_closed = depth == 0
        if depth <= self._entry_depth + 1:
            self._field = ""
        if depth <= self._entry_depth and self._entry_depth:
            self._close_entry()
            self._entry_depth = 0

    def close(self) -> None:
        """Do nothing: what stands open at the end of the file is broken off, and not an entry."""

    def _may_open(self, namespace: str) -> bool:
        if self._entry_depth:
            return namespace == self._namespace
        return bool(self._path) and self._path[-1] == self._shape.parent

    def _open_field(self, name: str, attributes: Mapping[str, str]) -> None:
        self._field = ""
        if name == "link" and attributes.get("rel", "alternate") != "alternate":
            return
        key = "loc" if name in ("loc", "link") else "date" if name in self._shape.dates else ""
        if key and key not in self._texts:
            self._texts[key] = [attributes.get("href", "")]
            self._field = key

    def _close_entry(self) -> None:
        loc = "".join(self._texts.get("loc", ())).strip()
        if loc:
            self._found.add(loc, self._shape, self._lastmod())
        else:
            self._found.entries_seen += 1
            self._found.report("an entry has no address", "")

    def _lastmod(self) -> str | None:
        text = "".join(self._texts.get("date", ())).strip()
        if not text:
            return None
        lastmod = parse_w3c_date(text)
        if lastmod is None and self._shape.kind is SitemapKind.FEED:
            lastmod = _parse_feed_date(text)
        if lastmod is None:
            self._found.report("lastmod is no W3C date", text)
        return lastmod


def _read_lines(text: str, found: _Found) -> SitemapFile:
    has_address = False
    for match in _LINE.finditer(text):
        line = match[0].strip()
        if line:
            has_address = has_address or resolve(None, line) is not None
            found.add(line, None)
        if found.is_full:
            break
    if has_address:
        return found.file(SitemapKind.TEXT)
    return SitemapFile(kind=SitemapKind.NOT_A_SITEMAP, problems=("not a sitemap: neither XML nor a list of addresses",))


def _read_xml(pieces: Iterator[str], shape: _Shape, found: _Found) -> None:
    target = _EntryTarget(shape, found)
    parser = etree.XMLParser(
        target=target,  # type: ignore[arg-type]  # the stub asks for methods that take bytes too; lxml calls with str
        encoding="utf-8",
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
    )
    try:
        for piece in repair_xml(pieces, found.report):
            parser.feed(piece.encode("utf-8"))
            if found.is_full:
                return
    except etree.XMLSyntaxError as fault:
        found.report("not well-formed", fault.msg or "")
        return
    if parser.feed_error_log:
        found.report("not well-formed", parser.feed_error_log[0].message)
    elif not target.is_root_closed:
        found.report("not well-formed: the file breaks off", "")


def _parse_feed_date(text: str) -> str | None:
    """Read the date of an RSS item (RFC 5322 §3.3)."""
    try:
        at = parsedate_to_datetime(text)
        return at.astimezone(UTC).isoformat() if at.tzinfo else at.date().isoformat()
    except (ValueError, OverflowError):
        return None


def _problem(fault: tuple[str, tuple[int, str]]) -> str:
    text, (count, example) = fault
    return text + (f": {example}" if example else "") + (f" (and {count - 1} more)" if count > 1 else "")
