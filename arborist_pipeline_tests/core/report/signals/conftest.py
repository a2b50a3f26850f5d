"""A small healthy site for signals to be tried on, and changes to it."""

from datetime import UTC, datetime

import pytest

from arborist_pipeline.core.crawl.records import Outcome, StoppedBy
from arborist_pipeline.core.report.snapshot import Listing, PageFacts, SiteSnapshot

SITE = "https://shop.example"


def page(path="/", outcome=Outcome.OK, **facts):
    """A healthy page at a path; facts change it."""
    defaults = {
        "status": 200,
        "title": f"Title of {path}",
        "main_characters": 4_000,
        "clicks": 0 if path == "/" else 1,
        "previous": None if path == "/" else f"{SITE}/",
        "fetched_at": datetime(2026, 1, 15, 12, tzinfo=UTC),
    }
    return PageFacts(url=SITE + path, outcome=outcome, **(defaults | facts))


@pytest.fixture
def make_snapshot():
    """Build a snapshot of an exhausted walk over the start page and the pages given; other fields by keyword."""

    def make(*pages, **fields):
        known = {facts.url: facts for facts in (page(), *pages)}
        healthy = {
            "site": "shop.example",
            "seed_url": f"{SITE}/",
            "stopped_by": StoppedBy.EXHAUSTED,
            "sitemap": (),
            "pages": known,
        }
        return SiteSnapshot(**(healthy | fields))

    return make


@pytest.fixture
def make_page():
    return page


@pytest.fixture
def listed():
    """Build sitemap listings from paths."""
    return lambda *paths, **facts: tuple(Listing(SITE + path, f"{SITE}/sitemap.xml", **facts) for path in paths)
