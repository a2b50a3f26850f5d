"""What a product's page states, in its mark-up and to the eye, is what the truth says of it."""

import json
from decimal import Decimal

import pytest

from arborist_pipeline.core.web.html import inline_text

STOCK_WORDS = {"InStock": "In stock", "OutOfStock": "Sold out", "PreOrder": "Pre-order", "BackOrder": "back order"}


def structured(page):
    """All JSON-LD objects of a page, graphs opened."""
    found = [
        json.loads(script.text) for script in page.tree.iter("script") if script.get("type", "").endswith("ld+json")
    ]
    return [node for data in found for node in data.get("@graph", [data])]


def typed(page, *types):
    return [node for node in structured(page) if node["@type"] in types]


def offered_price(offer):
    """The price of an offer, by itself or by its specification without a type."""
    if "price" in offer:
        return Decimal(str(offer["price"]))
    (plain,) = [each for each in offer["priceSpecification"] if "priceType" not in each]
    return Decimal(plain["price"])


def main_of(page):
    (main,) = page.tree.iter("main")
    return main


def of_look(shop, look):
    found = [product for product in shop.truth.products.values() if product.look == look]
    assert len(found) >= 25
    return found


def test_most_products_are_marked_up_and_some_not_at_all(shop, pages):
    for path, product in shop.truth.products.items():
        assert bool(structured(pages[path])) == product.marked_up, path
    plain = of_look(shop, "plain")
    assert len(plain) < len(shop.truth.products) / 3
    for product in plain:
        elements = pages[product.path].tree.iter()
        assert not any(element.get("itemprop") or element.get("property") for element in elements)


def test_most_addresses_have_the_shape_of_a_product(shop):
    shaped = [path for path in shop.truth.products if path.startswith("/products/")]
    assert 0.8 < len(shaped) / len(shop.truth.products) < 1
    assert all(path.endswith("/" + product.handle) for path, product in shop.truth.products.items())
    assert len({product.handle for product in shop.truth.products.values()}) == len(shop.truth.products)


def test_the_eye_sees_name_price_stock_and_a_form_to_buy(shop, pages):
    for path, product in shop.truth.products.items():
        main = main_of(pages[path])
        (heading,) = main.iter("h1")
        assert inline_text(heading) == product.name
        section = next(heading.iterancestors("section", "article", "div"))
        while not list(section.iter("form")):
            section = section.getparent()
        text = inline_text(section)
        assert f"£{product.price:,}" in text, path
        assert STOCK_WORDS[product.availability] in text, path
        struck = [inline_text(element) for element in section.iter("s", "del")]
        assert struck == ([f"£{product.regular_price:,}"] if product.regular_price else []), path
        assert product.brand in text


@pytest.mark.parametrize("look", ["theme", "graph"])
def test_a_product_object_says_what_is_true(shop, pages, look):
    for product in of_look(shop, look):
        (node,) = typed(pages[product.path], "Product")
        offers = node["offers"] if isinstance(node["offers"], list) else [node["offers"]]
        assert node["name"] == product.name
        assert node["brand"]["name"] == product.brand
        assert node["sku"] == product.sku
        assert node.get("gtin13", node.get("gtin")) == product.gtin
        assert node["url"] == pages[product.path].url
        assert [offered_price(offer) for offer in offers] == [
            variant.price for variant in product.variants
        ] or offered_price(offers[0]) == product.price
        assert {offer["priceCurrency"] for offer in offers} == {product.currency}
        assert offers[0]["availability"] == f"https://schema.org/{product.availability}"


def test_a_product_group_says_what_is_true_of_every_variant(shop, pages):
    for product in of_look(shop, "group"):
        (node,) = typed(pages[product.path], "ProductGroup")
        assert node["name"] == product.name
        assert len(node["variesBy"]) == len(product.variants[0].options)
        members = [
            (each["sku"], each["gtin13"], offered_price(each["offers"]), each["offers"]["availability"].split("/")[-1])
            for each in node["hasVariant"]
        ]
        assert members == [(each.sku, each.gtin, each.price, each.availability) for each in product.variants]
        assert len(members) >= 2


def test_a_graph_states_the_struck_price_and_the_way_from_home(shop, pages):
    on_sale = 0
    for product in of_look(shop, "graph"):
        (node,) = typed(pages[product.path], "Product")
        struck = [each for each in node["offers"]["priceSpecification"] if "priceType" in each]
        assert [Decimal(each["price"]) for each in struck] == ([product.regular_price] if product.regular_price else [])
        on_sale += bool(struck)
        (crumbs,) = typed(pages[product.path], "BreadcrumbList")
        nav = next(main_of(pages[product.path]).iter("nav"))
        assert [each["name"] for each in crumbs["itemListElement"]] == [inline_text(a) for a in nav.iter("a")]
    assert on_sale


def test_a_hand_written_page_offers_its_options_in_a_select(shop, pages):
    with_choice = [product for product in of_look(shop, "plain") if product.variants]
    assert with_choice
    for product in with_choice:
        (select,) = main_of(pages[product.path]).iter("select")
        assert [inline_text(option) for option in select] == [each.title for each in product.variants]
        assert (product.sku, product.gtin) == (None, None)
        assert {each.price for each in product.variants} == {product.price}


def test_every_gtin_has_its_check_digit_and_belongs_to_one_thing(shop):
    numbers = []
    for product in shop.truth.products.values():
        numbers += [each.gtin for each in product.variants] or [product.gtin]
    numbers = [number for number in numbers if number]
    assert len(numbers) == len(set(numbers)) > 100
    for number in numbers:
        digits = [int(digit) for digit in number]
        assert len(digits) == 13
        assert (sum(digits[0::2]) + 3 * sum(digits[1::2])) % 10 == 0, number


def test_there_are_sales_sold_out_goods_ratings_and_choices(shop, pages):
    products = shop.truth.products.values()
    assert {product.availability for product in products} == set(STOCK_WORDS)
    on_sale = [product for product in products if product.regular_price]
    assert len(on_sale) >= 15
    assert all(product.price < product.regular_price for product in on_sale)
    sold_out = [product for product in products if product.availability == "OutOfStock"]
    for product in sold_out:
        buttons = [*main_of(pages[product.path]).iter("button"), *main_of(pages[product.path]).iter("input")]
        assert any(button.get("disabled") is not None for button in buttons), product.path
    assert any(len({each.price for each in product.variants}) > 1 for product in products)
    assert any({each.availability for each in product.variants} == {"InStock", "OutOfStock"} for product in products)
    assert any(product.price >= 1000 for product in products)
    ratings = [node["aggregateRating"] for path in shop.truth.products for node in structured(pages[path])
               if "aggregateRating" in node]  # fmt: skip
    assert ratings
    assert all(1 <= Decimal(each["ratingValue"]) <= 5 and each["reviewCount"] > 0 for each in ratings)


def test_related_goods_link_among_themselves(shop, pages):
    for path in shop.truth.products:
        hrefs = {anchor.get("href") for anchor in main_of(pages[path]).iter("a")} & set(shop.truth.products)
        assert len(hrefs) == 4
        assert path not in hrefs
