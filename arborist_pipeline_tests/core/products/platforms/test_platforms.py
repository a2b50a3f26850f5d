"""Each platform by itself: what its payload says, and payloads that are empty, foreign or broken."""

import html
import json
from decimal import Decimal

import pytest

from arborist_pipeline.core.products.platforms.bigcommerce import read_bigcommerce
from arborist_pipeline.core.products.platforms.magento import read_magento
from arborist_pipeline.core.products.platforms.shopify import read_shopify
from arborist_pipeline.core.products.platforms.variations import read_variations
from arborist_pipeline.core.products.platforms.woocommerce import read_woocommerce

HERE = "https://ware.example/products/reed-basket"


def shop_product(**changes):
    one = {"id": 1, "title": "Small", "option1": "Small", "sku": "RB-S", "price": 3900, "available": True}
    return {
        "id": 7,
        "title": "Reed Basket",
        "handle": "reed-basket",
        "vendor": "Fen",
        "options": ["Size"],
        "variants": [one],
        **changes,
    }


def state(value):
    return f'<script type="application/json">{json.dumps(value)}</script>'


@pytest.mark.parametrize(
    ("price", "amount"),
    [(3900, "39"), ("39.00", "39.00"), ({"amount": "39.5", "currencyCode": "EUR"}, "39.50"), (0, None), (None, None)],
)
def test_shopify_prices_are_minor_units_or_decimal_strings(evidence_of, price, amount):
    product = shop_product()
    product["variants"][0]["price"] = price
    draft = read_shopify(evidence_of("<h1>Reed Basket</h1>" + state(product), HERE))
    assert (draft.price and draft.price.value) == (Decimal(amount) if amount else None)


def test_shopify_takes_the_product_of_the_page_among_many(evidence_of):
    others = [
        shop_product(handle="rope-bag", title="Rope Bag"),
        shop_product(),
        shop_product(handle="net-bag", title="Net Bag"),
    ]
    assert read_shopify(evidence_of("<h1>Reed Basket</h1>" + state(others), HERE)).handle.value == "reed-basket"
    assert read_shopify(evidence_of("<h1>Baskets</h1>" + state(others), "https://ware.example/collections/all")) is None


def test_shopify_has_no_variants_where_there_is_nothing_to_choose(evidence_of):
    product = shop_product(options=["Title"])
    product["variants"][0].update(title="Default Title", option1="Default Title")
    draft = read_shopify(evidence_of("<h1>Reed Basket</h1>" + state(product), HERE))
    assert (draft.variants, draft.options, draft.sku.value) == (None, None, "RB-S")


@pytest.mark.parametrize("variants", [[], "x", [1], [{}], None])
def test_shopify_reads_nothing_from_what_is_no_product(evidence_of, variants):
    assert read_shopify(evidence_of("<h1>Reed Basket</h1>" + state(shop_product(variants=variants)), HERE)) is None


def woo(rows, selects=""):
    return f'<h1>Tee</h1><form data-product_variations="{html.escape(json.dumps(rows))}">{selects}</form>'


def test_woocommerce_names_options_as_the_form_does(evidence_of):
    rows = [{"attributes": {"attribute_pa_size": "s"}, "display_price": 20, "is_in_stock": True, "sku": "T-S"}]
    select = '<label for=z>Size</label><select id=z name=attribute_pa_size><option value="s" selected>Small</select>'
    draft = read_woocommerce(evidence_of(woo(rows, select)))
    (variant,) = draft.variants.value
    assert (variant.options, variant.price, variant.availability) == ({"Size": "Small"}, Decimal(20), "InStock")
    assert draft.price.value == Decimal(20)


def test_woocommerce_says_backorder_where_the_stock_text_does(evidence_of):
    rows = [
        {
            "attributes": {"attribute_size": "s"},
            "display_price": 20,
            "is_in_stock": True,
            "availability_html": "<p>Available on backorder</p>",
        }
    ]
    assert read_woocommerce(evidence_of(woo(rows))).variants.value[0].availability == "BackOrder"


@pytest.mark.parametrize("rows", [False, [], [1], {}, "x"])
def test_woocommerce_above_its_threshold_says_nothing(evidence_of, rows):
    assert read_woocommerce(evidence_of(woo(rows))) is None


def configuration(**changes):
    options = [{"id": "5", "label": "Sand", "products": ["11"]}, {"id": "6", "label": "Moss", "products": ["12"]}]
    return {
        "attributes": {"93": {"code": "color", "label": "Color", "options": options}},
        "template": "$#{price}",
        "basePrice": "10",
        **changes,
    }


def test_magento_needs_a_product_behind_every_attribute(evidence_of):
    size = {"code": "size", "label": "Size", "options": [{"id": "1", "label": "S", "products": ["11"]}]}
    found = configuration()
    found["attributes"]["94"] = size
    (variant,) = read_magento(evidence_of("<h1>Coat</h1>" + state(found))).variants.value
    assert variant.options == {"Color": "Sand", "Size": "S"}


@pytest.mark.parametrize("attributes", [{}, [], {"1": {}}, {"1": {"code": "x"}}, None])
def test_magento_reads_nothing_from_a_foreign_configuration(evidence_of, attributes):
    assert read_magento(evidence_of("<h1>Coat</h1>" + state(configuration(attributes=attributes)))) is None


def test_bigcommerce_prefers_the_price_with_tax(evidence_of):
    price = {"with_tax": {"value": 12, "currency": "GBP"}, "without_tax": {"value": 10, "currency": "GBP"}}
    value = {"product_attributes": {"instock": False, "purchasable": True, "price": price}}
    draft = read_bigcommerce(evidence_of("<h1>Wok</h1>" + state(value)))
    assert (draft.price.value, draft.currency.value, draft.availability.value) == (Decimal(12), "GBP", "OutOfStock")


@pytest.mark.parametrize("value", [{}, {"price": {}}, [], None])
def test_bigcommerce_reads_nothing_from_an_empty_payload(evidence_of, value):
    assert read_bigcommerce(evidence_of("<h1>Wok</h1>" + state({"product_attributes": value}))) is None


def listed(rows, form=""):
    return f"<script>var variations = {json.dumps(rows)};</script><h1>Sock</h1>{form}"


def test_a_single_variation_gives_the_number_and_no_variants(evidence_of):
    draft = read_variations(evidence_of(listed([{"option1": None, "sku": "HS-1", "image_id": None}])))
    assert (draft.sku.value, draft.variants) == ("HS-1", None)


def test_what_is_sold_out_has_no_form_and_its_list_names_the_options(evidence_of):
    rows = [{"option1": "S", "sku": "HS-1", "image_id": 1}, {"option1": "M", "sku": "HS-2", "image_id": 1}]
    draft = read_variations(evidence_of(listed(rows, "<p>This sock is currently unavailable.</p>")))
    assert [(each.sku, each.title) for each in draft.variants.value] == [("HS-1", "S"), ("HS-2", "M")]
    assert [dict(each.options) for each in draft.variants.value] == [{"option1": "S"}, {"option1": "M"}]


@pytest.mark.parametrize(
    "rows",
    [
        [{"option1": "S", "sku": "A"}, {"option1": "M", "sku": "A"}],
        [{"option1": "S", "sku": ""}],
        [{"name": "S", "sku": "A"}],
        [{"option1": "S", "sku": "A"}, {"option1": "M", "sku": "B"}],
    ],
    ids=["numbers twice", "no number", "no options", "no form to choose by"],
)
def test_a_list_that_fits_no_form_is_no_list_of_variations(evidence_of, rows):
    assert read_variations(evidence_of(listed(rows))) is None
