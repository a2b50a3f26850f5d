"""Words about the subject in running text: its description, and the mean of its stars."""

import re

from lxml import etree

from arborist_pipeline.core.products.prices import parse_machine_amount
from arborist_pipeline.core.products.product import Rating
from arborist_pipeline.core.products.scan import OUTSIDE, PageScan, Zone, class_and_id
from arborist_pipeline.core.products.text import likeness
from arborist_pipeline.core.products.tier import Found
from arborist_pipeline.core.products.view import PageView
from arborist_pipeline.core.web.html import inline_text

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
NEAR = 70


def find_description(scan: PageScan, view: PageView) -> Found[str] | None:
    """Return the first text in an element named for a description, else the first long text after the heading."""
    first_long: Found[str] | None = None
    for piece in scan.texts[view.start : min(view.related_at, view.end)]:
        if len(piece.text) < MIN_SENTENCE // 2 or scan.zone(piece.element) & (OUTSIDE | Zone.LINKED):
            continue
        if view.prices.is_in_card(piece.element) or likeness(piece.text, view.name) >= 0.7:
            continue
        named = _named(piece.element)
        if named is not None:
            text = inline_text(named)[:MAX_DESCRIPTION]
            return Found(text, f"{named.tag}.{class_and_id(named)[:40]}", text[:200])
        in_form = any(node.tag == "form" for node in piece.element.iterancestors())
        if first_long is None and len(piece.text) >= MIN_SENTENCE and not in_form:
            first_long = Found(piece.text, str(piece.element.tag), piece.text[:200])
    return first_long


def _named(element: etree._Element) -> etree._Element | None:
    """Return the nearest of an element and three around it that is named for a description."""
    node: etree._Element | None = element
    for _ in range(4):
        if node is None or node.tag in ("body", "main", "form"):
            return None
        if _DESCRIBED.search(class_and_id(node)):
            return node
        node = node.getparent()
    return None


def find_stars(scan: PageScan, view: PageView) -> Found[Rating] | None:
    """Return the mean that a text near the heading states as so many of five, and how many gave one."""
    mean: Found[Rating] | None = None
    for piece in scan.texts[view.start : min(view.related_at, view.start + NEAR, view.end)]:
        if len(piece.text) > 60 or view.prices.is_in_card(piece.element):
            continue
        stars = _STARS.search(piece.text) if mean is None else None
        value = parse_machine_amount(stars[1].replace(",", ".")) if stars else None
        if value:
            mean = Found(Rating(value=value, best=parse_machine_amount(5)), str(piece.element.tag), piece.text)
        count = _COUNT.search(piece.text)
        if mean is not None and count is not None:
            total = parse_machine_amount("".join(filter(str.isdecimal, count[1])))
            rating = Rating(value=mean.value.value, best=mean.value.best, count=int(total) if total else None)
            return Found(rating, mean.where, f"{mean.raw}; {piece.text}")
    return mean
