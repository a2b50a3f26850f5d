"""Places learned on a site's sure pages and read on its others."""

import re
from dataclasses import replace

import pytest

from arborist_pipeline.core.products.extract import read_page
from arborist_pipeline.core.products.wrapper import (
    FIELDS,
    MAX_PAGES,
    WRAPPER,
    apply_wrapper,
    build_sample,
    build_wrapper,
    leaves_open,
)
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.url import canonicalize
from examples.demo_shop.shop import build_shop

MAKERS = ("Aldo", "Berta", "Carlo", "Dora")
LINKED_DATA = re.compile(r"<script type=.?application/ld\+json.*?</script>", re.DOTALL)


def page_html(number: int, *, marked: bool = True, maker: str | None = None) -> str:
    maker = maker or MAKERS[number % len(MAKERS)]
    markup = (
        f'<script type="application/ld+json">{{"@type":"Product","name":"Mug {number}","sku":"M{number}X",'
        f'"brand":"{maker}","offers":{{"price":"{number}.50","priceCurrency":"EUR","availability":"InStock"}}}}</script>'
    )
    return (
        f"<title>Mug {number}</title>{markup if marked else ''}<main><h1 class=title>Mug {number}</h1>"
        f"<p class=who>{maker} made it</p><p class=cost>{number}.50 EUR</p><p class=code>M{number}X</p>"
        f"<p class=stock>In stock</p><button>Add to basket</button><footer><p>Nora made it</p></footer></main>"
    )


@pytest.fixture(scope="module")
def sure(read):
    return [read(page_html(number)) for number in range(1, 9)]


def learn(readings):
    return build_wrapper(sample for reading in readings if (sample := build_sample(reading)) is not None)


def test_a_page_without_mark_up_gives_what_its_like_show_in_the_same_places(read, sure):
    bare = read(page_html(20, marked=False))
    assert (bare.product.brand, bare.product.sku) == (None, None)
    whole = apply_wrapper(learn(sure), bare)
    assert (whole.name, whole.brand, whole.sku, str(whole.price)) == ("Mug 20", "Aldo", "M20X", "20.50")
    source = whole.sources["brand"]
    assert source.tier == "wrapper"
    assert source.where.endswith(f"main>p.who ({WRAPPER}, 8 pages)")
    assert source.raw == "Aldo"
    assert whole.conflicts == ()


def test_what_mark_up_says_stands_and_the_disagreement_is_noted(read, sure):
    other = read(page_html(20).replace("<p class=who>Aldo made it", "<p class=who>Zeno made it"))
    whole = apply_wrapper(learn(sure), other)
    assert whole.brand == "Aldo"
    assert [(each.field, each.taken, each.other, each.tier) for each in whole.conflicts] == [
        ("brand", "Aldo", "Zeno", "wrapper")
    ]


def test_a_proven_place_outvotes_a_weak_source_and_says_so(read, sure):
    bare = read(page_html(20, marked=False))
    weak = replace(bare.product.sources["price"], tier="embedded")
    product = replace(bare.product, price=bare.product.price + 1, sources={**bare.product.sources, "price": weak})
    whole = apply_wrapper(learn(sure), replace(bare, product=product))
    assert str(whole.price) == "20.50"
    assert [(each.field, each.taken, each.other, each.tier) for each in whole.conflicts] == [
        ("price", "20.50", "21.50", "embedded")
    ]


@pytest.mark.parametrize(
    "html",
    ["", "<h1 class=title>Mugs</h1><p class=who>Aldo made it</p><p class=cost>1.50 EUR</p>",
     "<title>Mug 1</title><main><h1 class=title>Mug 1</h1><p class=who>Aldo made it</p><p class=code>M1X</p></main>"],
)  # fmt: skip
def test_no_page_without_a_product_gets_one(read, sure, html):
    reading = read(html, "https://ware.example/about")
    if reading.product is None:
        assert apply_wrapper(learn(sure), reading) is None
        assert not leaves_open(None)
        assert build_sample(reading) is None


def test_pages_of_another_template_stay_as_they_are(read, sure):
    other = read(page_html(20, marked=False).replace("h1 class=title", "h1 class=headline"))
    assert apply_wrapper(learn(sure), other) == other.product


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_pages_teach_nothing(sure, count):
    assert learn(sure[:count]).templates == {}


def test_words_that_are_the_same_on_all_pages_are_no_fact_of_one(read):
    wrapper = learn([read(page_html(number, maker="Aldo")) for number in range(1, 9)])
    assert [set(template.lesson.places) for template in wrapper.templates.values()] == [{*FIELDS} - {"brand"}]


def test_a_place_that_pages_disagree_on_is_none(read, sure):
    moved = [read(page_html(number).replace("<p class=code>", "<p class=number>")) for number in range(11, 15)]
    (template,) = learn([*sure, *moved]).templates.values()
    assert "sku" not in template.lesson.places
    assert "brand" in template.lesson.places


def test_a_disputed_value_teaches_nothing(read):
    disputed = read(page_html(3).replace("<p class=cost>3.50 EUR", "<p class=cost>9.50 EUR"))
    assert "price" in {conflict.field for conflict in disputed.product.conflicts}
    assert "price" not in build_sample(disputed).values


def test_what_is_learned_is_bounded_and_the_same_each_time(sure):
    assert learn(sure) == learn(sure)
    (template,) = learn(sure * 20).templates.values()
    assert max(template.pages.values()) == MAX_PAGES


def test_the_demo_shop_without_its_mark_up_is_read_by_what_its_other_pages_taught():
    shop, host = build_shop(), {"Host": "shop.test"}

    def reading_of(target: str, strip: re.Pattern[str] | None = None):
        body = shop.response("GET", target, host).body.decode()
        text = strip.sub("", body) if strip else body
        headers = {"content-type": "text/html; charset=utf-8"}
        return read_page(parse_body(text.encode(), url=canonicalize("http://shop.test" + target), headers=headers))

    full = {target: reading_of(target) for target in shop.truth.pages}
    full = {target: reading for target, reading in full.items() if reading.product is not None}
    targets = sorted(full)
    wrapper = learn(full[target] for target in targets[::2])
    stripped = [(full[target].product, reading_of(target, LINKED_DATA)) for target in targets[1::2]]
    stripped = [(product, bare) for product, bare in stripped if bare.product is not None]

    def right(field: str, *, wrapped: bool) -> int:
        return sum(
            getattr(apply_wrapper(wrapper, bare) if wrapped else bare.product, field) == getattr(product, field)
            for product, bare in stripped
        )

    assert len(stripped) >= 40
    assert right("brand", wrapped=False) < right("brand", wrapped=True) == len(stripped)
    assert right("sku", wrapped=False) < right("sku", wrapped=True)
    assert right("price", wrapped=False) == right("price", wrapped=True)
