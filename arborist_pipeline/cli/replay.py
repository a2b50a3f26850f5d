"""arborist crawl --replay: a stored crawl decided again, or what other settings would have brought."""

from dataclasses import asdict, replace

from arborist_pipeline.cli.invocation import ExitCode, Misuse, finish
from arborist_pipeline.cli.output import emit, json_line, printable
from arborist_pipeline.core.crawl.policy import build_policy
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.crawl.replay import (
    RecordedCrawl,
    RecordedCrawls,
    Replay,
    Rerun,
    Unreplayable,
    replay_crawl,
    rerun_crawl,
)


def tell_replay(  # one for each option
    crawls: RecordedCrawls, site: Site | None, crawl_id: str, *, max_pages: int | None, depth: int | None, as_json: bool
) -> None:
    """Print whether each decision of a crawl comes again or, with other settings than its own, what would have been.

    Raises Misuse for a crawl that cannot be replayed. Ends with 1 where a decision differs.
    """
    if site is None:
        raise Misuse("the store knows no site with this seed: crawl it first")
    if not crawl_id.isdecimal():
        raise Misuse(f"--replay takes the number of a crawl, not {printable(crawl_id)}: crawl --json and why name them")
    crawl = crawls.load_crawl(site.key, int(crawl_id[:18]))
    if isinstance(crawl, Unreplayable):
        raise Misuse(crawl.reason)
    policy = build_policy(site, cpus=1, max_pages=crawl.max_pages, max_depth=crawl.max_depth)
    if max_pages is None and depth is None:
        replay = replay_crawl(crawl, policy)
        if isinstance(replay, Unreplayable):
            raise Misuse(replay.reason)
        emit(json_line({"crawl": int(crawl_id), **asdict(replay)}) if as_json else _decisions(replay, crawl))
        if replay.difference is not None:
            finish(ExitCode.FAILED)
        return
    policy = replace(policy, max_pages=crawl.max_pages if max_pages is None else max_pages,
                     max_depth=crawl.max_depth if depth is None else depth)  # fmt: skip
    rerun = rerun_crawl(crawl, policy)
    if isinstance(rerun, Unreplayable):
        raise Misuse(rerun.reason)
    emit(json_line({"crawl": int(crawl_id), **asdict(rerun)}) if as_json else _curves(crawl, rerun))


def _decisions(replay: Replay, crawl: RecordedCrawl) -> str:
    told = f"{replay.repeated} of {replay.recorded} decisions repeated"
    differs = replay.difference
    if differs is None:
        return told
    instead = "nothing was left" if differs.replayed is None else f"{differs.replayed} ({differs.replayed_why})"
    later = "; later crawls have met again what waited then, so that its place on the page is no longer known"
    return printable(f"{told}; request {differs.order} differs: {differs.recorded} ({differs.recorded_why}) was asked "
                     f"for, now it is {instead}{later if crawl.has_later else ''}")  # fmt: skip


def _curves(crawl: RecordedCrawl, rerun: Rerun) -> str:
    """Say what came of both at some numbers of pages, the last one where the new settings end."""
    end = len(rerun.replayed)
    lines = []
    for pages in sorted({*(number for number in (10, 30, 60, 100, 300, 1_000) if number < end), end}):
        recorded = rerun.recorded[min(pages, len(rerun.recorded)) - 1]
        lines.append(f"at {pages} pages: {rerun.replayed[pages - 1]} products instead of {recorded}")
    if rerun.unknown:
        lines.append(f"{rerun.unknown} of these pages were not fetched by the crawl ({len(crawl.pages)} pages): "
                     "what they show and lead to is unknown")  # fmt: skip
    return "\n".join(lines)
