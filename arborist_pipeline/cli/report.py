"""arborist crawl-report: what is wrong with a crawled site, from the store alone."""

import asyncio
import os
from pathlib import Path

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.gate import parse_gate
from arborist_pipeline.cli.invocation import ExitCode, Invocation, Misuse, finish, not_built_yet
from arborist_pipeline.cli.output import emit, printable, say
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.report.render import RENDERERS
from arborist_pipeline.core.settings import Settings
from arborist_pipeline.core.web.url import Url, canonicalize
from arborist_pipeline.workflows.report import build_report_from_store
from arborist_pipeline.workflows.sitemaps import SitemapReading, read_sitemap
from arborist_pipeline.workflows.visits import Visitor


@click.command("crawl-report")
@click.option("--seed-url", required=True, metavar="URL", help="A URL of the site.")
@click.option("--sitemap", metavar="URL", help="Fetch this sitemap for the report; nothing of it is stored.")
@click.option("--format", "form", type=click.Choice(list(RENDERERS)), default="md", show_default=True)
@click.option("--out", metavar="PATH", type=click.Path(path_type=Path), help="Write to this file.  [default: stdout]")
@click.option("--since", metavar="CRAWL", help="Only what is new since that crawl (not built yet).")
@click.option(
    "--fail-on", "rules", metavar="RULE", multiple=True, help="Exit with 3 where the report breaks this rule."
)
@click.pass_obj
def crawl_report(
    invocation: Invocation,
    seed_url: str,
    sitemap: str | None,
    form: str,
    out: Path | None,
    since: str | None,
    rules: tuple[str, ...],
) -> None:
    """Tell a webmaster what is wrong with a crawled site. The store is only read.

    A RULE of --fail-on is a signal or a severity (error, warning, notice; worse ones count too), and with >N so many
    findings may pass: broken_link, 'broken_link>5', error, 'warning>20'. It may be given more than once. Candidates
    count like certain findings.
    """
    gates = [parse_gate(rule) for rule in rules]
    if since is not None:
        raise not_built_yet("--since")
    seed = canonicalize(seed_url)
    wanted = None if sitemap is None else canonicalize(sitemap)
    settings = wiring.load_settings(invocation.db)
    with wiring.opened_store(settings, read_only=True) as store:
        site = wiring.lookup_in(store).find_site(seed)
        if site is None:
            raise Misuse(f"the store has no crawl of {seed}: begin with arborist crawl --seed-url {seed} --ingest")
        reading = None
        if wanted is not None:
            reading = asyncio.run(_read_sitemap(settings, site, store.sites.seed_of(site.key), wanted))
        report = build_report_from_store(site, store=store.reports, clock=wiring.system_clock(), sitemap=reading)
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


async def _read_sitemap(settings: Settings, site: Site, seed: Url, sitemap: Url) -> SitemapReading:
    async with wiring.open_fetcher(settings, connections=1) as fetcher:
        visitor = Visitor(site, fetcher, wiring.system_clock(), seed=seed)
        return await read_sitemap(seed, visitor=visitor, sitemap=sitemap)


def _write(path: Path, text: str) -> None:
    """Write the file whole or not at all."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise Misuse(f"{path} cannot be written: {error.strerror}") from error
