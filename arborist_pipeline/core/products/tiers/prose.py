"""Words about the subject that no label names: its description, its brand, and the mean of its stars."""

import re
from functools import lru_cache

from lxml import etree

from arborist_pipeline.core.products.brand import find_brand
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.prices import parse_machine_amount
from arborist_pipeline.core.products.product import Rating
from arborist_pipeline.core.products.scan import OUTSIDE, PageScan, Zone, class_and_id
from arborist_pipeline.core.products.text import likeness
from arborist_pipeline.core.products.tier import Draft, Found
from arborist_pipeline.core.products.view import PageView
from arborist_pipeline.core.web.html import inline_text

TIER = "visible"
MAX_DESCRIPTION = 5_000
MIN_SENTENCE = 60
_DESCRIBED = re.compile(
    r"desc|beschreib|popis|opis(?![a-z])|leiras|tuotekuvaus|detail-?text|product-?(?:text|info|summary)"
)
_STARS = re.compile(
    r"(?<![\d.,])([0-5](?:[.,]\d{1,2})?)\s*(?:out of|of|von|sur|su|de|av|z|/)\s*5(?![\d.,])", re.IGNORECASE
)
_COUNT = re.compile(
    r"(\d[\d.,  ]{0,8})\s*(?:global |customer |kunden)?"
    r"(?:ratings?|reviews?|bewertung|rezension|évaluations?|avis|recensioni"
    r"|voti|opini|valoracion|reseñas|recenz|hodnocen|hodnoten|отзыв|értékelés)",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
NEAR = 70


def read_prose(evidence: Evidence) -> Draft | None:
    """Return description, brand and stars that a page shows; None without a heading. They count as what is in sight."""
    if evidence.view.heading is None:
        return None
    return Draft(
        tier=TIER,
        description=find_description(evidence.scan, evidence.view),
        brand=find_brand(evidence.scan, evidence.view),
        rating=find_stars(evidence.scan, evidence.view),
    )


def find_description(scan: PageScan, view: PageView) -> Found[str] | None:
    """Return the first text in an element named for a description, else the first long text after the heading."""
    first_long: Found[str] | None = None
    for at in range(view.start, min(view.related_at, view.end)):
        text, element = scan.texts[at], scan.owners[at]
        if len(text) < MIN_SENTENCE // 2 or scan.zone(element) & (OUTSIDE | Zone.LINKED):
            continue
        named = _named(element)
        if named is None and (first_long is not None or len(text) < MIN_SENTENCE):
            continue
        if view.prices.is_in_card(element) or likeness(text, view.name) >= 0.7:
            continue
        if named is not None:
            whole = inline_text(named)[:MAX_DESCRIPTION]
            return Found(whole, f"{named.tag}.{class_and_id(named)[:40]}", whole[:200])
        if not any(node.tag == "form" for node in element.iterancestors()):
            first_long = Found(text, str(element.tag), text[:200])
    return first_long


def _named(element: etree._Element) -> etree._Element | None:
    """Return the nearest of an element and three around it that is named for a description."""
    node: etree._Element | None = element
    for _ in range(4):
        if node is None or node.tag in ("body", "main", "form"):
            return None
        name = class_and_id(node)
        if name and _is_description_name(name):
            return node
        node = node.getparent()
    return None


@lru_cache(maxsize=4096)
def _is_description_name(name: str) -> bool:
    return bool(_DESCRIBED.search(name))


def find_stars(scan: PageScan, view: PageView) -> Found[Rating] | None:
    """Return the mean that a text near the heading states as so many of five, and how many gave one."""
    mean: Found[Rating] | None = None
    for at in range(view.start, min(view.related_at, view.start + NEAR, view.end)):
        text, element = scan.texts[at], scan.owners[at]
        if len(text) > 60 or not _DIGIT.search(text) or view.prices.is_in_card(element):
            continue
        stars = _STARS.search(text) if mean is None else None
        value = parse_machine_amount(stars[1].replace(",", ".")) if stars else None
        if value:
            mean = Found(Rating(value=value, best=parse_machine_amount(5)), str(element.tag), text)
        count = _COUNT.search(text)
        if mean is not None and count is not None:
            total = parse_machine_amount("".join(filter(str.isdecimal, count[1])))
            rating = Rating(value=mean.value.value, best=mean.value.best, count=int(total) if total else None)
            return Found(rating, mean.where, f"{mean.raw}; {text}")
    return mean
