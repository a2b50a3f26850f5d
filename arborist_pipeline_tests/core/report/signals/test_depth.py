from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.signals.depth import find_deep_pages

SITE = "https://shop.example"


def chain(make_page, length):
    paths = ["/", *(f"/{n}" for n in range(1, length + 1))]
    return [make_page(path, clicks=n, previous=SITE + paths[n - 1] if n else None) for n, path in enumerate(paths)]


def test_five_clicks_are_deep_and_four_are_not(make_snapshot, make_page):
    (finding,) = find_deep_pages(make_snapshot(*chain(make_page, 5)))
    assert (finding.signal, finding.url, finding.details["clicks"]) == ("deep_page", f"{SITE}/5", 5)
    assert finding.details["path"] == [f"{SITE}/", *(f"{SITE}/{n}" for n in range(1, 6))]


def test_depth_is_a_candidate_while_shorter_paths_may_turn_up(make_snapshot, make_page):
    (finding,) = find_deep_pages(make_snapshot(*chain(make_page, 5), unfetched=1))
    assert finding.certainty == "candidate"


def test_errors_and_unreached_pages_have_no_depth(make_snapshot, make_page):
    deep_error = make_page("/dead", Outcome.HTTP_ERROR, status=404, clicks=9)
    assert list(find_deep_pages(make_snapshot(deep_error, make_page("/alone", clicks=None)))) == []
