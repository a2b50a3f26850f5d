"""A shop answered from memory: a Fetcher for a real crawl, and the links of each page as the crawl would find them."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import cache

from arborist_pipeline.core.ports import Clock
from arborist_pipeline.core.web.fetch import FetchRequest, FetchResult
from arborist_pipeline.core.web.links import Link, LinkKind
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.url import Url, canonicalize, site_key
from benchmarks.shop_family.pages import Pages
from benchmarks.shop_family.shop import LOGIN, Kind, Shop, Spot

HEADERS = {"content-type": "text/html; charset=utf-8"}
_SENT_ON = ("/wishlist/add/", "/compare/add/")


class ShopSite:
    """What a shop answers. Pages, robots.txt (404), links for visitors with an account (302), and a login for any."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.seed = canonicalize(f"{shop.origin}/")
        self._pages = Pages(shop)
        self._spots = {canonicalize(shop.origin + path): spot for path, spot in shop.spots.items()}
        self._login = canonicalize(shop.origin + shop.path(Spot(Kind.DESK, LOGIN)))
        self.body = cache(self._body)
        self.links = cache(self._links)

    @property
    def size(self) -> int:
        """How many pages the shop has; addresses for visitors with an account are none."""
        return len(self._spots)

    @property
    def urls(self) -> Iterable[Url]:
        """The addresses of all pages."""
        return self._spots.keys()

    def spot_at(self, url: Url) -> Spot | None:
        """Return which page stands at an address."""
        spot = self._spots.get(url)
        if spot is None and url.startswith(self._login):
            return Spot(Kind.DESK, LOGIN)
        if spot is None and "/tell-a-friend?" in url:
            return Spot(Kind.DESK, 1)
        return spot

    def good_at(self, url: Url) -> int | None:
        """Return the number of the product that is sold at an address, None for all else."""
        spot = self._spots.get(url)
        return spot.number if spot is not None and spot.kind is Kind.GOOD else None

    def redirect_of(self, url: Url) -> Url | None:
        """Return where an address sends on to, None where it does not."""
        return self._login if url.startswith(tuple(self.shop.origin + start for start in _SENT_ON)) else None

    def _body(self, url: Url) -> bytes | None:
        spot = self.spot_at(url)
        return None if spot is None else self._pages.make(spot)

    def _links(self, url: Url) -> tuple[Link, ...]:
        """Return the links that the crawl finds at an address, those of other sites left out."""
        target = self.redirect_of(url)
        if target is not None:
            return (Link(url=target, text=""),)
        body = self.body(url)
        if body is None:
            return ()
        page = parse_body(body, url=url, headers=HEADERS)
        here = site_key(self.seed)
        return tuple(link for link in page.links if site_key(link.url) == here and link.kind is not LinkKind.REFRESH)


class ShopFetcher:
    """A Fetcher over a shop; `asked` has every page that was asked for, in order."""

    def __init__(self, site: ShopSite, clock: Clock) -> None:
        self.site, self.clock = site, clock
        self.asked: list[Url] = []

    async def fetch(self, request: FetchRequest) -> FetchResult:
        """Answer from memory, at once."""
        self.asked.append(request.url)
        answer = self._answer(request.url, self.clock.now())
        return answer if request.method == "GET" else replace(answer, body=b"", body_read=False)

    def _answer(self, url: Url, now: datetime) -> FetchResult:
        target = self.site.redirect_of(url)
        if target is not None:
            return FetchResult(requested_url=url, status=302, headers={"location": target}, redirect_to=target,
                               location=target, fetched_at=now, elapsed_seconds=0.0)  # fmt: skip
        body = self.site.body(url)
        return FetchResult(requested_url=url, status=404 if body is None else 200, headers=HEADERS,
                           body=body or b"<title>404</title><p>No such page.</p>", body_read=True, fetched_at=now,
                           elapsed_seconds=0.0)  # fmt: skip
