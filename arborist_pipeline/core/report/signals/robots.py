"""robots.txt: a file that cannot be had stops every crawler; a line that cannot be read protects nothing."""

from collections.abc import Iterator

from arborist_pipeline.core.crawl.records import StoppedBy
from arborist_pipeline.core.report.finding import Finding, Severity
from arborist_pipeline.core.report.snapshot import ProblemSource, SiteSnapshot


def find_robots_problems(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `robots_problem` for each fault of robots.txt, and one where it kept the latest crawl out."""
    problems = [problem for problem in snapshot.problems if problem.source is ProblemSource.ROBOTS]
    for problem in problems:
        yield Finding(
            signal="robots_problem",
            url=problem.url,
            severity=Severity.ERROR if problem.is_serious else Severity.WARNING,
            message=problem.message,
        )
    if snapshot.stopped_by is StoppedBy.ROBOTS and not any(problem.is_serious for problem in problems):
        yield Finding(
            signal="robots_problem",
            url=snapshot.seed_url,
            severity=Severity.ERROR,
            message=f"robots.txt kept the latest crawl out: {snapshot.stop_reason or 'nothing may be fetched'}. "
            "Serve the file with status 200, or allow this crawler in it; what follows is older.",
            evidence={"stopped_by": snapshot.stopped_by},
        )
