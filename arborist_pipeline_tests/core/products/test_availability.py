"""Availability in links, names and words."""

# ruff: noqa: RUF001 - shops speak many languages

import pytest

from arborist_pipeline.core.products.availability import parse_availability, parse_condition, parse_stock_words


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("http://schema.org/InStock", "InStock"),
        ("https://schema.org/OutOfStock/", "OutOfStock"),
        ("instock", "InStock"),
        ("schema:PreOrder", "PreOrder"),
        ("out of stock", "OutOfStock"),
        ("in_stock", "InStock"),
        ("BackOrder", "BackOrder"),
        ("SoldOut", "SoldOut"),
        ("Discontinued", "Discontinued"),
        (True, "InStock"),
        (False, "OutOfStock"),
        ("oos", "OutOfStock"),
        ("", None),
        (None, None),
        (3, None),
        ("green", None),
    ],
)
def test_availability_is_read_in_any_spelling(value, name):
    assert parse_availability(value) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("In stock (4 available)", "InStock"),
        ("Currently unavailable.", "OutOfStock"),
        ("Sold out", "OutOfStock"),
        ("Nicht auf Lager", "OutOfStock"),
        ("Sofort lieferbar", "InStock"),
        ("Épuisé", "OutOfStock"),
        ("En stock", "InStock"),
        ("Non disponibile", "OutOfStock"),
        ("Disponibile", "InStock"),
        ("Нет в наличии", "OutOfStock"),
        ("В наличии", "InStock"),
        ("Skladem", "InStock"),
        ("Není skladem", "OutOfStock"),
        ("Brak w magazynie", "OutOfStock"),
        ("품절", "OutOfStock"),
        ("Pre-order now", "PreOrder"),
        ("Available on backorder", "BackOrder"),
        ("Slut i lager", "OutOfStock"),
        ("Choose a size", None),
        ("", None),
    ],
)
def test_stock_is_read_in_the_words_of_many_languages(text, name):
    assert parse_stock_words(text) == name


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("https://schema.org/NewCondition", "NewCondition"),
        ("used", "UsedCondition"),
        ("Refurbished", "RefurbishedCondition"),
        ("old", None),
        (None, None),
    ],
)
def test_condition_is_read(value, name):
    assert parse_condition(value) == name
