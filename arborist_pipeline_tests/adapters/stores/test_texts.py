import pytest

from arborist_pipeline.adapters.stores import schema
from arborist_pipeline.adapters.stores.engine import build_engine
from arborist_pipeline.core.report.overlap import FRAME_SAMPLE, OverlapKind
from arborist_pipeline_tests.support.site_rows import SiteRows, digest

MENU = ("Home-and-start-page", "Cart-and-checkout", "All-rights-reserved")


@pytest.fixture
def site():
    engine = build_engine("sqlite://")
    schema.metadata.create_all(engine)
    yield SiteRows(engine)
    engine.dispose()


def words(*letters):
    """Leaves of 121 characters each."""
    return [letter + "-" * 120 for letter in letters]


def put(site, path, leaves, **values):
    site.page(path)
    site.document(path, " ".join(leaves), main_characters=sum(map(len, leaves)), **values)


def test_overlap_comes_from_shared_leaves_with_the_text_of_one_of_them(site):
    put(site, "/", words(*"pqrst"))
    put(site, "/a", words(*"pqrsu"))
    put(site, "/b", words("x"))
    put(site, "/exact", words("x"))
    (cluster,) = site.snapshot().overlaps
    assert (cluster.kind, cluster.leader) == (OverlapKind.NEAR, site.url("/"))
    assert [(member.url, member.share) for member in cluster.members] == [(site.url("/a"), 0.8)]
    assert cluster.passage in words(*"pqrs")
    assert digest(cluster.passage) == cluster.leaf


def test_a_leaf_that_a_document_repeats_counts_once(site):
    put(site, "/", words(*"pppppxyz"))
    put(site, "/a", words(*"pabcdefg"))
    assert site.snapshot().overlaps == ()


def test_pages_with_one_main_text_are_main_duplicates_and_not_near_ones_too(site):
    put(site, "/", words(*"pqrs"), main_root=digest("main"))
    put(site, "/a", words(*"pqrt"), main_root=digest("main"))
    snapshot = site.snapshot()
    assert (len(snapshot.main_duplicates), snapshot.overlaps) == (1, ())


def test_a_menu_that_shares_its_leaf_with_a_few_pages_only_joins_nobody(site):
    """The menu stands on all pages, but in other leaves: chunks end where the text after it lets them."""
    menu = "".join(f"Menu entry number {n}\n" for n in range(20))
    for number in range(12):
        head = menu + ("Same head" if number < 2 else f"Head {number}")
        site.page(f"/p{number}")
        site.document_of_leaves(f"/p{number}", [head, f"Body of page {number} " * 20], main_characters=500)
    assert site.snapshot().overlaps == ()


def test_a_short_page_without_landmarks_is_measured_without_the_lines_of_the_frame(site):
    for number in range(6):
        put(site, f"/p{number}", [*MENU, *words(*f"{number}abcde"[:2])])
    put(site, "/thin", [*MENU, "Open-daily"])
    pages = site.snapshot().pages
    assert pages[site.url("/thin")].main_characters == len("Open-daily")
    assert pages[site.url("/p0")].main_characters == 121  # "a" stands on every page, so it is frame too


def test_a_page_whose_landmarks_set_its_frame_apart_keeps_its_measure(site):
    for number in range(6):
        put(site, f"/p{number}", [*MENU, *words(str(number))])
    site.page("/marked")
    site.document("/marked", " ".join([*MENU, "Open-daily"]), main="Open-daily all of it")
    assert site.snapshot().pages[site.url("/marked")].main_characters == len("Open-daily all of it")


def test_a_small_site_has_no_frame_to_take_off(site):
    put(site, "/", [*MENU, "one"])
    put(site, "/a", [*MENU, "two"])
    assert site.snapshot().pages[site.url("/a")].main_characters == sum(map(len, MENU)) + 3


def test_the_frame_of_a_large_site_is_known_from_a_sample(site):
    for number in range(FRAME_SAMPLE * 2 + 5):
        put(site, f"/p{number:03}", [*MENU, f"own-{number}"])
    assert site.snapshot().pages[site.url("/p001")].main_characters == len("own-1")
