"""What an answer leads to: links, redirects, refreshes, and pages that a cookie wall kept from view."""

import asyncio
from collections.abc import Callable

from arborist_pipeline.core.crawl.cookie_walls import CookieWalls
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.records import CrawledPage, Outcome
from arborist_pipeline.core.ports import CrawlStore
from arborist_pipeline.core.web.links import Link, LinkKind, LinkPlaces
from arborist_pipeline.core.web.url import Url, resolve_both

LINK_PORTION = 1_000  # links that are admitted in one go: some tens of milliseconds


class Follower:
    """Gives a crawl's frontier what its pages lead to.

    `forbid` is told each new address that robots.txt forbids, the page that led to it, and its depth.
    """

    def __init__(self, frontier: Frontier, store: CrawlStore, forbid: Callable[[Link, Url, int], None]) -> None:
        self._frontier, self._store, self._forbid = frontier, store, forbid
        self._walls = CookieWalls()

    async def follow(self, page: CrawledPage, places: LinkPlaces | None = None) -> int:
        """Give the frontier what a page leads to, `places` telling where it stands; return how many URLs were new."""
        depth = self._frontier.depth_of(page.url)
        new, forbidden = self._follow_hop(page)
        links = page.links or ()
        if page.outcome is Outcome.NOT_MODIFIED and page.stored is not None:
            home = page.stored.links_page_id
            links = await asyncio.to_thread(self._store.load_links, home) if home is not None else ()
        if links and not _is_nofollow(page):
            onward = tuple(link for link in links if link.kind is not LinkKind.REFRESH or link.url != page.refresh_to)
            found, also_forbidden = await self._admit(page, onward, places)
            new, forbidden = new + found, (*forbidden, *also_forbidden)
        for link in forbidden:
            self._forbid(link, page.url, depth + 1)
        return new

    def pass_walls(self, page: CrawledPage, *, gives_cookie: bool) -> None:
        """Ask again for what a cookie wall kept from view; after the page is complete."""
        if page.redirect_to is None:
            self._walls.note_page(page.url)
            return
        for url in self._walls.note_redirect(page.url, page.redirect_to, gives_cookie=gives_cookie):
            if self._frontier.ask_again(url):
                self._walls.asked_again.add(url)

    async def _admit(
        self, page: CrawledPage, links: tuple[Link, ...], places: LinkPlaces | None
    ) -> tuple[int, tuple[Link, ...]]:
        """Admit the links of a page; of one with very many a portion at a time, all else having its turn between."""
        if len(links) <= LINK_PORTION:
            return self._frontier.follow(page.url, links, places, page.kind)
        new, forbidden = 0, list[Link]()
        for first in range(0, len(links), LINK_PORTION):
            await asyncio.sleep(0)
            portion = links[first : first + LINK_PORTION]
            depth = self._frontier.depth_of(page.url)
            found, refused = self._frontier.intake.add(portion, parent=page.url, depth=depth, places=places,
                                                       kind=page.kind)  # fmt: skip
            new += found
            forbidden += refused
        self._frontier.note_links(page.url, links)
        return new, tuple(forbidden)

    def _follow_hop(self, page: CrawledPage) -> tuple[int, tuple[Link, ...]]:
        """Follow a redirect, or a refresh that is as good as one: the target keeps the depth."""
        if page.redirect_to is not None:
            _, written = resolve_both(page.url, page.location or "")
            return self._frontier.follow_redirect(
                page.url, Link(url=page.redirect_to, text=page.anchor, written=written)
            )
        if page.refresh_to is not None and not _is_nofollow(page):
            of_page = (link for link in page.links or () if link.kind is LinkKind.REFRESH)
            target = next(of_page, Link(url=page.refresh_to, text="", kind=LinkKind.REFRESH))
            return self._frontier.follow_redirect(page.url, target)
        return 0, ()


def _is_nofollow(page: CrawledPage) -> bool:
    """Whether the page says so, or the stored version did that still holds."""
    return page.nofollow or (page.outcome is Outcome.NOT_MODIFIED and page.stored is not None and page.stored.nofollow)
