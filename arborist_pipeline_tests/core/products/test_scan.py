"""The one walk over a page."""

import pytest

from arborist_pipeline.core.products.scan import Zone, scan_page


def texts(page_of, html):
    return scan_page(page_of(html)).texts


def test_visible_text_is_noted_in_document_order(page_of):
    html = (
        "<p>one <b>two</b> three</p><script>no</script><style>no</style>four<template><p>no</p></template><!-- no -->"
    )
    html += "five"
    assert texts(page_of, html) == ["one", "two", "three", "four", "five"]


def test_what_follows_elements_belongs_to_the_one_around_them(page_of):
    scan = scan_page(page_of("<div>a<p>b<i><b>c</b>d</i>e<!-- no -->f</p>g<svg><g>no</g>no</svg>h</div>"))
    shown = [(text, owner.tag) for text, owner in zip(scan.texts, scan.owners, strict=True)]
    inner = [("a", "div"), ("b", "p"), ("c", "b"), ("d", "i"), ("e", "p"), ("f", "p")]
    assert shown == [*inner, ("g", "div"), ("h", "div")]


def test_names_are_those_of_all_elements(page_of):
    scan = scan_page(page_of('<p class="a b" id=c><i class="a b"></i></p><script id=d></script>'))
    assert scan.names == {"a b", "c", "d"}


def test_numbers_in_short_texts_are_found(page_of):
    scan = scan_page(page_of(f"<p>one</p><p>2 pieces</p><p>{'x' * 70}3</p><p>\u0664</p>"))
    assert [scan.texts[at] for at in scan.numbered] == ["2 pieces", "\u0664"]


def test_references_resolve_against_the_base_of_the_page(page_of):
    scan = scan_page(page_of('<base href="https://cdn.example/x/"><img src=y>'))
    assert scan.url("y") == "https://cdn.example/x/y"


def test_a_body_that_the_parser_takes_for_the_head_is_seen(page_of):
    assert texts(page_of, "<title>no</title><main><h1>one</h1></main>") == ["one"]


def test_places_count_pieces_of_text(page_of):
    scan = scan_page(page_of("<p>one</p><p>two</p><h1>three</h1>"))
    assert [placed.at for placed in scan.tagged("h1")] == [2]


def test_metas_scripts_and_data_are_noted(page_of):
    scan = scan_page(page_of('<meta property="og:title" content=" a "><meta name=OG:Title content=b><script>x</script>'
                             '<div data-x=\'{"price": 1, "sku": "0123456789", "name": "thing"}\'></div>'))  # fmt: skip
    assert scan.meta("none", "og:title") == "a"
    assert scan.metas["og:title"] == ["a", "b"]
    assert len(scan.scripts) == 1
    assert [value[:8] for _, value in scan.data_attributes] == ['{"price"']


def test_class_names_and_attributes_that_have_no_name_are_no_data(page_of):
    long = "[&_svg]:" + "x" * 60
    scan = scan_page(page_of(f"<p data-x=1 class='{long}' {{{{n}}}}='{long}'>one</p>"))
    assert (scan.data_attributes, scan.texts) == ([], ["one"])


@pytest.mark.parametrize(
    ("html", "zone"),
    [
        ("<nav><b>x</b></nav>", Zone.CHROME),
        ('<div class="site-header"><b>x</b></div>', Zone.CHROME),
        ('<div class="product-header"><b>x</b></div>', Zone.MAIN),
        ('<div class="related-products"><b>x</b></div>', Zone.RELATED),
        ('<div id="upsell"><b>x</b></div>', Zone.RELATED),
        ('<section class="customer-reviews"><b>x</b></section>', Zone.REVIEW),
        ("<del><b>x</b></del>", Zone.STRUCK),
        ('<p style="text-decoration: line-through"><b>x</b></p>', Zone.STRUCK),
        ('<p style="display: none"><b>x</b></p>', Zone.HIDDEN),
        ('<a href="/other"><b>x</b></a>', Zone.LINKED),
        ('<a href="#top"><b>x</b></a>', Zone.MAIN),
        ("<main><b>x</b></main>", Zone.MAIN),
    ],
)
def test_a_zone_follows_from_tags_and_names_around(page_of, html, zone):
    scan = scan_page(page_of(f"<body>{html}</body>"))
    (element,) = scan.page.tree.iter("b")
    assert scan.zone(element) == zone


def test_what_holds_the_subject_is_exempt_from_its_name(page_of):
    scan = scan_page(page_of('<div class="menu"><b>x</b></div>'))
    (element,) = scan.page.tree.iter("b")
    assert scan.zone(element) == Zone.CHROME
    scan.exempt(frozenset(element.iterancestors()))
    assert scan.zone(element) == Zone.MAIN


def test_an_empty_page_is_scanned(page_of):
    scan = scan_page(page_of(""))
    assert (scan.texts, scan.scripts, scan.metas) == ([], [], {})
