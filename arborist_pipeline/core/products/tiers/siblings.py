"""Variants that have pages of their own: links of the main part whose text is the product's name and something more.

A parent page lists its children this way ("Crepe Pan, 24 cm"); what is more is the variant's title. Price and stock
stand on the other page.
"""

from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.product import Variant
from arborist_pipeline.core.products.scan import OUTSIDE
from arborist_pipeline.core.products.tier import Draft, Found
from arborist_pipeline.core.web.html import inline_text
from arborist_pipeline.core.web.url import same_site

TIER = "siblings"
MAX_VARIANTS = 200
_SEPARATORS = " ,-\u2013\u2014:/|("


def read_siblings(evidence: Evidence) -> Draft | None:
    """Return the variants that the page links by its own name; None where it links none."""
    view, scan = evidence.view, evidence.scan
    found: dict[str, Variant] = {}
    for placed in scan.tagged("a"):
        if not view.name or not view.start <= placed.at < view.related_at or len(found) >= MAX_VARIANTS:
            continue
        first = scan.texts[placed.at] if placed.at < view.end else ""
        if not (view.name.startswith(first) or first.startswith(view.name)):
            continue
        more = _more_than(view.name, inline_text(placed.element)[:300])
        url = scan.url(placed.element.get("href") or "") if more else None
        if url is None or url == evidence.page.url or not same_site(url, evidence.page.url):
            continue
        if not scan.zone(placed.element) & OUTSIDE and not view.prices.is_in_card(placed.element):
            found.setdefault(url, Variant(title=more, url=url))
    variants = tuple(found.values())
    return Draft(tier=TIER, variants=Found(variants, "a", f"{len(variants)} links")) if variants else None


def _more_than(name: str, text: str) -> str:
    """Return what a text says after a name it begins with, "" where it does not begin with it or says no more."""
    if len(text) <= len(name) or not text.startswith(name) or text[len(name)] not in _SEPARATORS:
        return ""
    return text[len(name) :].strip(_SEPARATORS + ")")
