import base64
import gzip
import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.sitemap import (
    MAX_ENTRIES,
    SitemapEntry,
    SitemapKind,
    parse_sitemap,
    parse_w3c_date,
)
from arborist_pipeline.core.web.url import canonicalize

URL = "https://example.com/sitemap.xml"
LONG = "https://example.com/" + "a" * 2_048
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
KINDS = {
    "urlset": "urlset", "sitemapindex": "index", "text": "text", "rss": "feed", "atom": "feed",
    "invalid": "not_a_sitemap",
}  # fmt: skip

# Choices that the protocol leaves open, taken the other way here.
OTHER_CHOICES = {
    "xxe-mixed": "a file with a document type is refused whole, so that no rule about its entities is needed",
    "below-path": "an address outside the sitemap's folder is kept and reported: robots.txt may grant that",
}


def urlset(*locs, extra=""):
    return f"<urlset {NAMESPACE}>{''.join(f'<url><loc>{loc}</loc></url>' for loc in locs)}{extra}</urlset>".encode()


def urls(file):
    return [entry.url for entry in file.entries]


@pytest.mark.shared
def test_every_case_is_read_but_for_two_choices(shared):
    lines = (shared / "conformance" / "sitemaps" / "cases.jsonl").read_text("utf-8").splitlines()
    wrong = set()
    for case in map(json.loads, lines):
        file = parse_sitemap(base64.b64decode(case["body_b64"]), case["url"])
        found = urls(file) or list(file.sitemaps)
        if file.kind != KINDS[case["kind"]] or found != [canonicalize(loc) for loc in case["locs"]]:
            wrong.add(case["id"])
        elif case["kind"] in ("urlset", "text", "atom") and case["lastmods"]:
            declared = [at and parse_w3c_date(at.strip()) for at in case["lastmods"]]
            assert [entry.lastmod for entry in file.entries] == declared, case
    assert len(lines) == 58
    assert wrong == set(OTHER_CHOICES)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "kind", "count"),
    [
        ("sitemap-images.xml", "urlset", 1),
        ("sitemap-videos.xml", "urlset", 3),
        ("sitemap-links.xml", "urlset", 3),
        ("sitemap-mobile.xml", "urlset", 3),
        ("pagemaps-sitemap.xml", "urlset", 2),
        ("sitemap.badns.xml", "urlset", 2),
        ("sitemap.ns.xml", "urlset", 2),
        ("sitemap.txt.gz", "text", 5),
        ("xmlSitemap.gz", "urlset", 5),
        ("xmlRss_pubDate.xml", "feed", 7),
        ("feed.rss", "feed", 3),
    ],
)
def test_files_of_other_projects_give_their_pages(shared, name, kind, count):
    body = (shared / "conformance" / "sitemaps" / "crawler-commons" / name).read_bytes()
    file = parse_sitemap(body, "http://www.example.com/sitemap.xml")
    assert (file.kind, len(file.entries)) == (kind, count)


def test_child_sitemaps_of_an_index_may_lie_anywhere_and_stand_once():
    loc = "<sitemap><loc>https://{}/s.xml</loc><lastmod>2024-01-02</lastmod></sitemap>"
    hosts = ("example.com", "files.example.net", "example.com")
    file = parse_sitemap(f"<sitemapindex>{''.join(map(loc.format, hosts))}</sitemapindex>".encode(), URL)
    assert file.kind is SitemapKind.INDEX
    assert file.entries == ()
    assert file.sitemaps == ("https://example.com/s.xml", "https://files.example.net/s.xml")


def test_a_sitemap_on_another_host_speaks_for_the_site_that_names_it():
    body = urlset("https://example.com/a", "https://files.example.net/b")
    file = parse_sitemap(body, "https://files.example.net/s.xml", site_url="https://example.com/")
    assert urls(file) == ["https://example.com/a"]
    assert "an address of another site is left out: https://files.example.net/b" in file.problems


def test_both_schemes_of_a_host_are_one_site_and_a_port_is_another():
    body = urlset(
        "http://example.com/a", "https://example.com/b", "https://example.com:8443/c", "https://example.com.evil/d"
    )
    assert urls(parse_sitemap(body, URL)) == ["http://example.com/a", "https://example.com/b"]


def test_the_set_inside_a_set_is_read():
    assert urls(parse_sitemap(b"<urlset>" + urlset("https://example.com/a") + b"</urlset>", URL)) == [
        "https://example.com/a"
    ]


def test_only_the_page_of_an_entry_counts_not_its_images_or_translations():
    extra = (
        '<url><image:image xmlns:image="i"><image:loc>https://example.com/i.jpg</image:loc></image:image>'
        '<loc>https://example.com/a</loc><video:loc xmlns:video="v">https://example.com/v</video:loc>'
        '<xhtml:link xmlns:xhtml="x" rel="alternate" href="https://example.com/de"/></url>'
    )
    assert urls(parse_sitemap(urlset(extra=extra), URL)) == ["https://example.com/a"]


def test_an_entry_without_address_is_reported_and_the_next_is_read():
    file = parse_sitemap(urlset("", "  ", "https://example.com/a"), URL)
    assert urls(file) == ["https://example.com/a"]
    assert file.problems == ("an entry has no address (and 1 more)",)


@pytest.mark.parametrize(
    ("fault", "loc", "url"),
    [
        ("not well-formed: an ampersand is not escaped", "https://example.com/?a=1&b=2", "https://example.com/?a=1&b=2"),
        ("not well-formed: an ampersand is not escaped", "https://example.com/?a&copy=2", "https://example.com/?a&copy=2"),
        ("an address is relative: /a", "/a", "https://example.com/a"),
        ("no http(s) address: mailto:a@example.com", "mailto:a@example.com", None),
        ("no http(s) address: http://[x", "http://[x", None),
        ("an address has 2,048 characters or more: " + LONG[:200], LONG, LONG),
    ],
)  # fmt: skip
def test_faults_are_reported_and_what_is_readable_is_kept(fault, loc, url):
    file = parse_sitemap(urlset(loc, "https://example.com/z"), URL)
    assert fault in file.problems
    assert urls(file)[-1] == "https://example.com/z"
    assert urls(file)[:-1] == ([] if url is None else [url])


def test_cdata_keeps_its_ampersands_however_the_file_is_cut():
    locs = [f"<![CDATA[https://example.com/{'p' * 700}?a={number}&b=2]]>" for number in range(300)]
    file = parse_sitemap(urlset(*locs), URL)
    assert file.problems == ()
    assert len(file.entries) == 300
    assert all(entry.url.endswith("&b=2") for entry in file.entries)


def test_entries_before_a_break_are_kept_and_the_broken_one_is_not():
    body = urlset("https://example.com/a", "https://example.com/b")
    file = parse_sitemap(body[: body.index(b"/b<") + 2], URL)
    assert urls(file) == ["https://example.com/a"]
    assert file.problems == ("not well-formed: the file breaks off",)


def test_entries_that_were_never_closed_are_read_all_the_same():
    body = b"<urlset><url><loc>https://example.com/a</url><url><loc>https://example.com/b</loc></url></urlset>"
    file = parse_sitemap(body, URL)
    assert urls(file) == ["https://example.com/a", "https://example.com/b"]
    assert file.problems[0].startswith("not well-formed: Opening and ending tag mismatch")


def test_a_broken_gzip_file_gives_what_came_through():
    locs = [f"https://example.com/{number * 7919 % 10_007}" for number in range(5_000)]
    packed = gzip.compress(urlset(*locs))
    file = parse_sitemap(packed[: len(packed) // 2], URL)
    assert urls(file) == locs[: len(file.entries)]
    assert len(file.entries) > 1_000
    assert "the gzip file breaks off" in file.problems


def test_a_gzip_file_of_two_members_is_one_file():
    body = urlset("https://example.com/a", "https://example.com/b")
    assert len(parse_sitemap(gzip.compress(body[:90]) + gzip.compress(body[90:]), URL).entries) == 2


@pytest.mark.parametrize(
    "body",
    [
        '<?xml version="1.0" encoding="UTF-16"?>' + urlset("https://example.com/é").decode(),  # it is not
        '<?xml version="1.0" encoding="no-such-thing"?>' + urlset("https://example.com/é").decode(),
        '<?xml version="1.0" encoding="unicode_escape"?>' + urlset("https://example.com/é").decode(),
        urlset("https://example.com/é\x00\x0b").decode(),
    ],
)
def test_a_false_declaration_or_stray_control_spoils_nothing(body):
    assert urls(parse_sitemap(body.encode(), URL)) == ["https://example.com/%C3%A9"]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "windows-1251"])
def test_encodings_are_honoured(codec):
    text = (
        f'<?xml version="1.0" encoding="{codec}"?>'
        + urlset("https://example.com/Ж" if codec == "windows-1251" else "https://example.com/é").decode()
    )
    wanted = "%D0%96" if codec == "windows-1251" else "%C3%A9"
    assert urls(parse_sitemap(text.encode(codec), URL)) == ["https://example.com/" + wanted]


@pytest.mark.parametrize(
    "body",
    [
        b"", b"   ", b"{}", b"\x00\xff" * 50, b"<html><body>404</body></html>", b"<!DOCTYPE html><html>", b"<svg/>",
        b"Not found", b"%PDF-1.4", b"<?xml version='1.0'?><!-- c --><!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset/>",
    ],
)  # fmt: skip
def test_what_is_no_sitemap_gives_nothing_and_says_so(body):
    file = parse_sitemap(body, URL)
    assert (file.kind, file.entries, file.sitemaps) == (SitemapKind.NOT_A_SITEMAP, (), ())
    assert file.problems[0].startswith("not a sitemap")


def test_no_file_of_this_machine_gets_into_an_address(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("https://example.com/secret")
    include = (
        f'<url><loc><xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{secret}" parse="text"/></loc></url>'
    )
    entity = f'<!DOCTYPE urlset [<!ENTITY t SYSTEM "{secret.as_uri()}">]><urlset><url><loc>&t;</loc></url></urlset>'
    for body in (urlset(extra=include), entity.encode(), urlset("&t;") + entity.encode()):
        assert "https://example.com/secret" not in urls(parse_sitemap(body, URL))


def test_the_50_001st_entry_is_left_out_and_said():
    file = parse_sitemap(urlset(*(f"https://example.com/{number}" for number in range(MAX_ENTRIES + 10))), URL)
    assert len(file.entries) == MAX_ENTRIES
    assert any("more than 50,000 entries" in problem for problem in file.problems)
    lines = "\n".join(f"https://example.com/{number}" for number in range(MAX_ENTRIES + 10))
    assert len(parse_sitemap(lines.encode(), URL).entries) == MAX_ENTRIES


@pytest.mark.parametrize(
    "body",
    [
        b"<urlset>" + b"<a>" * 200_000, b"<urlset>&" + b"<![CDATA[" * 200_000, b"<!--" * 200_000,
        b"<urlset>" + b"&" * 300_000, b"<urlset " + b'a="1" ' * 100_000 + b">", b"<urlset>" + b"</x>" * 200_000,
    ],
)  # fmt: skip
def test_hostile_marks_end_in_a_report(body):
    file = parse_sitemap(body, URL)
    assert file.entries == ()
    assert file.problems


def test_an_address_is_known_as_it_is_written_until_it_stands_there_in_plain_form():
    listed = [
        "https://example.com/a?b=1&amp;a=2",
        "https://example.com/a?utm_source=x",
        "https://example.com/c?utm_id=1",
    ]
    entries = parse_sitemap(urlset(*listed, "https://example.com/c"), URL).entries
    assert [(entry.url, entry.written) for entry in entries] == [
        ("https://example.com/a?a=2&b=1", "https://example.com/a?b=1&a=2"),
        ("https://example.com/a", "https://example.com/a?utm_source=x"),
        ("https://example.com/c", None),
    ]


def test_feeds_give_their_items_with_dates_in_iso_form():
    rss = "<rss><channel><link>https://example.com/</link><item><link>https://example.com/a</link>{}</item></channel></rss>"
    dates = {
        "<pubDate>Mon, 06 May 2024 07:08:09 +0200</pubDate>": "2024-05-06T05:08:09+00:00",
        "<pubDate>2024-05-06</pubDate>": "2024-05-06",
        "<pubDate>Mon, 99 May 2024 07:08:09 GMT</pubDate>": None,
        "": None,
    }
    for text, lastmod in dates.items():
        entry = SitemapEntry(url=canonicalize("https://example.com/a"), lastmod=lastmod)
        assert parse_sitemap(rss.format(text).encode(), URL).entries == (entry,)


def test_an_atom_entry_is_its_alternate_link_and_not_its_comments():
    entry = (
        '<entry><link rel="replies" href="/c"/><link rel="self" href="/s"/><link href="/a"/><link href="/b"/></entry>'
    )
    file = parse_sitemap(f'<feed xmlns="http://www.w3.org/2005/Atom"><link href="/x"/>{entry}</feed>'.encode(), URL)
    assert urls(file) == ["https://example.com/a"]


@pytest.mark.parametrize(
    ("text", "is_date"),
    [
        ("2024", True), ("2024-02", True), ("2024-02-29", True), ("2024-02-29T23:59Z", True),
        ("2024-02-29T23:59:58+02:00", True), ("2024-02-29T23:59:58.123-02:00", True),
        ("2023-02-29", False), ("2024-13", False), ("2024-02-29T24:00Z", False), ("2024-02-29T10:00", False),
        ("2024-02-29 10:00:00", False), ("20240229", False), ("٢٠٢٤", False), ("0000", False), ("", False),
    ],
)  # fmt: skip
def test_dates_are_w3c_dates_at_six_precisions(text, is_date):
    assert parse_w3c_date(text) == (text if is_date else None)


@given(st.dates())
def test_every_day_is_a_date(day: date):
    assert parse_w3c_date(day.isoformat()) == day.isoformat()


PARTS = st.sampled_from([
    "<urlset>", "</urlset>", "<url>", "</url>", "<loc>", "</loc>", "https://example.com/a", "&", "&amp;", "&x;",
    "<![CDATA[", "]]>", "<!--", "-->", "<?xml version='1.0'?>", "<!DOCTYPE a>", "<lastmod>", "</lastmod>", "2024",
    "<sitemapindex>", "<sitemap>", "<rss>", "<channel>", "<item>", "<link>", "\x00", "é", "<a:b>", "<",
    ">", "'", '"', " ", "\n",
])  # fmt: skip


@given(st.lists(PARTS, max_size=30).map("".join), st.binary(max_size=20), st.integers(0, 3))
def test_no_file_makes_it_raise_and_every_address_is_of_the_site(text, noise, choice):
    body = (text.encode(), noise + text.encode(), gzip.compress(text.encode())[: 10 + len(text)], text.encode("utf-16"))
    file = parse_sitemap(body[choice], URL)
    for entry in file.entries:
        assert entry.url == canonicalize(entry.url)
        assert entry.url.startswith(("https://example.com/", "http://example.com/"))
    assert len(set(urls(file))) == len(file.entries)
