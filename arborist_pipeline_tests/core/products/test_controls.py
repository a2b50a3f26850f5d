"""The controls of a page that sell."""

import pytest

from arborist_pipeline.core.products.controls import find_controls
from arborist_pipeline.core.products.scan import scan_page


@pytest.mark.parametrize(
    ("html", "buying", "closed", "ordering"),
    [
        ("<button>Add to basket</button>", 1, 0, 0),
        ('<input type="submit" value="Buy now">', 1, 0, 0),
        ('<input type="image" alt="Add to cart" src="/b.gif">', 1, 0, 0),
        ('<input type="text" value="buy">', 0, 0, 0),
        ('<a class="btn" href="/cart/add/1">In den Warenkorb</a>', 1, 0, 0),
        ('<a onclick="x()">Add to cart</a>', 1, 0, 0),
        ('<a role="button">Add to cart</a>', 1, 0, 0),
        ("<a>Add to cart</a>", 0, 0, 0),
        ('<a href="/\u0130">x</a><a class="btn">Buy</a><a href="/b">Buy</a><a title="cart">Buy</a>', 1, 0, 0),
        ('<a href="/blog/how-to-buy">How to buy</a>', 0, 0, 0),
        ("<button>Kúpiť</button>", 1, 0, 0),
        ("<button>장바구니</button>", 1, 0, 0),
        ('<button class="add-to-cart"></button>', 1, 0, 0),
        ('<button class="add-to-cart">Compare</button>', 0, 0, 0),
        ("<button>View basket</button>", 0, 0, 0),
        ("<button disabled>Sold out</button>", 0, 1, 0),
        ('<input type="submit" value="Ausverkauft">', 0, 1, 0),
        ('<button class="add-to-cart">Wyprzedane</button>', 0, 1, 0),
        ("<button><i>Add to cart</i> <i>Sold out</i></button>", 1, 0, 0),
        ("<button><i>Sold out</i> <i>Add to cart</i></button>", 0, 1, 0),
        ("<button>Notify me</button>", 0, 1, 0),
        ("<button>Email me when it is back in stock</button>", 0, 1, 0),
        ('<form action="/cart/add"><input name="quantity"></form>', 0, 0, 1),
        ('<form action="/search"><input name="q"></form>', 0, 0, 0),
    ],
)
def test_a_control_is_known_by_words_in_many_languages_else_by_its_name(page_of, html, buying, closed, ordering):
    found = find_controls(scan_page(page_of(html)))
    assert (len(found.buying), len(found.closed), len(found.ordering)) == (buying, closed, ordering)
