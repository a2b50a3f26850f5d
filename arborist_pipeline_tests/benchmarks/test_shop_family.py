"""The generated shops are what the benchmark says they are, and its orders keep to what was linked."""

import os
import subprocess
import sys
from itertools import islice
from random import Random

import pytest

from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.link_question import Candidate, build_link_question
from arborist_pipeline.core.products.extract import read_page
from arborist_pipeline.core.prompt import parse_json_reply
from arborist_pipeline.core.web.page import PageKind, parse_body
from arborist_pipeline_tests.conftest import REPOSITORY
from benchmarks.shop_family.crawls import crawl_shop
from benchmarks.shop_family.frontier_cost import FrontierMeter
from benchmarks.shop_family.network import HEADERS, ShopFetcher
from benchmarks.shop_family.policies import pattern_first
from benchmarks.shop_family.schemes import SCHEMES
from benchmarks.shop_family.scripted_model import ScriptedModel
from benchmarks.shop_family.shop import Kind
from benchmarks.shop_family.trials import BEST, ORDERS, build_sites, count_goods, try_shop

HARD = [name for name, scheme in SCHEMES.items() if not scheme.is_right]
RIGHT = [name for name, scheme in SCHEMES.items() if scheme.is_right]


def site_of(scheme, seed=0, **look):
    return next(build_sites([scheme], [seed], **look))


def sample(site, pages, seed=1):
    return Random(seed).sample(sorted(site.urls), pages)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_shop_has_a_thousand_products_among_some_three_thousand_pages(scheme):
    site = site_of(scheme)
    assert count_goods(site, site.urls) == 1_000
    assert site.size == len(site.shop.spots), "two addresses are one when they are brought to canonical form"
    assert 2_500 < site.size - sum(spot.place >= 0 for spot in site.shop.spots.values()) < 3_800 or scheme == "by-brand"


def test_a_shop_is_the_same_whatever_seeds_the_hashes_of_python():
    code = (
        "import hashlib\n"
        "from benchmarks.shop_family.trials import build_sites\n"
        "site = next(build_sites(['hashed'], [3]))\n"
        "print(hashlib.sha256(b''.join(url.encode() + site.body(url) for url in list(site.urls)[::40])).hexdigest())"
    )
    told = {
        subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True,
                       env=os.environ | {"PYTHONHASHSEED": hashes}).stdout
        for hashes in ("1", "2")
    }  # fmt: skip
    assert len(told) == 1


def test_shops_of_two_seeds_share_hardly_a_product():
    one, other = ({good.name for good in site_of("hashed", seed).shop.catalogue.goods} for seed in (0, 1))
    assert len(one & other) < 100


def test_the_reader_tells_product_pages_from_others():
    wrong, looked_at = [], 0
    for site in build_sites(SCHEMES, [0]):
        for url in sample(site, 25):
            reading = read_page(parse_body(site.body(url), url=url, headers=HEADERS))
            looked_at += 1
            if (reading.kind is PageKind.PRODUCT) is not (site.good_at(url) is not None):
                wrong.append((url, reading.reason))
    assert len(wrong) < 0.01 * looked_at, wrong


def test_the_reader_reads_the_price_that_the_shop_asks():
    site = site_of("root-own")
    goods = [url for url in sample(site, 300) if site.good_at(url) is not None]
    read = {url: read_page(parse_body(site.body(url), url=url, headers=HEADERS)).product for url in goods}
    assert {url: product.price for url, product in read.items()} == {
        url: site.shop.catalogue.goods[site.good_at(url)].price for url in goods
    }


def test_the_reader_tells_product_pages_of_shops_whose_mark_up_tells_nothing():
    site = site_of("numeric", is_bare=True)
    told = {url: read_page(parse_body(site.body(url), url=url, headers=HEADERS)).kind for url in sample(site, 150)}
    wrong = [url for url, kind in told.items() if (kind is PageKind.PRODUCT) is not (site.good_at(url) is not None)]
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_link_of_a_shop_leads_somewhere(scheme):
    site = site_of(scheme, 1)
    targets = {link.url for url in sample(site, 8) for link in site.links(url)}
    assert [url for url in targets if site.body(url) is None and site.redirect_of(url) is None] == []


@pytest.mark.parametrize("scheme", ["behind-pages", "nested", "by-brand", "opaque"])
def test_links_lead_to_every_product_from_the_start_page(scheme):
    site = site_of(scheme)
    assert count_goods(site, ORDERS[BEST](site, 2_000)) == 1_000


@pytest.mark.parametrize("scheme", ["behind-pages", "by-brand"])
def test_where_goods_are_behind_pagination_or_brands_categories_show_none(scheme):
    site = site_of(scheme)
    categories = [url for url in site.urls if site.spot_at(url).kind is Kind.CATEGORY]
    shown = {link.url for url in categories for link in site.links(url) if site.good_at(link.url) is not None}
    assert shown == set()


def test_the_fixed_pattern_is_right_where_the_scheme_says_so_and_finds_nothing_elsewhere():
    for scheme in SCHEMES:
        site = site_of(scheme)
        found = count_goods(site, pattern_first(site, 25))
        assert found > 5 if scheme in RIGHT else found == 0, scheme


@pytest.mark.parametrize("order", ORDERS.values())
@pytest.mark.parametrize("scheme", ["collections", "numeric"])
def test_an_order_asks_once_each_and_only_for_what_it_saw_linked(order, scheme):
    site = site_of(scheme)
    seen, asked = {site.seed}, order(site, 40)
    assert len(asked) == len(set(asked)) == 40
    for url in asked:
        assert url in seen
        seen.update(link.url for link in site.links(url))


@pytest.mark.parametrize("scheme", ["collections", "locale"])
def test_no_order_finds_more_at_any_point_than_the_all_knowing_one(scheme):
    site = site_of(scheme, 2)
    orders = {name: order(site, 150) for name, order in ORDERS.items()}
    for pages in (5, 20, 60, 150):
        found = {name: count_goods(site, urls[:pages]) for name, urls in orders.items()}
        assert found[BEST] == max(found.values()), (pages, found)


def test_a_product_with_two_addresses_counts_once():
    site = site_of("collections")
    urls = [url for url in site.urls if site.good_at(url) == 7]
    assert len(urls) > 1
    assert count_goods(site, urls) == 1


def test_a_crawl_is_judged_by_all_that_it_asked_for_and_asks_for_nothing_twice():
    site, fetchers = site_of("number-slug", 1), []

    def make_fetcher(*given):
        fetchers.append(ShopFetcher(*given))
        return fetchers[0]

    run = crawl_shop(site, 80, make_fetcher=make_fetcher)
    requests = [url for url in fetchers[0].asked if not url.endswith("/robots.txt") and "/no-such-page-" not in url]
    assert list(run.asked) == requests
    assert len(run.asked) == len(set(run.asked)) == 80
    assert run.asked[0] == site.seed


def test_a_shop_counts_unless_other_orders_find_its_products():
    hard, right = (try_shop(site_of(scheme), 12, tuple(ORDERS)) for scheme in (HARD[0], RIGHT[0]))
    assert hard.counts
    assert not right.counts


def test_the_scripted_model_is_right_nineteen_times_of_twenty_and_says_the_same_again():
    site = site_of("query-route")
    model = ScriptedModel(site)
    right = looked_at = 0
    for first in range(0, 1_200, 120):
        shown = [Candidate(url, "") for url in islice(site.urls, first, first + 120)]
        question = build_link_question(shown)
        named = parse_json_reply(model.ask(question))["product"]
        assert parse_json_reply(model.ask(question))["product"] == named
        right += sum((site.good_at(each.url) is not None) is (number in named) for number, each in enumerate(shown))
        looked_at += len(shown)
    assert 0.93 < right / looked_at < 0.97


def test_the_meter_counts_the_frontier_and_leaves_it_as_it_was():
    before = dict(vars(Frontier))
    with FrontierMeter() as meter:
        crawl_shop(site_of("hashed"), 10)
    counted = meter.seconds
    assert counted > 0
    crawl_shop(site_of("hashed"), 3)
    assert meter.seconds == counted
    assert dict(vars(Frontier)) == before
