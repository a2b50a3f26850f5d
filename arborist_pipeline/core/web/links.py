"""Links of a page, with their anchor text, in document order."""

from dataclasses import dataclass
from enum import StrEnum

from lxml import etree

from arborist_pipeline.core.web.html import HtmlTree, inline_text
from arborist_pipeline.core.web.url import Url, resolve

MAX_ANCHOR_CHARACTERS = 200


class LinkKind(StrEnum):
    """Where in the mark-up a link stands."""

    ANCHOR = "a"
    AREA = "area"
    NEXT = "next"
    PREV = "prev"
    CANONICAL = "canonical"
    ALTERNATE = "alternate"
    REFRESH = "refresh"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One link: canonical target, anchor text ("" where there is none), mark-up and nofollow as stated."""

    url: Url
    text: str
    kind: LinkKind = LinkKind.ANCHOR
    nofollow: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """The distinct links of a page, first occurrence first, and the hrefs that no browser could follow either.

    A link repeated on the page stands once; of its anchor texts the first that is not empty is kept.
    """

    links: tuple[Link, ...]
    malformed: tuple[str, ...]


_REL_KINDS = {"next": LinkKind.NEXT, "prev": LinkKind.PREV, "canonical": LinkKind.CANONICAL,
              "alternate": LinkKind.ALTERNATE}  # fmt: skip
_BLANKS = "\t\n\f\r "


def base_url(tree: HtmlTree, page_url: str) -> str:
    """Return the base that the page's references resolve against (HTML §4.2.3: the first base with an href)."""
    for element in tree.iter("base"):
        href = element.get("href")
        if href is not None:
            return resolve(page_url, href.strip()) or page_url
    return page_url


def extract_links(tree: HtmlTree, page_url: str) -> PageLinks:
    """Return the http(s) links of a page; other schemes are no links of ours, unreadable hrefs are reported raw."""
    base = base_url(tree, page_url)
    seen: dict[str, Url | None] = {}
    found: dict[tuple[Url, LinkKind], Link] = {}
    malformed: list[str] = []
    for element in tree.iter("a", "area", "link"):
        href = element.get("href")
        kind = _link_kind(element)
        if href is None or kind is None:
            continue
        key = href.split("#", 1)[0].strip(_BLANKS) if "#" in href else href
        if not key and href.strip(_BLANKS).startswith("#"):
            continue
        if key not in seen:
            seen[key] = resolve(base, href, encoding=tree.encoding)
            if seen[key] is None and _claims_http(href):
                malformed.append(href)
        url = seen[key]
        if url is not None:
            _keep(found, element, url, kind)
    return PageLinks(links=tuple(found.values()), malformed=tuple(malformed))


def _link_kind(element: etree._Element) -> LinkKind | None:
    if element.tag == "a":
        return LinkKind.ANCHOR
    if element.tag == "area":
        return LinkKind.AREA
    for token in (element.get("rel") or "").lower().split():
        if token in _REL_KINDS:
            return _REL_KINDS[token]
    return None


def _keep(found: dict[tuple[Url, LinkKind], Link], element: etree._Element, url: Url, kind: LinkKind) -> None:
    earlier = found.get((url, kind))
    if earlier is not None and earlier.text:
        return
    nofollow = "nofollow" in (element.get("rel") or "").lower().split()
    found[url, kind] = Link(url=url, text=_anchor_text(element), kind=kind, nofollow=nofollow)


def _anchor_text(element: etree._Element) -> str:
    text = inline_text(element)
    if not text:
        images = (image.get("alt") or "" for image in element.iter("img"))
        text = element.get("aria-label") or element.get("alt") or next(filter(None, images), "") or ""
        text = text or element.get("title") or ""
    return " ".join(text.split())[:MAX_ANCHOR_CHARACTERS]


def _claims_http(href: str) -> bool:
    """Whether an unreadable href was meant for the web: no scheme of its own, or http(s)."""
    head = href.strip(_BLANKS).lower()
    scheme, colon, _ = head.partition(":")
    has_scheme = bool(colon) and scheme.replace("+", "").replace("-", "").replace(".", "").isalnum()
    return bool(head) and (not has_scheme or scheme in ("http", "https"))
