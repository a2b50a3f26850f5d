"""product_extractions keeps the catalogue, and says what changed since the last crawl."""

import pytest

from arborist_pipeline_tests.defs.runs import crawl_config, metadata_of, product_page
from arborist_pipeline_tests.support.site_server import html


@pytest.fixture
def night(home, run, shop):
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")

    def night():
        result = run.assets("crawled_pages", "product_extractions", key="shop", run_config=crawl_config(full=True))
        assert result.success
        return metadata_of(result, "product_extractions")

    return night


COUNTS = ("new", "changed", "gone", "products", "with_price", "price_changes")


def test_products_are_found_counted_and_shown(night, shop):
    said = night()
    assert [said[name] for name in COUNTS] == [2, 0, 0, 2, 2, 0]
    assert (said["share_with_price"], said["dagster/row_count"]) == (1.0, 2)
    assert said["sample"] == [
        {"name": "Iron pan", "price": "39.00", "currency": "EUR", "availability": "InStock",
         "url": shop.url("/products/pan")},
        {"name": "Copper pot", "price": "120.50", "currency": "EUR", "availability": "InStock",
         "url": shop.url("/products/pot")},
    ]  # fmt: skip


def test_a_changed_price_is_told_once(night, shop):
    night()
    shop.routes["/products/pan"] = product_page("Iron pan", "35.00")
    said = night()
    assert [said[name] for name in COUNTS] == [0, 1, 0, 2, 2, 1]
    (change,) = said["changed_prices"]
    assert (change["old_price"], change["price"], change["url"]) == ("39.00", "35.00", shop.url("/products/pan"))
    again = night()
    assert [again[name] for name in COUNTS] == [0, 0, 0, 2, 2, 0]


def test_a_page_that_shows_no_product_any_more_retires_it(night, shop):
    night()
    shop.routes["/products/pot"] = html("Sorry", "<p>We no longer sell copper pots, but have a look around.</p>")
    said = night()
    assert [said[name] for name in COUNTS] == [0, 0, 1, 1, 1, 0]


def test_a_site_without_products_has_a_share_of_nothing(night, shop):
    shop.routes.pop("/products/pan")
    shop.routes.pop("/products/pot")
    said = night()
    assert (said["products"], said["share_with_price"], said["sample"]) == (0, 0.0, [])
