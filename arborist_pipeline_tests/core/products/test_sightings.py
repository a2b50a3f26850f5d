"""Prices in sight, and the cards of other goods."""

from decimal import Decimal

import pytest

from arborist_pipeline.core.products.scan import scan_page
from arborist_pipeline.core.products.sightings import find_prices, price_text


def prices(page_of, html):
    return find_prices(scan_page(page_of(html)), frozenset()).sightings


def test_the_strokes_of_an_icon_do_not_hide_the_price_behind_it(page_of):
    icon = f"<i><svg>{'<path d=M0/>' * 60}</svg></i>"
    (one,) = prices(page_of, f'<p class="price">{icon}<b>$12</b></p>')
    assert one.text == "$12"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<b>$12.50</b>", "$12.50"),
        ("<b>$<i>12</i><sup>50</sup></b>", "$ 12.50"),
        ('<b><i>12</i><i class="cents">50</i> €</b>', "12.50 €"),
        ("<b><i>12,</i><i>50</i> €</b>", "12,50 €"),
        ("<b>$12<script>x</script></b>", "$12"),
    ],
)
def test_the_text_of_a_price_joins_its_cents(page_of, html, text):
    (element,) = page_of(html).tree.iter("b")
    assert price_text(element) == text


@pytest.mark.parametrize(
    ("html", "amounts"),
    [
        ('<p class="price">12.50</p>', ["12.50"]),
        ("<p>only $5 today</p>", ["5"]),
        ("<p>12.50</p>", []),
        ('<p class="price">Only 1 left in stock - order soon.</p>', []),
        ('<p class="price"><b>$</b><b>7</b></p>', ["7"]),
        ("<p>" + "long " * 30 + "$5</p>", []),
        ("<select><option>+ $5</option></select>", ["5"]),
    ],
)
def test_a_number_is_a_price_by_its_sign_or_by_the_name_of_its_element(page_of, html, amounts):
    assert [each.money.amount for each in prices(page_of, html)] == [Decimal(amount) for amount in amounts]


@pytest.mark.parametrize(
    ("html", "struck", "called_old"),
    [
        ('<del><span class="price">$9</span></del>', True, False),
        ('<span class="old-price">$9</span>', False, True),
        ('<span class="price-was">$9</span>', False, True),
        ('<span class="price">Was: $9</span>', False, True),
        ('<span class="bold price">$9</span>', False, False),
        ('<span class="sale-price">$9</span>', False, False),
        ('<div class="old-price"><span class="price now">$9</span></div>', False, False),
    ],
)
def test_old_prices_are_known_by_strike_name_or_words(page_of, html, struck, called_old):
    (each,) = prices(page_of, html)
    assert (each.is_struck, each.is_called_old) == (struck, called_old)


def card(name, price):
    return f'<li><a href="/goods/{name}"><h3>{name}</h3></a><p><span class="price">{price}</span></p></li>'


def test_boxes_of_one_make_that_lead_to_different_pages_are_cards(page_of):
    found = prices(page_of, f"<ul>{card('one', '$1')}{card('two', '$2')}</ul>")
    assert [each.in_card for each in found] == [True, True]


def test_a_box_called_a_card_without_a_picture_or_a_heading_shows_no_other_good(page_of):
    html = '<p><i class="price-card"><b class="price">$5</b><a href="/loans">Pay later</a></i></p>'
    assert [each.in_card for each in prices(page_of, html)] == [False]
    assert [each.in_card for each in prices(page_of, html.replace("<a", "<img src=/a.jpg><a"))] == [True]


def test_old_and_new_price_of_a_card_are_both_in_it(page_of):
    html = "<ul>" + "".join(
        f'<li><a href="/goods/{n}">{n}</a><del class="a">$9</del><b class="b">$5</b></li>' for n in ("one", "two")
    )
    assert all(each.in_card for each in prices(page_of, html))


def test_prices_of_variants_that_lead_nowhere_are_no_cards(page_of):
    html = "".join(f'<li id="variation-{n}"><span class="price">${n}</span></li>' for n in (1, 2, 3))
    related = '<div class="thumb"><a href="/goods/other"><b class="price">$7</b></a></div>'
    found = prices(page_of, f"<div><ul>{html}</ul>{related}</div>")
    assert [each.in_card for each in found] == [False, False, False, True]


def test_pictures_of_the_thing_itself_make_no_card(page_of):
    html = '<div><a href="/media/1.jpg"><img src="/1.jpg"></a><p class="price">$1</p></div>' * 2
    assert not any(each.in_card for each in prices(page_of, html))
