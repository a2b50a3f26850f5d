"""Copies of robots.txt between runs."""

from dataclasses import replace
from datetime import timedelta

from arborist_pipeline.core.ports import RobotsCopy
from arborist_pipeline.core.web.url import canonicalize, split_origin
from arborist_pipeline_tests.adapters.stores.conftest import rows
from arborist_pipeline_tests.support.builders import NOON

ORIGIN = split_origin("https://shop.example/")
COPY = RobotsCopy(url=canonicalize("https://cdn.example/robots.txt"), status=200, body=b"Disallow: /\xff\x00",
                  fetched_at=NOON)  # fmt: skip


def test_the_newest_copy_of_an_origin_comes_back_as_it_was(store):
    store.robots.put_robots(ORIGIN, COPY)
    newer = replace(COPY, status=404, body=b"", fetched_at=NOON + timedelta(days=1))
    assert store.robots.load_robots(ORIGIN, since=NOON) == COPY
    store.robots.put_robots(ORIGIN, newer)
    assert store.robots.load_robots(ORIGIN, since=NOON) == newer
    assert rows(store, "SELECT count(*) FROM robots_files") == [(1,)]


def test_each_scheme_host_and_port_has_a_copy_of_its_own(store):
    store.robots.put_robots(ORIGIN, COPY)
    for other in ("http://shop.example/", "https://shop.example:8443/", "https://www.shop.example/"):
        assert store.robots.load_robots(split_origin(other), since=NOON) is None


def test_a_copy_that_is_too_old_is_none(store):
    store.robots.put_robots(ORIGIN, COPY)
    assert store.robots.load_robots(ORIGIN, since=NOON + timedelta(seconds=1)) is None
