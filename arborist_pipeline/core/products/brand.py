"""The brand that a page shows near its heading without a label: an element called so, or a link to the brand's page."""

import re
from functools import lru_cache
from urllib.parse import unquote, urlsplit

from lxml import etree

from arborist_pipeline.core.products.scan import OUTSIDE, PageScan, class_and_id
from arborist_pipeline.core.products.text import words_of
from arborist_pipeline.core.products.tier import Found
from arborist_pipeline.core.products.view import PageView
from arborist_pipeline.core.web.html import inline_text

MAX_BRAND = 40
_BEFORE, _AFTER = 15, 80  # pieces of text around the heading
_WORDS = "brand|vendor|manufacturer|marke|marque|marca|hersteller|fabricant|designer|producent|vyrobce|znacka|merk"
_CALLED = re.compile(rf"(?<![a-z])(?:{_WORDS})(?:[\s_-]{{0,2}}(?:name|title|link|label|logo|value))?(?![a-z])")
_ADDRESS = re.compile(rf"/(?:{_WORDS}|marche|producenci|vyrobci|znacky)(?:s|n|en)?/([^/?#]+)")
_SAID = re.compile(
    r"^(?:by|von|par|da|de|from|brand|marke|marque|marca|hersteller|manufacturer|merk)\b[\s:]*", re.IGNORECASE
)
_NO_BRAND = re.compile(
    r"[:.!?]$|\d{3}|\b(?:shop|all|more|view|see|our|other|brands?|vendor|alle|mehr)\b", re.IGNORECASE
)


def find_brand(scan: PageScan, view: PageView) -> Found[str] | None:
    """Return the brand of the page's subject; None where no element or link near the heading shows one."""
    begin, stop = view.start - _BEFORE, min(view.related_at, view.start + _AFTER)
    for at in range(max(0, begin), min(stop, view.end)):
        element = scan.owners[at]
        if is_called_brand(class_and_id(element)) and (brand := _brand(inline_text(element), element, scan, view)):
            return Found(brand, f"{element.tag}.{class_and_id(element)[:40]}", inline_text(element)[:200])
    for placed in scan.tagged("a"):
        slug = (
            _ADDRESS.search(urlsplit(placed.element.get("href") or "").path.lower())
            if begin <= placed.at < stop
            else None
        )
        said = _said(placed.element) if slug else ""
        if slug and set(words_of(said)) <= set(words_of(unquote(slug[1]))):
            brand = _brand(said, placed.element, scan, view)
            if brand:
                return Found(brand, "a[href=brand]", (placed.element.get("href") or "")[:200])
    return None


@lru_cache(maxsize=4096)
def is_called_brand(name: str) -> bool:
    """Whether class names, in lower case, say that an element shows a brand."""
    return bool(_CALLED.search(name))


def _said(link: etree._Element) -> str:
    """Return the text of a link, that of its picture where it has none."""
    return inline_text(link) or next((image.get("alt") or "" for image in link.iter("img")), "").strip()


def _brand(text: str, element: etree._Element, scan: PageScan, view: PageView) -> str:
    """Return a text as the name of a brand, "" where it can be none or stands with something else."""
    name = _SAID.sub("", text).strip(" :\u2122\u00ae|")
    if not 1 < len(name) <= MAX_BRAND or _NO_BRAND.search(name) or words_of(name) == words_of(view.name):
        return ""
    return "" if scan.zone(element) & OUTSIDE or view.prices.is_in_card(element) else name
