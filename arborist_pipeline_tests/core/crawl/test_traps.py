"""Patterns that only ever lead to more of themselves come last and get a bounded share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.traps import (
    LEAST_SHARE,
    SUSPECT_AFTER,
    UNCAPPED_SHARE,
    TrapWatch,
    repeats_itself,
    url_template,
)
from arborist_pipeline.core.web.page import PageKind
from arborist_pipeline_tests.core.crawl.conftest import at, links_to


@pytest.mark.parametrize(("path", "template"), [
    ("/", None),
    ("/about", None),
    ("/blog/a-word-of-thanks", None),
    ("/events/2024/05", "/events/{n}/{n}"),
    ("/events/2024-05-03.html", "/events/{n}-{n}-{n}.html"),
    ("/item-7.html", "/item-{n}.html"),
    ("/events?y=2024&m=1", "/events?{q}"),
    ("/shop?color=red", "/shop?{q}"),
    ("/shop?color=red&size=m", "/shop?{q}"),
    ("/s/9f86d081884c7d659a2feaa0/page", "/s/{x}/page"),
    ("/p/a-long-name-of-words-only", None),
])  # fmt: skip
def test_a_template_has_marks_for_what_machines_count(path, template):
    found = url_template(at(path))
    assert found == (None if template is None else "https://shop.example" + template)


@pytest.mark.parametrize(("path", "expected"), [
    ("/a/b/a/b/a/b/", True),
    ("/x/a/a/a", True),
    ("/a/b/c/a/b/c/a/b/c/d", True),
    ("/a/b/a/b/", False),
    ("/a/a/b", False),
    ("/2024/01/01/01", False),
    ("/archive/1/1/1/x", False),
    ("/a//b//c//d", False),
    ("/x///y", False),
    ("/a/b/c/d/e/f", False),
    ("/", False),
    ("/find?path=/a/a/a/a", False),
])  # fmt: skip
def test_paths_that_repeat_themselves_are_told_from_dates(path, expected):
    assert repeats_itself(f"https://shop.example{path}") is expected


@given(st.lists(st.sampled_from(["a", "b", "c", "1", ""]), max_size=12))
def test_three_in_a_row_are_found_wherever_they_stand(segments):
    def repeats(length):
        blocks = [tuple(segments[place : place + length]) for place in range(len(segments) - length + 1)]
        return any(
            blocks[place] == blocks[place + length] == blocks[place + 2 * length]
            and any(part and not part.isdecimal() for part in blocks[place])
            for place in range(len(blocks) - 2 * length)
        )

    assert repeats_itself("https://shop.example/" + "/".join(segments)) is any(map(repeats, (1, 2, 3)))


def calendar(path):
    """Every month leads to the next, the one of the year after, and back to the shop."""
    number = int(path.rpartition("=")[2] or 0)
    return [f"/events?m={number + 1}", f"/events?m={number + 12}", "/shop/"]


def walk_trap(walk, links_of, *, kind=PageKind.OTHER, has_prose=False, limit=2_000, **policy):
    drive = walk(max_depth=9_999, **policy)
    order = []
    while (path := drive.take()) is not None and len(order) < limit:
        order.append(path)
        new, _ = drive.frontier.follow(at(path), links_to(links_of(path)))
        drive.frontier.complete(at(path), kind=kind, new_links=new, now=drive.now, has_prose=has_prose)
    return drive, order


SHOP = {"/": ["/events?m=1", "/shop/"], "/shop/": [f"/thing-{n}" for n in range(5)]}


def shop_with_calendar(path):
    return calendar(path) if path.startswith("/events") else SHOP.get(path, [])


@pytest.mark.parametrize(("max_pages", "share"), [(0, UNCAPPED_SHARE), (40, LEAST_SHARE), (400, 100)])
def test_an_endless_calendar_gets_its_share_and_everything_else_is_reached(walk, max_pages, share):
    drive, order = walk_trap(walk, shop_with_calendar, max_pages=max_pages)
    assert {f"/thing-{n}" for n in range(5)} <= set(order)
    assert sum(path.startswith("/events") for path in order) == share + 1  # the first one was found on the start page
    assert not drive.frontier.is_exhausted
    (trap,) = drive.frontier.traps
    assert (trap.template, trap.asked) == ("https://shop.example/events?{q}", share)
    assert trap.left == drive.frontier.unfetched > 0
    assert trap.example.startswith("https://shop.example/events?m=")


def test_a_suspect_waits_for_all_others_whenever_they_are_found(walk):
    names = iter("abcdefghijklmnopqrstuvwxyz" * 9)

    def links_of(path):
        if path.startswith("/events"):
            return calendar(path)
        return ["/events?m=1", "/a"] if path == "/" else [path + next(names), path + next(names)]

    _, order = walk_trap(walk, links_of, max_pages=100)
    months = [place for place, path in enumerate(order) if path.startswith("/events")]
    assert SUSPECT_AFTER < len(months) <= SUSPECT_AFTER + 2


@pytest.mark.parametrize("worth", [{"kind": PageKind.PRODUCT}, {"kind": PageKind.ARTICLE}, {"has_prose": True}])
def test_pages_worth_having_are_no_trap_though_each_is_found_on_the_one_before(walk, worth):
    drive, order = walk_trap(
        walk, lambda path: [f"/chapter-{int(path[9:] or 0) + 1}"] if path != "/chapter-600" else [], **worth
    )
    assert len(order) == 601
    assert drive.frontier.traps == ()
    assert drive.frontier.is_exhausted


def test_a_listing_that_goes_on_bringing_goods_is_no_trap(walk):
    def links_of(path):
        page = 0 if path == "/" else int(path.rpartition("=")[2]) if "?" in path else 401
        return [] if page > 400 else [f"/list?page={page + 1}", f"/goods/{page}x"]

    drive, order = walk_trap(walk, links_of)
    assert len(order) == 803
    assert drive.frontier.traps == ()


def test_addresses_found_on_other_pages_are_no_trap_however_little_they_bring(walk):
    topics = [f"/topic?id={number}" for number in range(1_000)]
    drive, order = walk_trap(walk, lambda path: topics if path == "/" else ["/"])
    assert len(order) == 1_001
    assert drive.frontier.is_exhausted


def test_one_page_that_brings_something_clears_its_pattern(walk):
    def links_of(path):
        more = calendar(path) if path.startswith("/events") else SHOP.get(path, [])
        return [*more, "/festival"] if path == f"/events?m={SUSPECT_AFTER - 2}" else more

    drive, order = walk_trap(walk, links_of, limit=SUSPECT_AFTER + 30)
    assert "/festival" in order
    assert drive.frontier._traps.share == UNCAPPED_SHARE


def test_what_was_left_of_a_trap_stands_last_in_the_next_run_too(walk):
    drive, _ = walk_trap(walk, shop_with_calendar, max_pages=40)
    rows = drive.frontier.take_changes()
    assert {row.bucket.name for row in rows if row.state == "queued"} == {"LAST"}


def test_a_watch_without_a_budget_has_a_share_too():
    assert TrapWatch(0).share == UNCAPPED_SHARE
    assert TrapWatch(8).share == LEAST_SHARE
