"""What stands where on a page."""

import pytest

from arborist_pipeline.core.products.controls import find_controls
from arborist_pipeline.core.products.scan import scan_page
from arborist_pipeline.core.products.view import build_view


def view(page_of, html, *names):
    scan = scan_page(page_of(html))
    return build_view(scan, names, find_controls(scan))


@pytest.mark.parametrize(
    ("html", "names", "name"),
    [
        ("<h1>White Mug</h1>", (), "White Mug"),
        ("<h1>Ware House</h1><h1>White Mug</h1>", ("White Mug | Ware House",), "White Mug"),
        ("<h1>Free shipping above $35</h1><p>Diner Puzzle 1000</p>", ("Diner Puzzle 1000: 7248",), "Diner Puzzle 1000"),
        ("<h2>White Mug</h2>", ("White Mug",), "White Mug"),
        ('<b itemprop="name">White Mug</b>', ("White Mug",), "White Mug"),
        ("<b>White Enamel Mug</b>", ("White Enamel Mug",), "White Enamel Mug"),
        ("<nav><h1>Shop</h1></nav><h1>Mug</h1>", (), "Mug"),
        ("<p>nothing</p>", ("White Mug",), ""),
        ("<h3>Shipping</h3><b>White Mug</b>", ("White Mug - Mugs - Ware House for all",), "White Mug"),
        ("<i class=product-name>White Mug 5</i>", ("White Mug, large",), "White Mug 5"),
        ("<h1><span>White</span><span>Mug</span></h1>", (), "White Mug"),
        ("<h1>White<!-- -->Mug<sup>TM</sup></h1>", (), "WhiteMugTM"),
    ],
)
def test_the_heading_is_the_one_most_like_the_titles(page_of, html, names, name):
    assert view(page_of, html, *names).name == name


def test_controls_in_the_frame_of_a_page_sell_nothing(page_of):
    assert [*map(len, (view(page_of, "<nav><button>Buy now</button></nav>").buy,
                       view(page_of, "<nav><button>Sold out</button></nav>").closed))] == [0, 0]  # fmt: skip


def test_a_form_that_orders_stands_for_a_control_where_there_is_none(page_of):
    form = '<form action="/cart/add"><input name="quantity">{}</form>'
    assert [placed.element.tag for placed in view(page_of, form.format("")).buy] == ["form"]
    assert [placed.element.tag for placed in view(page_of, form.format("<button>Buy</button>")).buy] == ["button"]


def test_controls_of_cards_are_counted_apart(page_of):
    card = '<li><a href="/g/{0}">{0}</a><b class="price">${0}</b><button>Add to cart</button></li>'
    seen = view(page_of, "<h1>Mug</h1><button>Add to cart</button><ul>" + card.format(1) + card.format(2) + "</ul>")
    assert (len(seen.buy), len(seen.card_buy)) == (1, 2)


def test_the_only_control_that_buys_after_the_heading_is_no_other_goods(page_of):
    card = '<section><div class=card><a href="/loan"><img src=/l.png>Later</a><b class=price>$5</b>{}</div></section>'
    control = "<button>Add to cart</button>"
    assert [each.in_card for each in view(page_of, "<h1>Mug</h1>" + card.format(control)).sightings] == [False]
    assert [each.in_card for each in view(page_of, "<h1>Mug</h1>" + card.format("")).sightings] == [True]


def test_own_prices_end_where_other_goods_begin(page_of):
    seen = view(page_of, "<h1>Mug</h1><p class=price>$1</p><h2>You may also like</h2><p class=price>$2</p>")
    assert [str(each.money.amount) for each in seen.own] == ["1"]
    assert [str(each.money.amount) for each in seen.sightings] == ["1", "2"]
