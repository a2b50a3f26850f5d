"""product_extractions keeps the catalogue, and says what changed since the last crawl."""

import json
import logging

import pytest

from arborist_pipeline_tests.defs.runs import crawl_config, metadata_of, product_page
from arborist_pipeline_tests.support.model_server import KEY, LocalModel, fails, says, told
from arborist_pipeline_tests.support.shy_shop import ANSWER, shy_page
from arborist_pipeline_tests.support.site_server import LocalSite, html


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


def warnings_of(instance, result):
    return [entry.user_message for entry in instance.all_logs(result.run_id) if entry.level == logging.WARNING]


@pytest.mark.parametrize(
    ("answer", "outcome", "prices", "warnings"),
    [
        (told(**ANSWER), "ok", ["39", "145"], 0),
        (fails(500), "server_error", [], 1),
        (says("39 euro"), "no_json", [], 1),
    ],
)
def test_a_model_is_asked_once_and_its_trouble_is_one_warning(
    home, run, instance, monkeypatch, answer, outcome, prices, warnings
):
    things = {"/things/oak-stool": shy_page("Oak stool"), "/things/ash-bench": shy_page("Ash bench", amount="145")}
    with LocalSite({"/": html("Shy", links=things)} | things) as shop, LocalModel(answer) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        home.list_sites(shop=shop.url())
        run.assets("seed_sites")
        result = run.assets("crawled_pages", "product_extractions", key="shop", run_config=crawl_config())
        assert result.success
        assert len(model.requests) == 1
    said = metadata_of(result, "product_extractions")
    assert (said["llm_calls"], said["llm_outcomes"]) == (1, [{"outcome": outcome, "count": 1}])
    assert sorted((row["price"] for row in said["sample"]), key=int) == prices
    found = warnings_of(instance, result)
    assert len(found) == warnings
    assert KEY not in json.dumps(said, default=str) + "".join(found)


def test_a_run_may_be_told_to_ask_no_model(home, run, shop, monkeypatch):
    shop.routes["/products/pan"] = shy_page("Iron pan")
    with LocalModel(told(**ANSWER)) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        home.list_sites(shop=shop.url())
        run.assets("seed_sites")
        quiet = crawl_config()
        quiet["ops"]["product_extractions"] = {"config": {"ask_model": False}}
        assert run.assets("crawled_pages", "product_extractions", key="shop", run_config=quiet).success
        assert model.requests == []
        some = {"ops": {"product_extractions": {"config": {"again": True, "max_model_calls": 0}}}}
        assert run.assets("product_extractions", key="shop", run_config=some).success
        assert model.requests == []
