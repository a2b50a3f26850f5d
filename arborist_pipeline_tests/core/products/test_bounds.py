"""Lower bounds and ranges in words of many languages."""

# ruff: noqa: RUF001 - prices are written in many scripts

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.bounds import Bounds, parse_bounds
from arborist_pipeline.core.products.prices import Locale


@pytest.mark.parametrize(
    "text",
    """from $12|From: £12|2 pairs from $12|as low as $12|Starting at $12|$12+|$12 and up
ab 12,00 €|ab nur 12 €|à partir de 12 €|dès 12,00 €|a partire da € 12|da 12 €
desde 12 €|a partir de R$ 12,00|vanaf € 12|od 12 zł|jiż od 12 Kč|från 12 kr|fra 12,-
12 € alkaen|от 12 руб.|від 12 грн|de la 12 lei|12 Ft-tól|12 TL'den başlayan|12円から
12円〜|12원부터|¥12起|mulai Rp 12|từ 12 ₫|από 12 €""".replace("\n", "|").split("|"),
)
def test_a_word_for_from_makes_a_price_a_lower_bound(text):
    assert parse_bounds(text, Locale()) == Bounds(low=Decimal(12))


@pytest.mark.parametrize(
    "text",
    ["$10 - $20", "10 – 20 €", "€10 – 20", "10 € bis 20 €", "von 10 bis 20 €", "from $10 to $20", "od 10 do 20 zł",
     "desde 10 € hasta 20 €", "US $10 - US $20", "£10.00 through £20.00", "10.00 - 20.00"],
)  # fmt: skip
def test_a_range_has_both_ends(text):
    assert parse_bounds(text, Locale()) == Bounds(low=Decimal(10), high=Decimal(20))


@pytest.mark.parametrize(
    "text",
    ["$12", "ab 5 Stück: 12 €", "only $12 from stock", "delivered from Oslo for $12", "iPhone 12 - 699 €", "soda 12 €",
     "$9 - 24 months", "$20 - $10", "from", "", "free"],
)  # fmt: skip
def test_what_names_one_price_or_none_has_no_bounds(text):
    assert parse_bounds(text, Locale()) is None


def test_a_bound_may_be_nothing():
    assert parse_bounds("from 0 €", Locale()) == Bounds(low=Decimal(0))
    assert parse_bounds("$0 to $9", Locale()) == Bounds(low=Decimal(0), high=Decimal(9))
    assert parse_bounds("0 €", Locale()) is None


def test_the_word_may_stand_in_an_element_of_its_own():
    assert parse_bounds("12 €", Locale(), before="Preis ab") == Bounds(low=Decimal(12))
    assert parse_bounds("12 €", Locale(), before="Preis") is None


@given(st.text(max_size=200))
def test_reading_bounds_is_total_and_the_low_end_is_low(text):
    bounds = parse_bounds(text, Locale())
    assert bounds is None or bounds.high is None or bounds.low < bounds.high
