import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.fetch import FetchResult
from arborist_pipeline.core.web.links import LinkKind
from arborist_pipeline.core.web.page import parse_body, parse_page
from arborist_pipeline.core.web.url import canonicalize

URL = canonicalize("https://example.com/a/page.html")


def page(html, **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return parse_body(html.encode(), url=URL, headers={"content-type": "text/html; charset=utf-8", **names})


def test_a_page_has_what_its_parts_say():
    body = b"""<title> Lamp \n shop </title><link rel=canonical href=/c><a href=b.html>B</a><a href="http://[">x</a>"""
    result = FetchResult(
        requested_url=URL, status=200, headers={"content-type": "text/html"}, body=body, body_read=True,
        fetched_at=datetime(2024, 1, 1, tzinfo=UTC), elapsed_seconds=0.1,
    )  # fmt: skip
    read = parse_page(result)
    assert (read.url, read.title, read.canonical_url) == (URL, "Lamp shop", "https://example.com/c")
    assert [link.url for link in read.links] == ["https://example.com/c", "https://example.com/a/b.html"]
    assert read.malformed_links == ("http://[",)
    assert (read.nofollow, read.noindex, read.refresh_to) == (False, False, None)


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>A &amp; B</title>", "A & B"),
        ("<svg><title>icon</title></svg><title>Shop</title>", "Shop"),
        ("<title> </title>", None),
        ("<title></title><title>Second</title>", "Second"),
        ("<p>no title", None),
        ("", None),
    ],
)
def test_the_title_is_the_documents_own(html, title):
    assert page(html).title == title


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/b", "https://example.com/b"),
        ("5;URL=/b", "https://example.com/b"),
        ("0 ,url = b.html", "https://example.com/a/b.html"),
        ("0; url='/b'", "https://example.com/b"),
        ("0; url=\n  '/start/now.html' trailing", "https://example.com/start/now.html"),
        ("1.5;url=/b", "https://example.com/b"),
        ("0; url=", None),
        ("30", None),
        ("0; url=javascript:x()", None),
        ("0; url=page.html", None),  # the page itself: a reload
        ("soon; url=/b", None),
        ("", None),
        (".5; url=/b", "https://example.com/b"),  # the odd cases of the algorithm, step by step
        ("1.2.3, /b", "https://example.com/b"),
        ("0 /b", "https://example.com/b"),
        ("0\t;\n/b", "https://example.com/b"),
        ("0;;/b", "https://example.com/a/;/b"),
        ("0; URL = '/b' c", "https://example.com/b"),
        ("0; '/b", "https://example.com/b"),
        ("0; url='/b&quot;", "https://example.com/b%22"),
        ("0; url /b", "https://example.com/a/url%20/b"),
        ("0; urls/b", "https://example.com/a/urls/b"),
        ("0; u", "https://example.com/a/u"),
        ("0url=/b", None),
        ("0&nbsp;; url=/b", None),
        ("&nbsp;0; url=/b", None),
        ("\v0; url=/b", None),
        ("-1; url=/b", None),
        ("\uff10; url=/b", None),
        ("\u0660; url=/b", None),
    ],
)
def test_a_refresh_names_its_target_as_html_has_it(content, target):
    read = page(f'<meta content="{content}" http-equiv="Refresh">')
    assert read.refresh_to == target
    assert [link.url for link in read.links if link.kind is LinkKind.REFRESH] == ([target] if target else [])


@pytest.mark.parametrize(
    ("first", "target"),
    [("300", None), ("0; url=page.html", None), ("0; url=http://[", "/b"), ("0url=/a", "/b"), ("0; url=/a", "/a"),
     ("0; url=javascript:x()", "/b")],
)  # fmt: skip
def test_the_first_refresh_that_can_be_read_counts_even_where_it_shows_the_page_again(first, target):
    read = page(f'<meta http-equiv="refresh" content="{first}"><meta http-equiv="refresh" content="0; url=/b">')
    assert read.refresh_to == (target and f"https://example.com{target}")


def test_a_long_refresh_is_read_in_one_pass():
    for part in ("1", ".", "1.", " ", ";", "url=", "'"):
        assert page(f'<meta http-equiv="refresh" content="0{part * 200_000}x">').links is not None


@pytest.mark.parametrize(("seconds", "is_hop"), [("0", True), ("5", True), ("0.9", True), ("6", False), ("300", False),
                                                 ("9" * 400, False)])  # fmt: skip
def test_a_refresh_that_lets_a_reader_read_is_a_link_and_no_hop(seconds, is_hop):
    read = page(f'<meta http-equiv="refresh" content="{seconds}; url=/next?b=1&amp;a=2">')
    assert (read.refresh_to is not None) is is_hop
    (link,) = read.links
    assert (link.kind, link.url, link.written) == (
        LinkKind.REFRESH, canonicalize(link.written), link.written,
    )  # fmt: skip
    assert link.written.endswith("/next?b=1&a=2")


@pytest.mark.shared
def test_what_only_looks_like_a_refresh_is_none(shared):
    text = (shared / "conformance" / "url" / "w3lib-get_meta_refresh.jsonl").read_text("utf-8")
    cases = [json.loads(line) for line in text.split("\n") if line]
    # Read without scripts, as here, a noscript element is part of the page.
    cases = [case for case in cases if case["test"] != "test_inside_noscript"]
    assert len(cases) == 6
    for case in cases:
        html, url = case["args"]
        assert parse_body(html.encode(), url=canonicalize(url), headers={}).refresh_to is None, case


@pytest.mark.parametrize(
    ("meta", "header", "nofollow", "noindex"),
    [
        ("NoArchive , NOFOLLOW", "", True, False),
        ("none", "", True, True),
        ("index, follow", "", False, False),
        ("nofollower", "", False, False),
        ("", "noindex, nofollow", True, True),
        ("", "otherbot: noindex", False, False),
        ("noindex", "nofollow", True, True),
    ],
)
def test_directives_for_robots_come_from_meta_and_header(meta, header, nofollow, noindex):
    read = page(f'<META NAME="Robots" CONTENT="{meta}">', x_robots_tag=header)
    assert (read.nofollow, read.noindex) == (nofollow, noindex)


def test_the_charset_of_the_header_decides_how_links_are_escaped():
    body = "<a href='/march\xe9?q=th\xe9'>a</a>".encode("latin-1")
    read = parse_body(body, url=URL, headers={"content-type": "text/html; charset=iso-8859-1"})
    assert [link.url for link in read.links] == ["https://example.com/march%C3%A9?q=th%E9"]


@given(st.binary(max_size=200), st.sampled_from(["", "text/html", "text/html; charset=utf-16", "a/b; charset=x"]))
def test_no_body_makes_it_raise(body, content_type):
    read = parse_body(body, url=URL, headers={"content-type": content_type})
    assert read.url == URL
