"""Shared descriptions are told once a group, unless the pages name one canonical address."""

from arborist_pipeline.core.report.signals.descriptions import find_shared_descriptions

SITE = "https://shop.example"
GROUP = ((f"{SITE}/a", f"{SITE}/b"),)


def test_a_group_of_products_is_one_finding_with_all_of_them(make_snapshot, make_page):
    snapshot = make_snapshot(make_page("/a"), make_page("/b"), shared_descriptions=GROUP)
    (finding,) = find_shared_descriptions(snapshot)
    assert (finding.signal, finding.url, finding.details["urls"]) == ("shared_description", f"{SITE}/a", list(GROUP[0]))


def test_one_product_under_two_addresses_is_none(make_snapshot, make_page):
    pages = [make_page(path, canonical_url=f"{SITE}/a") for path in ("/a", "/b")]
    assert not list(find_shared_descriptions(make_snapshot(*pages, shared_descriptions=GROUP)))


def test_nothing_shared_is_nothing_found(make_snapshot, make_page):
    assert not list(find_shared_descriptions(make_snapshot(make_page("/a"))))
