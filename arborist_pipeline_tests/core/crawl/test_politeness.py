"""When a host may be asked next, and how many requests it gets at once."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.policy import MAX_CRAWL_DELAY_SECONDS
from arborist_pipeline.core.crawl.politeness import (
    FIRST_BACKOFF_SECONDS,
    FIRST_PAUSE_SECONDS,
    MAX_DEAD_IN_A_ROW,
    MAX_RETRIES,
    MAX_RETRY_AFTER_SECONDS,
    HostPace,
    agreed_delay,
)
from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
from arborist_pipeline_tests.support.builders import make_result

GOOD = make_result("<p>x</p>")
BUSY = make_result(status=503)


def failing(kind):
    return make_result(failure=FetchFailure(kind=kind, message="x"))


def pace(delay=0.0, concurrency=1, jitter=0.0):
    return HostPace(delay, concurrency, lambda: jitter)


def observe(host, result, *, attempt=1, retry_after=None, now=0.0):
    return host.observe(result, attempt=attempt, retry_after=retry_after, now=now)


def test_the_gap_is_counted_from_start_to_start():
    host = pace(delay=2.0)
    assert host.take_turn(10.0, 0) == 0
    assert host.take_turn(10.5, 0) == 1.5
    assert host.take_turn(12.0, 0) == 0
    assert host.take_turn(99.0, 0) == 0
    assert host.take_turn(99.0, 0) == 2.0


def test_no_more_are_under_way_than_allowed():
    host = pace(concurrency=3)
    assert [host.take_turn(0.0, n) == 0 for n in range(5)] == [True, True, True, False, False]


@given(st.floats(0, 60), st.lists(st.floats(0, 100), min_size=1, max_size=30))
def test_starts_are_never_closer_than_the_delay(delay, steps):
    host, now, starts = pace(delay=delay), 0.0, []
    for step in steps:
        now += step
        if host.take_turn(now, 0) == 0:
            starts.append(now)
    assert all(later - earlier >= delay - 1e-6 for earlier, later in pairwise(starts))


@given(st.floats(0, 60), st.floats(0, 1e6))
def test_after_the_wait_that_was_named_the_turn_comes(delay, now):
    host = pace(delay=delay)
    host.take_turn(now, 0)
    wait = host.take_turn(now, 0)
    assert host.take_turn(math.nextafter(now + wait, math.inf), 0) <= 1e-9 * (1 + now)


@pytest.mark.parametrize(("result", "retries"), [
    (make_result(status=429), 3), (BUSY, 3), (make_result(status=500), 3), (make_result(status=502), 3),
    (make_result(status=504), 3), (make_result("half", truncated=True), 3), (failing(FailureKind.TIMEOUT), 1),
    (failing(FailureKind.CONNECT), 3), (failing(FailureKind.PROTOCOL), 3),
])  # fmt: skip
def test_trouble_that_may_pass_is_asked_again_so_often(result, retries):
    host = pace()
    again = [observe(host, result, attempt=attempt) is not None for attempt in range(1, MAX_RETRIES + 2)]
    assert again == [attempt <= retries for attempt in range(1, MAX_RETRIES + 2)]


@pytest.mark.parametrize("result", [
    GOOD, make_result(status=304), make_result(status=301), make_result(status=404), make_result(status=403),
    make_result(status=501), failing(FailureKind.DNS), failing(FailureKind.TLS), failing(FailureKind.BLOCKED_ADDRESS),
])  # fmt: skip
def test_everything_else_is_asked_once_and_costs_no_pause(result):
    host = pace()
    assert observe(host, result) is None
    assert host.take_turn(0.0, 0) == 0


@pytest.mark.parametrize("result", [make_result(status=500), failing(FailureKind.TIMEOUT)])
def test_trouble_of_one_page_keeps_only_that_page_waiting(result):
    host = pace()
    assert observe(host, result) == FIRST_BACKOFF_SECONDS
    assert host.take_turn(0.0, 0) == 0
    assert observe(host, make_result(status=500), attempt=3) == 4 * FIRST_BACKOFF_SECONDS


def test_the_pause_is_what_the_server_asks_for():
    host = pace()
    observe(host, BUSY, retry_after=7.0, now=100.0)
    assert host.take_turn(100.0, 0) == 7.0
    assert host.take_turn(107.0, 0) == 0


def test_a_wish_of_no_pause_is_a_wish():
    host = pace()
    observe(host, BUSY, retry_after=0.0, now=100.0)
    assert host.take_turn(100.0, 0) == 0


@pytest.mark.parametrize("seconds", [MAX_RETRY_AFTER_SECONDS + 1, 86_400.0, 1e12])
def test_an_absurd_wish_is_no_wish(seconds):
    host = pace()
    observe(host, BUSY, retry_after=seconds)
    assert host.take_turn(0.0, 0) == FIRST_PAUSE_SECONDS


def test_wishes_that_were_granted_in_vain_grow():
    host, pauses, now = pace(), [], 0.0
    for _ in range(10):
        observe(host, BUSY, retry_after=1.0, now=now)
        pauses.append(host.take_turn(now, 0))
        now = host.pause_until
    assert pauses == [1.0, 1.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_without_a_wish_pauses_double_up_to_the_cap():
    host, pauses, now = pace(), [], 0.0
    for _ in range(7):
        observe(host, BUSY, now=now)
        pauses.append(host.take_turn(now, 0))
        now = host.pause_until
    assert pauses == [2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]


def test_complaints_about_requests_from_before_the_pause_are_one():
    host = pace(concurrency=8)
    for _ in range(6):
        observe(host, BUSY, now=1.0)
    assert (host.allowed, host.dead_in_a_row, host.pause_until) == (4, 1, 1.0 + FIRST_PAUSE_SECONDS)


def test_jitter_adds_up_to_a_quarter():
    host = pace(jitter=1.0)
    observe(host, BUSY)
    assert host.take_turn(0.0, 0) == FIRST_PAUSE_SECONDS * 1.25


def test_overload_halves_and_good_answers_earn_one_back_a_round():
    host = pace(concurrency=8)
    observe(host, BUSY, now=0.0)
    assert host.allowed == 4
    observe(host, make_result(status=429), now=100.0)
    assert host.allowed == 2
    for _ in range(2):
        observe(host, GOOD, now=200.0)
    assert 2.8 < host.allowed < 3.0
    for _ in range(100):
        observe(host, GOOD, now=200.0)
    assert host.allowed == 8
    for step in range(9):
        observe(host, BUSY, now=1_000.0 * step + 1_000)
    assert host.allowed == 1


def test_an_error_that_is_no_overload_does_not_halve():
    host = pace(concurrency=8)
    observe(host, make_result(status=500))
    assert host.allowed == 8


@pytest.mark.parametrize("result", [BUSY, make_result(status=500), failing(FailureKind.TIMEOUT),
                                    failing(FailureKind.DNS), failing(FailureKind.TLS)])  # fmt: skip
def test_a_host_that_fails_a_dozen_times_in_a_row_is_dead(result):
    host = pace()
    for step in range(MAX_DEAD_IN_A_ROW - 1):
        observe(host, result, now=1_000.0 * step)
        assert not host.is_dead
    assert observe(host, result, now=1e6) is None
    assert host.is_dead


def test_one_good_answer_brings_a_host_back():
    host = pace()
    for step in range(MAX_DEAD_IN_A_ROW - 1):
        observe(host, BUSY, now=1_000.0 * step)
    observe(host, GOOD, now=1e6)
    observe(host, BUSY, now=2e6)
    assert not host.is_dead


def test_a_failure_earns_nothing():
    host = pace(concurrency=8)
    observe(host, BUSY)
    observe(host, failing(FailureKind.DNS))
    assert host.allowed == 4


@pytest.mark.parametrize(("asked", "expected"), [
    (None, 2.0), (0.0, 0.0), (0.5, 0.5), (10.0, 10.0), (60.0, 60.0), (86_400.0, MAX_CRAWL_DELAY_SECONDS),
])  # fmt: skip
def test_the_delay_is_what_robots_asks_for_within_reason(asked, expected):
    assert agreed_delay(asked, default=2.0) == expected
