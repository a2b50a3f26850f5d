"""A page as the rest of the core sees it: parsed once, read by links, documents and products."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from lxml import etree

from arborist_pipeline.core.web.charset import html_in_utf_8
from arborist_pipeline.core.web.fetch import FetchResult
from arborist_pipeline.core.web.html import MAX_ATTRIBUTES, HtmlTree, inline_text, parse_html
from arborist_pipeline.core.web.links import (
    MAX_LINKS,
    Link,
    LinkKind,
    PageLinks,
    base_url,
    extract_links,
    find_canonical,
)
from arborist_pipeline.core.web.url import Base, Url

# HTML, shared declarative refresh steps: seconds in ASCII digits (none before a "." are 0), what follows a "." left
# out; then the end, or a separator and the address. Possessive, so that no input is read twice.
_REFRESH = re.compile(
    r"B*+(?=[0-9.])([0-9]*+)[0-9.]*+(?:(?=[;,\t\n\f\r ])B*+[;,]?+B*+(?:urlB*+=B*+)?+(?P<quote>[\"']?)(?P<url>.*))?"
    .replace("B", r"[\t\n\f\r ]"), re.IGNORECASE | re.DOTALL | re.ASCII,
)  # fmt: skip
MAX_HOP_SECONDS = 5
"""A refresh within so many seconds sends its visitor on; a later one lets a reader read, and is a link."""
_MAX_TITLES = 100  # that may all be blank, or of drawings deep inside each other


class PageKind(StrEnum):
    """What a page is for; the verdict of `core.products.kind`."""

    PRODUCT = "product"
    LISTING = "listing"
    ARTICLE = "article"
    HOME = "home"
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class Page:
    """A parsed HTML page. Its links are looked for when first asked for: not every reader needs them.

    `url` is the address that answered. `title` is the white-space-folded text of the first title element in the
    head's sense (not one inside svg), None where absent or blank. `refresh_to` is where a meta refresh sends visitors
    before they could read (HTML §4.2.5.3: as good as a redirect), `refresh_link` where any meta refresh leads.
    `nofollow` and `noindex` come from robots meta and X-Robots-Tag, for all agents.
    """

    url: Url
    tree: HtmlTree
    title: str | None
    canonical_url: Url | None
    refresh_link: Link | None
    refresh_to: Url | None
    nofollow: bool
    noindex: bool

    @cached_property
    def found_links(self) -> PageLinks:
        """The links that stand in the page, and what hides in them."""
        return extract_links(self.tree, self.url)

    @property
    def links(self) -> tuple[Link, ...]:
        """The distinct links of the page, that of its refresh last."""
        links = self.found_links.links
        return links if self.refresh_link is None else (*links, self.refresh_link)

    @property
    def malformed_links(self) -> tuple[str, ...]:
        """The hrefs that no browser could follow."""
        return self.found_links.malformed

    @property
    def omissions(self) -> tuple[str, ...]:
        """What of a page without measure was left, for people."""
        return tuple(_omissions(self.tree, more_links=self.found_links.has_more))


def parse_page(result: FetchResult) -> Page:
    """Parse the HTML answer to a request; total."""
    return parse_body(result.body, url=result.requested_url, headers=result.headers)


def parse_body(body: bytes, *, url: Url, headers: Mapping[str, str]) -> Page:
    """Parse a body, fresh or stored; `headers` may hold content-type and x-robots-tag."""
    text, encoding = html_in_utf_8(body, headers.get("content-type", ""))
    tree = parse_html(text, encoding=encoding)
    refresh = _find_refresh(tree, url)
    directives = _robots_directives(tree.marks.metas, headers)
    return Page(
        url=url,
        tree=tree,
        title=_title(tree),
        canonical_url=find_canonical(tree, url),
        refresh_link=refresh[1] if refresh is not None else None,
        refresh_to=refresh[1].url if refresh is not None and refresh[0] <= MAX_HOP_SECONDS else None,
        nofollow=bool(directives & {"nofollow", "none"}),
        noindex=bool(directives & {"noindex", "none"}),
    )


def _omissions(tree: HtmlTree, *, more_links: bool) -> Iterator[str]:
    if tree.lost_attributes:
        yield f"attributes after the first {MAX_ATTRIBUTES} of a tag"
    if more_links:
        yield f"links after the first {MAX_LINKS:,}"


def _title(tree: HtmlTree) -> str | None:
    for element in tree.marks.titles[:_MAX_TITLES]:
        if any(ancestor.tag in ("svg", "math") for ancestor in element.iterancestors()):
            continue
        text = inline_text(element)
        if text:
            return text
    return None


def _find_refresh(tree: HtmlTree, url: Url) -> tuple[int, Link] | None:
    """Return where the first refresh leads and after how many seconds; None where it shows the page itself again.

    One that cannot be read is none (HTML, shared declarative refresh steps), and the next one counts.
    """
    base = None
    for element in tree.marks.metas:
        if (element.get("http-equiv") or "").strip().lower() != "refresh":
            continue
        match = _REFRESH.fullmatch(element.get("content") or "")
        if match is None:
            continue
        target = match["url"] or ""
        if match["quote"]:
            target = target.partition(match["quote"])[0]
        base = base or Base(base_url(tree, url), tree.encoding)  # found once: a page may have a thousand refreshes
        resolved, written = base.resolve_both(target)
        if resolved == url or not target.strip():
            return None
        if resolved is not None:
            return int(match[1][:6] or 0), Link(url=resolved, text="", kind=LinkKind.REFRESH, written=written)
    return None


def _robots_directives(metas: Sequence[etree._Element], headers: Mapping[str, str]) -> set[str]:
    directives: set[str] = set()
    for element in metas:
        if (element.get("name") or "").strip().lower() == "robots":
            directives.update(part.strip().lower() for part in (element.get("content") or "").split(","))
    for part in headers.get("x-robots-tag", "").split(","):
        directive = part.strip().lower()
        if ":" not in directive:  # "agent: rule" speaks to another agent; unavailable_after needs no action
            directives.add(directive)
    return directives
