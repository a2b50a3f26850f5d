"""arborist crawler recrawl-check: conditional HEADs over stored pages, a line a URL."""

from collections import Counter

import click

from arborist_pipeline.cli import wiring
from arborist_pipeline.cli.invocation import Failure, Invocation, Misuse
from arborist_pipeline.cli.output import Progress, json_line, printable, say
from arborist_pipeline.core.crawl.lines import timestamp
from arborist_pipeline.core.ports import CheckTarget, Store
from arborist_pipeline.core.settings import Settings
from arborist_pipeline.core.web.freshness import Freshness
from arborist_pipeline.core.web.recheck import Verdict
from arborist_pipeline.core.web.url import canonicalize, redact, split_origin
from arborist_pipeline.workflows.recrawl import Watch, recheck_pages


@click.group("crawler")
def crawler() -> None:
    """Ask whether stored pages are still what their sites serve."""


@crawler.command("recrawl-check")
@click.option(
    "--domain", metavar="HOST", help="Only pages of this host (HOST: all ports, or HOST:PORT).  [default: all sites]"
)
@click.option("--limit", type=click.IntRange(min=0), default=0, show_default=True, help="At most so many; 0: all.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a URL.")
@click.pass_obj
def recrawl_check(invocation: Invocation, domain: str | None, limit: int, *, as_json: bool) -> None:
    """Ask about stored pages by conditional HEAD, the longest unchecked first.

    A line a URL: fresh, stale, gone, moved, blocked or unknown, with the reason. The verdicts are stored; stale, gone
    and moved pages are fetched again by the next crawl. robots.txt and its delay hold. Pages of a host that
    is being crawled are not asked about.
    """
    settings = wiring.load_settings(invocation.db)
    with wiring.opened_store(settings) as store:
        host = None if domain is None else _host_of(domain)
        targets = store.checks.check_targets(host, site_key=None, limit=limit)
        if not targets:
            whose = "of any listed site" if host is None else f"of {host}"
            raise Misuse(f"the store has no pages {whose}: crawl it with arborist crawl --seed-url URL --ingest")
        with Progress("checking", total=len(targets)) as progress:

            def tell(target: CheckTarget, verdict: Verdict) -> None:
                progress.advance()
                progress.emit(_json(target, verdict) if as_json else _line(target, verdict))

            try:
                counts = wiring.run(_check(settings, store, targets, tell))
            except KeyboardInterrupt as error:
                raise Failure("interrupted; the verdicts until now are kept, and the same command goes on with the "
                              "longest unchecked") from error  # fmt: skip
    say(", ".join(f"{counts[each]} {each}" for each in Freshness if counts[each]))


async def _check(settings: Settings, store: Store, targets: tuple[CheckTarget, ...], tell: Watch) -> Counter[Freshness]:
    sites = [site for key in {target.site_key for target in targets} if (site := store.sites.load_site(key))]
    async with wiring.open_fetcher(settings, connections=1) as fetcher:
        return await recheck_pages(
            sites,
            targets,
            fetcher=fetcher,
            store=store,
            clock=wiring.system_clock(),
            holder=wiring.holder_name("crawler recrawl-check"),
            watch=tell,
        )


def _host_of(domain: str) -> str:
    """Return host or host:port as the store has it; an address is taken by its host."""
    url = canonicalize(domain if "://" in domain else f"https://{domain}")
    return str(split_origin(url)).split("://", 1)[1]


def _line(target: CheckTarget, verdict: Verdict) -> str:
    return f"{verdict.freshness:<8} {target.url}  {printable(redact(verdict.reason))}"


def _json(target: CheckTarget, verdict: Verdict) -> str:
    return json_line(
        {
            "url": target.url,
            "site": target.site_key,
            "verdict": verdict.freshness.value,
            "reason": redact(verdict.reason),
            "moved_to": verdict.moved_to,
            "checked_at": timestamp(wiring.system_clock().now()),
        }
    )
