"""arborist refresh: the nightly job for some sites, now, through what the process handed in."""

from collections.abc import Mapping

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import ExitCode, Invocation, Misuse, finish
from arborist_pipeline.cli.output import emit, json_line, printable, say, table
from arborist_pipeline.core.crawl.refresh import SiteRefresh

_SHOWN = ("pages", "products", "documents_new", "findings", "unfetched", "stopped_by")  # names of `counts`


@click.command("refresh")
@click.argument("keys", nargs=-1, metavar="[SITE]...")
@click.option("--all", "all_sites", is_flag=True, help="Every site of the list.")
@click.option("--full", is_flag=True, help="Ignore due dates: ask for every known page again.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a site.")
@click.pass_obj
def refresh(invocation: Invocation, keys: tuple[str, ...], *, all_sites: bool, full: bool, as_json: bool) -> None:
    """Run the nightly job for these sites now: crawl, extract, ingest, report.

    SITE is a key of sites.yaml. The job runs through Dagster in this process, and its UI shows the runs. The exit
    code is 1 where a site's job failed.
    """
    if invocation.refresh is None:
        raise Misuse(
            "refresh runs through Dagster: call it as arborist refresh, or python -m arborist_pipeline refresh"
        )
    if bool(keys) == all_sites:
        raise Misuse("name sites by their keys, or all of them with --all")
    settings = wiring.load_settings(invocation.db)
    results = invocation.refresh(None if all_sites else keys, full=full, settings=settings, say=say)
    if as_json:
        for result in results:
            emit(
                json_line({"site": result.key, "ok": result.ok, "reason": result.reason, "counts": dict(result.counts)})
            )
    else:
        emit(table(("SITE", "RESULT", *(name.upper() for name in _SHOWN)), map(_row, results)))
    failed = [result for result in results if not result.ok]
    for result in failed:
        say(printable(f"{result.key} failed: {result.reason}"))
    if failed:
        finish(ExitCode.FAILED)


def _row(result: SiteRefresh) -> tuple[object, ...]:
    shown = (result.counts.get(name) for name in _SHOWN)
    totals = (sum(count.values()) if isinstance(count, Mapping) else count for count in shown)
    return result.key, "ok" if result.ok else "failed", *totals
