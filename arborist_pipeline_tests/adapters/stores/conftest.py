"""A store on disk, a shop in it, and visits to the shop: what a crawl writes, without a network."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import count

import pytest
from sqlalchemy import text

from arborist_pipeline.adapters.stores.engine import reading
from arborist_pipeline.adapters.stores.schema import metadata
from arborist_pipeline.adapters.stores.store import SqlStore, open_store
from arborist_pipeline.core.crawl.admission import build_admission
from arborist_pipeline.core.crawl.entries import FrontierEntry
from arborist_pipeline.core.crawl.frontier import Frontier
from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.reading import read_exchange
from arborist_pipeline.core.crawl.records import CrawlSummary, Site, StoppedBy
from arborist_pipeline.core.ports import CrawlBatch, CrawlStart, Lease
from arborist_pipeline.core.web.fetch import FetchResult
from arborist_pipeline.core.web.links import Link
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.support.builders import NOON, SHOP_URL, make_result

SITE = Site(key="shop", seed_url=canonicalize(SHOP_URL))
SUMMARY = CrawlSummary(crawl_id=1, pages=0, products=0, documents=0, by_outcome={}, by_tier={}, rejected={},
                       first_product_at=None, llm_calls=0, requests={}, needs_rendering=0, unfetched=0,
                       stopped_by=StoppedBy.EXHAUSTED)  # fmt: skip


def at(path: str):
    return canonicalize(f"https://shop.example{path}")


def prose(words: str = "A lamp for a desk", *, title: str = "Lamps", links=()) -> str:
    anchors = "".join(f'<a href="{href}">to {href}</a>' for href in links)
    return f"<!doctype html><title>{title}</title><p>{words}</p>{anchors}"


def product_page(price: str = "19.90", *, name: str = "Desk lamp", availability: str = "InStock", text="") -> str:
    """A product page with JSON-LD, as a shop would write it."""
    return f"""<!doctype html><title>{name}</title><h1>{name}</h1><p>{text or name} gives light.</p>
    <p>${price}</p><button>Add to cart</button><script type="application/ld+json">{{
    "@context": "https://schema.org", "@type": "Product", "name": "{name}", "sku": "L-1",
    "offers": {{"@type": "Offer", "price": "{price}", "priceCurrency": "AUD",
    "availability": "https://schema.org/{availability}"}}}}</script>"""


def visit(
    store: SqlStore,
    answers: Mapping[str, str | FetchResult | Callable],
    *,
    when: datetime = NOON,
    lease: Lease | None = None,
    start: CrawlStart | None = None,
    site: Site = SITE,
    **policy,
) -> CrawlStart:
    """Fetch exactly these paths and record them in one batch; an answer is mark-up, a result or a function of a URL.

    Pages are asked for in order of `answers` (product-shaped ones first), and their links enter the frontier.
    """
    rules = CrawlPolicy(**{"max_pages": 0, "only": tuple(map(at, answers)), **policy})
    start = start or store.crawls.begin_crawl(site, rules, run_id=None, now=when)
    admission = build_admission(site.seed_url, include=(), exclude=(), robots={})
    frontier = Frontier(rules, admission, site.seed_url, rows=store.crawls.frontier_rows(site.key, 1), began_at=when)
    for _ in frontier.restore():
        raise AssertionError("a visit finds everything in its place")
    frontier.start()
    readings, done = [], {}
    order = start.last_order
    while (request := frontier.next()) is not None:
        order += 1
        answer = answers[request.url.removeprefix("https://shop.example")]
        if isinstance(answer, str):
            answer = make_result(answer, url=request.url, fetched_at=when)
        result = answer(request.url, when) if callable(answer) else answer
        reading_ = read_exchange(request, result, order=order, site=site, policy=rules)
        readings.append(reading_)
        page = reading_.page
        if page.redirect_to is not None:
            frontier.follow_redirect(page.url, Link(url=page.redirect_to, text=""))
        else:
            frontier.follow(page.url, page.links or ())
        done[page.url] = frontier.complete(page.url, kind=page.kind, new_links=0, now=when)
    batch = CrawlBatch(readings=tuple(readings), forbidden=(), changes=frontier.take_changes(), completions=done,
                       arms=frontier.take_arms())  # fmt: skip
    store.crawls.record(start, batch, lease)
    return start


def answering(status: int, body: str = "", **options) -> Callable:
    """An answer with this status, made for whatever URL is asked for."""
    return lambda url, when: make_result(body, url=url, status=status, fetched_at=when, **options)


def tagged(body: str, etag: str, **headers) -> Callable:
    """A page with an entity tag."""
    return lambda url, when: make_result(body, url=url, fetched_at=when, headers={"etag": etag, **headers})


def dump(store: SqlStore, *, without: tuple[str, ...] = ()) -> dict[str, list[tuple]]:
    """Every row of every table, columns named in `without` left out."""
    found = {}
    with reading(store.engine) as connection:
        for table in metadata.sorted_tables:
            names = ", ".join(f'"{column.name}"' for column in table.columns if column.name not in without)
            rows = connection.execute(text(f'SELECT {names} FROM "{table.name}"'))  # names of the schema
            found[table.name] = sorted((tuple(map(plain, row)) for row in rows), key=repr)
    return found


def plain(value):
    """Return a value as SQLite has it, whichever database it came from."""
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
    return json.dumps(value) if isinstance(value, dict | list) else value


def known_entries(store: SqlStore, key: str = "shop") -> list[FrontierEntry]:
    """Every known URL of a site in order of seq."""
    stored = store.crawls.frontier_rows(key, 1)
    entries = stored.entries([known[0] for portion in stored.known(NOON) for known in portion])
    return sorted(entries, key=lambda entry: entry.seq)


def rows(store: SqlStore, query: str, **values) -> list[tuple]:
    with reading(store.engine) as connection:
        return [tuple(map(plain, row)) for row in connection.execute(text(query), values)]


on_sqlite = pytest.mark.parametrize("new_location", ["sqlite"], indirect=True)
"""For what only a file can meet."""
on_postgresql = pytest.mark.parametrize("new_location", ["postgresql"], indirect=True)
"""For what only a server can meet."""


@pytest.fixture(params=["sqlite", "postgresql"])
def new_location(request, tmp_path):
    """A function that names a place for a new store, for each kind of database: a path, a PostgreSQL database's URL."""
    if request.param == "postgresql":
        return request.getfixturevalue("new_postgres")
    numbers = count()
    return lambda: str(tmp_path / (f"web{number}.db" if (number := next(numbers)) else "web.db"))


@pytest.fixture
def location(new_location) -> str:
    """Where a store may be made."""
    return new_location()


@pytest.fixture
def store(location):
    """An open store that knows the shop."""
    opened = open_store(location)
    opened.sites.put_site(SITE, NOON)
    yield opened
    opened.close()
