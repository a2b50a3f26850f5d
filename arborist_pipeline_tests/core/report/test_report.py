import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from arborist_pipeline.core.crawl.records import Outcome, StoppedBy
from arborist_pipeline.core.report.finding import SIGNAL_NAMES, timestamp
from arborist_pipeline.core.report.html import render_html
from arborist_pipeline.core.report.render import render_markdown
from arborist_pipeline.core.report.report import build_report, state_of_walk, to_json
from arborist_pipeline.core.report.signals import SIGNALS
from arborist_pipeline.core.report.snapshot import Inlinks, LinkSource, Listing, PageFacts, SiteSnapshot

SITE = "https://shop.example"
NOW = datetime(2026, 1, 15, 23, 30, tzinfo=timezone(timedelta(hours=2)))


@pytest.fixture
def pages():
    return [
        PageFacts(f"{SITE}/", Outcome.OK, 200, title="Shop", clicks=0),
        PageFacts(f"{SITE}/a", Outcome.OK, 200, title=None, clicks=1, previous=f"{SITE}/"),
        PageFacts(f"{SITE}/b", Outcome.OK, 200, title="B", main_characters=3, clicks=1, previous=f"{SITE}/"),
        PageFacts(f"{SITE}/dead", Outcome.HTTP_ERROR, 404, "status 404", fetched_at=NOW, clicks=1),
        PageFacts(f"{SITE}/far", Outcome.OK, 200, title="Far"),
    ]


def make(pages, **fields):
    return SiteSnapshot(
        **{
            "site": "shop",
            "seed_url": f"{SITE}/",
            "stopped_by": StoppedBy.EXHAUSTED,
            "pages": {page.url: page for page in pages},
            "inlinks": {f"{SITE}/dead": Inlinks(1, (LinkSource(f"{SITE}/", "Sale"),))},
            "sitemap": (Listing(f"{SITE}/far", f"{SITE}/sitemap.xml"),),
        }
        | fields
    )


@pytest.mark.parametrize(("fields", "told", "untold"), [
    ({}, ["every known address was asked for"], ["candidates"]),
    ({"unfetched": 1_234, "stopped_by": StoppedBy.BUDGET}, ["1,234 known addresses"], ["stopped by", "no page"]),
    ({"unfetched": 3, "stopped_by": StoppedBy.ERRORS, "stop_reason": "12 failures in a row"},
     ["3 known addresses", "stopped by errors (12 failures in a row)"], ["no page"]),
    ({"stopped_by": StoppedBy.ROBOTS, "stop_reason": "robots.txt unreachable: status 503", "pages": {}},
     ["no page could be read", "stopped by robots (robots.txt unreachable: status 503)"], ["0 known addresses"]),
    ({"stopped_by": None}, ["no crawl has come to its end"], ["0 known addresses"]),
    ({"stopped_by": StoppedBy.BUDGET}, ["stopped by budget"], ["0 known addresses"]),
])  # fmt: skip
def test_the_state_of_the_walk_is_told_as_it_is(pages, fields, told, untold):
    report = build_report(make(**{"pages": pages} | fields), NOW)
    state = state_of_walk(report)
    assert all(words in state for words in told)
    assert not any(words in state for words in untold)
    assert state in render_html(report)
    assert state.replace("_", "\\_") in render_markdown(report)


def test_the_json_has_exactly_the_shape_that_others_rely_on(pages):
    shape = to_json(build_report(make(pages), NOW))
    assert list(shape) == ["site", "generated_at", "complete", "unfetched", "summary", "findings", "details"]
    assert (shape["site"], shape["generated_at"], shape["complete"], shape["unfetched"]) == (
        "shop", "2026-01-15T21:30:00Z", True, 0,
    )  # fmt: skip
    assert {signal: count for signal, count in shape["summary"].items() if count} == {
        "broken_link": 1,
        "orphan": 1,
        "thin_page": 1,
        "untitled_page": 1,
    }
    assert shape["findings"][0] == {
        "signal": "broken_link",
        "url": f"{SITE}/dead",
        "severity": "error",
        "certainty": "certain",
        "message": "1 page links here, but this address answers with status 404. "
        "Link to a page that exists, bring the page back, or take the link out.",
        "sources": [{"url": f"{SITE}/", "anchor": "Sale"}],
        "details": {"status": 404, "outcome": "http_error", "source_count": 1, "final_url": f"{SITE}/dead"},
        "evidence": {"reason": "status 404", "fetched_at": "2026-01-15T21:30:00Z"},
    }
    assert shape["details"] == {"pages": 4, "unreached": 1, "depth_histogram": {"0": 1, "1": 2},
                                "stopped_by": "exhausted", "stop_reason": ""}  # fmt: skip
    assert json.loads(json.dumps(shape)) == shape


def test_the_summary_counts_the_findings_and_names_every_signal(pages):
    report = build_report(make(pages), NOW)
    assert sum(report.summary.values()) == len(report.findings)
    assert list(report.summary) == [signal.name for signal in SIGNAL_NAMES]


def test_the_order_in_which_a_store_gives_its_rows_changes_nothing(pages):
    one, other = (to_json(build_report(make(order), NOW)) for order in (pages, pages[::-1]))
    assert json.dumps(one) == json.dumps(other)


def test_a_faultless_site_has_no_findings():
    healthy = make([PageFacts(f"{SITE}/", Outcome.OK, 200, title="Shop", clicks=0)], inlinks={}, sitemap=())
    assert build_report(healthy, NOW).findings == ()


def test_signals_have_names_of_their_own():
    assert len({signal.__name__ for signal in SIGNALS}) == len(SIGNALS)
    assert len({signal.name for signal in SIGNAL_NAMES}) == len(SIGNAL_NAMES)


def test_a_timestamp_is_utc_to_the_second_with_z():
    assert timestamp(datetime(2026, 1, 2, 3, 4, 5, 999, tzinfo=UTC)) == "2026-01-02T03:04:05Z"
    assert timestamp(None) is None
