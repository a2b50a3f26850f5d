"""The history of prices: a row for each that is not what was said of it last, of many products at once."""

from datetime import timedelta
from decimal import Decimal

import pytest

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.moments import moment_writer
from arborist_pipeline.adapters.stores.price_rows import load_price_changes, money_text, write_prices
from arborist_pipeline.core.products.product import Product, Variant
from arborist_pipeline_tests.adapters.stores.conftest import rows
from arborist_pipeline_tests.support.builders import NOON

RED, BLUE = ({"colour": name} for name in ("red", "blue"))


def lamp(price, *variants, availability="InStock"):
    return Product(url="https://a.example/p", name="Lamp", price=Decimal(price), currency="AUD",
                   availability=availability, variants=variants)  # fmt: skip


def variant(price, **options):
    return Variant(title=None, price=Decimal(price), **options)


def show(store, *products, day=0):
    """Say at /0, /1, ... what these products say."""
    with writing(store.engine) as connection:
        moment = moment_writer(connection.dialect)(NOON + timedelta(days=day))
        write_prices(connection, 1, [(f"/{number}", each, moment) for number, each in enumerate(products)])


def history(store):
    return rows(store, "SELECT url, variant, price, availability FROM price_history ORDER BY url, variant, id")


def test_each_product_has_a_history_of_its_own(store):
    show(store, lamp("1.00"), lamp("2.00"))
    show(store, lamp("1.00"), lamp("2.50"), day=1)
    show(store, lamp("1.00", availability="OutOfStock"), lamp("2.50"), day=2)
    assert history(store) == [
        ("/0", "", "1.00", "InStock"), ("/0", "", "1.00", "OutOfStock"), ("/1", "", "2.00", "InStock"),
        ("/1", "", "2.50", "InStock"),
    ]  # fmt: skip


def test_variants_go_by_their_sku_or_their_options_and_of_one_name_the_last_counts(store):
    shown = lamp("1.00", variant("2", sku="A"), variant("3", options=RED), variant("4", options=BLUE),
                 variant("5", options=BLUE), variant("6"))  # fmt: skip
    show(store, shown, lamp("9.00"))
    show(store, shown, lamp("9.00"), day=1)
    assert [row[1:3] for row in history(store) if row[0] == "/0"] == [
        ("", "1.00"), ("A", "2"), ("colour: blue", "5"), ("colour: red", "3"), ("variant", "6"),
    ]  # fmt: skip


def test_what_is_said_twice_of_one_url_at_once_is_a_step(store):
    with writing(store.engine) as connection:
        moment = moment_writer(connection.dialect)(NOON)
        write_prices(connection, 1, [("/", lamp(price), moment) for price in ("1", "1", "2", "1")])
    assert [price for _, _, price, _ in history(store)] == ["1", "2", "1"]


def test_nothing_shown_asks_nothing():
    write_prices(None, 1, [])


def test_changes_of_what_is_not_listed_are_not_told(store):
    show(store, lamp("1.00"))
    show(store, lamp("2.00"), day=1)
    with reading(store.engine) as connection:
        assert load_price_changes(connection, 1, NOON) == ()


@pytest.mark.parametrize(("amount", "words"), [(None, None), (Decimal("12.50"), "12.50"), (Decimal("1E+3"), "1000")])
def test_money_is_decimal_text(amount, words):
    assert money_text(amount) == words
