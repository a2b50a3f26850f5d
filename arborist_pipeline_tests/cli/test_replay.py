"""A crawl by command is decided again from the store: at any concurrency, under any hash seed, cut or not."""

import json
import sqlite3
from contextlib import closing

import pytest

from arborist_pipeline_tests.cli.small_shop import PRODUCT, rows
from arborist_pipeline_tests.support.site_server import LocalSite, html, redirect


def _page(title, *, links=(), pages=()):
    nav = "<nav><a href='/'>Home</a><a href='/news/1'>News</a></nav>"
    cards = "".join(f"<li class='card'><a href='{each}'>{each}</a> EUR 5</li>" for each in links)
    pager = "".join(f"<a href='{each}'>{each}</a>" for each in pages)
    return html(title, f"{nav}<main><ul>{cards}</ul><div class='pagination'>{pager}</div></main>")


def _shop():
    goods = [f"/ware/cup-{number}" for number in range(24)]
    routes = {
        "/robots.txt": "User-agent: *\nDisallow: /ware/cup-3\n",
        "/": _page("Home", links=["/range/a", "/range/b", "/old"]),
    }
    for place, name in enumerate("ab"):
        own = goods[12 * place : 12 * place + 12]
        routes[f"/range/{name}"] = _page(name, links=own[:6], pages=[f"/range/{name}?page=2"])
        routes[f"/range/{name}?page=2"] = _page(name, links=own[6:], pages=[f"/range/{name}?page=1"])
    for number, each in enumerate(goods):
        routes[each] = html(f"Cup {number}", f"<h1>Cup {number}</h1><p>EUR 19.90</p><button>Add to cart</button>",
                            head=PRODUCT.replace("L1", f"C{number}"))  # fmt: skip
    routes |= {f"/news/{number}": _page(f"News {number}", links=[f"/news/{number + 1}"]) for number in range(1, 15)}
    return routes | {"/old": redirect("/ware/cup-1")}


@pytest.fixture
def site():
    with LocalSite(_shop()) as served:
        yield served


def _crawl(arborist, site, *options):
    return arborist("crawl", "--seed-url", site.url(), "--fast", "--depth", "9", *options)


def _replay(arborist, site, crawl, *options):
    asked = len(site.requests)
    result = arborist("crawl", "--seed-url", site.url(), "--replay", crawl, "--json", *options)
    assert len(site.requests) == asked
    return result


@pytest.mark.parametrize("at_once", [1, 4])
def test_each_decision_of_a_crawl_is_repeated_without_a_request(arborist, home, site, at_once):
    _crawl(arborist, site, "--concurrency", at_once)
    recorded = len(rows(home, 'SELECT id FROM pages WHERE "order" IS NOT NULL'))
    result = _replay(arborist, site, 1)
    assert json.loads(result.stdout) == {"crawl": 1, "repeated": recorded, "recorded": recorded, "difference": None}
    assert recorded > 35
    assert result.exit_code == 0


def test_a_crawl_that_was_stopped_and_resumed_is_repeated_whole(arborist, site):
    _crawl(arborist, site, "--concurrency", 1, "--max-pages", 9)
    _crawl(arborist, site, "--concurrency", 1, "--max-pages", 12, "--resume")
    told = json.loads(_replay(arborist, site, 1).stdout)
    assert (told["repeated"], told["recorded"]) == (21, 21)


def test_a_crawl_after_another_is_repeated_with_what_that_one_left(arborist, site):
    for crawl, budget in ((1, 15), (2, 0), (3, 12)):
        _crawl(arborist, site, "--concurrency", 1, "--max-pages", budget)
        told = json.loads(_replay(arborist, site, crawl).stdout)
        assert told["repeated"] == told["recorded"] >= min(budget, 12)


@pytest.mark.parametrize("seed", ["1", "77"])
def test_the_order_hangs_on_no_hash(arborist, process, monkeypatch, site, seed):
    _crawl(arborist, site, "--concurrency", 4)
    monkeypatch.setenv("PYTHONHASHSEED", seed)
    child = process("crawl", "--seed-url", site.url(), "--replay", 1)
    told, _ = child.communicate()
    count, _, rest = told.partition(" of ")
    assert rest.split() == [count, "decisions", "repeated"]


def test_a_smaller_budget_is_told_in_products_and_pages(arborist, site):
    _crawl(arborist, site, "--concurrency", 1)
    text = arborist("crawl", "--seed-url", site.url(), "--replay", 1, "--max-pages", 20).stdout
    curve = json.loads(_replay(arborist, site, 1, "--max-pages", 20).stdout)
    assert len(curve["replayed"]) == 20
    assert curve["replayed"] == curve["recorded"][:20]
    assert text.splitlines()[-1] == f"at 20 pages: {curve['replayed'][-1]} products instead of {curve['recorded'][19]}"


SITEMAP = [*(f"/ware/cup-{number}" for number in (20, 7, 3, 11)), "/news/9", "/range/b", "/unlinked", "/news/14"]


@pytest.fixture
def mapped():
    locs = "".join(f"<url><loc>ORIGIN{each}</loc></url>" for each in SITEMAP)
    with LocalSite(_shop() | {"/unlinked": _page("Unlinked")}) as served:
        body = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{locs}</urlset>"
        served.routes["/sitemap.xml"] = body.replace("ORIGIN", served.url().rstrip("/"))
        yield served


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_crawl_that_read_the_sitemap_is_repeated_until_another_has_met_its_addresses_anew(
    arborist, home, mapped, at_once
):
    _crawl(arborist, mapped, "--concurrency", at_once, "--discovery", "links+sitemap")
    assert rows(home, "SELECT count(*) FROM frontier WHERE why = 'listed in the sitemap'") == [(6,)]
    told = json.loads(_replay(arborist, mapped, 1).stdout)
    assert (told["repeated"], told["difference"]) == (told["recorded"], None)
    _crawl(arborist, mapped, "--concurrency", at_once)
    assert "has met its addresses in another order" in _refused(arborist, mapped, 1)
    told = json.loads(_replay(arborist, mapped, 2).stdout)
    assert (told["repeated"], told["difference"]) == (told["recorded"], None)


def test_what_cannot_be_replayed_ends_with_2_and_says_why(arborist, home, site):
    assert "there is no crawl 7" in _refused(arborist, site, 7, first=True)
    assert "the number of a crawl" in _refused(arborist, site, "last")
    store = home / "crawl/web.db"
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE pages SET dispatched_seq = NULL")
    assert "no recorded decisions" in _refused(arborist, site, 1)


def _refused(arborist, site, crawl, *, first=False):
    if first:
        _crawl(arborist, site, "--max-pages", 3)
    result = _replay(arborist, site, crawl)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr
