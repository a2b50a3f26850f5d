"""One crawl a host, whoever starts it, and no write by one who was overtaken."""

import subprocess
import sys
import threading
from datetime import timedelta

import pytest

from arborist_pipeline.adapters.processes import this_process
from arborist_pipeline.adapters.stores.engine import writing
from arborist_pipeline.adapters.stores.leases import check_fence
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.holder import Process, name_holder
from arborist_pipeline.core.errors import LeaseHeld, LeaseLost
from arborist_pipeline.core.ports import Lease
from arborist_pipeline_tests.adapters.stores.conftest import dump, prose, rows, visit
from arborist_pipeline_tests.support.builders import NOON

HOST = "shop.example"


def after(seconds):
    return NOON + timedelta(seconds=seconds)


@pytest.fixture
def take(store):
    def acquire(holder="one", now=NOON, host=HOST):
        return store.leases.acquire(host, holder=holder, seconds=90, now=now)

    return acquire


def test_a_host_is_held_by_one_and_the_refusal_tells_by_whom_since_when_and_how_long(store, take):
    take("run 7 on anvil")
    told = ("shop.example is being crawled by run 7 on anvil since 2026-01-15T12:00:00Z; wait for it, or stop it "
            "(the host is free from 2026-01-15T12:01:30Z if that crawl is gone)")  # fmt: skip
    with pytest.raises(LeaseHeld) as refused:
        take("two", now=after(89))
    assert str(refused.value) == store.leases.tell_holder(HOST, after(89)) == told


def test_of_a_free_host_nobody_is_told(store, take):
    assert store.leases.tell_holder(HOST, NOON) is None
    lease = take()
    assert store.leases.tell_holder(HOST, after(90)) is None
    store.leases.release(lease, after(1))
    assert store.leases.tell_holder(HOST, after(2)) is None


def test_what_was_given_back_is_free_though_the_clock_was_years_ahead_then(store, take):
    later = 10 * 365 * 86_400
    ahead = take(now=after(later))
    store.leases.release(ahead, after(later + 60))
    assert store.leases.tell_holder(HOST, NOON) is None
    assert take("two").token > ahead.token
    with pytest.raises(LeaseHeld):
        take("three", now=after(1))


def test_hosts_do_not_wait_for_each_other(take):
    assert take(host="a.example").token == take(host="b.example").token == 1


def test_an_expired_lease_can_be_taken_and_its_token_grows(take):
    first, second = take(), take("two", now=after(90))
    assert second.token > first.token


def test_the_lease_of_a_process_that_has_ended_is_taken_over_at_once(store, take):
    with subprocess.Popen([sys.executable, "-c", "pass"]) as child:
        child.wait()
    old = take(name_holder("a killed crawl", Process(this_process().machine, child.pid)))
    assert store.leases.tell_holder(HOST, after(1)) is None
    assert take("two", now=after(1)).token > old.token


def test_the_lease_of_a_process_that_is_at_work_is_not(take):
    take(name_holder("a crawl", this_process()))
    with pytest.raises(LeaseHeld):
        take("two", now=after(1))


def test_a_renewed_lease_lasts_longer(store, take):
    lease = take()
    assert store.leases.renew(lease, seconds=90, now=after(60))
    with pytest.raises(LeaseHeld):
        take("two", now=after(149))
    assert take("two", now=after(150)).token > lease.token


def test_an_overtaken_holder_cannot_renew_or_release(store, take):
    old = take()
    new = take("two", now=after(100))
    assert not store.leases.renew(old, seconds=90, now=after(101))
    store.leases.release(old, after(102))
    with pytest.raises(LeaseHeld, match="two"):
        take("three", now=after(103))
    assert store.leases.renew(new, seconds=90, now=after(104))


def test_a_released_lease_is_free_at_once_and_no_late_heartbeat_brings_it_back(store, take):
    lease = take()
    store.leases.release(lease, after(1))
    assert not store.leases.renew(lease, seconds=90, now=NOON)
    assert take("two", now=after(1)).token > lease.token


def test_the_fence_stops_a_batch_of_an_overtaken_crawl_before_anything_is_written(store, take):
    old = take()
    start = visit(store, {"/": prose()}, lease=old)
    take("two", now=after(100))
    before = dump(store)
    with pytest.raises(LeaseLost, match=HOST):
        visit(store, {"/a": prose("Another page")}, lease=old, start=start)
    assert dump(store) == before


def test_the_fence_stops_a_batch_that_comes_after_the_release(store, take):
    lease = take()
    store.leases.release(lease, after(1))
    with pytest.raises(LeaseLost):
        visit(store, {"/": prose()}, lease=lease)


def test_a_lease_that_no_table_knows_is_lost(store):
    with pytest.raises(LeaseLost), writing(store.engine) as connection:
        check_fence(connection, Lease(host="other.example", holder="x", token=1))


def test_old_leases_are_swept_and_held_ones_stay(store, take):
    take(host="old.example", now=NOON - timedelta(days=40))
    take()
    assert store.leases.sweep(NOON) == 1
    assert rows(store, "SELECT host FROM leases") == [(HOST,)]


@pytest.mark.usefixtures("store")
def test_of_many_that_want_a_host_at_once_exactly_one_gets_it(location):
    outcomes, barrier = [], threading.Barrier(6)

    def want(name):
        other = open_store(location)
        barrier.wait()
        try:
            outcomes.append(other.leases.acquire(HOST, holder=name, seconds=90, now=NOON).holder)
        except LeaseHeld:
            outcomes.append(None)
        finally:
            other.close()

    threads = [threading.Thread(target=want, args=(f"crawl {n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 6
    assert sum(name is not None for name in outcomes) == 1
