"""Laws of the frontier, over sites of any shape."""

from collections import deque
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.entries import State
from arborist_pipeline.core.crawl.memory_rows import MemoryRows
from arborist_pipeline_tests.core.crawl.conftest import Walk as Drive
from arborist_pipeline_tests.support.builders import NOON

PAGES = ["/", *(f"/{n}" for n in range(8)), *(f"/products/{n}" for n in range(8))]


GRAPHS = st.dictionaries(st.sampled_from(PAGES), st.lists(st.sampled_from(PAGES), max_size=6), max_size=len(PAGES))


def distances(site):
    found, queue = {"/": 0}, deque(["/"])
    while queue:
        path = queue.popleft()
        for target in site.get(path, ()):
            if target not in found:
                found[target] = found[path] + 1
                queue.append(target)
    return found


@given(GRAPHS)
def test_without_a_cap_all_that_is_linked_is_fetched_once_and_its_depth_is_the_shortest(site):
    drive = Drive()
    order = drive.drain(site)
    expected = distances(site)
    assert sorted(order) == sorted(expected)
    assert {path: drive.depth(path) for path in order} == expected
    assert drive.frontier.is_exhausted


@given(GRAPHS, st.integers(0, 4))
def test_under_a_depth_limit_all_within_reach_is_fetched_and_nothing_beyond(site, limit):
    order = Drive(max_depth=limit).drain(site)
    assert sorted(order) == sorted(path for path, distance in distances(site).items() if distance <= limit)


@given(GRAPHS, st.integers(1, 6), st.integers(2, 8))
def test_runs_with_a_small_budget_keep_it_and_together_lose_nothing_and_ask_nothing_twice(site, cap, runs):
    rows, asked = MemoryRows(), []
    for night in range(runs * 4):
        drive = Drive(rows=rows, max_pages=cap, now=NOON + timedelta(minutes=night))
        order = drive.drain(site)
        assert len(order) <= cap
        asked += [path for path in order if path != "/"]
        drive.commit()
    assert len(asked) == len(set(asked))
    if cap * runs * 4 > 2 * len(PAGES) * 2 and cap > 1:
        assert {"/", *asked} == set(distances(site))


@given(GRAPHS, st.lists(st.booleans(), min_size=60, max_size=60))
def test_however_answers_overlap_nothing_is_lost_or_handed_out_twice(site, flips):
    drive, under_way, order = Drive(), [], []
    flips = iter(flips)
    while True:
        path = drive.take() if next(flips, True) or not under_way else None
        if path is not None:
            under_way.append(path)
            order.append(path)
        elif under_way:
            done = under_way.pop(len(under_way) // 2)
            drive.fetch(done, site.get(done, ()))
        else:
            break
    assert sorted(order) == sorted(distances(site))


@given(GRAPHS)
def test_the_rows_for_the_store_are_the_frontier_itself(site):
    drive, stored = Drive(max_depth=2), {}
    while (path := drive.take()) is not None:
        drive.fetch(path, site.get(path, ()))
        for row in drive.frontier.take_changes():
            assert (row.url not in stored) == row.is_new
            stored[row.url] = (row.state, row.depth)
    assert {url: depth for url, (_, depth) in stored.items()} == {url: drive.frontier.depth_of(url) for url in stored}
    assert {state for state, _ in stored.values()} <= {State.DONE, State.BEYOND}
    assert f"seen={len(stored)} " in repr(drive.frontier)
