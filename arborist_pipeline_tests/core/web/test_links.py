import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.html import parse_html
from arborist_pipeline.core.web.links import (
    MAX_ANCHOR_CHARACTERS,
    MAX_LINKS,
    MAX_MALFORMED,
    Link,
    LinkKind,
    base_url,
    extract_links,
    find_canonical,
)
from arborist_pipeline.core.web.url import canonicalize, resolve

PAGE = canonicalize("https://example.com/shop/list.html?page=2")


def read(html, url=PAGE, encoding="utf-8"):
    return extract_links(parse_html(html, encoding=encoding), url)


def urls(html, **more):
    return [link.url.removeprefix("https://example.com") for link in read(html, **more).links]


@pytest.mark.shared
def test_the_base_is_found_as_w3lib_finds_it(shared):
    path = shared / "conformance" / "url" / "w3lib-get_base_url.jsonl"
    cases = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    assert len(cases) == 18
    for case in cases:
        html, *page = case["args"]
        url = canonicalize(page[0] if page else "https://page.example/")
        assert base_url(parse_html(html), url) == (resolve(None, case["result"]) or url), case


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ('<base href="/forum/">', "/forum/a.html"),
        ('<base href="deep/area/"><base href="/other/">', "/shop/deep/area/a.html"),
        ('<base target="_top"><base href=" /x/ ">', "/x/a.html"),
        ('<base href="https://files.example/d/">', "https://files.example/d/a.html"),
        ('<base href="javascript:void(0)">', "/shop/a.html"),
        ('<base href="http://[bad">', "/shop/a.html"),
        ('<base href="">', "/shop/a.html"),
    ],
)
def test_references_resolve_against_the_first_base_with_an_address(base, url):
    assert urls(base + '<a href="a.html">a</a>') == [url]


def test_links_come_in_document_order_each_once_with_the_first_text_there_is():
    html = """<link rel="canonical" href="/c"><a href="/a"><img src="x"></a> <a href="/b">B</a>
        <a href="/a#reviews"> The <b>first</b>\n text </a> <a href="/a">Another</a>
        <map><area href="/a" alt="area"></map>"""
    assert read(html).links == (
        Link(url=canonicalize("https://example.com/c"), text="", kind=LinkKind.CANONICAL),
        Link(url=canonicalize("https://example.com/a"), text="The first text"),
        Link(url=canonicalize("https://example.com/b"), text="B"),
        Link(url=canonicalize("https://example.com/a"), text="area", kind=LinkKind.AREA),
    )


@pytest.mark.parametrize(
    ("anchor", "text"),
    [
        ("<a href=/a>one<!-- no -->two<script>no()</script></a>", "onetwono()"),  # as textContent has it
        ("<a href=/a>\u00a0 Caf\u00e9 \u00a0au\tlait</a>", "Caf\u00e9 au lait"),
        ('<a href=/a title="Title" aria-label="Label"><img alt="Image"></a>', "Label"),
        ('<a href=/a title="Title"><img alt=""><img alt=" Red  lamp "></a>', "Red lamp"),
        ('<a href=/a title="Title"> </a>', "Title"),
        ("<a href=/a></a>", ""),
        (f"<a href=/a>{'x' * 500}</a>", "x" * MAX_ANCHOR_CHARACTERS),
    ],
)
def test_a_link_is_named_by_its_text_label_image_or_title(anchor, text):
    assert [link.text for link in read(anchor).links] == [text]


@pytest.mark.parametrize(
    ("element", "kind"),
    [
        ('<link rel="next" href="/x">', LinkKind.NEXT),
        ('<link rel="PREV" href="/x">', LinkKind.PREV),
        ('<link rel="previous" href="/x">', LinkKind.PREV),
        ('<link rel="canonical" href="/x">', LinkKind.CANONICAL),
        ('<link rel="alternate" hreflang="de" href="/x">', LinkKind.ALTERNATE),
        ('<link rel="alternate" type="text/html; charset=utf-8" href="/x">', LinkKind.ALTERNATE),
        ('<link rel="alternate" type="application/xhtml+xml" href="/x">', LinkKind.ALTERNATE),
        ('<link rel="alternate" type="application/rss+xml" href="/x">', None),
        ('<link rel="alternate" type="application/atom+xml" href="/x">', None),
        ('<link rel="alternate" type="application/json+oembed" href="/x">', None),
        ('<link rel="alternate stylesheet" href="/x">', None),
        ('<link rel="stylesheet" href="/x">', None),
        ('<link rel="icon" href="/x">', None),
        ('<link rel="preload" href="/x">', None),
        ('<link href="/x">', None),
        ('<area href="/x">', LinkKind.AREA),
        ('<a name="x">', None),
    ],
)
def test_only_relations_between_pages_are_links(element, kind):
    assert [link.kind for link in read(element).links] == ([kind] if kind else [])


def test_nofollow_is_recorded_in_any_case_and_company():
    html = '<a href="/a" rel="noopener NoFollow">a</a><a href="/b" rel="nofollower">b</a><a href="/c">c</a>'
    assert [link.nofollow for link in read(html).links] == [True, False, False]


def test_schemes_of_their_own_and_places_in_the_page_are_neither_links_nor_faults():
    html = "".join(
        f'<a href="{href}">x</a>'
        for href in (
            "mailto:a@example.com",
            "tel:1",
            "data:,x",
            "javascript:void(0)",
            " JavaScript:x",
            "ftp://a/",
            "#",
            " #top",
            "#/x",
        )
    )
    assert read(html).links == ()
    assert read(html).malformed == ()


def test_an_empty_reference_is_the_page_itself():
    assert urls('<a href="">again</a>') == ["/shop/list.html?page=2"]


def test_an_unreadable_link_is_reported_as_written_and_the_others_are_found():
    html = """<a href="http://[shop.example/sale">a</a><a href="https://blog.example]">b</a><a href="//[">c</a>
        <a href="/ok/one.html">d</a><a href="http://a b/">e</a><a href="http://[shop.example/sale">again</a>"""
    found = read(html)
    assert [link.url for link in found.links] == ["https://example.com/ok/one.html"]
    assert found.malformed == ("http://[shop.example/sale", "https://blog.example]", "//[", "http://a b/")


def test_an_unreadable_link_is_reported_without_its_secrets():
    html = '<a href="http://me:hun/ter2@[shop">x</a><a href="http://[shop?token=hunter2">x</a>'
    assert read(html).malformed == ("http://***@[shop", "http://[shop?token=***")


def test_reports_of_unreadable_links_are_bounded():
    malformed = read("".join(f'<a href="http://[{"x" * 5_000}{number}">x</a>' for number in range(300))).malformed
    assert len(malformed) <= MAX_MALFORMED
    assert max(map(len, malformed)) <= 500


def test_padded_broken_and_windows_references_are_read_as_browsers_read_them():
    html = """<a href=" \n\t/feeds/autumn.html\n ">a</a> <a href="/long-\n\tname.html">b</a>
        <a href="..\\details\\lamp.html">c</a>"""
    assert urls(html) == ["/feeds/autumn.html", "/long-name.html", "/details/lamp.html"]


def test_a_query_is_escaped_in_the_encoding_of_the_page():
    assert urls('<a href="/marché/liste.html?q=thé">a</a>', encoding="cp1252") == ["/march%C3%A9/liste.html?q=th%E9"]


def test_links_after_the_end_of_the_document_count():
    assert urls("<html><body><a href=/a>a</a></body></html><a href=/b>b</a>") == ["/a", "/b"]


SNIPPETS = [
    '<base href="/b/">', '<a href="x.html">text</a>', '<link rel="alternate" type="text/html" href="/de">',
    "<area href=//h/p>", '<a href="http://[x">', "<a href='?a=1&amp;b=2#c' rel=nofollow>t", "</a>", "<!--", "-->",
    "<svg><a xlink:href=/s></svg>", "<noscript><a href=/n>n</a></noscript>", "<template><a href=/t>t</a></template>",
    "<a href=\x00>", '<a href="\ud800">', "\u202e",
]  # fmt: skip
PIECES = ["", "<", ">", '"', "'", "&", "#", " ", "\x00", "é", "["]


@st.composite
def mutated_pages(draw):
    html = "".join(draw(st.lists(st.sampled_from(SNIPPETS), min_size=1, max_size=8)))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(html)))
        html = html[:at] + draw(st.sampled_from(PIECES)) + html[at + draw(st.integers(0, 3)) :]
    return html


@given(mutated_pages())
def test_no_page_makes_it_raise_and_every_link_is_canonical_and_stands_once(html):
    found = read(html)
    for link in found.links:
        assert canonicalize(link.url) == link.url
        assert link.text == " ".join(link.text.split())
    assert len({(link.url, link.kind) for link in found.links}) == len(found.links)


@given(st.text("\n\t \r\f", max_size=4), st.text("abc#?/ ", max_size=6))
def test_whitespace_around_a_reference_and_a_fragment_after_it_change_nothing(blanks, fragment):
    plain = read('<a href="/a/b?c=d">x</a>')
    assert read(f'<a href="{blanks}/a/b?c=d#{fragment}{blanks}">x</a>') == plain


@pytest.mark.parametrize(("href", "url", "written"), [
    ("/a", "/a", None),
    ("/a?b=1&c=2", "/a?b=1&c=2", None),
    ("/a?sort=x&color=y", "/a?color=y&sort=x", "/a?sort=x&color=y"),
    ("/a?utm_source=mail", "/a", "/a?utm_source=mail"),
    ("/a;jsessionid=1F?b=2", "/a?b=2", "/a;jsessionid=1F?b=2"),
    ("/a?", "/a", None),
    ("/a?&?", "/a??", "/a?&?"),
    ("/a?b=%7eana", "/a?b=~ana", None),
    ("/a?z=1&b=thé#top", "/a?b=th%C3%A9&z=1", "/a?z=1&b=th%C3%A9"),
    ("?z=1&b=2", "/shop/list.html?b=2&z=1", "/shop/list.html?z=1&b=2"),
    ("https://me:pw@example.com/a?z=1&b=2", "/a?b=2&z=1", "/a?z=1&b=2"),
])  # fmt: skip
def test_an_address_is_kept_as_written_where_canonical_form_changed_it(href, url, written):
    (link,) = read(f'<a href="{href}">x</a>').links
    site = "https://example.com"
    assert (link.url, link.written) == (site + url, written and site + written)


def test_a_plain_link_beside_an_odd_one_makes_it_plain():
    odd, plain = '<a href="/a?utm_source=x">x</a>', '<a href="/a">y</a>'
    for html in (odd + plain, plain + odd):
        (link,) = read(html).links
        assert link.written is None


def test_links_that_differ_as_written_are_equal():
    assert read('<a href="/a?z=1&b=2">x</a>').links == read('<a href="/a?b=2&z=1">x</a>').links


@given(st.text("abz=&?;%2E/#", max_size=30))
def test_what_was_written_has_the_canonical_form_that_the_link_has(reference):
    for link in read(f'<a href="/{reference}">x</a>').links:
        assert link.written is None or canonicalize(link.written) == link.url


def test_links_after_the_first_fifty_thousand_are_left_and_that_is_told():
    html = "".join(f"<a href=/{number}>x</a>" for number in range(MAX_LINKS))
    whole, larger = read(html), read(html + "<a href=/last>x</a>")
    assert (len(whole.links), whole.has_more) == (MAX_LINKS, False)
    assert (larger.links, larger.has_more) == (whole.links, True)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("oak <b>elm <!-- no --> ash<?no?></b>yew<br/> fir", "oak elm ashyew fir"),
        ("<b> </b><i><img alt=oak></i><img alt=elm>", "oak"),
        ("<b></b>" * 90 + "oak", "oak"),
        (" " * 20_000 + "oak", ""),  # no name of a link has so much before it
        ("<b></b>" * 10_000 + "oak", ""),
        ("<b>" + "oak " * 5_000 + "</b>", ("oak " * 50)[:MAX_ANCHOR_CHARACTERS]),
    ],
)
def test_the_name_of_a_link_is_looked_for_in_the_beginning_of_what_lies_below_it(html, text):
    assert read(f"<a href=/a>{html}</a>").links[0].text == text


@pytest.mark.parametrize(
    ("html", "canonical"),
    [
        ("<link rel=canonical href=/a>", "/a"),
        ("<link rel=canonical href='http://['><link rel='shortlink Canonical' href=b#c>", "/shop/b"),
        ("<base href=/x/><link rel=canonical href=a><link rel=canonical href=b>", "/x/a"),
        ("<a rel=canonical href=/a>A</a><link rel=alternate href=/b>", None),
        ("<link rel=canonical href='#top'>", None),
        ("<link rel=canonical>", None),
        ("", None),
    ],
)
def test_the_canonical_address_is_the_first_canonical_link(html, canonical):
    found = find_canonical(parse_html(html), PAGE)
    assert found == (canonical and f"https://example.com{canonical}")
    assert found == next((link.url for link in read(html).links if link.kind is LinkKind.CANONICAL), None)
