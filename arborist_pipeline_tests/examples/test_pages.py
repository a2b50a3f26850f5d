"""The pages of the shop: their number, titles and texts, and the faults that are in them on purpose and no others."""

from collections import Counter, defaultdict

import pytest

from arborist_pipeline.core.web.html import inline_text

HEADERS = {"Host": "shop.test"}


def main_text(page):
    (main,) = page.tree.iter("main")
    return inline_text(main)


def test_the_shop_has_the_size_it_says(shop, pages):
    assert 300 <= shop.truth.page_count == len(pages) <= 360
    assert 120 <= len(shop.truth.products) <= 150
    assert {shop.response("GET", target, HEADERS).status for target in pages} == {200}


def test_exactly_two_pages_have_one_text(shop, pages):
    groups = defaultdict(set)
    for target, page in pages.items():
        groups[main_text(page)].add(target)
    assert [group for group in groups.values() if len(group) > 1] == [set(shop.truth.duplicates)]
    first, second = (shop.response("GET", target, HEADERS).body for target in shop.truth.duplicates)
    assert first == second
    assert all(pages[target].canonical_url is None for target in shop.truth.duplicates)


def test_exactly_one_page_has_no_title_and_other_titles_are_its_own(shop, pages):
    titles = Counter(page.title for page in pages.values())
    assert pages[shop.truth.untitled].title is None
    assert titles[None] == 1
    duplicate_title = pages[shop.truth.duplicates[0]].title
    assert {title for title, count in titles.items() if count > 1} == {duplicate_title}


def test_exactly_one_page_is_thin(shop, pages):
    words = {target: len(main_text(page).split()) for target, page in pages.items()}
    assert words.pop(shop.truth.thin) < 20
    assert min(words.values()) >= 150, min(words, key=words.get)


def test_no_paragraph_of_length_stands_on_two_pages(shop, pages):
    places = defaultdict(set)
    for target, page in pages.items():
        for paragraph in page.tree.iter("p"):
            if len(inline_text(paragraph).split()) > 12:
                places[inline_text(paragraph)].add(target)
    assert {frozenset(found) for found in places.values() if len(found) > 1} == {frozenset(shop.truth.duplicates)}


def test_no_gap_of_a_sentence_is_left_open(pages):
    for target, page in pages.items():
        texts = "".join(inline_text(element) for element in page.tree.iter("p", "h1", "h2", "title"))
        assert not set("{}") & set(texts), target


def test_a_canonical_address_is_the_page_s_own(shop, pages):
    for target, page in pages.items():
        if target not in shop.truth.duplicates:
            assert page.canonical_url == page.url, target


def test_every_listing_shows_goods_or_leads_to_listings(shop, pages):
    for path in shop.truth.collections:
        (main,) = pages[path].tree.iter("main")
        hrefs = [anchor.get("href") for anchor in main.iter("a")]
        goods = [href for href in hrefs if href in shop.truth.products]
        below = [href for href in hrefs if href.startswith(path + "-")]
        assert goods or len(below) >= 5, path


def test_every_picture_of_a_page_is_served(shop, pages):
    sources = {image.get("src") for page in pages.values() for image in page.tree.iter("img")}
    types = {shop.response("GET", source, HEADERS).headers["content-type"] for source in sources}
    assert len(sources) == 2 * len(shop.truth.products)
    assert types == {"image/svg+xml", "image/png"}


def test_feed_and_pdf_are_linked_and_no_pages(shop, pages):
    feed, pdf = (shop.response("GET", target, HEADERS) for target in (shop.truth.feed, shop.truth.pdf))
    assert feed.headers["content-type"] == "application/rss+xml"
    assert feed.body.startswith(b"<?xml")
    assert pdf.headers["content-type"] == "application/pdf"
    assert pdf.body.startswith(b"%PDF-1.4\n")
    start = int(pdf.body.rsplit(b"startxref\n", 1)[1].split()[0])
    assert pdf.body[start:].startswith(b"xref\n")
    assert not {shop.truth.feed, shop.truth.pdf} & set(pages)


@pytest.mark.parametrize("target", ["/robots.txt", "/sitemap.xml", "/", "/products/no-such-thing"])
def test_absolute_addresses_have_the_host_that_was_asked(shop, target):
    body = shop.response("GET", target, {"HOST": "127.0.0.1:8123"}).body.decode()
    assert "{{origin}}" not in body
    assert "http://localhost" not in body
    evil = shop.response("GET", target, {"host": 'x"><script>'}).body.decode()
    assert 'x"><script>' not in evil
