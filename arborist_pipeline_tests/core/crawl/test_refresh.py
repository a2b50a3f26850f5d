"""A crawl counts as failed when it could not do its work, and then says what to do."""

from dataclasses import replace

import pytest

from arborist_pipeline.core.crawl.records import CrawlSummary, StoppedBy
from arborist_pipeline.core.crawl.refresh import crawl_failure

SEED = "https://shop.example/"
SUMMARY = CrawlSummary(crawl_id=1, pages=3, products=0, documents=0, by_outcome={}, by_tier={}, rejected={},
                       first_product_at=None, llm_calls=0, requests={}, needs_rendering=0, unfetched=0,
                       stopped_by=StoppedBy.EXHAUSTED)  # fmt: skip
FAILED = {StoppedBy.ERRORS, StoppedBy.ROBOTS, StoppedBy.LEASE_LOST, StoppedBy.INTERRUPTED}


@pytest.mark.parametrize("stopped_by", StoppedBy)
def test_only_what_kept_a_crawl_from_its_work_is_a_failure(stopped_by):
    reason = crawl_failure(replace(SUMMARY, stopped_by=stopped_by), SEED)
    assert (reason is not None) == (stopped_by in FAILED)


def test_a_failure_has_the_crawls_own_words():
    assert crawl_failure(replace(SUMMARY, stopped_by=StoppedBy.ROBOTS, reason="ask them"), SEED) == "ask them"


def test_a_failure_without_words_says_how_requests_ended():
    summary = replace(SUMMARY, stopped_by=StoppedBy.ERRORS, by_outcome={"network_error": 2, "http_error": 1})
    reason = crawl_failure(summary, SEED)
    assert SEED in reason
    assert "1 http_error, 2 network_error" in reason


def test_an_interrupted_crawl_says_that_the_next_one_goes_on():
    reason = crawl_failure(replace(SUMMARY, stopped_by=StoppedBy.INTERRUPTED), SEED)
    assert reason == "interrupted; the next run goes on from there"
