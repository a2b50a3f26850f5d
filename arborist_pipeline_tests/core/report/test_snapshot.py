import pytest

from arborist_pipeline.core.crawl.records import Outcome, StoppedBy
from arborist_pipeline.core.report.snapshot import PageFacts, Probe, SiteSnapshot

SITE = "https://shop.example"


def snapshot(*pages, **fields):
    return SiteSnapshot(site="shop", seed_url=f"{SITE}/", pages={page.url: page for page in pages}, **fields)


@pytest.mark.parametrize(
    ("stopped_by", "unfetched", "complete"),
    [
        (StoppedBy.EXHAUSTED, 0, True),
        (StoppedBy.EXHAUSTED, 1, False),
        (StoppedBy.BUDGET, 0, False),
        (None, 0, False),
    ],
)
def test_a_walk_is_complete_when_it_was_exhausted_and_nothing_is_left(stopped_by, unfetched, complete):
    assert snapshot(stopped_by=stopped_by, unfetched=unfetched).is_complete is complete


def test_a_path_runs_from_the_seed_and_is_empty_for_pages_that_no_link_reaches():
    pages = (
        PageFacts(f"{SITE}/", Outcome.OK, clicks=0),
        PageFacts(f"{SITE}/a", Outcome.OK, clicks=1, previous=f"{SITE}/"),
        PageFacts(f"{SITE}/b", Outcome.OK, clicks=2, previous=f"{SITE}/a"),
        PageFacts(f"{SITE}/alone", Outcome.OK),
    )
    known = snapshot(*pages)
    assert known.path_to(f"{SITE}/b") == (f"{SITE}/", f"{SITE}/a", f"{SITE}/b")
    assert known.path_to(f"{SITE}/alone") == known.path_to(f"{SITE}/unknown") == ()


def test_a_trail_goes_on_through_probes_and_stops_at_what_is_unknown():
    start = PageFacts(f"{SITE}/a", Outcome.REDIRECT, redirect_to=f"{SITE}/b")
    known = snapshot(start, probes={f"{SITE}/b": Probe(Outcome.REDIRECT, 302, f"{SITE}/c")})
    assert known.trail(f"{SITE}/a").urls == (f"{SITE}/a", f"{SITE}/b", f"{SITE}/c")
    assert known.trail(f"{SITE}/a").hops == 2
    assert known.trail(f"{SITE}/c").hops == 0
