"""What is kept of an address in its shape, and what is put for the rest."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.url_shapes import MAX_SEGMENTS, MAX_WORDS, first_segment, shape_of
from arborist_pipeline_tests.support.processes import outputs_of

SHOP = "https://shop.example"


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("", "/"),
        ("/", "/"),
        ("/mug", "/{word}"),
        ("/mug/", "/{word}/"),
        ("/blue-mug", "/{words}"),
        ("/blue_mug.html", "/{words}.html"),
        ("/blue%20mug", "/{words}"),
        ("/blue-mug-17.html", "/{words-n}.html"),
        ("/34-blue-mug.html", "/{n-words}.html"),
        ("/34-mug-17", "/{n-words-n}"),
        ("/mug-0a1b2c3d", "/{words-x}"),
        ("/item/34", "/item/{n}"),
        ("/detail/0f1e2d3c4b5a69788796a5b4c3d2e1f0", "/detail/{x}"),
        ("/detail/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", "/detail/{x}"),
        ("/p/B0XK92T", "/p/{code}"),
        ("/shop", "/{word}"),  # a page of that name, not a folder
        ("/shop/mug", "/shop/{word}"),
        ("/SHOP/Mug", "/shop/{word}"),
        ("/de/shop/mug", "/{lang}/shop/{word}"),
        ("/DE/shop/mug", "/{lang}/shop/{word}"),
        ("/en-gb/shop/blue-cotton-shirt-17.html?page=2", "/{lang}/shop/{words-n}.html?page"),
        ("/cups/blog/mug", "/{word}/blog/{word}"),
        ("/index.php", "/index.php"),
        ("/product_info.php?id=3", "/product_info.php?id"),
        ("/product-detail.php?id=3", "/product-detail.php?id"),
        ("/blue-mug-17.php", "/{words-n}.php"),
        ("/shop/view.ASPX?id=3", "/shop/view.aspx?id"),
        ("/news/page/3/", "/news/page/{n}/"),
        ("/a-b?z=1&A=2&z=3", "/{words}?a&z"),
        ("/mug?", "/{word}"),
        ("/blue-mug-p-17.html", "/{words-p-n}.html"),
        ("/mugs-c-3_12.html", "/{words-c-n}.html"),
        ("/blue-mug-pd4", "/{words-pd}"),
        ("/blue-mug-set-17", "/{words-n}"),
        ("/v/kLrKHV9tEVA", "/v/{code}"),
        ("/v/XZflwHLnM-0", "/v/{code}"),
        ("/v/Z2lkOi8vUHJvZHVjdC8x==", "/v/{code}"),
        ("/v/Blue-Shirt-12", "/v/{words-n}"),
        ("/v/BlueCottonShirt", "/v/{word}"),
        ("/v/blue-b2b-mugs", "/v/{words}"),
    ],
)
def test_words_of_structure_stay_and_names_become_what_they_are(address, text):
    assert shape_of(SHOP + address).text == text


@pytest.mark.parametrize(
    ("query", "tail", "words"),
    [
        ("route=product/product&product_id=34", "product_id&route&product/product", ("index", "product/product")),
        ("route=Product/Category&path=20", "path&route&product/category", ("index", "product/category")),
        ("main_page=index&cPath=3_5", "cpath&main_page&index", ("index", "index")),
        ("controller=cart", "controller&cart", ("index", "cart")),
        ("view=34", "view", ("index",)),  # a number is none of a few kinds
        (f"task={'x' * 40}", "task", ("index",)),
        ("route=", "route", ("index",)),
        ("name=mug", "name", ("index",)),
        ("page=product&id=3", "id&page&product", ("index", "product")),
        ("p=blue-mug", "p&{words}", ("index", "{words}")),
        ("p=17", "p", ("index",)),
    ],
)
def test_of_a_query_the_keys_are_kept_and_the_values_that_say_what_is_shown(query, tail, words):
    shape = shape_of(f"{SHOP}/index.php?{query}")
    assert (shape.text, shape.words) == (f"/index.php?{tail}", words)


@pytest.mark.parametrize(
    ("address", "first"),
    [
        ("/cups/mug", "cups"),
        ("/Cups/mug?x=1", "cups"),
        ("/de/cups/mug", "cups"),
        ("/DE/cups/mug", "cups"),
        ("/en-GB/cups/mug/", "cups"),
        ("/cups", ""),
        ("/de/cups", ""),
        ("/cups?of=a/b", ""),
        ("/", ""),
        ("", ""),
    ],
)
def test_the_first_segment_is_the_first_folder_that_is_no_language(address, first):
    assert first_segment(SHOP + address) == first


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("/cups/mug", "/cups/{word}"),
        ("/Cups/mug", "/cups/{word}"),
        ("/de/cups/mug", "/{lang}/cups/{word}"),
        ("/cups", "/{word}"),
        ("/plates/mug", "/{word}/{word}"),
        ("/shop/cups/mug", "/shop/{word}/{word}"),  # not the first
        ("/cups/cups/mug", "/cups/{word}/{word}"),
    ],
)
def test_a_literal_stays_where_it_is_the_first_folder(address, text):
    assert shape_of(SHOP + address, frozenset({"cups"})).text == text


@pytest.mark.parametrize(
    "address",
    [
        "/cups?page=2",
        "/cups?P=2",
        "/?page=2",
        "/index.php?c=1&p=2",
        "/cups?paged=3&x=1",
        "/cups/page/2",
        "/cups/page/2/",
    ],
)
def test_a_later_page_of_a_list_is_known_by_its_query_or_its_path(address):
    assert shape_of(SHOP + address).is_page


@pytest.mark.parametrize(
    "address",
    [
        "/cups",
        "/page/about",
        "/cups/2",
        "/2",
        "/pages/2",
        "/cups?sort=page",
        "/?p=17",
        "/index.php?p=17",
        "/?page=about",
    ],
)
def test_other_addresses_are_no_later_pages(address):
    assert not shape_of(SHOP + address).is_page


def test_the_parts_of_a_shape_are_those_that_features_are_made_of():
    shape = shape_of(f"{SHOP}/de/Shop/Cups/Blue-Mug-17.html?b=1&a=2")
    assert (shape.first, shape.last, shape.keys) == ("shop", "{words-n}.html", ("a", "b"))
    assert (shape.words, shape.before, shape.depth) == (("blue", "mug"), ("de", "shop", "cups"), 4)


def test_pages_of_one_kind_share_a_shape_and_those_of_other_kinds_do_not():
    mugs = {shape_of(f"{SHOP}/shop/{name}.html").text for name in ("blue-mug", "red-tea-pot", "a-b-c-d-e-f")}
    others = {shape_of(SHOP + path).text for path in ("/shop/", "/blog/blue-mug.html", "/shop/x/blue-mug.html")}
    assert len(mugs) == 1
    assert len(others | mugs) == 4


@given(st.text() | st.text("/?&=-.%aé1p ").map(lambda text: f"{SHOP}/{text}"), st.frozensets(st.text("ab")))
@example("https://shop.example" + "/a" * 1_000 + "?" + "b=1&" * 1_000, frozenset())
@example("/" * 1_000, frozenset({""}))
@example("\ud800://\ud800/\ud800?\ud800=\ud800", frozenset())
def test_any_text_has_a_shape_of_bounded_size(url, literals):
    shape = shape_of(url, literals)
    assert shape.text.startswith("/")
    path = shape.text.partition("?")[0]
    assert len([segment for segment in path.split("/") if segment]) <= MAX_SEGMENTS + 1
    assert len(shape.before) <= MAX_SEGMENTS
    assert len(shape.keys) <= 12
    assert len(shape.words) <= MAX_WORDS + 12
    assert first_segment(url) == first_segment(url).lower()


@given(st.permutations(["b=1", "a=2", "route=x/y", "view=list", "page=3"]))
def test_the_order_of_a_query_changes_no_shape(pairs):
    url = f"{SHOP}/index.php?"
    assert shape_of(url + "&".join(pairs)) == shape_of(f"{url}a=2&b=1&page=3&route=x/y&view=list")


def test_shapes_are_the_same_in_every_process():
    program = (
        "from arborist_pipeline.core.crawl.url_shapes import shape_of\n"
        "print(shape_of('https://shop.example/x/y-7.html?view=b&route=a&c=1&d=2&e=3', frozenset({'x', 'y', 'z'})))"
    )
    shapes = outputs_of(program)
    assert len(shapes) == 1
