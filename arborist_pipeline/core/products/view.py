"""The page as a reader sees it: its heading, the control that buys, the prices in sight, the cards of other goods."""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice

from lxml import etree

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.prices import Money, has_currency, parse_money
from arborist_pipeline.core.products.scan import OUTSIDE, PageScan, Placed, Zone, class_and_id
from arborist_pipeline.core.products.text import fold_text, is_alike, likeness
from arborist_pipeline.core.web.html import inline_text

MAX_SIGHTINGS = 400
MAX_PRICE_TEXT = 70
MAX_HEADING = 300
_DIGIT = re.compile(r"\d")
_CENTS = re.compile(r"cent|fraction|decimal|penn|minor|digit|sup|small|kop", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """One price in sight: the element that shows it, its place, what it says, and the zone it stands in."""

    element: etree._Element
    at: int
    text: str
    money: Money
    zone: Zone
    name: str
    in_card: bool = False

    @property
    def is_struck(self) -> bool:
        """Whether it is crossed out or called an old, list or regular price."""
        return bool(self.zone & Zone.STRUCK) or bool(
            lexicon.CLASS_OLD.search(self.name) and not lexicon.CLASS_NOW.search(self.name)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """What stands where. From `related_at` on other goods are shown (past the end where there are none)."""

    heading: Placed | None
    name: str
    buy: tuple[Placed, ...]
    sightings: tuple[Sighting, ...]
    related_at: int
    cards: int
    end: int


def build_view(scan: PageScan, names: tuple[str, ...]) -> PageView:
    """Build the view of a scanned page; `names` are what its mark-up calls its subject, best first."""
    heading = _heading(scan, names)
    start = heading.at if heading else 0
    related_at = _related_at(scan, start)
    sightings = _sightings(scan)
    repeated = Counter(_signature(each.element) for each in sightings)
    marked = tuple(_with_card(each, scan, repeated, heading) for each in sightings)
    return PageView(
        heading=heading,
        name=inline_text(heading.element)[:MAX_HEADING] if heading else "",
        buy=tuple(_buy_controls(scan)),
        sightings=marked,
        related_at=related_at,
        cards=sum(each.in_card for each in marked),
        end=len(scan.texts),
    )


def _heading(scan: PageScan, names: tuple[str, ...]) -> Placed | None:
    """Return the heading that names the subject: the h1 most like the titles, else the first in the main part."""
    best: Placed | None = None
    best_score = 0.0
    for placed in [*scan.tagged("h1"), *[*scan.tagged("h2", "h3")][:40]]:
        text = inline_text(placed.element)
        if not 2 <= len(text) <= MAX_HEADING:
            continue
        is_first = placed.element.tag == "h1"
        score = 1.0 if is_first else 0.0
        score += max((likeness(text, name) for name in names), default=0.0) * 2
        score += 0.5 if any(is_alike(text, name) for name in names) else 0.0
        score -= 0.8 if scan.zone(placed.element) & (OUTSIDE | Zone.LINKED) else 0.0
        score -= 0.6 if scan.zone(placed.element) & Zone.RELATED else 0.0
        if score > best_score + 0.01 and (is_first or score > 1.0):
            best, best_score = placed, score
    return best


def _related_at(scan: PageScan, start: int) -> int:
    for placed in sorted(scan.tagged("h2", "h3", "h4"), key=lambda each: each.at):
        if placed.at > start and lexicon.RELATED.search(inline_text(placed.element)[:120].lower()):
            return placed.at
    return len(scan.texts) + 1


def _buy_controls(scan: PageScan) -> list[Placed]:
    found: list[Placed] = []
    for placed in scan.tagged("button", "input", "a"):
        element = placed.element
        if element.tag == "input" and (element.get("type") or "").lower() not in ("submit", "button", "image"):
            continue
        if scan.zone(element) & (OUTSIDE | Zone.CARD):
            continue
        if element.tag == "a" and len(element) > 6:
            continue
        names = " ".join(filter(None, (class_and_id(element), element.get("name"), element.get("data-action")))).lower()
        said = (inline_text(element) if element.tag != "input" else "") or " ".join(
            filter(None, (element.get("value"), element.get("title"), element.get("alt"), element.get("aria-label")))
        )
        said = said[:80].lower()
        if lexicon.BUY.search(said) or lexicon.BUY_NAMES.search(names):
            found.append(placed)
    return found


def _sightings(scan: PageScan) -> list[Sighting]:
    found: dict[etree._Element, Sighting] = {}
    for at, piece in enumerate(scan.texts):
        text = piece.text
        if len(text) > MAX_PRICE_TEXT or not _DIGIT.search(text):
            continue
        element = _price_element(piece.element, text)
        if element is None or element in found:
            continue
        sighting = _sighting(scan, element, at)
        if sighting is not None:
            found[element] = sighting
            if len(found) >= MAX_SIGHTINGS:
                break
    return list(found.values())


def _price_element(element: etree._Element, text: str) -> etree._Element | None:
    """Return the nearest of the element and its ancestors that is named for a price, or the one that holds the sign."""
    node: etree._Element | None = element
    for _ in range(4):
        if node is None or node.tag in ("body", "form", "table", "ul", "section", "article", "main"):
            break
        if lexicon.CLASS_PRICE.search(class_and_id(node)) or node.get("itemprop") == "price":
            if len(price_text(node)) <= MAX_PRICE_TEXT:
                return node
            break
        node = node.getparent()
    if has_currency(text):
        return element
    parent = element.getparent()
    if len(text) <= 12 and parent is not None and has_currency(whole := price_text(parent)) and len(whole) <= 24:
        return parent
    return None


def price_text(element: etree._Element) -> str:
    """Return the text of a price, cents that stand in an element of their own joined by a point."""
    pieces: list[str] = []
    for part in element.iter(etree.Element):
        if part is not element and part.tag in ("script", "style"):
            continue
        text = (part.text or "").strip()
        is_cents = part is not element and text.isdecimal() and len(text) == 2 and (
            part.tag == "sup" or bool(_CENTS.search(part.get("class") or ""))
        )  # fmt: skip
        if is_cents and pieces and pieces[-1][-1:].isdecimal():
            pieces[-1] += "." + text
        elif text:
            if pieces and pieces[-1][-1:] in ".," and text[:1].isdecimal():
                pieces[-1] += text
            else:
                pieces.append(text)
        tail = (part.tail or "").strip() if part is not element else ""
        if tail:
            pieces.append(tail)
        if len(pieces) > 24:
            break
    return " ".join(" ".join(pieces).split())


def _sighting(scan: PageScan, element: etree._Element, at: int) -> Sighting | None:
    text = price_text(element)
    money = parse_money(text, scan.locale)
    if money is None:
        return None
    names = [class_and_id(element)]
    node = element.getparent()
    for _ in range(2):
        if node is not None and node.tag not in ("body", "html"):
            names.append(class_and_id(node))
            node = node.getparent()
    return Sighting(
        element=element, at=at, text=fold_text(text), money=money, zone=scan.zone(element), name=" ".join(names)
    )


def _signature(element: etree._Element) -> str:
    parts = [str(element.tag), element.get("class") or ""]
    node = element.getparent()
    for _ in range(3):
        if node is None:
            break
        parts += [str(node.tag), node.get("class") or ""]
        node = node.getparent()
    return "|".join(parts)


def _with_card(each: Sighting, scan: PageScan, repeated: Counter[str], heading: Placed | None) -> Sighting:
    is_card = bool(each.zone & (Zone.LINKED | Zone.CARD))
    if not is_card and repeated[_signature(each.element)] >= 2:
        is_card = _has_link_nearby(each.element, scan, heading)
    if not is_card:
        return each
    return Sighting(
        element=each.element, at=each.at, text=each.text, money=each.money, zone=each.zone, name=each.name, in_card=True
    )


def _has_link_nearby(element: etree._Element, scan: PageScan, heading: Placed | None) -> bool:
    """Whether the element stands in a box with a link to another page, before the box that holds the heading."""
    own = set(heading.element.iterancestors()) if heading is not None else set()
    node = element.getparent()
    for _ in range(5):
        if node is None or node in own or node.tag == "body":
            return False
        for link in islice(node.iter("a"), 30):
            target = scan.url(link.get("href") or "")
            if target is not None and target.split("?")[0] != scan.page.url.split("?")[0] and len(target) > 12:
                return True
        node = node.getparent()
    return False
