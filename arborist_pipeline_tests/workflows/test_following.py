"""What pages lead to: very many links a portion at a time, and what a cookie wall keeps from view."""

import asyncio

import pytest

from arborist_pipeline.core.crawl.policy import Walk
from arborist_pipeline.workflows.following import LINK_PORTION
from arborist_pipeline_tests.support.builders import make_result
from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect
from arborist_pipeline_tests.workflows.conftest import Desk


@pytest.mark.parametrize("concurrency", [1, 3])
def test_a_page_of_very_many_links_leaves_all_else_its_turns_and_loses_none(desk, table, concurrency):
    links = [f"/{number}" for number in range(3 * LINK_PORTION)] + ["/private/x", "https://other.example/"]
    rules = make_result("User-agent: *\nDisallow: /private/", headers={"content-type": "text/plain"})
    fetcher = table({"/": html("Many", links=links), "/robots.txt": rules})
    turns = 0

    async def crawl():
        task = asyncio.ensure_future(desk.crawl(fetcher, max_pages=1, concurrency=concurrency))
        while not task.done():
            nonlocal turns
            turns += len(desk.rows("SELECT 1")) if fetcher.requests else 0
            await asyncio.sleep(0)
        return await task

    summary = asyncio.run(crawl())
    assert turns > 3
    assert summary.unfetched == 3 * LINK_PORTION
    assert summary.rejected == {"robots": 1, "other_site": 1}
    assert desk.rows("SELECT url FROM frontier WHERE state = 'queued' ORDER BY seq") == [
        (f"https://shop.example{link}",) for link in links[: 3 * LINK_PORTION]
    ]


@pytest.mark.parametrize("connections", [1, 6])
def test_a_cookie_wall_before_every_page_is_passed_once_and_again_when_its_cookie_has_expired(
    store, clock, connections
):
    valid = ["seen=0"]

    def behind_the_wall(title, *links):
        inside = html(title, links=links)
        return lambda request: inside if valid[0] in request.headers.get("cookie", "") else redirect("/wall", 302)

    def wall(_):
        return Reply(status=302, headers={"Location": "/", "Set-Cookie": f"{valid[0]}; Path=/"})

    def expiring(request):
        if valid[0] == "seen=0":
            valid[0] = "seen=1"
        return behind_the_wall("Late")(request)

    goods = [f"/products/{number}" for number in range(8)]
    routes = {path: behind_the_wall(path, *(goods if path == "/" else [])) for path in ("/", *goods)}
    with LocalSite(routes | {"/wall": wall, "/products/3": expiring}) as site:
        desk = Desk(store, clock, site.url("/"))
        asyncio.run(desk.crawl_http(connections=connections))
        latest = dict(desk.rows("SELECT url, outcome FROM frontier"))
        assert {latest[site.url(path)] for path in ("/", *goods)} == {"ok"}
        assert site.count("/wall") == 2
        assert max(site.count(path) for path in goods) == 2


@pytest.mark.parametrize("pages", [1, 2, 3, 5])
def test_a_resumed_crawl_passes_the_wall_again_without_the_cookies_of_the_first(store, clock, pages):
    def behind_the_wall(*links):
        inside = html("Inside", links=links)
        return lambda request: inside if "seen=1" in request.headers.get("cookie", "") else redirect("/wall", 302)

    goods = ["/a", "/b", "/c"]
    routes = {"/": behind_the_wall(*goods), **{path: behind_the_wall() for path in goods}}
    routes["/wall"] = Reply(status=302, headers={"Location": "/", "Set-Cookie": "seen=1; Path=/"})
    with LocalSite(routes) as site:
        desk = Desk(store, clock, site.url("/"))
        asyncio.run(desk.crawl_http(connections=1, max_pages=pages))
        asyncio.run(desk.crawl_http(connections=1, walk=Walk.RESUME))
        latest = dict(desk.rows("SELECT url, outcome FROM frontier"))
        assert {latest[site.url(path)] for path in ("/", *goods)} == {"ok"}
        assert site.count("/wall") == 2 - (pages == 1)
