"""Canonical URLs: one spelling, no secret shown, no text that makes it raise."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from arborist_pipeline.core.errors import InvalidUrl
from arborist_pipeline.core.web.url import (
    MAX_URL_CHARACTERS,
    Base,
    Origin,
    canonicalize,
    path_and_query,
    redact,
    redact_unreadable,
    resolve,
    resolve_both,
    same_site,
    site_key,
    split_origin,
)

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


BASES = st.sampled_from(
    ["https://a.example/", "http://a.example:81/b/c.html?d=/e", "https://[::1]/f/", "https://a.example?/"]
)
PLAIN = st.sampled_from(
    "/ // a b.c .d .. ./ ~e f-g_h? ?i=j&b=2 &utm_source=x : ;sid=1 %41 é # https://a.example".split()
)


@given(BASES, st.lists(PIECES | PLAIN, max_size=6).map("".join), st.sampled_from(["utf-8", "cp1252"]))
@example("https://a.example/", "https://a.example.b/c", "utf-8")
@example("https://a.example/b/", "x" * (MAX_URL_CHARACTERS - 20), "utf-8")
@example("https://a.example/b/", "x?" + "y" * (MAX_URL_CHARACTERS - 20), "utf-8")
@example("https://a.example/b/", "c.html?b=1&a=2", "utf-8")
def test_a_plain_reference_leads_where_the_parser_takes_it(base, reference, encoding):
    url = canonicalize(base)
    assert Base(url, encoding).resolve_both(reference) == resolve_both(url, reference, encoding=encoding)


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
