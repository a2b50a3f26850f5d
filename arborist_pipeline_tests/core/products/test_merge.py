"""Drafts to one product, by evidence."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import pytest

from arborist_pipeline.core.products.merge import merge_drafts, weight
from arborist_pipeline.core.products.tier import Draft, Found


def found(value):
    return Found(value, "somewhere", str(value))


def draft(tier, **fields):
    return Draft(tier=tier, name=found("White Mug"), **{name: found(value) for name, value in fields.items()})


def amount(text):
    return Decimal(text)


PLAIN = "<h1>White Mug</h1>"


def test_without_a_name_there_is_no_product(evidence_of):
    assert merge_drafts([], evidence_of(PLAIN)) is None
    assert merge_drafts([Draft(tier="jsonld", price=found(amount("5")))], evidence_of(PLAIN)) is None


def test_every_field_says_where_it_came_from(evidence_of):
    product = merge_drafts(
        [draft("jsonld", price=amount("5"), currency="EUR"), draft("opengraph", sku="A-1")], evidence_of(PLAIN)
    )
    assert {name: source.tier for name, source in product.sources.items()} == {
        "name": "jsonld", "price": "jsonld", "currency": "jsonld", "sku": "opengraph",
    }  # fmt: skip


def test_two_sources_that_agree_outweigh_a_stronger_one(evidence_of):
    drafts = [
        draft("jsonld", sku="A-1"),
        draft("opengraph", sku="B-2"),
        draft("visible", sku="B-2"),
        draft("embedded", sku="B-2"),
    ]
    product = merge_drafts(drafts, evidence_of(PLAIN))
    assert product.sku == "B-2"
    assert [(each.field, each.other, each.tier) for each in product.conflicts] == [("sku", "A-1", "jsonld")]


def test_spellings_of_one_value_are_no_conflict(evidence_of):
    drafts = [draft("jsonld", sku="AB 12", price=amount("5.0")), draft("microdata", sku="ab-12", price=amount("5.00"))]
    assert merge_drafts(drafts, evidence_of(PLAIN)).conflicts == ()


def test_a_price_in_sight_beats_one_that_is_not(evidence_of):
    html = PLAIN + '<p class="price">$7.00</p><button>Add to basket</button>'
    product = merge_drafts(
        [draft("jsonld", price=amount("9.00")), draft("opengraph", price=amount("7.00"))], evidence_of(html)
    )
    assert product.price == amount("7.00")


def test_bad_news_in_sight_beats_good_news_in_mark_up(evidence_of):
    seen = replace(draft("visible"), availability=Found("OutOfStock", "stock p.stock", "Sold out"))
    both = [draft("jsonld", availability="InStock"), draft("microdata", availability="InStock"), seen]
    assert merge_drafts(both, evidence_of(PLAIN)).availability == "OutOfStock"
    vague = replace(draft("visible"), availability=Found("OutOfStock", "p", "Sold out"))
    assert merge_drafts([*both[:2], vague], evidence_of(PLAIN)).availability == "InStock"


def test_no_currency_without_a_price(evidence_of):
    assert merge_drafts([draft("jsonld", currency="EUR")], evidence_of(PLAIN)).currency is None


@pytest.mark.parametrize(
    ("shown", "currency"), [("<p>£3</p><p>£4</p>", "GBP"), ("<p>£3</p><p>€4</p>", None), ("", None)]
)
def test_a_currency_that_no_source_names_is_that_of_all_prices_in_sight(evidence_of, shown, currency):
    product = merge_drafts([draft("jsonld", price=amount("3"))], evidence_of(PLAIN + shown))
    assert product.currency == currency


def test_a_regular_price_below_the_price_is_none(evidence_of):
    product = merge_drafts([draft("jsonld", price=amount("5"), regular_price=amount("4"))], evidence_of(PLAIN))
    assert product.regular_price is None


def test_the_handle_comes_from_the_platform_or_the_address(evidence_of):
    assert merge_drafts([draft("jsonld")], evidence_of(PLAIN)).handle == "white-mug"
    assert merge_drafts([draft("shopify", handle="mug-1")], evidence_of(PLAIN)).handle == "mug-1"


def test_the_order_of_drafts_does_not_matter(evidence_of):
    drafts = [
        draft("jsonld", sku="A", price=amount("5")),
        draft("visible", sku="B", price=amount("6")),
        draft("embedded", sku="B"),
    ]
    evidence = evidence_of(PLAIN)
    products = [merge_drafts(order, evidence) for order in permutations(drafts)]
    assert len({(product.sku, product.price, len(product.conflicts)) for product in products}) == 1


def test_the_address_weighs_least():
    assert weight("sku", "address") < min(
        weight("sku", tier) for tier in ("jsonld", "microdata", "opengraph", "visible", "embedded")
    )


def test_fields_that_sources_fill_in_their_own_ways_are_no_conflicts(evidence_of):
    drafts = [
        draft("jsonld", description="A mug.", images=("a",)),
        draft("opengraph", description="Buy mugs.", images=("b",)),
    ]
    assert merge_drafts(drafts, evidence_of(PLAIN)).conflicts == ()


def test_what_was_not_taken_has_no_source(evidence_of):
    product = merge_drafts([draft("jsonld", price=amount("5"), regular_price=amount("4"))], evidence_of(PLAIN))
    assert "regular_price" not in product.sources


def test_a_price_of_nothing_counts_only_where_no_source_asks_for_more(evidence_of):
    html = PLAIN + '<p class="price">$0.00</p><button>Add to basket</button>'
    free = merge_drafts([draft("visible", price=amount("0.00"), currency="USD")], evidence_of(html))
    assert (free.price, free.currency, free.sources["price"].tier) == (amount("0.00"), "USD", "visible")
    asked = merge_drafts(
        [draft("visible", price=amount("0.00")), draft("opengraph", price=amount("9"))], evidence_of(html)
    )
    assert asked.price == 9


@pytest.mark.parametrize(
    ("html", "price"),
    [(PLAIN + '<p class="price">Free</p>', 0), (PLAIN + "<p>for $0.00</p>", 0), (PLAIN, None)],
)
def test_a_price_of_nothing_in_mark_up_counts_where_the_page_shows_it(evidence_of, html, price):
    product = merge_drafts([draft("jsonld", price=amount("0"), currency="USD")], evidence_of(html))
    assert (product.price, product.currency) == (price, "USD" if price == 0 else None)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("White Mug - Buy Mugs Online at Ware House", "White Mug"),
        ("Mugs at Ware House", "White Mug - Buy Mugs Online at Ware House"),
    ],
)
def test_mark_up_that_repeats_the_title_names_no_product_better_than_the_heading(evidence_of, title, name):
    copied = Draft(tier="jsonld", name=found("White Mug - Buy Mugs Online at Ware House"))
    evidence = evidence_of(f"<title>{title}</title>" + PLAIN)
    assert merge_drafts([copied, draft("visible")], evidence).name == name


@pytest.mark.parametrize(("path", "has_reason"), [("/goods/white-mug", False), ("/84682.html", True)])
def test_a_product_without_a_handle_says_why(read, path, has_reason):
    html = '<h1>White mug</h1><p class="price">$ 9.00</p><button>Add to cart</button><p class="stock">In stock</p>'
    product = read(html, f"https://ware.example{path}").product
    assert (product.handle is None, bool(product.handle_reason)) == (has_reason, has_reason)


def test_every_source_of_a_field_votes_and_the_heaviest_is_taken(evidence_of):
    page = evidence_of("<h1>White mug</h1><p class=price>$ 9.00</p>")
    drafts = [
        Draft(tier="jsonld", name=Found("White mug", "a", "White mug"), price=Found(Decimal("7.00"), "b", "7")),
        Draft(tier="opengraph", price=Found(Decimal("9.00"), "c", "9.00")),
        Draft(tier="visible", certain=True, price=Found(Decimal("9.00"), "d", "$ 9.00")),
    ]
    ballots = {}
    product = merge_drafts(drafts, page, ballots)
    assert [(each.tier, each.value, each.result) for each in ballots["price"]] == [
        ("opengraph", Decimal("9.00"), "taken"),
        ("visible", Decimal("9.00"), "agrees"),
        ("jsonld", Decimal("7.00"), "outweighed"),
    ]
    assert product.price == ballots["price"][0].value
    assert [each.weight for each in ballots["price"]] == sorted(
        (each.weight for each in ballots["price"]), reverse=True
    )
    assert [each.where for each in ballots["currency"]] == ["all prices in sight"]
