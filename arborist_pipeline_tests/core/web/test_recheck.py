import json
from datetime import UTC, datetime

import pytest

from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure, FetchResult
from arborist_pipeline.core.web.freshness import Freshness, Validators
from arborist_pipeline.core.web.recheck import Verdict, is_head_refused, judge_recheck
from arborist_pipeline.core.web.url import canonicalize, resolve

URL = canonicalize("https://example.com/page")
NOW = datetime(2024, 10, 1, 12, 0, 0, tzinfo=UTC)
STORED = Validators(etag='"v1"', last_modified="Tue, 01 Oct 2024 10:00:00 GMT")
FAILURES = {
    "connect_timeout": FailureKind.TIMEOUT,
    "read_timeout": FailureKind.TIMEOUT,
    "dns_error": FailureKind.DNS,
    "connection_refused": FailureKind.CONNECT,
    "tls_error": FailureKind.TLS,
    "protocol_error": FailureKind.PROTOCOL,
}


def answer(status=None, *, url=URL, error=None, **headers):
    lowered = {name.lower().replace("_", "-"): value for name, value in headers.items()}
    return FetchResult(
        requested_url=url,
        status=status,
        headers=lowered,
        redirect_to=resolve(url, lowered["location"]) if "location" in lowered else None,
        location=lowered.get("location"),
        fetched_at=NOW,
        elapsed_seconds=0.1,
        failure=FetchFailure(kind=error, message="said so") if error else None,
    )


def judge_case(case):
    """Judge as the workflow does: a refused HEAD is asked again by GET, redirects are followed to their end."""
    response = dict(case["response"])
    then = response.pop("then", None)
    then_get = response.pop("then_get", None)
    stored = Validators(**case["stored"])
    if "error" in response:
        return judge_recheck(stored, answer(error=FAILURES[response["error"]]))
    first = answer(response.pop("status"), **response)
    if then_get is not None and is_head_refused(first):
        first = answer(then_get.pop("status"), **then_get)
    if then == "loop":
        return judge_recheck(stored, first, reached=first)
    if then is not None:
        return judge_recheck(stored, first, reached=answer(then.pop("status"), url=first.redirect_to, **then))
    return judge_recheck(stored, first)


@pytest.mark.shared
def test_every_answer_falls_into_its_class(shared):
    lines = (shared / "conformance" / "http" / "recheck-classes.jsonl").read_text("utf-8").splitlines()
    # The one case that is not requested at all is the workflow's: it never comes to a result.
    cases = [case for case in map(json.loads, lines) if "blocked_by_robots" not in case["response"]]
    assert len(cases) == len(lines) - 1
    wrong = {case["id"]: judge_case(case) for case in cases if judge_case(case).freshness != case["class"]}
    assert wrong == {}


@pytest.mark.shared
def test_the_preconditions_sent_are_those_of_the_stored_answer(shared):
    lines = (shared / "conformance" / "http" / "recheck-classes.jsonl").read_text("utf-8").splitlines()
    for case in map(json.loads, lines):
        if "request" in case:
            assert dict(Validators(**case["stored"]).request_headers) == case["request"], case


def test_a_404_is_gone_at_the_first_sight_of_it():
    assert judge_recheck(STORED, answer(404)) == Verdict(freshness=Freshness.GONE, reason="status 404")


def test_a_permanent_redirect_names_where_the_page_moved():
    verdict = judge_recheck(STORED, answer(301, location="/new?utm_source=x#top"))
    assert (verdict.freshness, verdict.moved_to) == (Freshness.MOVED, "https://example.com/new")


def test_a_temporary_redirect_not_followed_is_unknown_and_moves_nothing():
    verdict = judge_recheck(STORED, answer(302, location="/elsewhere"))
    assert (verdict.freshness, verdict.moved_to) == (Freshness.UNKNOWN, None)


def test_a_redirect_whose_target_fails_is_unknown_and_says_why():
    verdict = judge_recheck(STORED, answer(301, location="/new"), reached=answer(error=FailureKind.DNS))
    assert verdict.freshness is Freshness.UNKNOWN
    assert "dns" in verdict.reason


def test_the_validators_of_a_redirects_target_are_never_held_against_the_stored_ones():
    reached = answer(200, etag='"v1"')
    assert judge_recheck(STORED, answer(302, location="/b"), reached=reached).freshness is Freshness.STALE


def test_the_wait_that_a_server_asks_for_comes_with_the_verdict():
    assert judge_recheck(STORED, answer(429, retry_after="120")).retry_after_seconds == 120.0
    assert judge_recheck(STORED, answer(503)).retry_after_seconds is None
    assert judge_recheck(STORED, answer(200, retry_after="120")).retry_after_seconds is None


def test_an_address_that_we_refuse_to_reach_is_blocked():
    assert judge_recheck(STORED, answer(error=FailureKind.BLOCKED_ADDRESS)).freshness is Freshness.BLOCKED


def test_only_404_and_410_are_ever_gone():
    statuses = [*range(100, 600), 999]
    assert [status for status in statuses if judge_recheck(STORED, answer(status)).freshness == "gone"] == [404, 410]


def test_equal_dates_say_nothing_where_only_one_side_has_a_tag():
    stored = Validators(last_modified=STORED.last_modified)
    sent = answer(200, etag='"v1"', last_modified=STORED.last_modified)
    assert judge_recheck(stored, sent).freshness is Freshness.STALE
