"""What the properties of a product node mean."""

from decimal import Decimal

import pytest

from arborist_pipeline.core.products.scan import scan_page
from arborist_pipeline.core.products.schema_org import build_draft, build_rating, build_trail, read_offers

HERE = "https://ware.example"


@pytest.fixture
def draft_of(page_of):
    scan = scan_page(page_of("<html lang=en>"))
    return lambda **properties: build_draft(
        {"@type": "Product", "name": "Mug", **properties}, scan, tier="t", where="w"
    )


def offer(**properties):
    return {"@type": "Offer", "priceCurrency": "EUR", **properties}


@pytest.mark.parametrize(
    ("offers", "price", "low", "high"),
    [
        (offer(price="12.00"), "12.00", None, None),
        (offer(price="Now $12.00"), "12.00", None, None),
        (offer(price=0), None, None, None),
        (offer(price="0.00", availability="InStock"), "0", None, None),
        (offer(price="0.00", availability="SoldOut"), None, None, None),
        (offer(price="0", availability="InStock", priceCurrency=None), None, None, None),
        (offer(lowPrice="10", highPrice="20"), "10", "10", "20"),
        ([offer(price="9", availability="SoldOut"), offer(price="8", availability="InStock")], "8", "8", "9"),
        ([offer(price="9"), offer(price="8")], "9", "8", "9"),
        ({"@type": "AggregateOffer", "offers": [offer(price="5"), offer(price="7")]}, "5", "5", "7"),
        (offer(priceSpecification={"price": "6"}), "6", None, None),
        (offer(priceSpecification=[{"price": "6", "referenceQuantity": {"value": 1}}]), None, None, None),
        ("12.00", None, None, None),
        ([], None, None, None),
    ],
)
def test_the_price_is_that_of_the_offer_a_buyer_gets(draft_of, offers, price, low, high):
    draft = draft_of(offers=offers)
    found = [getattr(draft, name) for name in ("price", "low_price", "high_price")]
    assert [each and each.value for each in found] == [amount and Decimal(amount) for amount in (price, low, high)]


@pytest.mark.parametrize(
    ("properties", "field", "value"),
    [
        ({"brand": {"@type": "Brand", "name": "Alder"}}, "brand", "Alder"),
        ({"brand": "https://ware.example/brands/alder"}, "brand", None),
        ({"manufacturer": [{"name": "Birch"}]}, "brand", "Birch"),
        ({"sku": 77}, "sku", "77"),
        ({"sku": "sku:77"}, "sku", "77"),
        ({"offers": offer(sku="O-1", price=1)}, "sku", "O-1"),
        ({"gtin13": "4006381333931"}, "gtin", "4006381333931"),
        ({"gtin13": "4006381333930"}, "gtin", None),
        ({"offers": offer(price=1, gtin="036000291452")}, "gtin", "036000291452"),
        ({"sku": "4006381333931"}, "gtin", "4006381333931"),
        ({"category": "Kitchen > Mugs"}, "category", ("Kitchen", "Mugs")),
        ({"category": "https://ware.example/mugs"}, "category", None),
        ({"image": ["/a.jpg", {"url": "/b.jpg"}, 7]}, "images", (HERE + "/a.jpg", HERE + "/b.jpg")),
        ({"offers": offer(price=1, itemCondition="https://schema.org/UsedCondition")}, "condition", "UsedCondition"),
        ({"offers": offer(price=1, availability="https://schema.org/PreOrder")}, "availability", "PreOrder"),
        ({"offers": {"price": "€ 5", "priceCurrency": ""}}, "currency", "EUR"),
        ({"offers": {"price": "5"}}, "currency", None),
        ({"productID": "P9", "inProductGroupWithID": "G1"}, "group_id", "G1"),
    ],
)
def test_a_property_is_read_in_the_spellings_of_shops(draft_of, properties, field, value):
    found = getattr(draft_of(**properties), field)
    assert (found.value if found else None) == value


def test_offers_of_many_sellers_are_no_variants(draft_of):
    offers = [offer(price=5, sku="1", seller={"name": "A"}), offer(price=6, sku="2", seller={"name": "B"})]
    assert draft_of(offers=offers).variants is None
    assert len(draft_of(offers=[{**each, "seller": None} for each in offers]).variants.value) == 2


def test_variants_have_the_options_that_vary(draft_of):
    child = {"@type": "Product", "sku": "1", "color": "Red", "additionalProperty": [{"name": "fit", "value": "Slim"}]}
    (variant,) = draft_of(hasVariant=[child], variesBy=["https://schema.org/color", "fit"]).variants.value
    assert variant.options == {"color": "Red", "fit": "Slim"}


@pytest.mark.parametrize(
    ("value", "best", "count", "rating"),
    [
        ("4,5", 5, "12", ("4.50", "5", 12)),
        (4, None, None, ("4", None, None)),
        (0, 5, 3, None),
        ("5", 5, 0, None),
        (None, 5, 5, None),
    ],
)
def test_a_rating_needs_a_mean_that_someone_gave(value, best, count, rating):
    found = build_rating(value, best, count, "w")
    shown = found and (str(found.value.value), found.value.best and str(found.value.best), found.value.count)
    assert shown == rating


@pytest.mark.parametrize(
    ("names", "trail"),
    [
        (["Home", "Kitchen", "Mugs", "White Mug"], ("Kitchen", "Mugs")),
        (["Kitchen", "Mugs"], ("Kitchen", "Mugs")),
        (["Startseite", "White Mug"], ()),
        ([], ()),
        (["https://ware.example/", "Mugs"], ("Mugs",)),
    ],
)
def test_a_trail_leaves_out_home_and_the_product(names, trail):
    assert build_trail(names, "White Mug") == trail


def test_offers_are_bounded(page_of):
    scan = scan_page(page_of(""))
    assert len(read_offers({"offers": [offer(price=1)] * 9_000}, scan)) <= 2_501
