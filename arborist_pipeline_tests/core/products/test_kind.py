"""Kinds of pages."""

import pytest

PROSE = "<p>" + "We walked the length of the quay and wrote down what we saw there before noon. " * 30 + "</p>"
BUYABLE = "<h1>White Mug</h1><p class=price>$15</p><button>Add to basket</button>"
GONE = (
    "<title>White Mug</title><h1>White Mug</h1><ul class=breadcrumb><li>Home</li><li>White Mug</li></ul>"
    "<img alt='White Mug' src=/m.png><p>This mug is currently unavailable.</p>"
)
BARE = "<title>White Mug | Ware</title><h1>White Mug</h1><p>Made of clay.</p><p class=price>from $15</p>"
SOLD_OUT = BUYABLE.replace("<button>Add to basket", "<button disabled>Sold out")
UNPRICED = (
    "<title>White Mug</title><ul class=breadcrumb><li>Home</li><li>White Mug</li></ul><img alt='White Mug' src=/m.png>"
    "<h1>White Mug</h1><p>Unavailable</p><form action=/alerts><button>Notify me</button></form>"
    "<table><tr><td>SKU</td><td>M-15</td></tr></table>"
)
CARDS = "".join(
    f'<li><a href="/g/{n}"><img src="/{n}.jpg">Mug {n}</a><b class=price>${n}</b></li>' for n in range(1, 9)
)


ONE_CARD = (
    "<title>Mugs</title><h1>Mugs</h1><select name=sort_by></select><article><h3><a href=/g/1>White Mug</a></h3>"
    "<p class=price>$15</p><p class=stock>In stock</p><button>Add to basket</button></article>"
)
FULL_CARD = (  # as rich as a product page, and with nothing to sort by
    "<title>White | Mugs</title><h1>Mugs</h1><li><div><a href=/g/1><img src=/1.jpg alt='White Mug'></a></div>"
    "<h3><a href=/g/1>White Mug</a></h3><div><p class=price>$15</p><p class=stock>In stock</p><p>SKU: M-15</p>"
    "<form><button>Add to basket</button></form></div></li>"
)
BRANDED = (
    "<title>White Mug</title><div><h1>White Mug</h1><h2><a href=/brands/ware><img src=/ware.png> Ware</a></h2>"
    "<p class=price>$15</p><p class=stock>In stock</p><button>Add to basket</button></div>"
)


@pytest.mark.parametrize(
    ("html", "url", "kind"),
    [
        (ONE_CARD, "/mugs?page=3", "listing"),
        (FULL_CARD, "/mugs?colour=white", "listing"),
        (FULL_CARD.replace("h3", "h2").replace("li>", "div>"), "/mugs?colour=white", "listing"),
        (FULL_CARD.replace("<h1>", "<h1 class=product-title>"), "/mugs?colour=white", "listing"),
        (FULL_CARD.replace("<h3><a href=/g/1>White Mug</a></h3>", ""), "/goods/mugs", "product"),
        (FULL_CARD.replace("<h1>Mugs</h1>", "").replace("h3", "h1"), "/g/1", "product"),
        (BRANDED, "/goods/white-mug", "product"),
        (BRANDED.replace("<p class=price>$15</p>", "") + "<p class=price>$15</p>", "/goods/white-mug", "product"),
        (ONE_CARD.replace("<a href=/g/1>White Mug</a>", "Made of clay"), "/goods/mugs", "product"),
        (BUYABLE, "/goods/white-mug", "product"),
        (BUYABLE + "<h2>Related products</h2>" + CARDS, "/goods/white-mug", "product"),
        (BUYABLE + CARDS, "/goods/white-mug", "product"),
        (SOLD_OUT, "/goods/white-mug", "product"),
        (SOLD_OUT + "<h2>Related products</h2>" + CARDS, "/goods/white-mug", "product"),
        (UNPRICED, "/goods/white-mug", "product"),
        (UNPRICED + "<h2>Related products</h2>" + CARDS, "/goods/white-mug", "product"),
        ("<h1>Mugs</h1>" + CARDS.replace("</li>", "<button>Sold out</button></li>"), "/mugs", "listing"),
        ("<h1>Letters</h1><p>Once a month.</p><button>Email me</button>", "/letters", "other"),
        (GONE, "/p/white-mug", "product"),
        (GONE.replace("unavailable", "in a box"), "/p/white-mug", "other"),
        (BARE, "/goods/white-mug", "product"),
        (BARE.replace(" class=price", ""), "/goods/white-mug", "other"),
        (BARE + "<h1>Black Mug</h1>", "/goods/white-mug", "other"),
        (BARE + "<p class=price>$16</p><p class=price>$17</p>", "/goods/white-mug", "other"),
        (BARE + PROSE + PROSE, "/goods/white-mug", "other"),
        (BUYABLE, "/", "home"),
        (BUYABLE, "/en-gb/", "home"),
        (BUYABLE, "/index.php", "home"),
        (BUYABLE, "/ap", "product"),
        (BUYABLE, "/goods/white-mug/reviews", "other"),
        (BUYABLE, "/goods/white-mug/reviews/add/", "other"),
        (BUYABLE, "/cart", "other"),
        (BUYABLE.replace("White Mug", "Page not found"), "/p/x", "other"),
        (BUYABLE.replace("White Mug", "404"), "/p/x", "other"),
        (BUYABLE.replace("White Mug", "Access denied"), "/p/x", "other"),
        ("<title>Just a moment...</title>" + BUYABLE, "/p/x", "other"),
        ("<h1>Mugs</h1>" + CARDS, "/mugs", "listing"),
        ("<h1>Mugs</h1><select name=sort-by></select>" + CARDS, "/mugs?page=3", "listing"),
        ("<h1>A walk</h1>" + PROSE, "/blog/2024/05/a-walk", "article"),
        ("<h1>A walk</h1>" + PROSE, "/blog/a-walk-by-the-quay", "article"),
        ("<h1>About us</h1><p>A shop.</p>", "/about-us", "other"),
        ("<h1>Sign in</h1><form><input name=user></form>", "/login", "other"),
        ("", "/p/x", "other"),
    ],
)
def test_a_page_is_what_its_traits_say(read, html, url, kind):
    reading = read(html, "https://ware.example" + url)
    assert reading.kind.value == kind, reading.reason
    assert reading.reason


def test_a_home_page_below_a_path_is_known_by_its_body_class(read):
    assert read('<body class="home blog-off"><h1>Ware</h1>', "https://ware.example/shop-one/").kind.value == "home"


def test_one_node_of_mark_up_with_a_price_is_enough(read):
    html = '<script type="application/ld+json">{"@type":"Product","name":"Mug","offers":{"price":"5"}}</script>'
    assert read(html, "https://ware.example/x").kind.value == "product"


def test_no_node_of_mark_up_makes_a_story_a_product(read):
    html = '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-05-02">'
    html += (
        '<script type="application/ld+json">{"@type":"Product","name":"Mug"}</script><h1>We tried the mug</h1>' + PROSE
    )
    assert read(html, "https://ware.example/stories/we-tried-the-mug").kind.value == "article"
