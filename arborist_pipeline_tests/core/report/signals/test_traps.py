from arborist_pipeline.core.crawl.records import Trap
from arborist_pipeline.core.report.signals.traps import find_traps

CALENDAR = Trap(
    template="https://shop.example/events?{q}", asked=200, left=90, example="https://shop.example/events?m=7"
)


def test_a_trap_is_named_with_what_it_cost_and_would_have_cost(make_snapshot):
    (finding,) = find_traps(make_snapshot(traps=(CALENDAR,)))
    assert (finding.signal, finding.url, finding.severity) == ("crawl_trap", CALENDAR.example, "warning")
    assert finding.details == {"template": CALENDAR.template, "asked": 200, "left": 90, "seconds_at_least": 180.0}
    assert "at least 3 minutes" in finding.message


def test_a_site_without_traps_has_no_finding(make_snapshot):
    assert not list(find_traps(make_snapshot()))
