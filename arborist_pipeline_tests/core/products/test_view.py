"""What stands where on a page."""

import pytest

from arborist_pipeline.core.products.scan import scan_page
from arborist_pipeline.core.products.view import build_view


def view(page_of, html, *names):
    return build_view(scan_page(page_of(html)), names)


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
    ],
)
def test_the_heading_is_the_one_most_like_the_titles(page_of, html, names, name):
    assert view(page_of, html, *names).name == name


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<button>Add to basket</button>", 1),
        ('<input type="submit" value="Buy now">', 1),
        ('<input type="image" alt="Add to cart" src="/b.gif">', 1),
        ('<input type="text" value="buy">', 0),
        ('<a class="btn" href="/cart/add/1">In den Warenkorb</a>', 1),
        ("<button>Kúpiť</button>", 1),
        ("<button>장바구니</button>", 1),
        ('<a href="/blog/how-to-buy">How to buy</a>', 0),
        ("<button>Sold out</button>", 0),
        ("<button>View basket</button>", 0),
        ("<nav><button>Buy now</button></nav>", 0),
        ('<form action="/cart/add"><input name="quantity"></form>', 1),
        ('<form action="/search"><input name="q"></form>', 0),
    ],
)
def test_a_control_that_buys_is_known_in_many_languages(page_of, html, found):
    assert len(view(page_of, html).buy) == found


def test_controls_of_cards_are_counted_apart(page_of):
    card = '<li><a href="/g/{0}">{0}</a><b class="price">${0}</b><button>Add to cart</button></li>'
    seen = view(page_of, "<h1>Mug</h1><button>Add to cart</button><ul>" + card.format(1) + card.format(2) + "</ul>")
    assert (len(seen.buy), len(seen.card_buy)) == (1, 2)


def test_own_prices_end_where_other_goods_begin(page_of):
    seen = view(page_of, "<h1>Mug</h1><p class=price>$1</p><h2>You may also like</h2><p class=price>$2</p>")
    assert [str(each.money.amount) for each in seen.own] == ["1"]
    assert [str(each.money.amount) for each in seen.sightings] == ["1", "2"]
