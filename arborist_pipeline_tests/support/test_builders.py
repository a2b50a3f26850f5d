"""Builders give whole values: the same that a fetcher and a parser give."""

import pytest

from arborist_pipeline.core.errors import InvalidUrl
from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure
from arborist_pipeline.core.web.page import parse_page
from arborist_pipeline_tests.support.builders import SHOP_URL, make_page, make_result


def test_a_page_is_parsed_from_its_mark_up():
    page = make_page("<title>Café</title><a href='b?utm_source=x'>B</a>", url="https://shop.example/a/")
    assert page.title == "Café"
    assert [(link.url, link.text) for link in page.links] == [("https://shop.example/a/b", "B")]


def test_headers_of_a_page_count():
    assert make_page("<p>x", headers={"x-robots-tag": "noindex"}).noindex
    assert not make_page("<p>x").noindex


def test_a_result_parses_to_the_page_that_the_page_builder_gives():
    text = "<title>Brûlée</title><p>x"
    assert parse_page(make_result(text)).title == make_page(text).title == "Brûlée"


def test_a_plain_result_is_a_whole_html_answer():
    result = make_result("x")
    assert (result.status, result.content_type, result.body, result.body_read) == (200, "text/html", b"x", True)
    assert result.requested_url == SHOP_URL
    assert result.fetched_at.tzinfo is not None


def test_a_location_is_resolved_against_the_request():
    result = make_result(status=301, location="../b", url="https://shop.example/x/y/a")
    assert (result.redirect_to, result.location) == ("https://shop.example/x/b", "../b")
    assert result.is_redirect
    assert make_result(status=301, location="mailto:a@b").redirect_to is None


def test_a_failure_has_no_status_headers_or_body():
    result = make_result(failure=FetchFailure(kind=FailureKind.DNS, message="no such host"))
    assert (result.status, dict(result.headers), result.body_read) == (None, {}, False)


def test_a_relative_address_is_refused():
    with pytest.raises(InvalidUrl):
        make_result(url="/a")
