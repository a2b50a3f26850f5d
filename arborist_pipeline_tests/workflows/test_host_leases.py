"""Leases kept by a thread of their own, whatever the rest of the process is doing."""

import threading
import time
from datetime import timedelta

import pytest

from arborist_pipeline.core.errors import LeaseHeld, StoreError
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.host_leases import LEASE_SECONDS, HostLeases, host_of

SHOP, TWIN = canonicalize("https://shop.example/a"), canonicalize("https://www.shop.example/")


@pytest.fixture
def quick(monkeypatch):
    """Beats follow each other at once."""
    monkeypatch.setattr("arborist_pipeline.workflows.host_leases.HEARTBEAT_SECONDS", 0.001)


@pytest.fixture
def hold(store, clock):
    return lambda holder="one": HostLeases(store.leases, clock, holder=holder)


def wait_until(condition):
    while not condition():
        time.sleep(0.001)


def expiry(desk, host="shop.example"):
    ((expires_at,),) = desk.rows("SELECT expires_at FROM leases WHERE host = :host", host=host)
    return expires_at


def test_hosts_are_held_inside_the_context_and_free_behind_it(hold):
    with hold() as hosts:
        assert hosts.take(SHOP) is hosts.take(canonicalize("https://shop.example/b"))
        assert hosts.take(TWIN).host == "www.shop.example"
        for url in (SHOP, TWIN):
            with hold("two") as others, pytest.raises(LeaseHeld, match="by one since"):
                others.take(url)
    with hold("two") as hosts:
        hosts.take(SHOP)
        hosts.take(TWIN)


@pytest.mark.usefixtures("quick")
def test_every_lease_is_renewed_though_the_event_loop_does_not_run(hold, desk, clock):
    with hold() as hosts:
        hosts.take(SHOP)
        hosts.take(TWIN)
        clock.advance(LEASE_SECONDS - 1)
        until = str(clock.now().replace(tzinfo=None) + timedelta(seconds=LEASE_SECONDS))
        for host in ("shop.example", "www.shop.example"):
            wait_until(lambda host=host: expiry(desk, host) >= until)


@pytest.mark.usefixtures("quick")
def test_a_lease_that_went_is_told_once_and_the_new_holder_keeps_it(hold, store, clock):
    told = []
    with hold() as hosts:
        hosts.lost = told.append
        store.leases.release(hosts.take(SHOP), clock.now())
        wait_until(lambda: told)
        with hold("two") as others:
            others.take(SHOP)
    assert told == ["another crawl took shop.example over; nothing more is written"]


@pytest.mark.usefixtures("quick")
def test_a_store_that_cannot_be_written_for_a_while_loses_no_lease(hold, store, clock, desk, monkeypatch):
    renew, failed = type(store.leases).renew, threading.Event()

    def refuse(*_, **__):
        failed.set()
        raise StoreError("locked")

    told = []
    with hold() as hosts:
        hosts.lost = told.append
        monkeypatch.setattr(type(store.leases), "renew", refuse)
        hosts.take(SHOP)
        before = expiry(desk)
        assert failed.wait(60)
        monkeypatch.setattr(type(store.leases), "renew", renew)
        clock.advance(1)
        wait_until(lambda: expiry(desk) > before)
    assert told == []


def test_a_host_in_other_hands_is_named_with_its_holder_and_not_tried_again(hold, store, clock):
    lease = store.leases.acquire("shop.example", holder="another", seconds=900, now=clock.now())
    with hold() as hosts:
        assert hosts.refusal_of(TWIN) is None
        assert "by another since" in hosts.refusal_of(SHOP)
        store.leases.release(lease, clock.now())
        assert "by another since" in hosts.refusal_of(SHOP)


@pytest.mark.usefixtures("quick")
def test_what_is_taken_for_a_while_is_given_back_and_the_rest_is_kept(hold, store, clock):
    told = []
    with hold() as hosts:
        hosts.lost = told.append
        hosts.take(SHOP)
        for _ in range(50):  # while beats go on
            with hosts.for_a_while():
                assert hosts.refusal_of(TWIN) is hosts.refusal_of(SHOP) is None
            assert store.leases.tell_holder("www.shop.example", clock.now()) is None
        assert store.leases.tell_holder("shop.example", clock.now()) is not None
    assert told == []


@pytest.mark.parametrize(("url", "host"), [
    ("https://shop.example/x", "shop.example"), ("http://shop.example/", "shop.example"),
    ("http://shop.example:8080/", "shop.example:8080"),
])  # fmt: skip
def test_a_host_is_named_with_its_port_where_that_is_not_the_schemes_own(url, host):
    assert host_of(canonicalize(url)) == host
