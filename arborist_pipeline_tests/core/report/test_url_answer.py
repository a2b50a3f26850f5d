"""The answer as JSON has one shape for people's scripts, with secrets masked in what servers said."""

from datetime import UTC, datetime

from arborist_pipeline.core.crawl.records import Outcome, Priority, Tier
from arborist_pipeline.core.report.url_answer import UrlAnswer, answer_to_json, request_to_json
from arborist_pipeline.core.report.url_record import InboundLinks, UrlRequest
from arborist_pipeline.core.web.url import canonicalize

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
REQUEST = UrlRequest(crawl_id=3, order=2, fetched_at=NOON, depth=1, parent=None, anchor="a",
                     priority=Priority(Tier.REGEX, 1.0, "shaped like a product"), status=404,
                     outcome=Outcome.HTTP_ERROR, reason="404 at https://a.example/?token=abc", kind=None, title=None,
                     elapsed_seconds=0.12345, size_bytes=10)  # fmt: skip


def test_a_request_is_told_in_the_words_of_the_crawl_and_without_secrets():
    said = request_to_json(REQUEST)
    assert said["priority"] == {"tier": "regex", "score": 1.0, "why": "shaped like a product"}
    assert (said["crawl"], said["order"], said["fetched_at"]) == (3, 2, "2026-01-15T12:00:00.000Z")
    assert said["reason"] == "404 at https://a.example/?token=***"
    assert said["elapsed_seconds"] == 0.123


def test_nothing_known_is_said_as_nothing():
    answer = UrlAnswer(url=canonicalize("https://a.example/"), site=None, record=None, robots=None, rejection=None,
                       trap=None, inbound=InboundLinks(0, ()), versions=(), near=())  # fmt: skip
    said = answer_to_json(answer, ())
    assert (said["state"], said["site"], said["requests"], said["near"]) == ("no_site", None, [], [])
    assert "product" not in said
