"""Open Graph and the product meta names beside it (ogp.me; product:* and og:price:* as shops write them)."""

from decimal import Decimal

from arborist_pipeline.core.products.availability import parse_availability, parse_condition
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.gtin import parse_gtin
from arborist_pipeline.core.products.prices import parse_currency, parse_machine_amount, parse_money
from arborist_pipeline.core.products.scan import PageScan
from arborist_pipeline.core.products.text import fold_text
from arborist_pipeline.core.products.tier import Draft, Found

TIER = "opengraph"
MAX_IMAGES = 40
_SALE = ("product:sale_price:amount", "og:sale_price:amount", "product:sale_price")
_PRICE = ("product:price:amount", "og:price:amount", "product:price", "og:price", "twitter:data:price")
_STANDARD = ("og:price:standard_amount", "product:original_price:amount", "product:pretax_price:amount")
_CURRENCY = ("product:price:currency", "og:price:currency", "product:sale_price:currency", "og:currency", "currency")


def read_opengraph(evidence: Evidence) -> Draft | None:
    """Return what the meta elements say; None without a title or a price."""
    scan = evidence.scan
    name = _text(scan, "og:title", "twitter:title")
    sale, price = _amount(scan, *_SALE), _amount(scan, *_PRICE)
    if name is None and price is None and sale is None:
        return None
    asked = sale or price
    kind = (scan.meta("og:type") or "").lower()
    return Draft(
        tier=TIER,
        certain=kind.rsplit(":", 1)[-1].rsplit(".", 1)[0] == "product" and asked is not None,
        name=name,
        description=_text(scan, "og:description", "description", "twitter:description"),
        brand=_text(scan, "product:brand", "og:brand", "brand"),
        sku=_text(scan, "product:retailer_item_id", "product:sku", "og:sku", "sku", "product:retailer_part_no"),
        mpn=_text(scan, "product:mfr_part_no", "product:mpn"),
        gtin=_gtin(scan),
        price=asked,
        regular_price=price if sale and price and price.value > sale.value else _amount(scan, *_STANDARD),
        currency=_currency(scan, asked),
        availability=_named(
            parse_availability(scan.meta("product:availability", "og:availability")), "product:availability"
        ),
        condition=_named(parse_condition(scan.meta("product:condition", "og:condition")), "product:condition"),
        images=_images(scan),
    )


def _text(scan: PageScan, *names: str) -> Found[str] | None:
    for name in names:
        text = fold_text(scan.meta(name))
        if text:
            return Found(text, f"meta[{name}]", text[:200])
    return None


def _amount(scan: PageScan, *names: str) -> Found[Decimal] | None:
    for name in names:
        raw = scan.meta(name)
        amount = parse_machine_amount(raw, scan.locale) if raw else None
        if amount:
            return Found(amount, f"meta[{name}]", (raw or "")[:200])
    return None


def _currency(scan: PageScan, asked: Found[Decimal] | None) -> Found[str] | None:
    raw = scan.meta(*_CURRENCY)
    code = parse_currency(raw, scan.locale)
    if code is None and asked is not None:
        money = parse_money(asked.raw, scan.locale)
        code = money.currency if money else None
    return _named(code, "product:price:currency")


def _named(value: str | None, name: str) -> Found[str] | None:
    return Found(value, f"meta[{name}]", value) if value else None


def _gtin(scan: PageScan) -> Found[str] | None:
    for name in ("product:ean", "product:gtin", "product:upc", "product:isbn", "og:upc", "og:ean"):
        digits = parse_gtin(scan.meta(name))
        if digits:
            return Found(digits, f"meta[{name}]", digits)
    return None


def _images(scan: PageScan) -> Found[tuple[str, ...]] | None:
    raw = [
        *scan.metas.get("og:image", ()),
        *scan.metas.get("og:image:secure_url", ()),
        *scan.metas.get("twitter:image", ()),
    ]
    urls = tuple(dict.fromkeys(url for each in raw[:MAX_IMAGES] if (url := scan.url(each))))
    return Found(urls, "meta[og:image]", urls[0]) if urls else None
