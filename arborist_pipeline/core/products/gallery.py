"""The pictures of the page's subject: those near its heading that are no icon, no logo and no other good's picture."""

import re

from arborist_pipeline.core.products.scan import OUTSIDE, PageScan
from arborist_pipeline.core.products.text import is_alike
from arborist_pipeline.core.products.tier import Found
from arborist_pipeline.core.products.view import PageView

MAX_IMAGES = 30
_NOT_PRODUCT = re.compile(
    r"logo|icon|sprite|pixel|spacer|blank|placeholder|loading|banner|badge|flag|star|avatar|payment|\.gif"
)
_SOURCES = ("data-zoom-image", "data-large_image", "data-src", "data-original", "src")


def read_gallery(scan: PageScan, view: PageView) -> Found[tuple[str, ...]] | None:
    """Return the addresses of the product's pictures in document order; those that bear its name first."""
    named: dict[str, None] = {}
    other: dict[str, None] = {}
    start = view.heading.at if view.heading else 0
    for placed in scan.tagged("img"):
        if not start - 120 <= placed.at <= min(view.related_at, start + 150):
            continue
        element = placed.element
        source = next((value for name in _SOURCES if (value := (element.get(name) or "").strip())), "")
        if not source or source.startswith("data:") or _NOT_PRODUCT.search(source.lower()):
            continue
        bears_name = is_alike((element.get("alt") or element.get("title") or "")[:200], view.name)
        if ".svg" in source.lower() and not bears_name:
            continue
        if scan.zone(element) & OUTSIDE or view.prices.is_in_card(element):
            continue
        url = scan.url(source)
        if url is not None:
            (named if bears_name else other)[url] = None
    urls = tuple(named or other)[:MAX_IMAGES]
    return Found(urls, "img[alt=name]" if named else "img", urls[0]) if urls else None
