"""arborist validate: a live trial of storefronts, a line a site."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import ExitCode, Invocation, finish
from arborist_pipeline.cli.output import Progress, emit, json_line, printable, table
from arborist_pipeline.core.crawl.acceptance import Trial
from arborist_pipeline.core.crawl.policy import build_policy
from arborist_pipeline.core.crawl.records import CrawledPage, Site
from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.ports import Store
from arborist_pipeline.core.settings import Settings
from arborist_pipeline.core.web.url import redact
from arborist_pipeline.workflows.validate import validate_sites

STOREFRONTS = Path(__file__).with_name("storefronts.yaml")
"""The list that is tried where none is named."""
_HEADINGS = ("SITE", "VERDICT", "PAGES", "PRODUCTS", "FIRST", "BUDGET", "PLATFORM", "PRIORITISED BY")


@click.command("validate")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="A JSON object a site, then one with the summary.")
@click.pass_obj
def validate(invocation: Invocation, file: Path | None, *, as_json: bool) -> None:
    """Try live storefronts: does a crawl of each find products, and how soon?

    FILE is a list like sites.yaml; without it the one that comes with the program is tried. The sites are asked, one
    after the other, under their settings there: robots.txt is obeyed, the budget is theirs (60 pages where none is
    named). What is crawled goes to a store of the trial's own that is deleted at its end, with --db to that store.

    Told of each site: the pages asked for, the products found, the order of the page that was the first of them,
    whether the budget was spent, the platform by what its pages hold, and what put the products where they came in
    the order (shares of regex, platform, learned, llm, order, seed).

    A site passes with at least one named product that came before the last page of its budget. One that blocks this
    crawler (robots.txt, bot wall) or cannot be reached fails as well, and is told with its reason. The exit code is 1
    where any site failed.
    """
    settings = wiring.load_settings(invocation.db)
    listed = wiring.open_site_list(replace(settings, site_lists=(str(file or STOREFRONTS),))).load()
    if not listed:
        raise ConfigError(f"{file}: the list names no sites, so there is nothing to try")
    with TemporaryDirectory(prefix="arborist-validate-") as folder:
        place = settings.store if invocation.db is not None else f"{folder}/web.db"
        with wiring.opened_store(replace(settings, store=place)) as store:
            lookup = wiring.lookup_in(store)
            homes = [lookup.find_site(site.seed_url) for site in listed]
            sites = [_as_known(site, home, store) for site, home in zip(listed, homes, strict=True)]
            listing = _Listing(sites, as_json=as_json)
            try:
                with listing.progress:
                    trials = wiring.run(_try_all(sites, store, settings, listing, ingest=invocation.db is not None))
            finally:
                for home in filter(None, homes):  # its settings in the store outlast the trial
                    store.sites.put_site(home, wiring.system_clock().now())
    listing.end(trials)
    if len(trials) < len(sites) or not all(trial.passed for trial in trials):
        finish(ExitCode.FAILED)


def _as_known(site: Site, home: Site | None, store: Store) -> Site:
    """Return a site under the key that the store has for its host. Raises ConfigError where another has its key."""
    if home is None and store.sites.load_site(site.key) is not None:
        raise ConfigError(f"the store has another site under the key {site.key!r}: give {site.seed_url} another key")
    return site if home is None else replace(site, key=home.key)


async def _try_all(
    sites: Sequence[Site], store: Store, settings: Settings, listing: "_Listing", *, ingest: bool
) -> list[Trial]:
    cpus = wiring.cpu_count()
    connections = max(build_policy(site, cpus=cpus).concurrency for site in sites)
    async with wiring.open_fetcher(settings, connections=connections) as fetcher:
        return await validate_sites(
            sites,
            fetcher=fetcher,
            store=store,
            clock=wiring.system_clock(),
            holder=wiring.holder_name("validate"),
            cpus=cpus,
            ingest=ingest,
            watch=listing.note,
            tell=listing.tell,
            model=wiring.language_model(settings),
            asks_after_pages=settings.fallback_after_pages,
        )


class _Listing:
    """Shows how far the trial is, and each site when it is done, or all at the end in a table."""

    def __init__(self, sites: Sequence[Site], *, as_json: bool) -> None:
        caps = [site.max_pages for site in sites]
        self.progress = Progress("validating", total=sum(caps) if all(caps) else None)
        self._sites, self._as_json = sites, as_json

    def note(self, page: CrawledPage) -> None:
        """Count a page that was asked for."""
        if page.order is not None:
            self.progress.advance()

    def tell(self, trial: Trial) -> None:
        """Say what a site came to."""
        if self._as_json:
            self.progress.emit(json_line(trial.to_json()))
        else:
            self.progress.tell(f"{trial.key} {trial.verdict}")

    def end(self, trials: Sequence[Trial]) -> None:
        """Print the table, and below it why sites failed; or the summary where lines are JSON."""
        passed = sum(trial.passed for trial in trials)
        untried = len(self._sites) - len(trials)
        if self._as_json:
            counts = {"sites": len(self._sites), "passed": passed, "failed": len(trials) - passed, "untried": untried}
            emit(json_line({"summary": counts}))
            return
        emit(table(_HEADINGS, map(_row, trials)))
        for trial in trials:
            if not trial.passed:
                emit(printable(redact(f"{trial.key}: {trial.verdict}: {trial.reason}")))
        emit(f"{passed} of {len(self._sites)} sites passed" + (f", {untried} were not tried" if untried else ""))


def _row(trial: Trial) -> tuple[object, ...]:
    tiers = ", ".join(f"{tier} {share:.0%}" for tier, share in trial.tiers.items())
    budget = f"{trial.budget or 'no cap'}{', spent' if trial.spent_budget else ''}"
    return (trial.key, trial.verdict, trial.pages, trial.products, trial.first_product_at, budget, trial.platform,
            tiers or None)  # fmt: skip
