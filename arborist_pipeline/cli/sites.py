"""arborist sites: the site list, read and edited, and each site looked at before a night relies on it."""

import asyncio
from collections.abc import Sequence

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import ExitCode, Invocation, finish
from arborist_pipeline.cli.output import Progress, emit, json_line, printable, say, table
from arborist_pipeline.core.crawl.records import Site
from arborist_pipeline.core.crawl.site_faults import find_doubts
from arborist_pipeline.core.crawl.site_list import site_to_config
from arborist_pipeline.core.settings import Settings
from arborist_pipeline.workflows.site_check import SiteCheck, check_site


@click.group("sites")
def sites() -> None:
    """List, add, remove and check the sites of sites.yaml (docs/sites-yaml.md)."""


@sites.command("list")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a site, with all its settings.")
@click.pass_obj
def list_sites(invocation: Invocation, *, as_json: bool) -> None:
    """List the sites in order of the file; settings that will not do what they seem to are told on stderr."""
    listed = wiring.open_site_list(wiring.load_settings(invocation.db)).load()
    _tell_doubts(listed)
    if as_json:
        for site in listed:
            emit(json_line(site_to_config(site)))
        return
    rows = [(site.key, site.seed_url, site.mode, site.max_pages or "no cap", site.depth, site.kind) for site in listed]
    emit(table(("KEY", "SEED", "MODE", "PAGES", "DEPTH", "KIND"), rows))


@sites.command("add")
@click.argument("url")
@click.pass_obj
def add_site(invocation: Invocation, url: str) -> None:
    """Add a site by its seed URL and print its key; comments and order of the file stay."""
    site_list = wiring.open_site_list(wiring.load_settings(invocation.db))
    site = site_list.add(url)
    emit(site.key)
    say(f"added to {site_list.path}")
    _tell_doubts((site,))


@sites.command("remove")
@click.argument("key")
@click.pass_obj
def remove_site(invocation: Invocation, key: str) -> None:
    """Take a site out of the list; what the store has of it stays."""
    site_list = wiring.open_site_list(wiring.load_settings(invocation.db))
    emit(site_list.remove(key).key)
    say(f"removed from {site_list.path}; its history stays in the store")


@sites.command("check")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a site, then one with the summary.")
@click.pass_obj
def check_sites(invocation: Invocation, *, as_json: bool) -> None:
    """Fetch robots.txt and the seed of each site, and say what a night would do.

    The hours are those that the run's page budget takes at the pace that robots.txt and the site's mode allow, at
    most max_minutes, and the at most 50 requests of the report; a site without a cap is counted with max_minutes.
    Nothing is stored. The exit code is 1 where a
    site could not be crawled.
    """
    settings = wiring.load_settings(invocation.db)
    listed = wiring.open_site_list(settings).load()
    _tell_doubts(listed)
    with Progress("checking", unit="sites", total=len(listed)) as progress:
        checks = asyncio.run(_check_all(settings, listed, progress))
    hours = round(sum(check.hours for check in checks), 2)
    failed = sum(check.problem is not None for check in checks)
    if as_json:
        for check in checks:
            emit(json_line(check.to_json()))
        emit(json_line({"summary": {"sites": len(checks), "failed": failed, "hours": hours}}))
    else:
        emit(table(("KEY", "ANSWER", "PAGES", "DELAY", "HOURS", "WHAT A NIGHT DOES"), map(_row, checks)))
        emit(f"{len(checks)} sites, {failed} failing: {hours:.1f} hours a night, one site after the other")
    if failed:
        finish(ExitCode.FAILED)


def _tell_doubts(listed: Sequence[Site]) -> None:
    for site in listed:
        for doubt in find_doubts(site):
            say(printable(f"{site.key}: {doubt}"))


async def _check_all(settings: Settings, listed: tuple[Site, ...], progress: Progress) -> list[SiteCheck]:
    checks = []
    async with wiring.open_fetcher(settings, connections=1) as fetcher:
        for site in listed:
            checks.append(await check_site(site, fetcher=fetcher, clock=wiring.system_clock(), cpus=wiring.cpu_count()))
            progress.advance()
    return checks


def _row(check: SiteCheck) -> tuple[object, ...]:
    pages = check.pages or "no cap"
    return check.key, check.answer, pages, f"{check.delay_seconds:g}", f"{check.hours:.2f}", check.problem or check.plan
