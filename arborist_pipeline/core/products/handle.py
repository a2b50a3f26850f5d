"""The handle of a product: the readable name that its address ends in, the same for every address of the product."""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from arborist_pipeline.core.web.url import path_and_query

_EXTENSION = re.compile(r"\.(?:html?|aspx?|php\d?|jsp|do|uts|xhtml|shtml|action|cfm)$", re.IGNORECASE)
_AFTER_SLUG = re.compile(r"/(?:products?|produkte?|produit|prodotto|producto|item)/([^/?#]+)/?$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")
_JOINED = re.compile(r"[-_]")
_NOT_SLUG = re.compile(r"[%+,=&;:*!()\s]")


_GENERIC = frozenset(
    "product products item items detail details view show display page shop store goods article default index".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handle:
    """What an address gives for a handle: the slug it ends in, or None and why."""

    slug: str | None
    reason: str = ""


def read_handle(url: str) -> Handle:
    """Return the last path segment without its extension where it reads as a slug, else why it does not.

    A slug has at least one word of letters; one word alone is a slug only behind a product segment, where shops
    put nothing else. Query strings, trailing slashes and collection-scoped paths do not change the handle. Where the
    path names only what kind of page it is and a query says which, there is none: all products would share it.
    """
    path, _, query = path_and_query(url).partition("?")
    last = next((part for part in reversed(path.split("/")) if part), "")
    slug = _EXTENSION.sub("", unquote(last))
    if not slug:
        return Handle(slug=None, reason="the address has no path")
    if query and _GENERIC.issuperset(_JOINED.split(slug.lower())):
        return Handle(slug=None, reason=f"the path ends in {slug!r} for every product, and the query says which")
    if looks_like_slug(slug) or (_AFTER_SLUG.search(path) and looks_like_name(slug)):
        return Handle(slug=slug)
    if looks_like_name(slug):
        return Handle(slug=None, reason=f"the path ends in one word, {slug!r}, and no product segment stands before it")
    return Handle(slug=None, reason=f"the path ends in {slug[:80]!r}, which is a code and not words")


def build_handle(url: str) -> str | None:
    """Return the slug that an address ends in, None where it has none."""
    return read_handle(url).slug


def explain_handle(url: str, canonical_url: str | None) -> str:
    """Return why a product of these addresses has no handle, "" where one of them gives one."""
    told = [read_handle(address) for address in (canonical_url, url) if address]
    return "" if any(each.slug for each in told) else told[-1].reason


def looks_like_slug(segment: str) -> bool:
    """Whether a path segment is words joined by hyphens or underscores, not a code ("wide-armchair-w0057")."""
    if _NOT_SLUG.search(segment) or not 3 <= len(segment) <= 250:
        return False
    parts = [part for part in _JOINED.split(segment) if part]
    words = [part for part in parts if part.isalpha() and len(part) >= 2]
    return len(parts) >= 2 and bool(words) and sum(map(len, words)) >= 4 and segment != segment.upper()


def looks_like_name(segment: str) -> bool:
    """Whether a single segment is one plain word ("hoodie"), not a number or a code ("pd1hjfqnc2j")."""
    return segment.isalpha() and _WORD.fullmatch(segment) is not None and segment != segment.upper()
