"""Spellings of one address that people confuse, the nearest first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.report.url_record import near_spellings
from arborist_pipeline.core.web.url import canonicalize

WORDS = st.text("abcABC019-", min_size=1, max_size=6)


@pytest.mark.parametrize(("asked", "known"), [
    ("https://shop.example/about", "https://shop.example/about/"),
    ("https://shop.example/about/", "https://shop.example/about"),
    ("https://shop.example/about", "http://shop.example/about"),
    ("https://shop.example/about", "https://www.shop.example/about"),
    ("https://www.shop.example/about", "https://shop.example/about"),
    ("https://shop.example/about?page=2", "https://shop.example/about"),
    ("https://shop.example/About", "https://shop.example/about"),
    ("http://127.0.0.1:8000/a", "http://127.0.0.1:8000/a/"),
])  # fmt: skip
def test_one_difference_stands_among_the_first(asked, known):
    assert canonicalize(known) in near_spellings(canonicalize(asked))[:5]


def test_several_differences_come_after_one():
    spelt = near_spellings(canonicalize("https://shop.example/about?x=1"))
    assert spelt.index(canonicalize("http://www.shop.example/about/")) >= 4


@given(WORDS, WORDS, st.booleans(), st.booleans())
def test_whatever_is_near_is_canonical_and_not_the_address_itself(host, path, has_slash, has_query):
    url = canonicalize(f"https://a{host}.example/{path}{'/' if has_slash else ''}{'?q=1' if has_query else ''}")
    spelt = near_spellings(url)
    assert url not in spelt
    assert len(set(spelt)) == len(spelt) <= 23
    assert [canonicalize(each) for each in spelt] == list(spelt)
