"""A crawl that is decided again decides the same, however many pages were under way at once; other settings tell."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.policy import Walk as PolicyWalk
from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.crawl.replay import RecordedCrawl, RecordedPage, replay_crawl, rerun_crawl
from arborist_pipeline.core.web.links import LinkPlaces
from arborist_pipeline_tests.core.crawl.conftest import SEED, at, links_to, path_of
from arborist_pipeline_tests.core.crawl.conftest import Walk as Drive
from arborist_pipeline_tests.core.crawl.test_choice import GOODS, POSTS, SHOP, SITES, kind_of
from arborist_pipeline_tests.support.builders import NOON

POLICY = CrawlPolicy(max_pages=0, walk=PolicyWalk.FRESH)


def record(site, *, at_once=1, budget=200, loses=(), only=(), listed=()):
    """Walk a site with so many pages under way; what is dispatched at the numbers in `loses` is never answered.

    `only` are paths that the walk is limited to, `listed` those that it is told of after the first page.
    """
    drive = Drive(learns=True, walk=PolicyWalk.FRESH, only=only)
    under_way, pages, asked, limit = [], [], 0, at_once
    at_once = 1 if listed else at_once
    while True:
        while len(under_way) < at_once and asked < budget and (request := drive.frontier.next()) is not None:
            asked += 1
            under_way.append((asked, request))
        if not under_way:
            break
        order, request = under_way.pop(len(under_way) // 2)
        if order in loses:
            continue
        path = path_of(request.url)
        links = links_to(site.get(path, ()))
        new, _ = drive.frontier.follow(request.url, links, LinkPlaces({}), kind_of(path))
        done = drive.frontier.complete(request.url, kind=kind_of(path), new_links=new, now=NOON)
        pages.append(RecordedPage(order=order, dispatched_seq=request.dispatched_seq, completed_seq=done.completed_seq,
                                  url=request.url, why=request.priority.why, kind=kind_of(path), outcome=Outcome.OK,
                                  status=200, links=links, lesson=done.lesson))  # fmt: skip
        if len(pages) == 1:
            drive.frontier.intake.admit_listed(links_to(listed))
            at_once = limit
    return RecordedCrawl(number=1, seed=SEED, walk=PolicyWalk.FRESH, first_seq=1, started_at=NOON, max_pages=0,
                         max_depth=20, pages=tuple(pages), arm_of={}, arms=(),
                         only=tuple(map(at, only)), listed=tuple(links_to(listed)))  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(SITES, st.integers(1, 6))
def test_each_decision_comes_again(site, at_once):
    crawl = record(site, at_once=at_once)
    replay = replay_crawl(crawl, POLICY)
    assert (replay.repeated, replay.difference) == (len(crawl.pages), None)


@settings(max_examples=40, deadline=None)
@given(SITES, st.integers(1, 4), st.lists(st.sampled_from([*GOODS, *POSTS]), max_size=30, unique=True), st.booleans())
def test_so_does_that_of_a_crawl_of_some_addresses_or_of_a_sitemap(site, at_once, paths, is_limited):
    crawl = record(site, at_once=at_once, **{"only" if is_limited else "listed": tuple(paths)})
    replay = replay_crawl(crawl, POLICY)
    assert (replay.repeated, replay.difference) == (len(crawl.pages), None)
    assert not (is_limited and paths) or {page.url for page in crawl.pages} == set(map(at, paths))


def test_what_was_under_way_when_a_crawl_was_killed_is_taken_for_a_request_too():
    crawl = record(SHOP, at_once=3, budget=40, loses={7, 12})
    replay = replay_crawl(crawl, POLICY)
    assert (replay.repeated, replay.difference) == (38, None)


def test_the_first_decision_that_differs_is_told():
    crawl = record(SHOP, budget=20)
    pages = list(crawl.pages)
    pages[9], pages[15] = replace(pages[9], url=pages[15].url), replace(pages[15], url=pages[9].url)
    replay = replay_crawl(replace(crawl, pages=tuple(pages)), POLICY)
    assert replay.repeated == 9
    assert (replay.difference.order, replay.difference.recorded) == (10, crawl.pages[15].url)
    assert (replay.difference.replayed, replay.difference.replayed_why) == (crawl.pages[9].url, crawl.pages[9].why)


def test_an_answer_that_was_another_leads_to_another_decision():
    crawl = record(SHOP, budget=30)
    robbed = (replace(crawl.pages[0], links=crawl.pages[0].links[:3]), *crawl.pages[1:])
    assert replay_crawl(replace(crawl, pages=robbed), POLICY).difference is not None


def test_a_smaller_budget_brings_the_beginning_of_the_record():
    rerun = rerun_crawl(record(SHOP), replace(POLICY, max_pages=25))
    assert rerun.replayed == rerun.recorded[:25]
    assert rerun.replayed[-1] > 10


def test_less_depth_brings_less_and_what_was_never_fetched_is_unknown():
    crawl = record(SHOP)
    shallow = rerun_crawl(crawl, replace(POLICY, max_depth=1))
    assert shallow.replayed[-1] == 0
    assert len(shallow.replayed) == 1 + len(SHOP["/"])
    lists = tuple(page for page in crawl.pages if path_of(page.url) not in GOODS)
    assert rerun_crawl(replace(crawl, pages=lists), POLICY).unknown == len(GOODS)


def test_two_addresses_of_one_product_count_once():
    crawl = record({"/": GOODS[:2]})
    same = [replace(page, lesson=replace(page.lesson, identity=at(GOODS[0]))) for page in crawl.pages]
    assert rerun_crawl(replace(crawl, pages=tuple(same)), POLICY).recorded == (0, 1, 1)
