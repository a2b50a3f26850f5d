import json

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from arborist_pipeline.core.errors import InvalidUrl
from arborist_pipeline.core.web.url import (
    MAX_URL_CHARACTERS,
    Origin,
    canonicalize,
    normalize_escapes,
    path_and_query,
    redact,
    redact_unreadable,
    resolve,
    same_site,
    site_key,
    split_origin,
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


PIECES = st.sampled_from([
    *"% %2 %25 %2e %2E %37 %45 %7E %41 . .. / // ; ;sid=1 ;jsessionid=A ? & = a A é \ud800 \u200b [ ] | ^ ` '".split(),
    *'" < > \\ + utm_source=x gclid= b=2 a=1 # @ : *'.split(), *" \t\n\x00",
])  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
@example("%%37E")
@example(".;sid=1/x")
@example("a/..;sid=1")
@example("?utm_source=%%37E&%5Futm=1&utm%5fx=1")
def test_the_canonical_form_is_reached_in_one_step(tail):
    url = resolve(None, "https://example.com/" + tail)
    assume(url is not None)
    assert canonicalize(url) == url
    assert url.isascii()
    assert "#" not in url
    assert resolve("https://other.example/", url) == url


@given(st.text(max_size=60), st.sampled_from(["utf-8", "cp1252", "shift_jis", "utf-16-le", "iso2022_jp", "gb18030"]))
def test_no_reference_in_any_encoding_makes_it_raise(reference, encoding):
    url = resolve("https://example.com/a/", reference, encoding=encoding)
    assert url is None or canonicalize(url) == url


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), max_size=6))
def test_parameters_are_sorted_by_name_and_values_of_one_name_keep_their_order(pairs):
    url = canonicalize("https://example.com/?" + "&".join(f"{name}={value}" for name, value in pairs))
    kept = [part.split("=") for part in url.partition("?")[2].split("&")] if pairs else []
    assert [name for name, _ in kept] == sorted(name for name, _ in pairs)
    for letter in "abc":
        assert [value for name, value in kept if name == letter] == [
            str(value) for name, value in pairs if name == letter
        ]


@pytest.mark.parametrize(
    ("raw", "url"),
    [
        ("HTTP://Example.COM:80", "http://example.com/"),
        ("https://user:pass@example.com:8443/a", "https://example.com:8443/a"),
        ("https://example.com/%7Eana/%c3%a9", "https://example.com/~ana/%C3%A9"),
        ("https://example.com/50%25-off", "https://example.com/50%25-off"),
        ("https://example.com/a?filter[x]=1|2", "https://example.com/a?filter%5Bx%5D=1%7C2"),
        ("https://example.com/a/?&", "https://example.com/a/"),
        ("https://example.com/a;jsessionid=9F?x=1", "https://example.com/a?x=1"),
        ("https://example.com/a;color=red", "https://example.com/a;color=red"),
        ("https://example.com/a?PHPSESSID=1&b=2&UTM_Source=n&gclid=x&mc_cid=3", "https://example.com/a?b=2"),
        (
            "https://example.com/a?ref=home&sid=7&source=x&id=1&pk_id=2",
            "https://example.com/a?id=1&pk_id=2&ref=home&sid=7&source=x",
        ),
        ("https://example.com/lamp?size=m&color=blue", "https://example.com/lamp?color=blue&size=m"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://[::1]:8080/", "https://[::1]:8080/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
    ],
)
def test_one_spelling_of_equivalent_urls_is_chosen(raw, url):
    assert canonicalize(raw) == url


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "/a",
        "example.com",
        "mailto:a@example.com",
        "javascript:void(0)",
        "http://",
        "http://[x",
        "https://a b/",
        "http://a:99999/",
        "data:,x",
    ],
)
def test_what_is_no_http_url_is_refused(raw):
    assert resolve(None, raw) is None
    with pytest.raises(InvalidUrl, match="not an absolute"):
        canonicalize(raw)


def test_a_url_is_refused_over_its_length_before_or_after_escaping():
    start = "https://example.com/"
    assert canonicalize(start + "a" * (MAX_URL_CHARACTERS - len(start)))
    assert resolve(None, start + "a" * MAX_URL_CHARACTERS) is None
    assert resolve(None, start + "é" * 2_000) is None
    assert resolve(start, "é" * 2_000) is None


@pytest.mark.parametrize(
    ("encoding", "query"),
    [
        ("cp1252", "q=th%E9&r=%26%231046%3B"), ("utf-8", "q=th%C3%A9&r=%D0%96"), ("utf-16-le", "q=th%C3%A9&r=%D0%96"),
        ("cp1251", "q=th%26%23233%3B&r=%C6"),
    ],
)  # fmt: skip
def test_a_query_is_escaped_in_the_encoding_of_its_document_and_a_path_in_utf_8(encoding, query):
    assert resolve("https://example.com/", "é?q=thé&r=Ж#é", encoding=encoding) == "https://example.com/%C3%A9?" + query


def test_references_are_read_as_browsers_read_them():
    base = "https://example.com/quick/list.html?x=1"
    assert resolve(base, "..\\details\\lamp.html") == "https://example.com/details/lamp.html"
    assert resolve(base, " \n a\tb.html ") == "https://example.com/quick/ab.html"
    assert resolve(base, "//other.example") == "https://other.example/"
    assert resolve(base, "?y") == "https://example.com/quick/list.html?y"
    assert resolve(base, "") == resolve(base, "#top") == base
    assert resolve("not a base", "a") is None


@pytest.mark.parametrize(
    ("url", "origin", "text"),
    [
        ("https://example.com/a", Origin("https", "example.com", 443), "https://example.com"),
        ("http://example.com:8080/", Origin("http", "example.com", 8080), "http://example.com:8080"),
        ("http://127.0.0.1/", Origin("http", "127.0.0.1", 80), "http://127.0.0.1"),
        ("https://[::1]:8443/", Origin("https", "[::1]", 8443), "https://[::1]:8443"),
        ("HTTP://user@EXAMPLE.com?x", Origin("http", "example.com", 80), "http://example.com"),
        ("https://example.com:443/", Origin("https", "example.com", 443), "https://example.com"),
    ],
)
def test_an_origin_is_scheme_host_and_port(url, origin, text):
    assert split_origin(url) == origin
    assert str(split_origin(url)) == text


def test_a_site_is_host_and_port_with_both_default_ports_as_one():
    assert same_site("http://example.com/", "https://example.com/a")
    assert site_key("http://example.com/") == ("example.com", None)
    for other in (
        "https://www.example.com/",
        "https://example.com:8443/",
        "http://example.com:443/",
        "https://example.org/",
    ):
        assert not same_site("https://example.com/", other)


def test_path_and_query_are_what_robots_rules_see():
    assert path_and_query("https://example.com/a?b=c://d/") == "/a?b=c://d/"
    assert path_and_query("https://example.com") == "/"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:pw@example.com/a?b=1", "https://***@example.com/a?b=1"),
        (
            "https://example.com/?api_key=abc&b=1&access_token=x#f",
            "https://example.com/?api_key=***&b=1&access_token=***#f",
        ),
        ("https://example.com/?b=token", "https://example.com/?b=token"),
        ("https://example.com/?author=a&author_id=1&keyword=b", "https://example.com/?author=a&author_id=1&keyword=b"),
        (
            "https://example.com/?authorization=a&auth=b&key=c&keys=d",
            "https://example.com/?authorization=***&auth=***&key=***&keys=***",
        ),
        ("http://me:p@w@example.com/@you?u=a@b", "http://***@example.com/@you?u=a@b"),
        (
            "postgresql+psycopg://me:p/w@db.example/web?sslmode=require",
            "postgresql+psycopg://***@db.example/web?sslmode=require",
        ),
        ("postgresql+psycopg://me:p@s#s/w?d@db/web", "postgresql+psycopg://***@db/web"),
        (
            "cannot reach http://a:b@x.example/ nor mysql+pymysql://c:d@y/z, me@here.example",
            "cannot reach http://***@x.example/ nor mysql+pymysql://***@y/z, me@here.example",
        ),
        (
            "status 301 to https://x.example/?token=abc: ask again",
            "status 301 to https://x.example/?token=*** ask again",
        ),
        ("https://x.example/#access_token=abc&state=1", "https://x.example/#access_token=***&state=1"),
        (
            "https://s3.example/a?X-Amz-Credential=a/b&sig=c&size=9&design=x",
            "https://s3.example/a?X-Amz-Credential=***&sig=***&size=9&design=x",
        ),
        ("https://x.example/a?b=c@d", "https://x.example/a?b=c@d"),
        ("https://me@example.com", "https://***@example.com"),
        ("//me:pw@example.com/a", "//***@example.com/a"),
        ("https://example.com/" + "?key" * 20_000, "https://example.com/" + "?key" * 20_000),
    ],
)
def test_secrets_are_masked_for_logs(url, shown):
    assert redact(url) == shown
    assert redact(shown) == shown


@given(
    st.sampled_from(["http", "https", "ftp", "postgresql", "postgresql+psycopg", "mysql+pymysql", "x-1.2"]),
    st.text("abc:/?#@%+-._~!$&'()*,;=[]é ", min_size=1, max_size=12).map(lambda text: text.replace(" ", "")),
)
def test_no_password_is_shown_whatever_is_in_it(scheme, rest):
    if scheme.startswith("http"):  # an authority ends where these begin
        rest = rest.translate(dict.fromkeys(map(ord, "/?#")))
    shown = redact(f"no answer from {scheme}://me:hunter2{rest}@db.example/web, sorry")
    assert "hunter2" not in shown
    assert shown.endswith("@db.example/web, sorry")


@pytest.mark.parametrize(
    ("reference", "shown"),
    [
        ("http://me:hunter/2@[shop", "http://***@[shop"),
        ("http:me:hunter2@[shop", "http:***@[shop"),
        ("http:\\\\me:hunter2@[shop", "http:\\\\***@[shop"),
        (" ht\ntp://me:hun#ter?2@[shop/a@b", " ht\ntp://***@b"),
        ("//hunter2@[shop", "//***@[shop"),
        ("me:hunter2@[shop", "***@[shop"),
        ("http://[shop?token=hunter2&b=1", "http://[shop?token=***&b=1"),
        ("http://[shop/picture@2x.png", "http://[shop/picture@2x.png"),
        ("http://[shop/sale", "http://[shop/sale"),
        ("", ""),
    ],
)
def test_secrets_are_masked_where_an_address_is_broken(reference, shown):
    assert redact_unreadable(reference) == shown
    assert redact_unreadable(shown) == shown


@given(st.sampled_from(["http://", "https:", "//", "\\\\", "\t/http:/", ""]), st.text("a:/?#[\\ %\n", max_size=12))
def test_no_password_of_a_broken_address_is_shown_whatever_is_in_it(start, rest):
    assert "hunter2" not in redact_unreadable(f"{start}me:{rest}hunter2{rest}@[shop")


def test_an_address_that_cannot_be_used_is_shown_without_its_password():
    with pytest.raises(InvalidUrl) as caught:
        canonicalize("postgresql+psycopg://me:hunter2@db.example/web")
    assert "hunter2" not in str(caught.value)
    assert "db.example" in str(caught.value)
