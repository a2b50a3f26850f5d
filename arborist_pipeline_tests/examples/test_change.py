"""The second phase of the shop differs from the first in what the change says, and in nothing else."""

import pytest

from arborist_pipeline.core.web.html import inline_text
from examples.demo_shop.shop import build_shop

HEADERS = {"Host": "shop.test"}


@pytest.fixture(scope="module", params=[7, 2024])
def both(request):
    """A shop before and after its change, and what the change says."""
    before, after = build_shop(request.param), build_shop(request.param)
    return before, after, after.change()


def test_one_price_one_text_and_one_page_change(both, read):
    before, after, change = both
    old, new = before.truth.products, after.truth.products
    assert set(old) - set(new) == {change.removed}
    assert set(new) <= set(old)
    assert [path for path in new if new[path] != old[path]] == [change.repriced]
    assert (old[change.repriced].price, new[change.repriced].price) == (change.price_before, change.price_after)
    assert change.price_before != change.price_after
    texts = [[inline_text(p) for p in read(shop, change.rewritten).tree.iter("p")] for shop in (before, after)]
    assert sum(one != other for one, other in zip(*texts, strict=True)) == 1


def test_only_the_touched_pages_have_other_bytes(both):
    before, after, change = both
    assert set(before.truth.pages) - set(after.truth.pages) == {change.removed}
    assert not set(after.truth.pages) - set(before.truth.pages)
    differing = {
        target
        for target in after.truth.pages
        if before.response("GET", target, HEADERS).body != after.response("GET", target, HEADERS).body
    }
    assert differing == set(change.touched)
    assert {change.repriced, change.rewritten} <= differing
    assert len(differing) < 40


def test_a_conditional_head_sees_the_change(both):
    before, after, change = both
    stale = set()
    for target in before.truth.pages:
        known = before.response("GET", target, HEADERS).headers
        by_tag, by_date = (
            after.response("HEAD", target, {**HEADERS, name: value}).status
            for name, value in (("If-None-Match", known["etag"]), ("If-Modified-Since", known["last-modified"]))
        )
        assert (
            by_tag == by_date == {True: 200, False: 404 if target == change.removed else 304}[target in change.touched]
        )
        stale |= {target} if by_tag == 200 else set()
    assert stale == set(change.touched)


def test_the_removed_page_is_gone_and_one_link_to_it_remains(both, read):
    before, after, change = both
    assert before.response("GET", change.removed, HEADERS).status == 200
    assert after.response("GET", change.removed, HEADERS).status == 404
    linking = [
        (target, link.text)
        for target in after.truth.pages
        if change.removed.encode() in after.response("GET", target, HEADERS).body
        for link in read(after, target).links
        if link.url.endswith(change.removed)
    ]
    (lost,) = change.broken
    assert linking == [(lost.source, lost.anchor)]
    assert after.truth.broken == (*before.truth.broken, lost)
    assert change.removed not in after.response("GET", "/sitemap.xml", HEADERS).body.decode()


def test_the_truth_knows_its_change_and_a_second_call_changes_nothing(both):
    before, after, change = both
    assert before.truth.changed is None
    assert after.truth.changed == change
    truth = after.truth
    assert after.change() == change
    assert after.truth is truth
