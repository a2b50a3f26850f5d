"""What the properties of a product node mean (schema.org: Product, ProductGroup, Offer, AggregateOffer)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from arborist_pipeline.core.products.availability import parse_availability, parse_condition
from arborist_pipeline.core.products.gtin import parse_gtin
from arborist_pipeline.core.products.nodes import Node, as_list, first, iterate_nodes, text_of, types_of
from arborist_pipeline.core.products.prices import parse_currency, parse_machine_amount, parse_money
from arborist_pipeline.core.products.product import Rating, Variant
from arborist_pipeline.core.products.scan import PageScan
from arborist_pipeline.core.products.text import fold_text, is_alike
from arborist_pipeline.core.products.tier import Draft, Found

MAX_VARIANTS = 2_500
MAX_IMAGES = 100
GTIN_NAMES = ("gtin13", "gtin", "gtin14", "gtin12", "gtin8", "isbn", "ean", "upc")
_LIST_PRICES = ("listprice", "strikethroughprice", "srp", "msrp", "regularprice")
_OPTION_NAMES = ("size", "color", "colour", "material", "pattern", "flavor", "flavour", "scent", "style")
_HOMES = frozenset(
    "home|homepage|home page|startseite|start|accueil|inicio|início|strona główna|domů|domov|úvod|главная|főoldal"
    "|acasă|hem|hjem|etusivu|ana sayfa|shop|store|all|alle kategorien|홈|ホーム|首頁|首页".split("|")
)
_CODE_PREFIX = re.compile(r"^(?:sku|mpn|upc|isbn|ean|asin)\s{0,2}[:#]\s{0,2}", re.IGNORECASE)
_SELLABLE = frozenset(("InStock", "LimitedAvailability", "OnlineOnly", "InStoreOnly", "PreOrder", "BackOrder"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offer:
    """One offer, read: amounts in the currency it names.

    `is_free` says that it asks for nothing, in a currency, for what can be had; a 0 alone is a field left empty.
    """

    node: Node
    price: Decimal | None
    regular: Decimal | None
    low: Decimal | None
    high: Decimal | None
    currency: str | None
    availability: str | None
    is_free: bool
    raw: str


def build_draft(node: Node, scan: PageScan, *, tier: str, where: str) -> Draft:
    """Read a product node to a draft; total. Properties that the node does not have stay None."""
    offers = read_offers(node, scan)
    variants = _variants(node, offers, scan)
    chosen = _default_offer(offers) or _default_offer(_offers_of_variants(node, scan))

    def text(*names: str) -> Found[str] | None:
        return _found(text_of(first(node, *names)), f"{where}.{names[0]}")

    brand = text("brand", "manufacturer")
    sku = _code(node, where, "sku") or (_code(chosen.node, f"{where}.offers", "sku") if chosen else None)
    amounts = [amount for offer in offers for amount in (offer.low, offer.price, offer.high) if amount]
    amounts += [variant.price for variant in variants if variant.price]
    is_range = len(set(amounts)) > 1
    options = tuple(dict.fromkeys(name for variant in variants for name in variant.options))
    return Draft(
        tier=tier,
        certain=True,
        name=text("name"),
        description=text("description"),
        brand=brand if brand and not brand.value.startswith(("http://", "https://")) else None,
        category=_category(node, where),
        sku=sku,
        mpn=_code(node, where, "mpn"),
        gtin=_gtin(node, chosen, where),
        product_id=text("productID", "productId"),
        group_id=text("productGroupID", "inProductGroupWithID"),
        price=_offered(chosen, where, "price"),
        regular_price=_offered(chosen, where, "regular"),
        low_price=Found(min(amounts), f"{where}.offers", chosen.raw) if is_range and chosen else None,
        high_price=Found(max(amounts), f"{where}.offers", chosen.raw) if is_range and chosen else None,
        currency=_currency(chosen, offers, where),
        availability=_availability(node, chosen, where),
        condition=_condition(node, chosen, where),
        images=_images(node, scan, where),
        rating=_rating(node, where),
        options=Found(options, f"{where}.variesBy", ", ".join(options)) if options else None,
        variants=Found(variants, f"{where}.hasVariant", f"{len(variants)} variants") if variants else None,
    )


def read_trail(draft: Draft, values: Sequence[object]) -> Draft:
    """Return the draft with the page's BreadcrumbList as its category, home and the product itself left out."""
    for node, _ in iterate_nodes(list(values)):
        if "breadcrumblist" not in types_of(node):
            continue
        steps = [step for step in as_list(node.get("itemListElement"))[:20] if isinstance(step, dict)]
        steps.sort(key=lambda step: parse_machine_amount(first(step, "position")) or 0)
        names = [text_of(first(step, "name")) or text_of(first(step, "item")) for step in steps]
        trail = build_trail(names, draft.name.value if draft.name else "")
        if trail:
            return replace(draft, category=Found(trail, "BreadcrumbList", " > ".join(names)[:200]))
    return draft


def build_trail(names: Sequence[str], product: str) -> tuple[str, ...]:
    """Return the names of a breadcrumb trail without a first one that means home and without the product's own."""
    kept = [name for name in names if name and not name.startswith(("http:", "https:"))]
    if kept and len(kept[-1]) > 3 and is_alike(kept[-1], product):
        kept.pop()
    if kept and kept[0].strip().lower() in _HOMES:
        kept.pop(0)
    return tuple(kept[:12])


def read_offers(node: Node, scan: PageScan) -> tuple[_Offer, ...]:
    """Return the offers of a node, those nested in an aggregate before the aggregate itself."""
    found: list[_Offer] = []
    for value in as_list(node.get("offers"))[:MAX_VARIANTS]:
        if isinstance(value, dict):
            found.extend(
                _read_offer(nested, scan) for nested in as_list(value.get("offers")) if isinstance(nested, dict)
            )
            found.append(_read_offer(value, scan))
    if not found and first(node, "price", "lowPrice") is not None:
        found.append(_read_offer(node, scan))
    return tuple(found[: MAX_VARIANTS + 1])


def _read_offer(node: Node, scan: PageScan) -> _Offer:
    locale = scan.locale
    currency = parse_currency(fold_text(first(node, "priceCurrency", "currency")), locale)
    raw = first(node, "price")
    price = parse_machine_amount(_plain(raw), locale)
    low, high = (parse_machine_amount(_plain(first(node, name)), locale) for name in ("lowPrice", "highPrice"))
    regular = parse_machine_amount(
        _plain(first(node, "listPrice", "highPrice" if price and not low else "listPrice")), locale
    )
    for specification in as_list(node.get("priceSpecification")):
        if not isinstance(specification, dict):
            continue
        amount = parse_machine_amount(_plain(first(specification, "price")), locale)
        kind = fold_text(first(specification, "priceType", "name")).lower().replace(" ", "")
        if amount is not None and kind.endswith(_LIST_PRICES):
            regular = regular or amount
        elif amount is not None and price is None and _is_whole_price(specification):
            price, raw = amount, first(specification, "price")
        currency = currency or parse_currency(fold_text(first(specification, "priceCurrency")), locale)
    if currency is None:
        money = parse_money(fold_text(raw if raw is not None else first(node, "lowPrice")), locale)
        currency = money.currency if money else None
    availability = parse_availability(first(node, "availability"))
    return _Offer(
        node=node, price=price or None, regular=regular or None, low=low or None, high=high or None, currency=currency,
        availability=availability, is_free=price == 0 and currency is not None and availability in _SELLABLE,
        raw=fold_text(raw if raw is not None else first(node, "lowPrice")),
    )  # fmt: skip


def _is_whole_price(specification: Node) -> bool:
    """Whether a specification prices the item itself, not a unit of measure or a delivery."""
    return not types_of(specification) & {"deliverychargespecification", "paymentchargespecification"} and not (
        "referenceQuantity" in specification and first(specification, "referenceQuantity") is not None
    )


def _plain(value: object) -> object:
    return fold_text(value) if isinstance(value, str) else value


def _default_offer(offers: Sequence[_Offer]) -> _Offer | None:
    """Return the offer a buyer gets: the first that can be bought and has a price, else the first with a price."""
    priced = [offer for offer in offers if offer.price] or [offer for offer in offers if offer.low] or list(offers)
    return next((offer for offer in priced if offer.availability in _SELLABLE), priced[0] if priced else None)


def _offers_of_variants(node: Node, scan: PageScan) -> tuple[_Offer, ...]:
    return tuple(offer for child in _variant_nodes(node) for offer in read_offers(child, scan))


def _variant_nodes(node: Node) -> list[Node]:
    return [child for child in as_list(node.get("hasVariant"))[:MAX_VARIANTS] if isinstance(child, dict)]


def _found(text: str, where: str) -> Found[str] | None:
    return Found(text, where, text[:200]) if text else None


def _code(node: Node, where: str, name: str) -> Found[str] | None:
    """Return an article number without the prefix that schema.org once asked for ("sku:123")."""
    raw = text_of(first(node, name))
    return Found(_CODE_PREFIX.sub("", raw), f"{where}.{name}", raw[:200]) if raw else None


def _offered(offer: _Offer | None, where: str, name: str) -> Found[Decimal] | None:
    if offer is None:
        return None
    if name == "price" and offer.is_free and not offer.low:
        return Found(Decimal(0), f"{where}.offers.price", offer.raw)
    amount = offer.regular if name == "regular" else offer.price or offer.low
    return Found(amount, f"{where}.offers.{'price' if offer.price else 'lowPrice'}", offer.raw) if amount else None


def _currency(offer: _Offer | None, offers: Iterable[_Offer], where: str) -> Found[str] | None:
    code = (offer.currency if offer else None) or next((each.currency for each in offers if each.currency), None)
    return _found(code or "", f"{where}.offers.priceCurrency")


def _availability(node: Node, offer: _Offer | None, where: str) -> Found[str] | None:
    value = (offer.availability if offer else None) or parse_availability(first(node, "availability"))
    return _found(value or "", f"{where}.offers.availability")


def _condition(node: Node, offer: _Offer | None, where: str) -> Found[str] | None:
    value = parse_condition(first(offer.node, "itemCondition") if offer else None)
    return _found(value or parse_condition(first(node, "itemCondition")) or "", f"{where}.itemCondition")


def _gtin(node: Node, offer: _Offer | None, where: str) -> Found[str] | None:
    for holder in (node, offer.node if offer else {}):
        for name in (*GTIN_NAMES, "productID", "sku", "mpn"):
            digits = parse_gtin(text_of(first(holder, name)).removeprefix("isbn:").removeprefix("ean:"))
            if digits and (name in GTIN_NAMES or len(digits) == 13):
                return Found(digits, f"{where}.{name}", text_of(first(holder, name)))
    return None


def _category(node: Node, where: str) -> Found[tuple[str, ...]] | None:
    value = first(node, "category")
    text = text_of(value)
    parts = tuple(part.strip() for part in text.replace("&gt;", ">").replace(" / ", ">").split(">") if part.strip())
    return Found(parts[:12], f"{where}.category", text[:200]) if parts and not text.startswith("http") else None


def _images(node: Node, scan: PageScan, where: str) -> Found[tuple[str, ...]] | None:
    found: dict[str, None] = {}
    for value in as_list(node.get("image"))[:MAX_IMAGES]:
        reference = first(value, "contentUrl", "url", "@id") if isinstance(value, dict) else value
        for one in as_list(reference):
            url = scan.url(one) if isinstance(one, str) else None
            if url:
                found[url] = None
    return Found(tuple(found), f"{where}.image", next(iter(found))) if found else None


def _rating(node: Node, where: str) -> Found[Rating] | None:
    value = first(node, "aggregateRating")
    if not isinstance(value, dict):
        return None
    return build_rating(first(value, "ratingValue"), first(value, "bestRating"),
                        first(value, "reviewCount", "ratingCount"), f"{where}.aggregateRating")  # fmt: skip


def build_rating(value: object, best: object, count: object, where: str) -> Found[Rating] | None:
    """Return a rating from its raw parts; None without a mean, or with a count of none."""
    mean = parse_machine_amount(fold_text(value).replace(",", "."))
    number = parse_machine_amount(_plain(count))
    if not mean or number == 0 or mean > 100:
        return None
    total = int(number) if number is not None and number < 10**9 else None
    return Found(Rating(value=mean, best=parse_machine_amount(_plain(best)), count=total), where, str(value)[:200])


def _variants(node: Node, offers: Sequence[_Offer], scan: PageScan) -> tuple[Variant, ...]:
    children = _variant_nodes(node)
    if children:
        varied = tuple(_property_name(value) for value in as_list(node.get("variesBy")))
        return tuple(_variant_of_node(child, varied, scan) for child in children)
    single = [offer for offer in offers if offer.price and not offer.node.get("offers")]
    sellers = {text_of(first(offer.node, "seller")) for offer in single}
    skus = [text_of(first(offer.node, "sku")) for offer in single]
    if len(single) < 2 or len(sellers) > 1 or not all(skus) or len(set(skus)) < len(single):
        return ()
    return tuple(_variant_of_offer(offer, scan) for offer in single)


def _variant_of_node(node: Node, varied: Sequence[str], scan: PageScan) -> Variant:
    offer = _default_offer(read_offers(node, scan))
    return Variant(
        title=text_of(first(node, "name")) or None,
        options=_options(node, varied),
        sku=text_of(first(node, "sku")) or (text_of(first(offer.node, "sku")) if offer else "") or None,
        mpn=text_of(first(node, "mpn")) or None,
        gtin=_first_gtin(node),
        price=(offer.price or offer.low) if offer else None,
        regular_price=offer.regular if offer else None,
        availability=offer.availability if offer else None,
        url=_reference(first(node, "url") or (first(offer.node, "url") if offer else None), scan),
        image=next(iter(images.value), None) if (images := _images(node, scan, "")) else None,
    )


def _variant_of_offer(offer: _Offer, scan: PageScan) -> Variant:
    item = first(offer.node, "itemOffered")
    node = {**(item if isinstance(item, dict) else {}), **offer.node}
    return Variant(
        title=text_of(first(node, "name")) or None, options=_options(node, ()), sku=text_of(first(node, "sku")) or None,
        mpn=text_of(first(node, "mpn")) or None, gtin=_first_gtin(node), price=offer.price, regular_price=offer.regular,
        availability=offer.availability, url=_reference(first(node, "url"), scan),
    )  # fmt: skip


def _options(node: Node, varied: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in (*varied, *_OPTION_NAMES):
        value = text_of(first(node, name))
        if value and name not in found:
            found[name] = value[:200]
    for extra in as_list(node.get("additionalProperty"))[:40]:
        name = text_of(first(extra, "name")) if isinstance(extra, dict) else ""
        if isinstance(extra, dict) and name and (not varied or name in varied) and name not in found:
            found[name] = text_of(first(extra, "value"))[:200]
    return {name: value for name, value in found.items() if value}


def _property_name(value: object) -> str:
    return text_of(value).rstrip("/").rsplit("/", 1)[-1]


def _first_gtin(node: Node) -> str | None:
    return next((digits for name in GTIN_NAMES if (digits := parse_gtin(text_of(first(node, name))))), None)


def _reference(value: object, scan: PageScan) -> str | None:
    return scan.url(value) if isinstance(value, str) else None
