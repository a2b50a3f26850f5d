"""The part of a page that a link stands in, what its card shows, and which links share a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from arborist_pipeline.core.web.html import parse_html
from arborist_pipeline.core.web.links import Link, LinkKind, extract_links
from arborist_pipeline.core.web.places import Places
from arborist_pipeline.core.web.url import canonicalize

LINK = "<a href=/x>x</a>"
CARD = "<li class=card><a href=/x><img src=i></a><h3>Mug</h3><b>{price}</b></li>"


def places_in(html):
    places = Places()
    return [places.place_of(element) for element in parse_html(html).iter("a", "area", "link")]


def part(html):
    return places_in(html)[0][0]


def shown(html):
    return {place.partition(".")[0][1:] for place in places_in(html)}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>{}</p>", "m"),
        ("<nav>{}</nav>", "n"),
        ("<nav><ul><li><span>{}</span></ul></nav>", "n"),
        ('<div role="navigation">{}</div>', "n"),
        ('<ul class="mega-menu">{}</ul>', "n"),
        ('<div id="main_navigation">{}</div>', "n"),
        ('<ul class="menus">{}</ul>', "m"),
        ("<header><div>{}</div></header>", "h"),
        ('<div role="banner">{}</div>', "h"),
        ("<header><nav>{}</nav></header>", "n"),
        ("<main><header>{}</header></main>", "m"),
        ("<article><header>{}</header></article>", "m"),
        ("<article><footer>{}</footer></article>", "m"),
        ("<ul><li><footer>{}</footer></ul>", "m"),
        ("<footer><section><ul><li>{}</ul></section></footer>", "f"),
        ('<div class="site-footer">{}</div>', "f"),
        ('<div class="card-footer">{}</div>', "m"),
        ('<div role="contentinfo">{}</div>', "f"),
        ("<aside>{}</aside>", "a"),
        ('<div id="sidebar">{}</div>', "a"),
        ('<div role="complementary">{}</div>', "a"),
        ('<ol class="breadcrumb">{}</ol>', "b"),
        ('<nav class="Breadcrumbs">{}</nav>', "b"),
        ('<nav class="woocommerce-pagination">{}</nav>', "p"),
        ('<main><ul class="pager">{}</ul></main>', "p"),
        ("<aside><main>{}</main></aside>", "m"),
        ('<div role="presentation">{}</div>', "m"),
        ('<div role="" class="" id="">{}</div>', "m"),
    ],
)
def test_the_part_of_the_page_is_that_of_the_nearest_element_that_names_one(html, expected):
    assert part(html.format(LINK)) == expected


@pytest.mark.parametrize("outer", ["html", "body"])
def test_the_class_of_the_whole_page_names_no_part(outer):
    assert part(f'<{outer} class="has menu pagination">{LINK}</{outer}>') == "m"


def test_what_the_head_links_to_stands_in_no_part_of_the_page():
    assert places_in("<head><link rel=next href=/x></head>") == ["l"]


@pytest.mark.parametrize(
    "price",
    ["$5", "5,00 €", "£ 12", "EUR 9.50", "99 kr", "1 299 Kč", "350 \u0440\u0443\u0431", "Rs. 400", "₹400"],
)
def test_a_card_with_an_image_and_a_price_shows_both(price):
    assert shown(CARD.format(price=price) * 3) == {"ic"}


@pytest.mark.parametrize("text", ["", "5 stars", "2026", "50 kroner", "EURO 2024", "new"])
def test_a_card_with_an_image_and_other_words_or_numbers_shows_the_image_alone(text):
    assert shown(CARD.format(price=text) * 3) == {"i"}


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>{}</p>", ""),
        ("<h2>{}</h2>", "t"),
        ("<a href=/x><h3>Mug</h3></a>", "t"),
        ("<p><a href=/x><img src=i></a></p>", "i"),
        ("<p><a href=/x><picture></picture></a></p>", "i"),
        ("<a href=/x>Mug $5</a>", "c"),
        ("<div><b>$5</b><p>{}</p></div>" * 2, "c"),
        ("<div><img><p>$5</p><h3>{}</h3></div>" * 2, "ict"),
        ("<div><img><p>$5</p>" + "{}" * 9 + "</div>", ""),  # many links are no card
        ("<nav>" + CARD.format(price="$5") * 2 + "</nav>", ""),  # nor is what stands in the frame
    ],
)
def test_a_link_shows_what_its_card_holds_and_whether_it_is_its_title(html, expected):
    assert shown(html.format(*[LINK] * 9)) == {expected}


def test_all_cards_of_one_list_have_the_same_place():
    cards = "".join(CARD.format(price=f"${number}").replace("card", f"card-{number}") for number in range(1, 40))
    assert len(set(places_in(f"<main><ul>{cards}</ul></main>"))) == 1


def test_comments_between_cards_and_blanks_in_them_hide_no_price():
    blank = "\n" + " " * 200
    card = f"<li class=card>{blank}<a href=/x>{blank}<img>{blank}</a>{blank}<b>99&nbsp;kr</b><i>Buy</i>"
    assert shown("<!-- card -->".join([f"{card}</li>"] * 3)) == {"ic"}


def test_what_one_card_shows_is_not_told_of_the_next():
    one, other = places_in(CARD.format(price="$5") + CARD.format(price="sold out"))
    assert (one[:3], other[:2]) == ("mic", "mi")
    assert one[-5:] == other[-5:]


@pytest.mark.parametrize(("one", "other"), [
    ("post-17", "post-4"), ("item_3 first", "item_99"), ("col-md-4", "col-md-6"), ("", "123"), (" card", "card new"),
])  # fmt: skip
def test_numbers_in_a_class_and_the_classes_after_it_change_no_place(one, other):
    html = '<ul class="{0}"><li class="{0}"><a class="{0}" href=/x>x</a></ul>'
    assert places_in(html.format(one)) == places_in(html.format(other))


@pytest.mark.parametrize("other", [
    "<div class=row><p><i><a href=/x>x</a></i></p></div>", "<div class=grid><p><b><a href=/x>x</a></b></p></div>",
    "<div class=row><p><b><a class=more href=/x>x</a></b></p></div>",
])  # fmt: skip
def test_other_tags_and_classes_make_another_place(other):
    assert places_in(f"<div class=row><p><b>{LINK}</b></p></div>") != places_in(other)


def test_what_lies_more_than_three_elements_above_changes_the_path_of_no_link():
    inner = f"<div><p><b>{LINK}</b></p></div>"
    assert places_in(f"<section class=a>{inner}</section>") == places_in(f"<table><tr><td class=b>{inner}</table>")


@pytest.mark.parametrize("html", [
    LINK * 5_000,
    "<ul>" + CARD * 2_000 + "</ul>",
    "<li>" + LINK + "</li>" + "<!-- x --><?x?>" * 5_000,
    f'<div class="{"a-" * 50_000}" id="{"nav" * 50_000}">{LINK}</div>',
    "<a href=/x>" * 300,
    "<map>" + "<area href=/x>" * 5_000 + "</map>",
    LINK + "x" * 1_000_000 + "$5",
    "<nav><footer><aside><main>" * 500 + LINK,
])  # fmt: skip
def test_hostile_pages_get_places_of_bounded_length(html):
    assert max(map(len, places_in(html))) <= len("mict.0000")


def test_a_link_below_thousands_of_elements_has_the_place_of_its_nearest_ones():
    top = element = etree.Element("div")
    for _ in range(20_000):
        element = etree.SubElement(element, "div")
    deep = Places().place_of(etree.SubElement(element, "a"))
    assert deep == Places().place_of(etree.SubElement(etree.fromstring("<div><div><div/></div></div>")[0][0], "a"))
    assert len(list(top.iter("a"))) == 1


def test_links_between_comments_and_instructions_and_one_without_a_parent_have_a_place():
    root = etree.fromstring("<a><?one?><a/><!-- two --><a/><?three?></a>")
    assert [Places().place_of(link)[0] for link in root.iter("a")] == ["m", "m", "m"]


PIECES = [
    "<li class=c>",
    "</li>",
    "<nav>",
    "</nav>",
    "<h2>",
    "</h2>",
    "<img>",
    "$5",
    "<!-- -->",
    "<main>",
    LINK,
    "</a>",
]


@given(st.lists(st.sampled_from([*PIECES, "<a href=/y>", "<area href=/z>"]), max_size=25))
def test_a_place_is_the_same_whatever_was_asked_before(pieces):
    elements = list(parse_html("".join(pieces)).iter("a", "area", "link"))
    together = Places()
    backwards = [together.place_of(element) for element in reversed(elements)]
    assert backwards[::-1] == [Places().place_of(element) for element in elements]


# -- the places of a page's links (`core.web.links`)


def place_on(html, path="/x", kind=LinkKind.ANCHOR):
    page = canonicalize("https://shop.example/")
    places = extract_links(parse_html(html), page).places
    assert places is not None
    return places.place_of(Link(url=canonicalize(f"https://shop.example{path}"), text="", kind=kind))


@pytest.mark.parametrize(
    "html", [f"<nav>{LINK}</nav><main>{LINK}</main>", f"<main>{LINK}</main><footer>{LINK}</footer>"]
)
def test_a_link_repeated_in_the_frame_and_in_the_content_has_its_place_in_the_content(html):
    assert place_on(html) == place_on(f"<main>{LINK}</main>")


def test_a_link_that_stands_in_the_frame_alone_has_its_first_place_there():
    assert place_on(f"<nav>{LINK}</nav><footer>{LINK}</footer>")[0] == "n"


def test_a_link_that_stands_nowhere_has_no_place():
    assert place_on(LINK, "/other") == ""
    assert place_on(LINK, kind=LinkKind.AREA) == ""


def test_a_link_of_the_head_and_one_of_the_page_have_each_their_place():
    html = f"<head><link rel=next href=/x></head><body>{LINK}"
    assert (place_on(html, kind=LinkKind.NEXT), place_on(html)[0]) == ("l", "m")
