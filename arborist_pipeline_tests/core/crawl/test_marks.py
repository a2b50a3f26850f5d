"""Marks: small, shared, and never mistaken for one another."""

import pytest

from arborist_pipeline.core.crawl.marks import UNMET, Marks, Standing, ceiling


@pytest.mark.parametrize("depth", [0, 1, 19, 300, 70_000])
@pytest.mark.parametrize("standing", Standing)
def test_a_mark_tells_where_a_url_stands_and_how_deep(standing, depth):
    marks = Marks()
    marks.put("https://a.example/", standing, depth)
    assert (marks.standing("https://a.example/"), marks.depth("https://a.example/")) == (standing, depth)
    assert marks.is_met("https://a.example/") is (standing not in UNMET)
    marks.lower("https://a.example/", depth // 2)
    assert (marks.standing("https://a.example/"), marks.depth("https://a.example/")) == (standing, depth // 2)


@pytest.mark.parametrize("standing", Standing)
def test_below_the_ceiling_are_those_that_another_link_does_not_change(standing):
    marks = Marks()
    for depth in range(6):
        marks.put("https://a.example/", standing, depth)
        is_settled = standing not in (*UNMET, Standing.REFUSED_AS_WRITTEN) and depth <= 3
        assert (marks.by_hash[hash("https://a.example/")] < ceiling(3)) is is_settled


def test_what_is_unknown_stands_nowhere():
    assert Marks().standing("https://a.example/") is None
    assert not Marks().is_met("https://a.example/")


def test_seen_counts_each_url_once_and_those_of_earlier_crawls_when_they_are_met():
    marks = Marks()
    for standing in (Standing.LEFT, Standing.LEFT_ANSWERED, Standing.QUEUED, Standing.ASKED, Standing.MOVED):
        marks.put("https://a.example/", standing, 1)
        assert marks.seen == (standing not in UNMET)


def test_equal_marks_are_one_object():
    marks = Marks()
    for number in range(2_000):
        marks.put(f"https://a.example/{number}", Standing.LEFT, 900)
    assert len({id(mark) for mark in marks.by_hash.values()}) == 1
