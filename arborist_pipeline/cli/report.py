"""arborist crawl-report: what is wrong with a crawled site, from the store and a look at its sitemap."""

import asyncio
import os
from pathlib import Path

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.gate import parse_gate
from arborist_pipeline.cli.invocation import ExitCode, Invocation, Misuse, finish, not_built_yet
from arborist_pipeline.cli.output import Progress, emit, printable, say
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.ports import ReportStore
from arborist_pipeline.core.report.render import RENDERERS
from arborist_pipeline.core.report.report import WebmasterReport, build_report
from arborist_pipeline.core.settings import Settings
from arborist_pipeline.core.web.url import Url, canonicalize, redact
from arborist_pipeline.workflows.host_leases import host_of
from arborist_pipeline.workflows.report import build_report_from_store, look_at_site


@click.command("crawl-report")
@click.option("--seed-url", required=True, metavar="URL", help="A URL of the site.")
@click.option("--sitemap", metavar="URL", help="Read this sitemap.  [default: the site's, by robots.txt]")
@click.option("--no-sitemap", "offline", is_flag=True, help="Ask the site for nothing: report from the store alone.")
@click.option("--format", "form", type=click.Choice(list(RENDERERS)), default="md", show_default=True)
@click.option("--out", metavar="PATH", type=click.Path(path_type=Path), help="Write to this file.  [default: stdout]")
@click.option("--since", metavar="CRAWL", help="Only what is new since that crawl (not built yet).")
@click.option(
    "--fail-on", "rules", metavar="RULE", multiple=True, help="Exit with 3 where the report breaks this rule."
)
@click.option("--count-candidates", is_flag=True, help="Let --fail-on count findings that are not certain too.")
@click.pass_obj
def crawl_report(
    invocation: Invocation,
    seed_url: str,
    sitemap: str | None,
    offline: bool,  # noqa: FBT001  # click passes it by name
    form: str,
    out: Path | None,
    since: str | None,
    rules: tuple[str, ...],
    count_candidates: bool,  # noqa: FBT001  # as above
) -> None:
    """Tell a webmaster what is wrong with a crawled site. The store is only read.

    The sitemap is read for it, from the site and at the site's pace: the files that robots.txt names, else
    /sitemap.xml. What it lists and no crawl met is asked for by HEAD, 50 addresses at most. Nothing of that is stored.
    A site that does not answer, or is being crawled at the moment, is reported from the store alone, as with
    --no-sitemap.

    A RULE of --fail-on is a signal or a severity (error, warning, notice; worse ones count too), and with >N so many
    findings may pass: broken_link, 'broken_link>5', error, 'warning>20'. It may be given more than once. Candidates,
    which may vanish once more of the site is known, count only with --count-candidates.
    """
    gates = [parse_gate(rule)._replace(counts_candidates=count_candidates) for rule in rules]
    if offline and sitemap is not None:
        raise Misuse("--sitemap and --no-sitemap contradict each other: give one of them")
    if since is not None:
        raise not_built_yet("--since")
    seed = canonicalize(seed_url)
    wanted = None if sitemap is None else canonicalize(sitemap)
    settings = wiring.load_settings(invocation.db)
    with wiring.opened_store(settings, read_only=True) as store:
        site = wiring.lookup_in(store).find_site(seed)
        if site is None:
            raise Misuse(f"the store has no crawl of {seed}: begin with arborist crawl --seed-url {seed} --ingest")
        host = host_of(store.reports.seed_url(site.key))  # no lease can be taken where the store is only read
        held = None if offline else store.leases.tell_holder(host, wiring.system_clock().now())
        if held is not None:
            say(printable(f"the site is not asked: {held}. This is what the store knows of it"))
        if offline or held is not None:
            report = build_report_from_store(site, store=store.reports, clock=wiring.system_clock())
        else:
            report = asyncio.run(_look_and_report(settings, site, store.reports, wanted))
    text = RENDERERS[form](report)
    if out is None:
        emit(text.removesuffix("\n"))
    else:
        _write(out, text)
        say(f"{len(report.findings)} findings written to {out}")
    failed = [verdict for gate in gates if (verdict := gate.verdict(report)) is not None]
    for verdict in failed:
        say(printable(f"gate failed: {verdict}"))
    if failed:
        finish(ExitCode.GATE)


async def _look_and_report(settings: Settings, site: Site, store: ReportStore, sitemap: Url | None) -> WebmasterReport:
    clock = wiring.system_clock()
    with Progress("looking at the site", unit="requests") as progress:

        def tell(what: str) -> None:
            progress.tell(redact(what))
            progress.advance()

        async with wiring.open_fetcher(settings, connections=1) as fetcher:
            look = await look_at_site(site, store=store, fetcher=fetcher, clock=clock, sitemap=sitemap, tell=tell)
    if look.failure is not None:
        say(printable(f"the site does not answer ({look.failure.message}): this is what the store knows of it"))
    return build_report(look.snapshot, clock.now())


def _write(path: Path, text: str) -> None:
    """Write the file whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Misuse(f"{path} cannot be written: {error.strerror}") from error
