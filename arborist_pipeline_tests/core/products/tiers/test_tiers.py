"""Each tier by itself: what it reads of a page and what it leaves alone."""

import json
from decimal import Decimal

import pytest

from arborist_pipeline.core.products.tiers.address import codes_of, read_address
from arborist_pipeline.core.products.tiers.embedded import read_embedded
from arborist_pipeline.core.products.tiers.form import read_form
from arborist_pipeline.core.products.tiers.jsonld import read_jsonld
from arborist_pipeline.core.products.tiers.microdata import read_microdata
from arborist_pipeline.core.products.tiers.opengraph import read_opengraph
from arborist_pipeline.core.products.tiers.siblings import read_siblings
from arborist_pipeline.core.products.tiers.visible import describe, read_visible


def script(value):
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


def test_products_of_one_name_side_by_side_are_variants(evidence_of):
    nodes = [
        {"@type": "Product", "name": "Boot", "sku": f"B-{n}", "offers": {"price": "9", "availability": stock}}
        for n, stock in ((35, "OutOfStock"), (36, "InStock"))
    ]
    draft = read_jsonld(evidence_of("<h1>Boot</h1>" + script(nodes)))
    assert [variant.sku for variant in draft.variants.value] == ["B-35", "B-36"]
    assert draft.availability.value == "InStock"


def test_products_of_many_names_are_none_of_them_the_pages(evidence_of):
    nodes = [{"@type": "Product", "name": name, "offers": {"price": "9"}} for name in ("Boot", "Shoe", "Clog")]
    assert read_jsonld(evidence_of("<h1>Footwear</h1>" + script(nodes))) is None


def test_a_trail_in_mark_up_is_the_category(evidence_of):
    trail = {
        "@type": "BreadcrumbList",
        "itemListElement": [{"position": n, "name": name} for n, name in enumerate(("Home", "Feet"))],
    }
    draft = read_jsonld(evidence_of(script([{"@type": "Product", "name": "Boot"}, trail])))
    assert draft.category.value == ("Feet",)


def test_microdata_of_another_thing_is_no_product(evidence_of):
    assert (
        read_microdata(evidence_of('<div itemscope itemtype="https://schema.org/Person"><b itemprop=name>A</b></div>'))
        is None
    )


@pytest.mark.parametrize(
    ("metas", "price", "currency", "certain"),
    [
        ({"og:type": "product", "og:price:amount": "64.00", "og:price:currency": "USD"}, "64.00", "USD", True),
        ({"og:type": "og:product", "product:price:amount": "67.8400"}, "67.84", None, True),
        ({"og:type": "product.item", "product:price:amount": "€ 5"}, "5", "EUR", True),
        ({"og:type": "website", "product:price:amount": "5"}, "5", None, False),
        ({"og:type": "product"}, None, None, False),
    ],
)
def test_meta_amounts_are_read(evidence_of, metas, price, currency, certain):
    head = "".join(
        f'<meta property="{name}" content="{value}">' for name, value in {"og:title": "Mug", **metas}.items()
    )
    draft = read_opengraph(evidence_of(head))
    assert (draft.price and draft.price.value) == (Decimal(price) if price else None)
    assert (draft.currency and draft.currency.value, draft.certain) == (currency, certain)


@pytest.mark.parametrize(
    ("html", "price", "regular"),
    [
        ("<p class=price>$9</p>", "9", None),
        ("<p class=price>$9</p><p class=price>$8 off your first order</p>", "9", None),
        ("<del>$9</del><b class=price>$7</b>", "7", "9"),
        ("<p class=regular-price><b class=price>$9</b></p>", "9", None),
        ("<p class=price><s>£352.00</s> <span class=now>£264.00</span></p>", "264.00", "352.00"),
        ("<p class=price><del>£352.00</del> £264.00</p>", "264.00", "352.00"),
        ("<p class=price>£264.00 <strike>£352.00</strike></p>", "264.00", "352.00"),
        ("<p class=price><s>£<i>352</i></s> <b>£<i>264</i></b></p>", "264", "352"),
        ("<p class=price><s>$3<sup>52</sup></s> <b>$2<sup>64</sup></b></p>", "2.64", "3.52"),
        ('<p class=price><i style="text-decoration: line-through">£352</i> <i>£264</i></p>', "264", "352"),
        ("<p class=price><i class=was>£352</i> <i>£264</i></p>", "264", "352"),
        ("<p class=price><i>£264</i> <i class=old-price>£352</i></p>", "264", "352"),
        ("<p class=price><i>Original price was: £352.</i> <i>Current price is: £264.</i></p>", "264", "352"),
        ("<p class=price>Was £352.00 Now £264.00</p>", "264.00", "352.00"),
        ("<p>Was £352.00, now £264.00</p>", "264.00", "352.00"),
        ("<p class=price>£352.00 £264.00</p>", "264.00", None),
        ("<p class=price>RRP £352 £264</p>", "264", "352"),
        ("<p class=price>£264 <i>(£26.40 / 100 g)</i></p>", "264", None),
        ("<p class=price>£264 or 4 payments of £66</p>", "264", None),
        ("<p class=price>£264 or £22 a month</p>", "264", None),
        ("<p class=price>£264.00 inc VAT (£220.00 ex VAT)</p>", "264.00", None),
        ("<p class=price>from £264</p>", "264", None),
        ("<p class=price>£264 - £352</p>", "264", None),
        ("<p class=price>£0.00</p>", None, None),
        ("<p class=price>£0.00</p><button>Add to basket</button>", "0.00", None),
        ("<p class=price>Free</p><button>Add to basket</button>", "0", None),
        ("<p>Free</p><button>Add to basket</button>", None, None),
        ("<p class=price>£0.00</p><button disabled>Add to basket</button>", None, None),
        ("<p class=price>£0.00</p><p>Out of stock</p><button>Add to basket</button>", None, None),
        ("<p class=shipping-price>£0.00</p><button>Add to basket</button>", None, None),
        ("<p class=price style='display:none'>£0.00</p><button>Add to basket</button>", None, None),
        ("<p class=price>£9</p><p class=price>£0.00</p><button>Add to basket</button>", "9", None),
        ("<p class=shipping>$4 shipping</p><p class=price>$9</p>", "9", None),
        ("<label>Gift wrap (+$4)</label><p class=price>$9</p>", "9", None),
        (
            "<table>" + "".join(f"<tr><td>from {n}</td><td class=p>${9 - n}</td></tr>" for n in range(3)) + "</table>",
            "9",
            None,
        ),
        ("<nav>$9</nav>", None, None),
        ("<div class=upsell>$9</div>", None, None),
        ("<p>" + "</p><p>".join(map(str, range(400))) + "</p><b class=price>$9</b>", None, None),
    ],
)
def test_the_price_in_sight_is_that_by_the_heading(evidence_of, html, price, regular):
    draft = read_visible(evidence_of("<h1>Mug</h1>" + html))
    assert (draft.price and str(draft.price.value), draft.regular_price and str(draft.regular_price.value)) == (
        price,
        regular,
    )


@pytest.mark.parametrize(
    ("html", "value"),
    [
        ('<p class="stock">Out of stock</p>', "OutOfStock"),
        ('<p class="stock">Out of stock</p><button>Add to basket</button>', "OutOfStock"),
        ("<ul><li>XS sold out</li><li>S</li></ul><button>Add to basket</button>", "InStock"),
        ("<p>Sold out</p>", "OutOfStock"),
        ("<button>Add to basket</button>", "InStock"),
        ("<p>A mug.</p>", None),
        ("<p>Out of stock</p><p class=price>$9</p><button>Add to basket</button>", "OutOfStock"),
        ("<p>S sold out</p><p class=price>$9</p><p>M sold out</p><button>Add to basket</button>", "InStock"),
        ("<button disabled>Sold out</button>", "OutOfStock"),
        ("<p class=price>$9</p><input name=quantity value=1>", "InStock"),
        ("<p class=price>$9</p><input name=quantity value=1><button>Sold out</button>", "OutOfStock"),
        ("<p class=price>$9</p><input type=hidden name=quantity value=1>", None),
        ("<input name=quantity value=1>", None),
        ("<button>Add to basket <i>Out of stock</i></button>", "InStock"),
    ],
)
def test_stock_in_sight_is_that_of_the_product_not_of_a_size(evidence_of, html, value):
    draft = read_visible(evidence_of("<h1>Mug</h1>" + html))
    assert (draft.availability and draft.availability.value) == value


def test_without_a_heading_nothing_is_seen(evidence_of):
    assert read_visible(evidence_of("<p class=price>$9</p>")) is None


def test_a_place_is_described_by_tag_id_and_class(page_of):
    (element,) = page_of('<p id="a" class="b c">x').tree.iter("p")
    assert describe(element) == "p#a.b"


@pytest.mark.parametrize(
    ("html", "variants", "options"),
    [
        ("<select name=size><option>S<option>M</select>", ["S", "M"], ("size",)),
        (
            "<select name=size><option>S<option>M</select><select name=color><option>Red<option>Blue</select>",
            None,
            ("size", "color"),
        ),
        ("<select name=qty><option>1<option>2</select>", None, None),
        ("<select name=size><option>S</select>", None, None),
        ("<h2>Related products</h2><select name=size><option>S<option>M</select>", None, None),
    ],
)
def test_one_select_gives_variants(evidence_of, html, variants, options):
    draft = read_form(evidence_of("<h1>Mug</h1>" + html))
    assert (draft and draft.variants and [each.title for each in draft.variants.value]) == variants
    assert (draft and draft.options.value) == options


def test_links_that_begin_with_the_name_are_variants(evidence_of):
    html = '<h1>Pan</h1><a href="/p/2">Pan, 20 cm</a><a href="/p/3">Pan - 24 cm</a>'
    html += '<a href="/p/4">Panther</a><a href="#x">Pan, top</a>'
    draft = read_siblings(evidence_of(html + "<h2>Related products</h2><a href='/p/5'>Pan, big</a>"))
    assert [variant.title for variant in draft.variants.value] == ["20 cm", "24 cm"]


@pytest.mark.parametrize(
    ("record", "price", "currency"),
    [
        ({"name": "Deck Chair", "price": 79.9, "currency": "EUR"}, "79.90", "EUR"),
        ({"title": "Deck Chair", "price": {"amount": "79.90", "currencyCode": "EUR"}}, "79.90", "EUR"),
        ({"productName": "Deck Chair", "salePrice": "70", "price": "80"}, "70", None),
        ({"name": "Deck Chair", "price": 7990}, "79.90", None),
        ({"name": "Parasol", "price": 5}, None, None),
        ({"name": "Deck Chair"}, None, None),
    ],
)
def test_a_record_of_the_subjects_name_is_read(evidence_of, record, price, currency):
    data = json.dumps({"price": 0, "p": record})
    html = f'<h1>Deck Chair</h1><p class=price>79.90</p><script type="application/json">{data}</script>'
    draft = read_embedded(evidence_of(html))
    assert (draft and draft.price and draft.price.value) == (Decimal(price) if price else None)
    assert (draft and draft.currency and draft.currency.value) == currency


@pytest.mark.parametrize(
    ("path", "codes"),
    [
        ("/dp/B07FW264WL", ["B07FW264WL"]),
        ("/item?products_id=2626&page=2", ["2626"]),
        ("/some-long-name-112949990.html", ["112949990"]),
        ("/name/prod201500014845/", ["prod201500014845"]),
        ("/about-us", []),
        ("/blog/2024/05/12", []),
    ],
)
def test_codes_of_an_address(path, codes):
    assert list(codes_of("https://ware.example" + path)) == codes


def test_a_code_counts_only_where_the_page_repeats_it(evidence_of):
    address = "https://ware.example/itm/302474151804"
    assert read_address(evidence_of("<h1>Mug</h1>", address)) is None
    assert (
        read_address(evidence_of("<h1>Mug</h1><input name=id value=302474151804>", address)).sku.value == "302474151804"
    )
    assert read_address(evidence_of("<h1>Mug</h1><p>Item 302474151804</p>", address)).sku.value == "302474151804"
