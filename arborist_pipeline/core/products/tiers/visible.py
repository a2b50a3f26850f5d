"""What a reader sees: the heading, the price beside the control that buys, stock in words, the table of attributes."""

import re
from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from lxml import etree

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.attributes import Attributes, read_attributes
from arborist_pipeline.core.products.availability import find_stock_words
from arborist_pipeline.core.products.bounds import Bounds, parse_bounds
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.gallery import read_gallery
from arborist_pipeline.core.products.scan import OUTSIDE, Placed, Zone, class_and_id
from arborist_pipeline.core.products.schema_org import build_trail
from arborist_pipeline.core.products.sightings import Sighting, make_of
from arborist_pipeline.core.products.tier import Draft, Found
from arborist_pipeline.core.products.view import PageView
from arborist_pipeline.core.web.html import inline_text

TIER = "visible"


def read_visible(evidence: Evidence) -> Draft | None:
    """Return what the page shows of its subject; None without a heading."""
    view = evidence.view
    if view.heading is None:
        return None
    attributes = read_attributes(evidence.scan, view)
    price = choose_price(evidence)
    regular = choose_regular(evidence, price)
    bounds = _bounds(evidence, price)
    return Draft(
        tier=TIER,
        certain=bool(view.buy) and price is not None,
        name=Found(view.name, "h1", view.name[:200]) if view.name else None,
        brand=attributes.brand,
        sku=attributes.sku,
        mpn=attributes.mpn,
        gtin=attributes.gtin,
        price=_amount(price),
        regular_price=_amount(regular),
        low_price=_bound(price, bounds.low if bounds else None),
        high_price=_bound(price, bounds.high if bounds else None),
        currency=_currency(price or regular),
        availability=_availability(evidence, attributes),
        category=_trail(evidence),
        images=read_gallery(evidence.scan, view),
    )


def _bounds(evidence: Evidence, price: Sighting | None) -> Bounds | None:
    """Return the bounds that the price names, with the word that stands before it in an element of its own."""
    if price is None:
        return None
    scan = evidence.scan
    before = scan.texts[price.at - 1] if price.at and len(scan.texts[price.at - 1]) <= BESIDE_CHARACTERS else ""
    return parse_bounds(price.text, scan.locale, before=before, decimal_mark=scan.decimal_mark)


def _bound(price: Sighting | None, amount: Decimal | None) -> Found[Decimal] | None:
    return Found(amount, describe(price.element), price.text) if price and amount is not None else None


def choose_price(evidence: Evidence) -> Sighting | None:
    """Return the price in sight that a buyer of the page's subject pays: nearest to its heading and buy control.

    Of two prices side by side that differ by no more than a discount would, the lower is what is paid now; several
    lower ones of one make are those of larger quantities.
    """
    scored = [(score, each) for each in evidence.view.own if (score := score_price(each, evidence)) > 0]
    if not scored:
        return _free_price(evidence)
    best_score, best = max(scored, key=lambda pair: pair[0])
    if sum(make_of(each.element) == make_of(best.element) for _, each in scored) >= 3:
        return best  # a table of prices by quantity: the first is that of one
    beside = [
        each
        for score, each in scored
        if each is not best
        and abs(each.at - best.at) <= 3
        and each.money.currency == best.money.currency
        and score >= best_score - 1.5
        and best.money.amount * _DEEPEST < each.money.amount < best.money.amount
    ]
    lower = {(make_of(each.element), each.money.amount) for _, each in scored if each.money.amount < best.money.amount}
    steps = Counter(make for make, _ in lower)
    single = [each for each in beside if steps[make_of(each.element)] == 1]
    return min(single, key=lambda each: each.money.amount, default=best)


def _free_price(evidence: Evidence) -> Sighting | None:
    """Return a price of nothing by the heading of what can be bought; None where words beside it say it is sold out."""
    view = evidence.view
    if not any(map(_is_open, view.buy)):
        return None
    for each in view.own:
        if each.money.amount or not 0 <= each.at - view.start <= NEAR or not lexicon.CLASS_PRICE.search(each.name):
            continue
        if each.is_struck or each.zone & Zone.HIDDEN or lexicon.CLASS_ASIDE.search(each.name) or _is_aside(each):
            continue
        around = evidence.scan.texts[max(0, each.at - BESIDE) : each.at + BESIDE + 1]
        if not any(len(text) <= 80 and lexicon.SOLD_OUT.search(text.lower()) for text in around):
            return each
    return None


def score_price(each: Sighting, evidence: Evidence) -> float:
    """Return how much speaks for a price in sight being that of the page's subject; 0 or less for none."""
    view = evidence.view
    if each.is_struck or not each.money.amount:
        return 0.0
    anchors = [placed.at for placed in view.buy if placed.at < view.related_at]
    gap = each.at - view.start if each.at >= view.start else (view.start - each.at) * 3
    if gap > FARTHEST and not any(abs(each.at - anchor) <= 40 for anchor in anchors):
        return 0.0
    score = 10.0 - min(gap / 25, 5)
    if anchors:
        score -= min(min(abs(each.at - anchor) for anchor in anchors) / 25, 4)
    score += 2.0 if lexicon.CLASS_PRICE.search(each.name) else 0.0
    score += 1.5 if lexicon.CLASS_NOW.search(each.name) else 0.0
    score += 1.0 if lexicon.CALLED_PRICE.search(each.text.lower()) else 0.0
    score += 1.5 if each.money.currency else -1.5
    score -= 3.0 if lexicon.CLASS_ASIDE.search(each.name) else 0.0
    score -= 2.0 if each.zone & Zone.HIDDEN else 0.0
    score -= 2.5 if _is_aside(each) else 0.0
    score -= 4.0 if each.is_called_old else 0.0
    return score


def _is_aside(each: Sighting) -> bool:
    text = each.text.lower()
    return bool(_SURCHARGE.search(text) or _UNIT_PRICE.search(text)) or any(word in text for word in _ASIDE_WORDS)


FARTHEST = 150
NEAR = 80
BESIDE = 6
BESIDE_CHARACTERS = 24
_DEEPEST = Decimal("0.3")
_SURCHARGE = re.compile(r"(?:^|[\s(])[+\-\u2212]\s?[^\w\s]?\s?\d|^save")
_UNIT_PRICE = re.compile(  # "3.20 € per 100 g", "1 kg = 12 €"
    r"(?:/|\b(?:per|pro|je|par|al|por|za|na|voor)\s)\s?(?:\d+\s?)?(?:kg|g|gr|ml|cl|dl|lt?r?|lit[er]{2}s?|m[²23]?|oz|lb)(?!\w)"
    r"|\d\s?(?:kg|g|ml|l|m)\s?="
)
_ASIDE_WORDS = (
    "save ", "shipping", "over ", "/ month", "/month", "per month", "a month", "off", "payments", "statt", "uvp", "rrp",
    "msrp", "list price", "was ", "instead", "/mo", "tax", "versand", "délivr", "each additional", "(0)", "points",
    "excl", "netto", "bez dph", "bez vat", "ex vat", "deposit", "/ 100", "/100", "/kg", "/ kg", "/l)", "reg.",
    "regular",
)  # fmt: skip


def choose_regular(evidence: Evidence, price: Sighting | None) -> Sighting | None:
    """Return the struck price near the asking price, if it is the higher one."""
    if price is None:
        return None
    near = [
        each
        for each in evidence.view.own
        if (each.is_struck or each.is_called_old)
        and abs(each.at - price.at) <= 12
        and each.money.amount > price.money.amount
    ]
    return min(near, key=lambda each: abs(each.at - price.at), default=None)


def _amount(sighting: Sighting | None) -> Found[Decimal] | None:
    return Found(sighting.money.amount, describe(sighting.element), sighting.text) if sighting else None


def _currency(sighting: Sighting | None) -> Found[str] | None:
    code = sighting.money.currency if sighting else None
    return Found(code, describe(sighting.element), sighting.text) if sighting and code else None


def describe(element: etree._Element) -> str:
    """Return where an element stands, as a short selector: tag, id, first class."""
    identity, names = element.get("id"), (element.get("class") or "").split()
    return str(element.tag) + (f"#{identity}" if identity else "") + (f".{names[0]}" if names else "")


def _availability(evidence: Evidence, attributes: Attributes) -> Found[str] | None:
    """Return what the page says of stock: in an element of its own near the heading, in a table, in few words.

    A page that can be bought from may well call one of its sizes sold out; only without a control that buys, or where
    they stand once and beside the price, do such words speak for the product.
    """
    view = evidence.view
    fallback: Found[str] | None = None
    doubtful: list[tuple[int, Found[str]]] = []
    begin, stop = view.start, min(view.related_at, view.start + NEAR * 3, view.end)
    for place, value in find_stock_words([text if len(text) <= 80 else "" for text in evidence.scan.texts[begin:stop]]):
        text, element = evidence.scan.texts[begin + place], evidence.scan.owners[begin + place]
        if evidence.scan.zone(element) & OUTSIDE or view.prices.is_in_card(element):
            continue
        if place <= NEAR and _names_stock(element):
            return Found(value, f"stock {describe(element)}", text)
        if len(text) <= 40 and view.buy and value == "OutOfStock":
            doubtful.append((begin + place, Found(value, describe(element), text)))
        elif len(text) <= 40:
            fallback = fallback or Found(value, describe(element), text)
    return attributes.availability or fallback or _beside_price(doubtful, view) or _from_controls(evidence)


def _beside_price(found: Sequence[tuple[int, Found[str]]], view: PageView) -> Found[str] | None:
    """Return the only one of these statements if it stands next to a price of the subject."""
    if len(found) != 1 or not any(abs(each.at - found[0][0]) <= 2 for each in view.own):
        return None
    return found[0][1]


def _from_controls(evidence: Evidence) -> Found[str] | None:
    """Return that the subject can be had where a control sells it, or a field by its price asks how many."""
    view = evidence.view
    for placed in view.buy:
        if _is_open(placed):
            return Found("InStock", describe(placed.element), inline_text(placed.element)[:80] or "buy control")
    for placed in evidence.scan.tagged("input", "select") if view.own and not (view.buy or view.closed) else ():
        element = placed.element
        if not view.start <= placed.at < min(view.related_at, view.start + NEAR) or element.get("type") == "hidden":
            continue
        names = f"{element.get('name') or ''} {element.get('id') or ''}".lower()
        if lexicon.QUANTITY.search(names) and not view.prices.is_in_card(element) and _is_inside(element, evidence):
            return Found("InStock", describe(element), names.strip()[:80])
    return None


def _is_inside(element: etree._Element, evidence: Evidence) -> bool:
    parent = element.getparent()
    return parent is not None and not evidence.scan.zone(parent) & OUTSIDE


def _is_open(control: Placed) -> bool:
    return "disabled" not in control.element.attrib and not control.element.get("style")


def _names_stock(element: etree._Element) -> bool:
    node: etree._Element | None = element
    for _ in range(3):
        if node is None:
            return False
        if lexicon.CLASS_STOCK.search(class_and_id(node)):
            return True
        node = node.getparent()
    return False


def _trail(evidence: Evidence) -> Found[tuple[str, ...]] | None:
    for placed in evidence.scan.tagged("ol", "ul", "nav"):
        if "breadcrumb" not in f"{class_and_id(placed.element)} {placed.element.get('aria-label') or ''}".lower():
            continue
        steps = [inline_text(step) for step in placed.element.iter("a", "li", "span") if not len(step)][:20]
        names = list(dict.fromkeys(step for step in steps if len(step) > 1))
        trail = build_trail(names, evidence.view.name)
        if names:
            return Found(trail, describe(placed.element), " > ".join(names))
    return None
