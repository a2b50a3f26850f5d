"""A page's leaf binds URL and root; a comparison names what became of each page."""

from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.documents.document import site_root
from arborist_pipeline.core.documents.merkle import compute_root
from arborist_pipeline.core.documents.site_tree import PageStep, Step, compare_pages, hash_page

A, B = b"a" * 32, b"b" * 32
states = st.dictionaries(st.text("abé/", min_size=1, max_size=4), st.sampled_from([A, B]), max_size=20)


@given(states)
def test_the_tree_of_a_site_is_the_one_its_data_version_names(pages):
    leaves = [hash_page(url, root) for url, root in sorted(pages.items())]
    assert compute_root(leaves) == (site_root(pages.items()), len(pages))


@given(states, states)
def test_the_steps_lead_from_one_state_to_the_other(before, after):
    reached = dict(before)
    for url, step, from_root, to_root in compare_pages(before.items(), after.items()):
        assert reached.get(url) == from_root
        assert step is (Step.NEW if from_root is None else Step.GONE if to_root is None else Step.CHANGED)
        reached[url] = to_root
    assert {url: root for url, root in reached.items() if root is not None} == after


def test_equal_states_have_no_steps_and_steps_come_in_order_of_url():
    assert list(compare_pages([("u", A)], [("u", A)])) == []
    assert list(compare_pages([("b", A), ("c", A)], [("a", A), ("c", B)])) == [
        PageStep("a", Step.NEW, None, A), PageStep("b", Step.GONE, A, None), PageStep("c", Step.CHANGED, A, B),
    ]  # fmt: skip
