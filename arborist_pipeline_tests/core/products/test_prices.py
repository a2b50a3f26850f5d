"""Prices as people and machines write them."""

# ruff: noqa: RUF001 - prices are written in many scripts

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.products.prices import (
    Locale,
    Money,
    has_currency,
    is_count,
    is_free,
    leaves_decimals_open,
    parse_amount,
    parse_currency,
    parse_locale,
    parse_machine_amount,
    parse_money,
    split_prices,
)

GERMANY, SWEDEN, AUSTRALIA = (
    Locale(language=lang, region=region) for lang, region in (("de", "DE"), ("sv", "SE"), ("en", "AU"))
)


@pytest.mark.parametrize(
    ("text", "locale", "amount", "currency"),
    [
        ("£57.99", Locale(), "57.99", "GBP"),
        ("Now only $84.99", Locale(), "84.99", "USD"),
        ("2 for $5", Locale(), "5", "USD"),
        ("3 for 10", Locale(), "10", None),
        ("2 pairs from $349", Locale(), "349", "USD"),
        ("12 x 0,5 l 8,99 €", GERMANY, "8.99", "EUR"),
        ("6 Stück 12,00", GERMANY, "12.00", None),
        ("10 – 20 €", GERMANY, "10", "EUR"),
        ("iPhone 12 - 699 €", Locale(), "699", "EUR"),
        ("$9 - 24 months", Locale(), "9", "USD"),
        ("$229 99", Locale(), "229.99", "USD"),
        ("EUR 2,22 0 offers", Locale(), "2.22", "EUR"),
        ("$1,250", Locale(), "1250", "USD"),
        ("$4,316.00", AUSTRALIA, "4316.00", "AUD"),
        ("AUD $ 4,316.00", Locale(), "4316.00", "AUD"),
        ("$12.50 CAD", Locale(), "12.50", "CAD"),
        ("US $11.99 - $12.99", Locale(), "11.99", "USD"),
        ("NT$1,290", Locale(), "1290", "TWD"),
        ("R$ 2.879,20", Locale(language="pt", region="BR"), "2879.20", "BRL"),
        ("1.299,00 EUR", GERMANY, "1299.00", "EUR"),
        ("5 263,20 €", GERMANY, "5263.20", "EUR"),
        ("35€ 99", GERMANY, "35.99", "EUR"),
        ("€ 17,10", GERMANY, "17.10", "EUR"),
        ("1 299 kr", SWEDEN, "1299", "SEK"),
        ("99,-", Locale(language="cs", region="CZ"), "99", "CZK"),
        ("28.— SFr", Locale(), "28", "CHF"),
        ("19 900 Ft", Locale(language="hu", region="HU"), "19900", "HUF"),
        ("1 234,50 zł", Locale(language="pl"), "1234.50", "PLN"),
        ("7 990 р.", Locale(language="ru"), "7990", "RUB"),
        ("Rs. 949", Locale(), "949", "INR"),
        ("30,000원", Locale(language="ko"), "30000", "KRW"),
        ("¥1,980", Locale(language="ja", region="JP"), "1980", "JPY"),
        ("¥1,980", Locale(language="zh", region="CN"), "1980", "CNY"),
        ("12.500 KWD", Locale(), "12.50", "KWD"),
        ("7.64", Locale(), "7.64", None),
        ("1 299 kr", Locale(), "1299", None),
        ("100 ml", Locale(), "100", None),
        ("size 5 ft", Locale(), "5", None),
        ("See all 21 reviews", Locale(), "21", None),
    ],
)
def test_a_price_is_read_with_the_currency_it_names(text, locale, amount, currency):
    assert parse_money(text, locale) == Money(amount=Decimal(amount), currency=currency)


@pytest.mark.parametrize(
    ("text", "mark", "amount"),
    [
        ("3.350 €", ",", "3350"), ("£3.355", ".", "3.355"), ("£3.355", "", "3355"), ("3,355 €", ",", "3.355"),
        ("$1,250", ".", "1250"), ("£3.10", ",", "3.10"), ("1.234.567 €", ".", "1234567"),
    ],
)  # fmt: skip
def test_the_decimal_mark_of_the_page_says_what_three_digits_are(text, mark, amount):
    assert parse_money(text, Locale(), mark).amount == Decimal(amount)
    assert leaves_decimals_open(text) is (text[-2:] != "10" and len(text) < 10)


@pytest.mark.parametrize(
    ("text", "counts"),
    [("3 for", True), ("12 x 0.5 l", True), ("Pack of 6", True), ("500 ml", True), ("3 for 10", False),
     ("19.90", False), ("1 990 Ft", False), ("", False)],
)  # fmt: skip
def test_a_number_of_things_or_a_measure_is_told_from_a_price(text, counts):
    assert is_count(text) is counts


@pytest.mark.parametrize("text", ["", "50%", "15 % off", "call us", "€", "…"])
def test_what_names_no_amount_is_no_price(text):
    assert parse_money(text) is None


@pytest.mark.parametrize(
    ("value", "locale", "amount"),
    [
        ("67.8400", Locale(), "67.84"),
        ("1000.00", Locale(), "1000.00"),
        (2879.2, Locale(), "2879.20"),
        (31, Locale(), "31"),
        ("12,95", GERMANY, "12.95"),
        ("3,700.00", Locale(), "3700.00"),
        ("34.000", GERMANY, "34000"),
        ("34.000", Locale(language="en"), "34"),
        ("$1,495", Locale(), "1495"),
        ("0.00", Locale(), "0"),
    ],
)
def test_an_amount_for_machines_has_a_decimal_point_unless_the_shop_writes_otherwise(value, locale, amount):
    assert parse_machine_amount(value, locale) == Decimal(amount)


@pytest.mark.parametrize(
    "value", [None, True, False, "", "free of charge", [], {}, float("nan"), float("inf"), "9" * 40]
)
def test_what_is_no_amount_is_none(value):
    assert parse_machine_amount(value) is None


@pytest.mark.parametrize(
    ("text", "locale", "code"),
    [
        ("eur", Locale(), "EUR"),
        ("$", Locale(), "USD"),
        ("$", Locale(region="NZ"), "NZD"),
        ("kr", Locale(region="NO"), "NOK"),
        ("kr", Locale(), None),
        ("US$", AUSTRALIA, "USD"),
        ("zł", Locale(), "PLN"),
        ("", Locale(), None),
        ("XYZ", Locale(), None),
        (None, Locale(), None),
        (12, Locale(), None),
        ("r", Locale(region="ZA"), "ZAR"),
    ],
)
def test_a_sign_stands_for_the_currency_of_its_place(text, locale, code):
    assert parse_currency(text, locale) == code


@pytest.mark.parametrize(
    ("tag", "host", "language", "region"),
    [
        ("de-AT", "shop.example", "de", "AT"),
        ("en", "shop.com.au", "en", "AU"),
        ("en_US", "shop.co.uk", "en", "GB"),
        ("sv", "shop.example", "sv", "SE"),
        ("", "shop.example", "", ""),
        ("zh-Hant-TW", "shop.example", "zh", "TW"),
        ("en-US", "shop.io", "en", "US"),
        ("x" * 500, "a.b", "x" * 35, ""),
    ],
)
def test_a_locale_comes_from_language_and_host(tag, host, language, region):
    assert parse_locale(tag, host) == Locale(language=language, region=region)


def test_a_currency_needs_a_number_beside_it():
    assert has_currency("only $5 today")
    assert has_currency("5 fr.")
    assert not has_currency("pay in $ or in kind, 5 pieces")


@given(st.text(max_size=400))
def test_reading_a_price_is_total_and_never_negative(text):
    money = parse_money(text)
    assert money is None or (money.amount >= 0 and (money.currency is None or money.currency.isupper()))


@given(st.decimals(min_value=0, max_value=999_999, places=2))
def test_an_amount_survives_writing_and_reading(amount):
    assert parse_machine_amount(str(amount)) == amount
    assert parse_amount(f"{amount:,}") == amount


@pytest.mark.shared
def test_amounts_agree_with_the_published_examples(shared: Path):
    """Of the examples that price-parser itself reads, ours differs only where the sign stands elsewhere."""
    lines = (shared / "conformance/prices/price-parser.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["price_parser_0_5_1_passes"] and row["price_raw"]]
    same = sum(
        (money.amount if (money := parse_money(row["price_raw"])) else None)
        == (Decimal(row["amount"]) if row["amount"] is not None else None)
        for row in rows
    )
    assert same / len(rows) >= 0.97, f"{same} of {len(rows)}"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("£352.00 £264.00", ["£352.00", "£264.00"]),
        ("Was £352.00 Now £264.00", ["Was £352.00", "Now £264.00"]),
        ("Statt 12,99 € jetzt 9,99 €", ["Statt 12,99 €", "jetzt 9,99 €"]),
        ("352 € 264 €", ["352 €", "264 €"]),
        ("EUR 352 EUR 264", ["EUR 352", "EUR 264"]),
        ("RRP: £20 £15", ["RRP: £20", "£15"]),
        ("99 kr 79 kr", ["99 kr", "79 kr"]),
        ("£4.00 (£1.00/100g)", ["£4.00", "(£1.00/100g)"]),
        ("£4.00 / 100 g was £5.00", ["£4.00 / 100 g", "was £5.00"]),
        ("£5 each was £6", ["£5 each", "was £6"]),
        ("£264.00 inc VAT (£220.00 ex VAT)", ["£264.00 inc VAT", "(£220.00 ex VAT)"]),
        ("£100 or 3 payments of £33.33", ["£100", "or 3 payments of £33.33"]),
        ("£99 or £9.99 per month", ["£99", "or £9.99 per month"]),
        ("$10 - $20", ["$10 - $20"]),
        ("$10.00 to $20.00", ["$10.00 to $20.00"]),
        ("US $11.99 - US $12.99", ["US $11.99 - US $12.99"]),
        ("1.299,00 EUR - 1.399,00 EUR", ["1.299,00 EUR - 1.399,00 EUR"]),
        ("£99 - now £79", ["£99", "- now £79"]),
        ("from $10", ["from $10"]),
        ("2 for $5", ["2 for $5"]),
        ("35€99", ["35€99"]),
        ("save 10 % today", ["save 10 % today"]),
        ("", [""]),
    ],
)
def test_a_text_is_split_into_the_prices_it_states(text, parts):
    assert list(split_prices(text)) == parts


@given(st.text(alphabet="£€$ 0123456789.,-/()awkrEUR", max_size=80))
def test_splitting_loses_nothing_and_splits_no_further(text):
    parts = split_prices(text)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(split_prices(part) == (part,) for part in parts)


@pytest.mark.parametrize(
    ("text", "free"),
    [("Free", True), ("GRATIS!", True), ("無料", True), ("Free delivery", False), ("£0.00", False), ("", False)],
)
def test_a_word_in_the_place_of_a_price_says_that_nothing_is_asked(text, free):
    assert is_free(text) is free
