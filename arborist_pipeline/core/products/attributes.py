"""Attributes that a page lists as label and value: rows of tables, definition lists, and "SKU: 123" in one line."""

# ruff: noqa: RUF001 - labels are in many scripts

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from lxml import etree

from arborist_pipeline.core.products.availability import parse_stock_words
from arborist_pipeline.core.products.gtin import parse_gtin
from arborist_pipeline.core.products.scan import OUTSIDE, PageScan
from arborist_pipeline.core.products.tier import Found
from arborist_pipeline.core.products.view import PageView
from arborist_pipeline.core.web.html import inline_text

MAX_ROWS = 600
_SKU = re.compile(
    r"^(?:product |item |style |article |catalog(?:ue)? |part |stock |order )?"
    r"(?:sku|upc|code|item|id|no|nr|number|#)"
    r"(?: ?(?:no|number|code|id|#))?\.?$|^sku|^item (?:no|number|code|#)|^product (?:code|id|number)"
    r"|^artikel(?:-?nr|nummer)"
    r"|^bestell-?(?:nr|nummer)|^art\.? ?-?(?:nr|no)|^référence|^réf|^ref(?:erencia|erenz)?\b|^codice"
    r"|^código|^kod (?:produktu|towaru)"
    r"|^symbol|^kód|^cikkszám|^cod (?:produs)?|^артикул|^код товара|^šifra|^varenr|^tuotenumero"
    r"|^상품 ?(?:번호|코드)|^商品(?:番号|コード|編號)"
)
_MPN = re.compile(
    r"^(?:mpn|manufacturer(?:'s)? (?:part|product|model|code|no)|part (?:no|number)|mfr|hersteller-?(?:nr|artikel)"
    r"|výrobné číslo|(?:item )?modell?-?(?: ?no| ?nr| ?number)?)"
)
_GTIN = re.compile(r"^(?:gtin|ean|upc|isbn|barcode|ean-?(?:13|code|kód)?|штрихкод)")
_BRAND = re.compile(
    r"^(?:by$|brand|manufacturer|vendor|publisher|designer|marke|hersteller|marque|fabricant|marca|produttore|fabricante|producent"
    r"|marka|výrobce|výrobca|značka|gyártó|márka|producător|merk|varumärke|mærke|merke|merkki|valmistaja"
    r"|proizvajalec|бренд"
    r"|производитель|виробник|브랜드|제조사|メーカー|ブランド|品牌|verlag|editore)\b"
)
_STOCK = re.compile(
    r"^(?:availability|stock|verfügbarkeit|lieferstatus|disponibilit|dostępn|dostupn|наличие|lagerstatus|készlet|disponibilitate|stav)"
)
_LABEL = re.compile(
    r"by|brand|manufacturer|marke|hersteller|marque|marca|produttore|fabricante|producent|marka|výrobce|výrobca|značka|gyártó"
    r"|merk|varumärke|бренд|производитель|브랜드|メーカー|ブランド|品牌|sku|ean|isbn|upc|mpn|asin|art\.?-?nr\.?|artikelnummer"
    r"|item (?:no\.?|number)|product code|kód|kod produktu|артикул"
)
_LINE = re.compile(r"^([^:：]{2,40})[:：]\s*(\S.{0,80})?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attributes:
    """The attributes that a product record has fields for."""

    sku: Found[str] | None = None
    mpn: Found[str] | None = None
    gtin: Found[str] | None = None
    brand: Found[str] | None = None
    availability: Found[str] | None = None


def read_attributes(scan: PageScan, view: PageView) -> Attributes:
    """Read the attributes of the page's subject; those of other goods stand in cards or after them and are not read."""
    found: dict[str, Found[str]] = {}
    for label, value, where in _pairs(scan, view):
        name = label.strip(" :*#").lower()
        gtin = parse_gtin(value) if _GTIN.search(name) else None
        if gtin:
            found.setdefault("gtin", Found(gtin, where, value))
        if name == "asin" and looks_like_code(value):
            found["sku"] = Found(value, where, f"{label} {value}")
        elif _SKU.search(name) and looks_like_code(value):
            found.setdefault("sku", Found(value, where, f"{label} {value}"))
        elif _MPN.search(name) and looks_like_code(value):
            found.setdefault("mpn", Found(value, where, f"{label} {value}"))
        elif _BRAND.search(name) and 1 < len(value) <= 60:
            found.setdefault("brand", Found(value, where, f"{label} {value}"))
        elif _STOCK.search(name) and (stock := parse_stock_words(value)):
            found.setdefault("availability", Found(stock, where, f"{label} {value}"))
    return Attributes(
        sku=found.get("sku"), mpn=found.get("mpn"), gtin=found.get("gtin"), brand=found.get("brand"),
        availability=found.get("availability"),
    )  # fmt: skip


def looks_like_code(text: str) -> bool:
    """Whether a text can be an article number: short, no sentence, with a digit or in capitals."""
    return 2 <= len(text) <= 40 and text.count(" ") <= 2 and (any(map(str.isdigit, text)) or text.isupper())


def _pairs(scan: PageScan, view: PageView) -> Iterator[tuple[str, str, str]]:
    yield from _rows(scan)
    start = view.heading.at if view.heading else 0
    begin = max(0, start - 10)
    texts = scan.texts[begin : min(view.related_at, view.end)]
    for place, text in enumerate(texts[:1500]):
        if len(text) > 120:
            continue
        following = texts[place + 1] if place + 1 < len(texts) else ""
        if len(text) <= 24 and len(following) <= 60 and _LABEL.fullmatch(text.strip(" :*#").lower()):
            yield text, following, "text"
            continue
        line = _LINE.match(text) if ":" in text or "：" in text else None
        element = scan.owners[begin + place]
        if line is None or scan.zone(element) & OUTSIDE or view.prices.is_in_card(element):
            continue
        value = line[2] or following
        if value:
            yield line[1], value.strip(), "text"


def _rows(scan: PageScan) -> Iterator[tuple[str, str, str]]:
    rows = 0
    for placed in scan.tagged("table", "dl"):
        if scan.zone(placed.element) & OUTSIDE:
            continue
        for label, value in _cells(placed.element):
            rows += 1
            if rows > MAX_ROWS:
                return
            name, text = inline_text(label), inline_text(value)
            if 2 <= len(name) <= 60 and 0 < len(text) <= 120:
                yield name, text, str(placed.element.tag)


def _cells(element: etree._Element) -> Iterator[tuple[etree._Element, etree._Element]]:
    if element.tag == "dl":
        terms = list(element.iter("dt", "dd"))
        yield from ((one, two) for one, two in pairwise(terms) if (one.tag, two.tag) == ("dt", "dd"))
        return
    for row in element.iter("tr"):
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        if len(cells) == 2:
            yield cells[0], cells[1]
