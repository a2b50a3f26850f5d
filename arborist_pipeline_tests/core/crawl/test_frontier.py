"""The order of a crawl, its budget, its depths, its refusals."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from arborist_pipeline.core.crawl.admission import Rejection, build_admission
from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.frontier import MAX_REDIRECTS, SIFTED_AT_ONCE
from arborist_pipeline.core.crawl.policy import PRODUCT_TOKEN
from arborist_pipeline.core.crawl.records import Tier
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline.core.web.robots import parse_robots
from arborist_pipeline.core.web.url import canonicalize, split_origin
from arborist_pipeline_tests.core.crawl.conftest import SEED, at, links_to, make_entry, path_of
from arborist_pipeline_tests.support.builders import NOON

WWW = canonicalize("https://www.shop.example/")


def robots(text):
    return {split_origin(SEED): parse_robots(f"User-agent: *\n{text}".encode(), PRODUCT_TOKEN)}


class TestOrder:
    def test_the_seed_comes_first_with_its_own_tier(self, walk):
        request = walk().frontier.next()
        assert (request.url, request.depth, request.parent, request.priority.tier) == (SEED, 0, None, Tier.SEED)

    def test_product_shaped_links_come_before_all_others_and_each_group_keeps_its_order(self, walk):
        site = {"/": ["/about", "/products/b", "/blog", "/products/a", "/p/c"]}
        assert walk().drain(site) == ["/", "/products/b", "/products/a", "/p/c", "/about", "/blog"]

    def test_a_product_found_late_overtakes_what_was_queued_before(self, walk):
        site = {"/": ["/one", "/two"], "/one": ["/products/x"]}
        assert walk().drain(site) == ["/", "/one", "/products/x", "/two"]

    def test_known_products_then_new_products_then_other_known_pages_then_the_queue(self, walk):
        entries = [
            make_entry("/", 1, depth=0),
            make_entry("/about", 2),
            make_entry("/new-page", 3, state=State.QUEUED),
            make_entry("/products/fresh", 4, state=State.QUEUED),
            make_entry("/products/known", 5, kind=PageKind.PRODUCT),
        ]
        assert walk(entries=entries).drain() == ["/products/known", "/products/fresh", "/", "/about", "/new-page"]

    def test_a_request_says_why_it_was_made(self, walk):
        entries = [make_entry("/", 1, depth=0), make_entry("/products/a", 2, kind=PageKind.PRODUCT)]
        frontier = walk(entries=entries).frontier
        assert "known product" in frontier.next().priority.why
        assert "known page" in frontier.next().priority.why

    def test_the_longest_due_page_comes_first_so_that_a_small_budget_reaches_them_all(self, walk):
        entries = [make_entry(f"/products/{n}", n, kind=PageKind.PRODUCT, due_hours=-n) for n in range(1, 7)]
        assert walk(entries=entries).drain()[:3] == ["/products/6", "/products/5", "/products/4"]

    def test_night_after_night_every_known_product_is_asked_for_again(self, walk):
        products = {f"/products/{n}": make_entry(f"/products/{n}", n, kind=PageKind.PRODUCT) for n in range(1, 11)}
        asked = Counter()
        for night in range(5):
            drive = walk(entries=products.values(), max_pages=4, now=NOON + timedelta(days=night), only=())
            while (path := drive.take()) is not None:
                asked[path] += 1
                due = drive.fetch(path, kind=PageKind.PRODUCT)
                if path in products:
                    products[path].due_at = due
        assert all(asked[path] in (1, 2) for path in products), asked

    def test_the_seed_leads_the_known_pages_that_are_no_products(self, walk):
        entries = [make_entry("/old", 1, due_hours=-99), make_entry("/", 2, depth=0, due_hours=0)]
        assert walk(entries=entries).drain() == ["/", "/old"]


class TestBudget:
    def test_the_budget_is_never_passed(self, walk):
        assert len(walk(max_pages=3).drain({"/": ["/a", "/b", "/c", "/d"]})) == 3

    def test_zero_is_no_cap(self, walk):
        assert len(walk().drain({"/": [f"/{n}" for n in range(500)]})) == 501

    def test_a_request_that_robots_forbade_gives_its_budget_back(self, walk):
        drive = walk(max_pages=2)
        assert drive.take() == "/"
        drive.fetch("/", ["/secret", "/open"])
        assert drive.take() == "/secret"
        assert not drive.frontier.has_budget
        drive.frontier.forbid(at("/secret"))
        assert drive.take() == "/open"
        assert drive.frontier.dispatched == 2

    @pytest.mark.parametrize("cap", range(1, 12))
    def test_at_most_half_of_a_capped_budget_goes_to_known_pages_while_others_wait(self, walk, cap):
        entries = [make_entry(f"/products/old{n}", n, kind=PageKind.PRODUCT) for n in range(1, 20)]
        entries += [make_entry(f"/new{n}", n, state=State.QUEUED) for n in range(20, 40)]
        order = walk(entries=entries, max_pages=cap).drain()
        assert len(order) == cap
        assert sum(path.startswith("/products/old") for path in order) == cap // 2

    def test_where_nothing_new_waits_known_pages_get_the_whole_budget(self, walk):
        entries = [make_entry(f"/products/old{n}", n, kind=PageKind.PRODUCT) for n in range(1, 20)]
        entries += [make_entry("/new", 20, state=State.QUEUED)]
        assert len(walk(entries=entries, max_pages=10).drain()) == 10

    def test_nothing_more_is_handed_out_while_all_that_is_left_is_under_way(self, walk):
        drive = walk()
        assert drive.take() == "/"
        assert drive.take() is None
        assert not drive.frontier.is_exhausted
        drive.fetch("/")
        assert drive.frontier.is_exhausted

    def test_its_repr_tells_the_state(self, walk):
        drive = walk(max_pages=5)
        drive.take()
        drive.frontier.follow(SEED, links_to(["/products/x", "/a", "/b"]))
        assert repr(drive.frontier) == (
            "<Frontier seen=4 due_product=0 product_shaped=1 due_other=0 queue=2 last=0 in_flight=1 budget=4 left>"
        )
        assert "budget=no cap" in repr(walk().frontier)


class TestDepth:
    def test_pages_at_the_limit_are_fetched_and_their_links_are_not(self, walk):
        chain = {"/": ["/1"], "/1": ["/2"], "/2": ["/3"]}
        assert walk(max_depth=2).drain(chain) == ["/", "/1", "/2"]

    def test_a_limit_of_zero_is_the_seed_alone(self, walk):
        assert walk(max_depth=0).drain({"/": ["/a"]}) == ["/"]

    def test_a_shorter_path_found_later_admits_what_hung_beyond_the_limit(self, walk):
        site = {"/": ["/products/a", "/short"], "/products/a": ["/products/b"], "/products/b": ["/products/c"],
                "/short": ["/products/b"]}  # fmt: skip
        drive = walk(max_depth=2)
        assert drive.drain(site) == ["/", "/products/a", "/products/b", "/short"]
        drive = walk(max_depth=3)
        site |= {"/products/c": ["/deep"], "/": ["/products/a", "/short", "/products/c"]}
        assert drive.drain(site)[-1] == "/deep"
        assert drive.depth("/deep") == 2

    def test_a_lowered_page_that_was_fetched_already_hands_its_links_on(self, walk):
        site = {"/": ["/products/1", "/hub"], "/products/1": ["/products/2"], "/products/2": ["/hidden"],
                "/hub": [], "/hidden": []}  # fmt: skip
        drive = walk(max_depth=2)
        assert drive.take() == "/"
        drive.fetch("/", site["/"])
        for path in ("/products/1", "/products/2"):
            assert drive.take() == path
            drive.fetch(path, site[path])
        assert drive.depth("/hidden") == 3
        assert drive.take() == "/hub"
        drive.fetch("/hub", [])
        assert drive.take() is None
        drive.frontier.follow(SEED, links_to(["/products/2"]))  # the seed links it now
        assert drive.take() == "/hidden"
        assert drive.depth("/hidden") == 2

    def test_a_redirect_target_keeps_the_depth(self, walk):
        drive = walk(max_depth=1)
        assert drive.take() == "/"
        drive.fetch("/", ["/old"])
        assert drive.take() == "/old"
        drive.redirect("/old", "/new")
        assert drive.take() == "/new"
        assert drive.depth("/new") == 1

    def test_a_redirect_target_is_lowered_with_the_page_that_leads_to_it(self, walk):
        drive = walk(max_depth=9)
        drive.take()
        drive.fetch("/", ["/products/1", "/near"])
        drive.take()
        drive.fetch("/products/1", ["/products/old"])
        drive.take()
        drive.redirect("/products/old", "/products/moved")
        drive.take()
        drive.fetch("/products/moved", ["/leaf"])
        assert (drive.depth("/products/moved"), drive.depth("/leaf")) == (2, 3)
        drive.frontier.follow(SEED, links_to(["/products/old"]))
        assert (drive.depth("/products/moved"), drive.depth("/leaf")) == (1, 2)

    def test_a_chain_of_redirects_to_ever_new_addresses_ends(self, walk):
        drive = walk()
        path, hops = drive.take(), 0
        while path is not None:
            hops += 1
            assert hops < 50
            drive.redirect(path, f"/hop/{hops}")
            path = drive.take()
        assert hops == MAX_REDIRECTS + 1
        assert drive.frontier.rejected[Rejection.REDIRECTS] == 1

    def test_a_circle_of_redirects_is_asked_once_around(self, walk):
        drive = walk()
        drive.take()
        drive.redirect("/", "/b")
        assert drive.take() == "/b"
        drive.redirect("/b", "/")
        assert drive.take() is None

    def test_a_lower_limit_holds_for_what_an_earlier_run_queued(self, walk):
        entries = [make_entry("/", 1, depth=0), make_entry("/far", 2, state=State.QUEUED, depth=5),
                   make_entry("/near", 3, state=State.QUEUED, depth=1)]  # fmt: skip
        drive = walk(entries=entries, max_depth=2)
        assert drive.drain() == ["/", "/near"]
        assert drive.rows.entries_by_url[at("/far")].state is State.BEYOND

    def test_a_higher_limit_admits_what_lay_beyond_the_old_one(self, walk):
        entries = [make_entry("/far", 1, state=State.BEYOND, depth=5)]
        assert "/far" in walk(entries=entries, max_depth=5).drain()
        assert "/far" not in walk(entries=entries, max_depth=4).drain()

    def test_a_page_that_becomes_the_seed_has_depth_zero(self, walk):
        drive = walk(entries=[make_entry("/", 1, depth=4)])
        assert drive.depth("/") == 0


class TestRefusals:
    def test_what_robots_forbids_is_named_and_never_handed_out(self, walk):
        drive = walk(robots=robots("Disallow: /cart"))
        drive.take()
        new, forbidden = drive.frontier.follow(SEED, links_to(["/cart", "/a", "/cart"]))
        assert new == 1
        assert [path_of(link.url) for link in forbidden] == ["/cart"]
        assert drive.frontier.rejected[Rejection.ROBOTS] == 1
        assert drive.take() == "/a"
        assert drive.take() is None

    def test_what_was_refused_is_admitted_when_the_rules_change(self, walk):
        entries = [make_entry("/", 1, depth=0), make_entry("/cart", 2, state=State.REFUSED)]
        assert "/cart" in walk(entries=entries).drain()
        assert "/cart" not in walk(entries=entries, robots=robots("Disallow: /cart")).drain()

    def test_other_sites_feeds_sitemaps_and_files_are_counted_by_reason(self, walk):
        drive = walk(exclude=("/private/",))
        drive.take()
        hrefs = ["/feed/", "/sitemap.xml", "/a.pdf", "/private/x", "/private/y"]
        links = links_to(hrefs)
        drive.frontier.follow(SEED, (*links, *(link for link in links_to(["/ok"]))))
        assert drive.frontier.rejected == {
            Rejection.FEED: 1, Rejection.SITEMAP: 1, Rejection.NOT_A_DOCUMENT: 1, Rejection.EXCLUDED: 2,
        }  # fmt: skip
        assert drive.drain() == ["/ok"]

    def test_what_an_earlier_run_queued_and_the_patterns_now_exclude_is_not_asked_for(self, walk):
        entries = [make_entry("/", 1, depth=0), make_entry("/blog/a", 2, state=State.QUEUED), make_entry("/blog/b", 3),
                   make_entry("/shop/c", 4, state=State.QUEUED)]  # fmt: skip
        drive = walk(entries=entries, include=("/shop/",))
        assert drive.drain() == ["/", "/shop/c"]
        assert drive.frontier.rejected[Rejection.EXCLUDED] == 2
        assert drive.frontier.is_exhausted

    def test_pages_of_the_host_that_a_site_had_before_are_not_asked_for(self, walk):
        other = canonicalize("https://www.shop.example/")
        entries = [make_entry("/", 1, depth=0), make_entry("/a", 2, state=State.QUEUED)]
        frontier = walk(entries=entries, seed=other).frontier
        assert frontier.next().url == other
        assert frontier.next() is None

    def test_a_queue_that_is_the_sites_no_more_is_passed_over_a_portion_at_a_time(self, walk):
        count = 2 * SIFTED_AT_ONCE
        entries = [make_entry(f"/blog/{n}", n, state=State.QUEUED) for n in range(1, count)]
        frontier = walk(
            entries=[*entries, make_entry("/shop/a", count, state=State.QUEUED)], include=("/shop/",)
        ).frontier
        assert [frontier.next(), frontier.is_sifting] == [None, True]
        assert frontier.rejected == {Rejection.EXCLUDED: SIFTED_AT_ONCE}
        assert (path_of(frontier.next().url), frontier.is_sifting) == ("/shop/a", False)
        assert path_of(frontier.next().url) == "/"
        assert [frontier.next(), frontier.is_sifting] == [None, False]

    def test_a_seed_is_asked_for_whatever_its_address_looks_like(self, walk):
        assert walk(include=("/shop/",)).drain() == ["/"]

    @pytest.mark.parametrize("known", [None, State.REFUSED, State.QUEUED])
    def test_links_of_another_host_are_followed_once_the_site_moved_there(self, walk, known):
        drive = walk(entries=[replace(make_entry("/", 1, state=known, depth=0), url=WWW)] if known else ())
        drive.take()
        drive.frontier.move_to(WWW, build_admission(WWW, include=(), exclude=(), robots={}))
        drive.frontier.complete(SEED, kind=None, new_links=0, now=NOON)
        request = drive.frontier.next()
        assert (request.url, request.depth) == (WWW, 0)
        assert (request.priority.tier is Tier.SEED) is (known is None)
