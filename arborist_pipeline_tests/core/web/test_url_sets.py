"""Canonical URLs against the sets of others: where they differ, and the reason why ours is right."""

import json

import pytest

from arborist_pipeline.core.web.url import (
    canonicalize,
    normalize_escapes,
    resolve,
)

# Where other canonical forms differ from ours, by why ours is right for a crawler that must neither lose a page nor ask
# for what nobody linked.
RELATIVE = "no absolute URL: a scheme is never guessed"


SCHEME = "http(s) alone is crawled"


HOST = "WHATWG host parsing: what a browser cannot reach is None, what it can stays as it serialises it"


SLASHES = "an empty segment is a segment (RFC 3986 §3.3)"


DOT = "a host with a final dot is another origin to browsers"


EMPTY = "an empty value, a bare name and a comma are told apart by servers"


PERCENT = "a lone percent sign is sent as browsers send it"


TWICE = "nothing is decoded twice (RFC 3986 §2.4)"


RESERVED = "reserved characters and their escapes are not equivalent (RFC 3986 §2.2)"


PLUS = "a space is %20 as browsers write it, a plus stays a plus"


ORDER = "sorted by name alone: the order of the values of one name may matter"


USER = "user name and password are never stored"


FRAGMENT = "a fragment is no part of a request (RFC 9110 §7.1)"


QUERY = "an empty query is none"


BYTES = "the input is UTF-8 read as Latin-1: those very characters are escaped"


CRAWLER_COMMONS = {
    SLASHES: """http://foo.com//aa/bb/foo.html http://foo.com/aa//bb/foo.html http://foo.com/aa/bb//foo.html
        http://foo.com//aa//bb//foo.html http://foo.com////aa////bb//foo.html http://foo.com////aa////bb////foo.html""",
    SCHEME: """file:///foo/bar.txt ftp:/ ftp://foo.com/index.html file:/path/index.html
        file:/var/www/html/////./bar/index.html file:/var/www/html/foo/../bar/index.html""",
    HOST: "http://// http:///////",
    RELATIVE: "foo.com/index.html",
    DOT: "https://www.example.org./",
    EMPTY: """http://foo.com/index?a=1&b= http://foo.com/index?b=&a=1 http://foo.com/index?&=1&a=1
        http://foo.com/index?=1&b=1&a=1""",
    PERCENT: """https://www.last.fm/music/Prefuse+73/_/90%+of+My+Mind+Is+With+You
        http://www.example.com/a/c/../b/search?q=foobar% http://www.example.com/p%zz%77%v
        http://www.example.com/search?q=foobar% http://www.example.com/search?q=foobar%2""",
}


W3LIB = {
    ORDER: "http://www.example.com/do?c=3&b=5&b=2&a=50",
    EMPTY: "http://www.example.com/do?b=&c&a=2 http://www.example.com/do?1750,4",
    PLUS: "http://www.example.com/do?q=a\u2420space&a=1 http://www.example.com/do?q=a%20space&a=1",
    RESERVED: "https://example.com/a%23b%2cc#bash",
    USER: """http://user:pass@www.example.com:81/do?now=1 http://user:pass@www.example.com/do?a=1#frag
        http://user@例え.jp/path http://user:pass@例え.jp:8080/p""",
    RELATIVE: "a#frag a?b=1#frag ?b=1",
    SCHEME: "sftp://UsEr:PaSsWoRd@www.EXAMPLE.com/",
    HOST: f"http://.éxamplé.com/résumé?q=résumé http://www.{'éxamplé' * 11}.com/résumé?q=résumé",
}


URLCANON = {
    RELATIVE: "%20leadingspace.com/ www.google.com www.google.com/",
    FRAGMENT: """http://evil.com/foo#bar#baz http://foo.bar/baz?qux#foo\bbar http://www.evil.com/blah#frag
        http://www.google.com/foo?bar=baz#\u2420» http://www.google.com/foo?bar=baz#
        h␉t␊t␍p://h␉o␊s␍t:9␉0␊0␍0/p␉a␊t␍h?q␉u␊e␍ry#f␉r␊a␍g""",
    HOST: """http:%/ http:/%/ http://%/ http:%2e%2e%2e/a/b http:%2e%2e/a/b http:%2e/a/b http:/%2e%2e%2e/a/b
        http:/%2e%2e/a/b http:/%2e/a/b http://%2e%2e%2e/a/b http://%2e%2e/a/b http://%2e/a/b http:///%2e%2e%2e/a/b
        http:///%2e%2e/a/b http:///%2e/a/b http://\u2420leadingspace.com/ http://%20leadingspace.com/ http://09/
        http://\x01\x80.com/ http://â\x98\x83.net/ http://www.google.com.../ https://faÃ\x9f.ExAmPlE/
        http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B""",
    RESERVED: """http://example.com/%3A%3a%3C%3c http://example.com/%7Ffp3%3Eju%3Dduvgw%3Dd
        http://example.com/(%28:%3A%29) http://example.com/@asdf%40 http://facebook.com/?foo=%7B%22abc%22""",
    SLASHES: """http://example.com////../.. http://example.com\\\\foo\\\\bar
        http://host.com//twoslashes?more//slashes""",
    ORDER: "http://example.com/?%26=%26&%26 http://example.com/?%3d=%3d&%3d",
    BYTES: """http://example.com/ä½\u2423å¥½ä½\u2423å¥½ http://example.com/ï»¿/foo http://example.com/â\x80¥/foo
        http://example.com/â\x80®/foo/â\x80\xad/bar http://example.com/foo␉\x91%91 http://example.com/foo%2Â©zbar
        https://x/ï¿½?ï¿½#ï¿½""",
    PERCENT: """http://example.com/foo% http://example.com/foo%2 http://example.com/foo%2zbar
        http://example.com/foo/%2e%2 http://host/%%%25%32%35asd%% http://host/%%300 http://host/%%36%31
        http://host/?%%300 http://host/?%%36%31""",
    TWICE: """http://host/%25%2536%2531 http://host/%25%25361 http://host/%25%32%35 http://host/%25%32%35%25%32%35
        http://host/%2525252525252525 http://host/%2561 http://host/?%25%2536%2531 http://host/?%25%25361
        http://host/?%2561 http://host/asdf%25%32%35asd""",
    QUERY: "http://www.google.com/q?",
}


BLANKS = str.maketrans("\u2420\u2423␉␊␍", " \xa0\t\n\r")  # so that a list of words can hold them


def listed(differences):
    return {
        word.translate(BLANKS)
        for words in differences.values()
        for word in words.split(" ")
        for word in word.split("\n")
        if word
    }


def folder(shared):
    return shared / "conformance" / "url"


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def wpt(shared):
    return [
        record
        for record in json.loads((folder(shared) / "wpt-urltestdata.json").read_text("utf-8"))
        if not isinstance(record, str)
    ]


@pytest.mark.shared
def test_all_446_web_platform_records_of_http_are_resolved_or_refused_as_in_browsers(shared):
    seen = 0
    for record in wpt(shared):
        url = resolve(record["base"], record["input"])
        if record.get("failure"):
            seen += (record["base"] or record["input"]).strip().lower().startswith("http")
            assert url is None, record
        elif record["protocol"] not in ("http:", "https:"):
            assert url is None, record
        else:
            seen += 1
            path = normalize_escapes(record["pathname"])
            assert url == canonicalize(record["href"]), record
            assert url.split("?")[0] == f"{record['protocol']}//{record['host']}{path}", record
    assert seen >= 446


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "differences", "count"),
    [("crawler-commons-normalize.jsonl", CRAWLER_COMMONS, 112), ("w3lib-canonicalize_url.jsonl", W3LIB, 60)],
)
def test_other_canonical_forms_differ_only_where_ours_has_a_reason(shared, name, differences, count):
    cases = lines(folder(shared) / name)
    if name.startswith("w3lib"):
        calls = [case for case in cases if not case["kwargs"] and isinstance(case["args"][0], str)]
        cases = [{"input": case["args"][0], "output": case["result"]} for case in calls]
    assert len(cases) == count
    assert {case["input"] for case in cases if resolve(None, case["input"]) != case["output"]} == listed(differences)


@pytest.mark.shared
def test_the_precise_form_of_urlcanon_differs_only_where_ours_has_a_reason(shared):
    cases = json.loads((folder(shared) / "urlcanon-semantic_precise.json").read_text("utf-8"))
    cases = {raw: form for raw, form in cases.items() if form.startswith(("http:", "https:"))}
    assert len(cases) == 162
    assert {raw for raw, form in cases.items() if resolve(None, raw) != form} == listed(URLCANON)


@pytest.mark.shared
def test_references_resolve_as_in_crawler_commons_up_to_the_canonical_form(shared):
    for case in lines(folder(shared) / "crawler-commons-resolve.jsonl"):
        wanted = resolve(None, case["result"])
        assert resolve(case["base"] or None, case["spec"]) == wanted, case


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, below in value.items():
            yield from (key, *strings(below))
    elif isinstance(value, list):
        for below in value:
            yield from strings(below)


@pytest.mark.shared
def test_every_string_of_every_set_has_a_form_that_is_its_own_form(shared):
    seen = 0
    for path in folder(shared).iterdir():
        text = path.read_text("utf-8")
        values = json.loads(text) if path.suffix == ".json" else lines(path) if path.suffix == ".jsonl" else []
        for raw in strings(values):
            url = resolve("http://base.example/a/b?c", raw)
            seen += url is not None
            assert url is None or canonicalize(url) == url, raw
    assert seen > 5_000
