"""The whole shop walked in process by the core's own link reader: what is found is what the truth says."""

from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from protego import Protego

from arborist_pipeline.core.web.links import LinkKind
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.url import canonicalize, path_and_query, same_site
from examples.demo_shop.shop import build_shop
from examples.demo_shop.walk import breadth_first

ORIGIN = "http://shop.test"
HEADERS = {"Host": "shop.test"}


@dataclass
class Found:
    """Status and target of each address fetched; each link as (source, target, anchor); links robots.txt refused."""

    status: dict = field(default_factory=dict)
    redirects: dict = field(default_factory=dict)
    links: set = field(default_factory=set)
    refused: set = field(default_factory=set)


def walk(shop):
    robots = Protego.parse(shop.response("GET", "/robots.txt", HEADERS).body.decode())
    found, queue = Found(), deque(["/"])
    while queue:
        target = queue.popleft()
        if target in found.status:
            continue
        answer = shop.response("GET", target, HEADERS)
        found.status[target] = answer.status
        leads = []
        if "location" in answer.headers:
            found.redirects[target] = answer.headers["location"]
            leads = [(answer.headers["location"], "")]
        elif answer.status == 200 and answer.headers["content-type"].startswith("text/html"):
            page = parse_body(answer.body, url=canonicalize(ORIGIN + target), headers=answer.headers)
            assert not page.malformed_links
            kinds = (LinkKind.ANCHOR, LinkKind.ALTERNATE)
            assert all(same_site(link.url, ORIGIN) for link in page.links)
            leads = [(path_and_query(link.url), link.text) for link in page.links if link.kind in kinds]
            found.links |= {(target, to, text) for to, text in leads}
        for to, _ in leads:
            (queue.append if robots.can_fetch(ORIGIN + to, "arborist-crawler") else found.refused.add)(to)
    return found


@pytest.fixture(scope="module", params=[7, 2024])
def walked(request):
    shop = build_shop(request.param)
    return shop, walk(shop)


def test_every_page_but_two_orphans_is_reached(walked):
    shop, found = walked
    reached = {target for target, status in found.status.items() if status == 200}
    assert set(shop.truth.pages) - reached == set(shop.truth.orphans)
    assert reached - set(shop.truth.pages) == {shop.truth.feed, shop.truth.pdf}
    assert len(shop.truth.orphans) == 2


def test_an_orphan_exists_and_the_sitemap_names_it(walked):
    shop, found = walked
    sitemap = ET.fromstring(shop.response("GET", "/sitemap.xml", HEADERS).body)  # noqa: S314 - our own
    listed = [node.text.removeprefix(ORIGIN) for node in sitemap.findall(".//{*}loc")]
    assert set(listed) - set(found.status) == set(shop.truth.orphans)
    assert {shop.response("GET", target, HEADERS).status for target in listed} == {200}
    assert len(listed) == len(set(listed))
    assert f"Sitemap: {ORIGIN}/sitemap.xml" in shop.response("GET", "/robots.txt", HEADERS).body.decode()


def test_the_broken_links_are_exactly_the_planted_ones(walked):
    shop, found = walked
    broken = {link for link in found.links if found.status.get(link[1]) == 404}
    assert broken == {(each.source, each.target, each.anchor) for each in shop.truth.broken}
    assert len(broken) == 3
    assert set(found.status.values()) == {200, 301, 302, 404}


def test_the_one_redirect_chain_has_three_hops_and_ends_on_a_page(walked):
    shop, found = walked
    chain = shop.truth.redirect_chain
    assert found.redirects == dict(pairwise(chain))
    assert (len(chain), found.status[chain[-1]]) == (4, 200)
    link = shop.truth.redirect_link
    assert {each for each in found.links if each[1] in chain[:-1]} == {(link.source, chain[0], link.anchor)}


def test_what_robots_forbids_is_linked_and_would_answer(walked):
    shop, found = walked
    assert found.refused == set(shop.truth.forbidden)
    assert {shop.response("GET", target, HEADERS).status for target in found.refused} == {200}
    assert not found.refused & set(shop.truth.pages)


def test_the_tracked_link_leads_to_a_product(walked):
    shop, found = walked
    link = shop.truth.tracking
    path, _, query = link.target.partition("?")
    assert query.startswith("utm_source=")
    assert path in shop.truth.products
    assert (link.source, path, link.anchor) in found.links  # the core drops what only tracks
    raw = shop.response("GET", link.source, HEADERS).body.decode()
    assert f'href="{link.target.replace("&", "&amp;")}"' in raw
    everything = "".join(shop.response("GET", page, HEADERS).body.decode() for page in shop.truth.pages)
    assert everything.count("?utm_") == 1
    assert shop.response("GET", link.target, HEADERS) == shop.response("GET", path, HEADERS)


def test_no_page_is_deep(walked):
    shop, found = walked
    depth, queue = {"/": 0}, deque(["/"])
    onward = {}
    for source, target, _ in found.links:
        onward.setdefault(source, set()).add(target)
    while queue:
        source = queue.popleft()
        for target in onward.get(source, ()):
            if target not in depth:
                depth[target] = depth[source] + 1
                queue.append(target)
    assert max(depth[page] for page in shop.truth.pages if page in depth) <= 3


@pytest.mark.parametrize("seed", [7, 0, 1, 2024])
def test_breadth_first_finds_no_product_in_sixty_fetches(seed):
    first = breadth_first(build_shop(seed))
    assert first.products == 0
    assert len(first.fetched) == len(set(first.fetched)) == 60
    assert first.fetched[0] == "/"
    assert all(target.startswith("/collections/") for target in first.fetched[1:])


def test_breadth_first_finds_all_products_when_it_may_go_on(shop):
    walked = breadth_first(shop, 100_000)
    assert set(shop.truth.products) <= set(walked.fetched)
    assert walked.products == len(shop.truth.products) + 1  # one of them under a tracked address too
    truth = shop.truth
    beside_pages = {
        truth.feed,
        truth.pdf,
        truth.tracking.target,
        *truth.redirect_chain,
        *(x.target for x in truth.broken),
    }
    assert set(walked.fetched) == (set(truth.pages) - set(truth.orphans)) | beside_pages


def test_the_menu_of_seventy_and_more_stands_on_every_page(shop, pages):
    counts = Counter(
        path_and_query(link.url) for page in pages.values() for link in page.links if link.kind is LinkKind.ANCHOR
    )
    everywhere = {target for target, count in counts.items() if count == len(pages)}
    collections = set(shop.truth.collections)
    assert len(collections) >= 70
    assert collections <= everywhere
    assert not everywhere & set(shop.truth.products)
