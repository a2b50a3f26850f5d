"""arborist crawl: walk one site, print what was fetched in fetch order, say how it ended."""

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import click
from click.core import ParameterSource

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import ExitCode, Invocation, Misuse, finish, not_built_yet
from arborist_pipeline.cli.output import Progress, json_line, printable, say
from arborist_pipeline.cli.replay import tell_replay
from arborist_pipeline.core.crawl.lines import FetchOrder, page_to_json, summary_to_json
from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk, build_policy
from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Discovery, Mode, Render, Site, StoppedBy
from arborist_pipeline.core.crawl.refresh import crawl_failure
from arborist_pipeline.core.crawl.site_list import site_key_for
from arborist_pipeline.core.ports import Put, Store
from arborist_pipeline.core.settings import Settings
from arborist_pipeline.core.web.url import Url, canonicalize, redact, same_site
from arborist_pipeline.workflows.crawl import crawl_site
from arborist_pipeline.workflows.extract import extract_products
from arborist_pipeline.workflows.ingest import ingest_pages
from arborist_pipeline.workflows.model_tier import ModelTier

_GOES_ON = frozenset(
    {StoppedBy.BUDGET, StoppedBy.TIME, StoppedBy.DIMINISHING, StoppedBy.INTERRUPTED, StoppedBy.LEASE_LOST}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """The options of the command, as click has read them."""

    seed_url: str
    depth: int
    max_pages: int
    ingest: bool
    fast: bool
    concurrency: int | None
    author: str | None
    render: str | None
    discovery: str | None
    resume: bool
    replay: str | None
    as_json: bool
    stop_below: float | None = None


@click.command("crawl")
@click.option("--seed-url", required=True, metavar="URL", help="Where the walk starts; its host is the site.")
@click.option("--depth", type=click.IntRange(min=0), default=2, show_default=True, help="Link hops from the seed.")
@click.option(
    "--max-pages",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Page requests of this run; 0: no cap.",
)
@click.option("--ingest", is_flag=True, help="Store bodies, products and documents too.")
@click.option("--fast", is_flag=True, help="Several requests at once, without delay; robots.txt still holds.")
@click.option(
    "--concurrency", type=click.IntRange(min=1), help="Requests at once with --fast.  [default: three times the CPUs]"
)
@click.option("--author", metavar="NAME", help="Surname to append to document titles that lack it.")
@click.option("--render", type=click.Choice([str(each) for each in Render]), help="When Chromium renders a page.")
@click.option(
    "--discovery",
    type=click.Choice([str(each) for each in Discovery]),
    help="Whether the sitemap's addresses are crawled too.",
)
@click.option(
    "--stop-below",
    type=click.FloatRange(0, 1),
    metavar="RATE",
    help="Stop when fewer of the latest pages than this share are new products.  [default: the site's, else never]",
)
@click.option("--resume", is_flag=True, help="Go on where the site's last crawl stopped.")
@click.option("--replay", metavar="CRAWL", help="Decide a stored crawl again, without network.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="A JSON object a page, then one with the summary; a second line of one order corrects the first.",
)
@click.pass_obj
def crawl(invocation: Invocation, /, **given: Any) -> None:  # noqa: ANN401  # click's values, typed by CrawlOptions
    """Walk one site and print its URLs in fetch order.

    Without --ingest only crawl, frontier, page and link rows are written. A site that stands in sites.yaml, or that
    the store knows, is crawled under its key and its settings; any other gets HOST or HOST-PORT as its key. Only one
    crawl of a host runs at any time.

    Ctrl-C or SIGTERM stops cleanly: all that was fetched is kept, and --resume goes on; the second time it ends at
    once. The exit code is 1 where the crawl could not start from its seed or broke off; pages of the site that fail are
    results, not failures.

    --replay takes the number of a crawl and decides each request again from the store, after those of the crawls that
    it went on from; it ends with 1 at the first that differs. With --max-pages or --depth it tells how many products
    these would have brought.
    """
    options = CrawlOptions(**given)
    seed = canonicalize(options.seed_url)
    settings = wiring.load_settings(invocation.db)
    if options.replay is not None:
        _replay(options, seed, settings)
        return
    site_list = wiring.open_site_list(settings)
    listed = site_list.load() if site_list.exists else ()
    with wiring.opened_store(settings) as store:
        lookup = wiring.lookup_in(store)
        known = lookup.find_site(seed)
        entry = next((site for site in listed if same_site(site.seed_url, seed)), None)
        site = _site_of(seed, entry or known, options, settings)
        policy = _policy_of(site, options)
        last = lookup.last_crawl(site.key) if options.resume else None
        if last is not None and last.stopped_by is StoppedBy.EXHAUSTED:
            say("nothing to resume: the last crawl ran to its end")
            return
        store.sites.put_site(replace(entry, seed_url=seed) if entry else site, wiring.system_clock().now())
        if options.resume and last is None:
            say("nothing to resume: a new crawl begins")
        listing = _Listing(options, last_order=last.last_order if last is not None else 0, policy=policy)
        with listing.progress:
            summary = wiring.run(_walk(site, policy, settings, store, listing))
        listing.end(summary)
        if (home := entry or known) is not None:  # a walk from another page of it does not move the start of a site
            store.sites.put_site(home, wiring.system_clock().now())
        if options.ingest and summary.stopped_by not in (StoppedBy.INTERRUPTED, StoppedBy.LEASE_LOST):
            _settle(site, store, wiring.last_tier(site, settings, store, warn=say))
    if not listing.is_broken:
        _tell_end(invocation, options, summary, crawl_failure(summary, seed))
    if listing.is_broken or crawl_failure(summary, seed) is not None:
        finish(ExitCode.FAILED)


def _replay(options: CrawlOptions, seed: Url, settings: Settings) -> None:
    """Replay a stored crawl; what was given on the command line alone stands in the place of its settings."""
    context = click.get_current_context()
    given = {name for name in ("max_pages", "depth")
             if context.get_parameter_source(name) is not ParameterSource.DEFAULT}  # fmt: skip
    with wiring.opened_store(settings, read_only=True) as store:
        tell_replay(wiring.replays_in(store), wiring.lookup_in(store).find_site(seed), options.replay or "",
                    max_pages=options.max_pages if "max_pages" in given else None,
                    depth=options.depth if "depth" in given else None, as_json=options.as_json)  # fmt: skip


def _site_of(seed: Url, known: Site | None, options: CrawlOptions, settings: Settings) -> Site:
    """Return the site of a seed: the known one from this seed on, or a new one under its default key."""
    site = known or Site(key=site_key_for(seed), seed_url=seed, max_pages=settings.max_pages)
    return replace(site, seed_url=seed, author=options.author or site.author)


def _policy_of(site: Site, options: CrawlOptions) -> CrawlPolicy:
    policy = build_policy(
        site,
        cpus=wiring.cpu_count(),
        mode=Mode.FAST if options.fast else None,
        max_pages=options.max_pages,
        max_depth=options.depth,
        stop_below=options.stop_below,
        render=Render(options.render) if options.render else None,
        walk=Walk.RESUME if options.resume else Walk.FRESH,
        keep_bodies=options.ingest,
        ingest=options.ingest,
    )
    if options.discovery is not None:
        policy = replace(policy, discovery=Discovery(options.discovery))
    if options.concurrency is not None:
        if policy.mode is not Mode.FAST:
            raise Misuse("--concurrency needs --fast: a polite crawl asks one page at a time")
        policy = replace(policy, concurrency=options.concurrency)
    if policy.render is Render.ALWAYS:
        raise not_built_yet("--render always", "use --render auto or never")
    return policy


class _Listing:
    """Prints pages as they come, in fetch order. Where stdout's reader goes away, the crawl is told to stop."""

    def __init__(self, options: CrawlOptions, *, last_order: int, policy: CrawlPolicy) -> None:
        self.progress = Progress("crawling", total=policy.max_pages or None)
        self.is_broken = False
        self.task: asyncio.Task[CrawlSummary] | None = None
        self._as_json = options.as_json
        self._order = FetchOrder(last_order)

    def __call__(self, page: CrawledPage) -> None:
        corrects = self._order.knows(page)
        if page.order is not None and not corrects:
            self.progress.advance()
        told = self._order.put(page)
        if self._as_json or not corrects:  # an address that was printed is not printed again
            self._print(told)

    def end(self, summary: CrawlSummary) -> None:
        """Print what still waits, and the summary where lines are JSON."""
        self._print(self._order.take_rest())
        if self._as_json and not self.is_broken:
            self.progress.emit(json_line({"summary": summary_to_json(summary)}))

    def _print(self, pages: Sequence[CrawledPage]) -> None:
        if self.is_broken:
            return
        try:
            for page in pages:
                if self._as_json:
                    self.progress.emit(json_line(page_to_json(page)))
                elif page.order is not None:
                    self.progress.emit(page.url)
        except BrokenPipeError:
            self.is_broken = True
            if self.task is not None:
                self.task.cancel()


async def _walk(site: Site, policy: CrawlPolicy, settings: Settings, store: Store, listing: _Listing) -> CrawlSummary:
    listing.task = asyncio.current_task()
    async with wiring.open_fetcher(settings, connections=policy.concurrency) as fetcher:
        return await crawl_site(
            site,
            policy,
            fetcher=fetcher,
            store=store,
            clock=wiring.system_clock(),
            holder=wiring.holder_name("crawl"),
            watch=listing,
            model=wiring.language_model(settings),
            asks_after_pages=settings.fallback_after_pages,
            warn=say,
        )


def _settle(site: Site, store: Store, tier: ModelTier) -> None:
    """Read what an earlier crawl left unread, renew what was seen unchanged, retire what is gone."""
    clock = wiring.system_clock()
    documents = ingest_pages(site, store=store.documents, clock=clock)
    products = extract_products(site, store=store.products, clock=clock, tier=tier)
    if documents[Put.GONE] or products[Put.GONE]:
        say(f"gone and retired: {documents[Put.GONE]} documents, {products[Put.GONE]} products")


def _tell_end(invocation: Invocation, options: CrawlOptions, summary: CrawlSummary, failure: str | None) -> None:
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(summary.by_outcome.items()))
    say(f"{summary.pages} pages ({outcomes or 'none'}), {summary.products} products, {summary.documents} documents; "
        f"stopped by {summary.stopped_by}")  # fmt: skip
    if summary.needs_rendering:
        say(f"{summary.needs_rendering} pages are drawn by script and were not rendered")
    if failure or summary.reason:
        say(printable(failure or summary.reason))
    if summary.stopped_by in _GOES_ON and (summary.unfetched or summary.stopped_by is not StoppedBy.BUDGET):
        say(f"{summary.unfetched} known URLs are left; go on with: {_resume_command(invocation, options)}")


def _resume_command(invocation: Invocation, options: CrawlOptions) -> str:
    """Return the words to go on with; what is secret in them is masked, since terminals and logs keep this line."""
    store = ["--db", redact(invocation.db)] if invocation.db else []
    words = ["arborist", *store, "crawl", "--seed-url", redact(canonicalize(options.seed_url))]
    words += ["--depth", str(options.depth)]
    words += ["--max-pages", str(options.max_pages)] if options.max_pages else []
    words += ["--concurrency", str(options.concurrency)] if options.concurrency else []
    chosen = (("--author", options.author), ("--render", options.render), ("--discovery", options.discovery))
    words += [word for name, value in chosen if value for word in (name, value)]
    words += [name for name, given in (("--ingest", options.ingest), ("--fast", options.fast)) if given]
    words += ["--json"] if options.as_json else []
    return shlex.join([*words, "--resume"])
