"""A live trial of storefronts: each is crawled from its seed, and judged by the products that came of it."""

from collections.abc import Callable, Sequence

from arborist_pipeline.core.crawl.acceptance import Observer, Trial, broken_off
from arborist_pipeline.core.crawl.policy import Walk, build_policy
from arborist_pipeline.core.crawl.records import CrawledPage, Site
from arborist_pipeline.core.errors import LeaseHeld
from arborist_pipeline.core.ports import Clock, Fetcher, LanguageModel, Store
from arborist_pipeline.workflows.crawl import Watch, crawl_site
from arborist_pipeline.workflows.link_tier import ASKS_AFTER_PAGES


async def validate_sites(  # noqa: PLR0913  # as `crawl_site`
    sites: Sequence[Site],
    *,
    fetcher: Fetcher,
    store: Store,
    clock: Clock,
    holder: str,
    cpus: int,
    ingest: bool = False,
    watch: Watch | None = None,
    tell: Callable[[Trial], None] | None = None,
    model: LanguageModel | None = None,
    asks_after_pages: int = ASKS_AFTER_PAGES,
) -> list[Trial]:
    """Try one site after the other and return what came of each; `tell` is called with each as it is done.

    Each is crawled from its seed under its own settings, robots.txt obeyed, `ingest` as a crawl has it; `watch` sees
    all pages, and `model` is asked as in any crawl. A person who breaks off ends the trial: what was tried until then
    is returned.
    """
    trials = []
    for site in sites:
        trial = await _try_site(site, fetcher=fetcher, store=store, clock=clock, holder=holder, cpus=cpus,
                                ingest=ingest, watch=watch, model=model,
                                asks_after_pages=asks_after_pages)  # fmt: skip
        trials.append(trial)
        if tell is not None:
            tell(trial)
        if trial.was_interrupted:
            break
    return trials


async def _try_site(  # noqa: PLR0913  # as above
    site: Site,
    *,
    fetcher: Fetcher,
    store: Store,
    clock: Clock,
    holder: str,
    cpus: int,
    ingest: bool,
    watch: Watch | None,
    model: LanguageModel | None,
    asks_after_pages: int,
) -> Trial:
    policy = build_policy(site, cpus=cpus, walk=Walk.FRESH, keep_bodies=ingest, ingest=ingest)
    observer = Observer()

    def note(page: CrawledPage) -> None:
        observer.note(page)
        if watch is not None:
            watch(page)

    store.sites.put_site(site, clock.now())
    try:
        summary = await crawl_site(site, policy, fetcher=fetcher, store=store, clock=clock, holder=holder, watch=note,
                                   model=model, asks_after_pages=asks_after_pages)  # fmt: skip
    except LeaseHeld as held:
        return broken_off(site, str(held), budget=policy.max_pages)
    return observer.judge(site, summary, budget=policy.max_pages)
