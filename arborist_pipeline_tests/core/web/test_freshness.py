import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.freshness import (
    MAX_RETRY_AFTER_SECONDS,
    EntityTag,
    Validators,
    is_http_date,
    is_same_entity,
    parse_entity_tags,
    parse_http_date,
    parse_retry_after,
    validators_from,
)

NOW = datetime(2024, 10, 1, 12, 0, 0, tzinfo=UTC)
DATE = "Tue, 01 Oct 2024 10:00:00 GMT"


def records(shared, name):
    return [json.loads(line) for line in (shared / "conformance" / "http" / name).read_text("utf-8").splitlines()]


@pytest.mark.shared
def test_entity_tags_compare_as_rfc_9110_has_it(shared):
    for case in records(shared, "etag-compare.jsonl"):
        (one,), (two,) = parse_entity_tags(case["a"]), parse_entity_tags(case["b"])
        assert one.matches_strongly(two) is case["strong"], case
        assert one.matches_weakly(two) is case["weak"], case
        assert is_same_entity(case["a"], case["b"]) is case["weak"], case


@pytest.mark.shared
def test_lists_of_entity_tags_are_read_and_malformed_ones_refused(shared):
    for case in records(shared, "etag-parse.jsonl"):
        tags = parse_entity_tags(case["field"])
        if case["tags"] == "any":
            assert tags == "*", case
        else:
            wanted = case["tags"] and tuple(EntityTag(text, is_weak=kind == "weak") for kind, text in case["tags"])
            assert tags == wanted, case


@pytest.mark.shared
def test_dates_are_read_in_three_forms_and_no_other(shared):
    for case in records(shared, "http-dates.jsonl"):
        now = datetime.fromtimestamp(case["now"], UTC) if case["now"] else NOW
        date = parse_http_date(case["value"], now=now)
        assert (date and date.timestamp()) == case["epoch"], case


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ('"a"', 'W/"a"', True),
        ('"a"', '"a", "a"', False),  # two headers joined: which one holds is not known
        ("abc", "abc", True),  # unquoted, yet equal byte for byte
        ("abc", '"abc"', False),
        ("*", "*", True),
        ("*", '"a"', False),
        ('"a"', "", False),
    ],
)
def test_malformed_tags_are_equal_only_as_they_are(one, other, same):
    assert is_same_entity(one, other) is same
    assert is_same_entity(other, one) is same


def test_a_leap_second_and_its_day_are_valid():
    assert parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT", now=NOW) == datetime(2017, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("value", ["Fri, 31 Dec 9999 23:59:60 GMT", "Sat, 01 Jan 0000 00:00:00 GMT", f"{DATE} "])
def test_dates_that_no_calendar_holds_are_none(value):
    assert parse_http_date(value, now=NOW) is None


def test_preconditions_go_back_byte_for_byte():
    stored = validators_from({"etag": 'W/"x y"', "last-modified": DATE})
    assert stored.request_headers == {"If-None-Match": 'W/"x y"', "If-Modified-Since": DATE}


def test_a_date_that_is_no_http_date_is_kept_and_never_sent():
    stored = validators_from({"last-modified": "2024-10-01T10:00:00Z"})
    assert stored.last_modified == "2024-10-01T10:00:00Z"
    assert stored.request_headers == {}
    assert not stored


def test_empty_validators_are_absent():
    assert validators_from({"etag": "", "last-modified": ""}) == Validators()
    assert not Validators()


def test_a_304_replaces_only_the_validators_it_names():
    stored = Validators(etag='"v1"', last_modified=DATE)
    assert stored.updated_by({"etag": '"v2"'}) == Validators(etag='"v2"', last_modified=DATE)
    assert stored.updated_by({}) == stored


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("1.5", 1.5),
        ("30, 30", 30.0),  # the header came twice
        ("Tue, 01 Oct 2024 12:02:00 GMT", 120.0),
        ("Tue, 01 Oct 2024 11:00:00 GMT", 0.0),  # past
        ("9" * 400, MAX_RETRY_AFTER_SECONDS),
        ("Thu, 01 Oct 2099 12:00:00 GMT", MAX_RETRY_AFTER_SECONDS),
        ("-5", None),
        ("soon", None),
        ("10 s", None),
        ("1e9", None),
        ("٣", None),  # a digit, but none of HTTP's
        ("", None),
        (None, None),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_never_negative_or_endless(value, seconds):
    assert parse_retry_after(value, NOW) == seconds


@pytest.mark.parametrize("field", ["\n", '"a"\n', '"a",\n', '"a"\x0b'])
def test_a_field_with_a_line_break_is_malformed(field):
    assert parse_entity_tags(field) is None


@given(st.text(max_size=40))
def test_no_field_value_makes_a_reader_raise(value):
    tags = parse_entity_tags(value)
    assert tags is None or tags == "*" or all(isinstance(tag, EntityTag) for tag in tags)
    assert isinstance(is_http_date(value), bool)
    seconds = parse_retry_after(value, NOW)
    assert seconds is None or 0.0 <= seconds <= MAX_RETRY_AFTER_SECONDS


@given(st.lists(st.tuples(st.text(st.characters(codec="latin-1", categories=["L", "N"]), max_size=8), st.booleans())))
def test_a_written_list_of_tags_reads_back(tags):
    field = " , ".join(f'{"W/" if is_weak else ""}"{opaque}"' for opaque, is_weak in tags)
    assert parse_entity_tags(field) == tuple(EntityTag(*tag) for tag in tags)


@given(st.datetimes(min_value=datetime(1000, 1, 1), max_value=datetime(9999, 12, 31)))  # noqa: DTZ001  # made aware below
def test_every_moment_written_as_a_date_reads_back(moment):
    moment = moment.replace(microsecond=0, tzinfo=UTC)
    assert parse_http_date(moment.strftime("%a, %d %b %Y %H:%M:%S GMT"), now=NOW) == moment
