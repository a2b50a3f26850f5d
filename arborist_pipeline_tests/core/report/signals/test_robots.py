from arborist_pipeline.core.crawl.records import StoppedBy
from arborist_pipeline.core.report.signals.robots import find_robots_problems
from arborist_pipeline.core.report.snapshot import ProblemSource, SiteProblem

SITE = "https://shop.example"


def test_a_crawl_kept_out_is_an_error_with_the_reason(make_snapshot):
    snapshot = make_snapshot(stopped_by=StoppedBy.ROBOTS, stop_reason="robots.txt unreachable: status 503")
    (finding,) = find_robots_problems(snapshot)
    assert (finding.signal, finding.severity) == ("robots_problem", "error")
    assert "status 503" in finding.message


def test_a_fault_in_the_file_is_a_warning_and_one_that_loses_it_an_error_said_once(make_snapshot):
    lost = SiteProblem(ProblemSource.ROBOTS, f"{SITE}/robots.txt", "It answers with status 503.")
    line = lost._replace(message="Line 3 cannot be read.", is_serious=False)
    found = find_robots_problems(make_snapshot(stopped_by=StoppedBy.ROBOTS, problems=(lost, line)))
    assert [finding.severity for finding in found] == ["error", "warning"]


def test_problems_of_the_sitemap_are_not_those_of_robots(make_snapshot):
    problem = SiteProblem(ProblemSource.SITEMAP, f"{SITE}/map.xml", "It is HTML.")
    assert list(find_robots_problems(make_snapshot(problems=(problem,)))) == []
