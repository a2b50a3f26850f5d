"""The handle of a product: the readable name that its address ends in, the same for every address of the product."""

import re
from urllib.parse import unquote

from arborist_pipeline.core.web.url import path_and_query

_EXTENSION = re.compile(r"\.(?:html?|aspx?|php\d?|jsp|do|uts|xhtml|shtml|action|cfm)$", re.IGNORECASE)
_AFTER_SLUG = re.compile(r"/(?:products?|produkte?|produit|prodotto|producto|item)/([^/?#]+)/?$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2,}")
_JOINED = re.compile(r"[-_]")
_NOT_SLUG = re.compile(r"[%+,=&;:*!()\s]")


def build_handle(url: str) -> str | None:
    """Return the last path segment without its extension where it reads as a slug, else None.

    A slug has at least one word of letters; one word alone is a slug only behind a product segment, where shops
    put nothing else. Query strings, trailing slashes and collection-scoped paths do not change the handle.
    """
    path = path_and_query(url).split("?", 1)[0]
    last = next((part for part in reversed(path.split("/")) if part), "")
    slug = _EXTENSION.sub("", unquote(last))
    if not looks_like_slug(slug) and not (_AFTER_SLUG.search(path) and looks_like_name(slug)):
        return None
    return slug


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
