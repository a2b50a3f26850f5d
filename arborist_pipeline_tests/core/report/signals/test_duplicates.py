from arborist_pipeline.core.report.duplicates import DuplicateGroup
from arborist_pipeline.core.report.signals.duplicates import find_duplicates

SITE = "https://shop.example"
GROUP = DuplicateGroup(b"\x01" * 32, (f"{SITE}/a", f"{SITE}/b"))


def test_a_group_of_equal_roots_is_one_warning_that_names_all_addresses(make_snapshot, make_page):
    (finding,) = find_duplicates(make_snapshot(make_page("/a"), make_page("/b"), exact_duplicates=(GROUP,)))
    assert (finding.signal, finding.severity, finding.url) == ("exact_duplicate", "warning", f"{SITE}/a")
    assert finding.details["urls"] == [f"{SITE}/a", f"{SITE}/b"]
    assert finding.evidence == {"document_root": "01" * 32}


def test_equal_main_roots_are_a_signal_of_their_own(make_snapshot, make_page):
    (finding,) = find_duplicates(make_snapshot(make_page("/a"), make_page("/b"), main_duplicates=(GROUP,)))
    assert finding.signal == "main_duplicate"
    assert finding.evidence == {"main_root": "01" * 32}


def test_duplicates_with_one_canonical_are_a_notice_under_that_address(make_snapshot, make_page):
    pages = make_page("/a", canonical_url=f"{SITE}/b"), make_page("/b")
    (finding,) = find_duplicates(make_snapshot(*pages, exact_duplicates=(GROUP,)))
    assert (finding.severity, finding.url) == ("notice", f"{SITE}/b")


def test_each_page_naming_itself_canonical_declares_nothing(make_snapshot, make_page):
    pages = [make_page(path, canonical_url=SITE + path) for path in ("/a", "/b")]
    (finding,) = find_duplicates(make_snapshot(*pages, exact_duplicates=(GROUP,)))
    assert finding.severity == "warning"


def test_a_duplicate_kept_out_of_the_index_is_a_notice(make_snapshot, make_page):
    pages = make_page("/a", noindex=True), make_page("/b")
    (finding,) = find_duplicates(make_snapshot(*pages, exact_duplicates=(GROUP,)))
    assert finding.severity == "notice"


def test_equal_shells_drawn_by_script_are_only_candidates(make_snapshot, make_page):
    pages = make_page("/a", needs_rendering=True), make_page("/b")
    (finding,) = find_duplicates(make_snapshot(*pages, exact_duplicates=(GROUP,)))
    assert finding.certainty == "candidate"


def test_a_site_without_groups_has_no_duplicates(make_snapshot, make_page):
    assert list(find_duplicates(make_snapshot(make_page("/a")))) == []
