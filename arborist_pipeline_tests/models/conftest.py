"""Models behind real endpoints: what a crawl and a reading ask them, and what they make of it."""

import asyncio

import pytest

from arborist_pipeline.adapters.models.openai import OpenAiModel
from arborist_pipeline.adapters.stores.store import open_store
from arborist_pipeline.core.crawl.link_question import Candidate
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline.workflows.link_tier import LinkTier
from arborist_pipeline_tests.support.clock import ManualClock
from arborist_pipeline_tests.workflows.conftest import Desk


def link(path, anchor=""):
    return Candidate(canonicalize("https://shop.example" + path), anchor)


class LinkDesk(Desk):
    """Questions about links of a site, put to whatever endpoint the environment names."""

    def __init__(self, store, clock, monkeypatch):
        super().__init__(store, clock)
        self.monkeypatch = monkeypatch
        self.warnings = []

    def tier(self, environment, *, timeout_seconds=60.0):
        for name, value in environment.items():
            self.monkeypatch.setenv(name, value)
        model = OpenAiModel(environment["ARBORIST_LLM_MODEL"], timeout_seconds=timeout_seconds)
        return LinkTier(self.site, model=model, store=self.store.calls, clock=self.clock, warn=self.warnings.append)

    def ask(self, environment, links, **options):
        """Put a question in a crawl of its own."""
        return asyncio.run(self.tier(environment, **options).ask(links))

    @property
    def call_outcomes(self):
        return [outcome for (outcome,) in self.rows("SELECT outcome FROM llm_calls ORDER BY id")]


@pytest.fixture
def store(tmp_path):
    opened = open_store(str(tmp_path / "web.db"))
    yield opened
    opened.close()


@pytest.fixture
def desk(store, monkeypatch):
    return LinkDesk(store, ManualClock(), monkeypatch)
