import base64
import json
import sys
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.web.fetch import FailureKind, FetchFailure, FetchResult
from arborist_pipeline.core.web.robots import (
    MAX_PROBLEMS,
    MAX_ROBOTS_BYTES,
    allow_all,
    deny_all,
    needs_refetch,
    parse_robots,
    rules_from_result,
    rules_or_cached,
)
from arborist_pipeline.core.web.url import canonicalize

TOKEN = "arborist-crawler"
ROBOTS_URL = canonicalize("https://example.com/robots.txt")

# Google's parser reads `Allow: /dir/index.html` as `/dir/` too, and cuts lines at 16,664 bytes; RFC 9309 has neither.
GOOGLE_ALONE = {"google-078", "google-141", "google-144"}
INDEX_PAGE_ALONE = {"cc-339", "protego-331"}


def records(shared, name):
    path = shared / "conformance" / "robots" / name
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def body_of(record):
    return base64.b64decode(record["robots_b64"]) if "robots_b64" in record else record["robots"].encode()


def absolute(url):
    return url if "://" in url else "http://example.com/" + url.removeprefix("/")


def allows(record):
    return parse_robots(body_of(record), record["agent"]).allows(absolute(record["url"]))


def rules(text, token=TOKEN):
    return parse_robots(text.encode(), token)


def allowed(text, path, token=TOKEN):
    return rules(text, token).allows("https://example.com" + path)


@pytest.mark.shared
def test_the_rfc_decides_every_record_of_googles_own_set(shared):
    cases = records(shared, "google-robotstxt.jsonl")
    wrong = {case["id"] for case in cases if allows(case) is not case["rfc9309_allowed"]}
    assert wrong == GOOGLE_ALONE
    assert all(case["google_only"] for case in cases if case["id"] in GOOGLE_ALONE)
    assert sum(not case["google_only"] for case in cases) == 72


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "count"), [("generated-google-verdicts.jsonl", 7_200), ("realworld-google-verdicts.jsonl", 3_160)]
)
def test_generated_and_real_files_are_read_as_google_reads_them(shared, name, count):
    seen, wrong = 0, []
    for case in records(shared, name):
        for agent, url, verdict in case["queries"]:
            seen += 1
            if parse_robots(body_of(case), agent).allows(url) is not verdict:
                wrong.append((case["id"], agent, url, verdict))
    assert wrong == []
    assert seen == count


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "count"), [("crawler-commons.jsonl", 168), ("protego.jsonl", 315), ("cpython-3.11.jsonl", 41)]
)
def test_what_other_parsers_and_google_agree_on_holds_here(shared, name, count):
    cases = [case for case in records(shared, name) if case["consensus"]]
    assert len(cases) == count
    assert {case["id"] for case in cases if allows(case) is not case["allowed"]} <= INDEX_PAGE_ALONE


@pytest.mark.shared
def test_delays_are_read_as_crawler_commons_and_protego_read_them(shared):
    cases = records(shared, "crawler-commons-crawl-delay.jsonl") + records(shared, "protego-crawl-delay.jsonl")
    for case in cases:
        if not set(case["agent"].lower()) <= set("abcdefghijklmnopqrstuvwxyz_-*0123456789"):
            continue  # whole User-Agent headers, matched there by their parts
        wanted = case["crawl_delay_s"] if "crawl_delay_s" in case else case["crawl_delay_ms"] / 1_000
        assert parse_robots(body_of(case), case["agent"]).crawl_delay == wanted, case


@pytest.mark.shared
def test_sitemap_lines_are_read_as_protego_reads_them(shared):
    for case in records(shared, "protego-sitemaps.jsonl"):
        assert sorted(parse_robots(body_of(case), TOKEN).sitemaps) == sorted(case["sitemaps"])


def result(status=None, body=b"", *, error=None, **more):
    failure = FetchFailure(kind=error, message="said so") if error else None
    values = {"body_read": status is not None, "redirect_to": None, **more}
    return FetchResult(
        requested_url=ROBOTS_URL, status=status, body=body, failure=failure,
        fetched_at=datetime(2024, 1, 1, tzinfo=UTC), elapsed_seconds=0.1, **values,
    )  # fmt: skip


def decide(case):
    """Play a case as the crawl does: at most five redirects followed, a copy younger than a day used unasked."""
    response = case["response"]
    cached = rules("User-agent: *\nDisallow: /cached") if "cached_age_h" in response else None
    if cached is not None and not needs_refetch(response["cached_age_h"] * 3_600.0):
        return "cached_rules"
    if "status" not in response:
        kind = {"dns_error": FailureKind.DNS, "tls_error": FailureKind.TLS}.get(response["error"], FailureKind.TIMEOUT)
        fetched = rules_from_result(result(error=kind), TOKEN)
    else:
        final = response.get("final", response) if response.get("hops") in (None, 1, 2, 3, 4, 5) else response
        text = "User-agent: *\nDisallow: /x\n" + "#" * 1_024 * final["body_kib"] if "body_kib" in final else None
        fetched = rules_from_result(result(final["status"], (text or final.get("body", "")).encode()), TOKEN)
    if fetched.unreachable and cached is not None:
        return "cached_rules" if rules_or_cached(fetched, cached) is cached else "wrong"
    if cached is not None:
        return "refetch"
    if fetched.unreachable or not fetched.allows("https://example.com/"):
        return "disallow_all"
    decided = "rules" if fetched.rules else "allow_all"
    return "rules_of_first_500_kib_at_least" if text else decided


@pytest.mark.shared
def test_access_follows_from_what_came_back_for_robots_txt(shared):
    cases = records(shared, "access-results.jsonl")
    assert len(cases) == 40
    wrong = {case["id"]: decide(case) for case in cases if decide(case) not in case["decision"].split("|")}
    assert wrong == {}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (result(503), "robots.txt unreachable: status 503"),
        (result(429), "robots.txt unreachable: status 429"),
        (result(302), "robots.txt unreachable: status 302"),
        (result(304), "robots.txt unreachable: status 304"),
        (result(999), "robots.txt unreachable: status 999"),
        (result(error=FailureKind.DNS), "robots.txt unreachable: dns (said so)"),
        (result(200, b"User-agent: *", error=FailureKind.TIMEOUT), "robots.txt unreachable: timeout (said so)"),
        (
            result(200, b"User-agent: *\nDisallow: /a", truncated=True),
            "robots.txt unreachable: its body was not read whole",
        ),
        (result(200, too_large=True), "robots.txt unreachable: its body was not read whole"),
        (result(200, body_read=False), "robots.txt unreachable: its body was not read whole"),
    ],
)
def test_a_file_that_could_not_be_read_forbids_all_and_says_why(answer, reason):
    denied = rules_from_result(answer, TOKEN)
    assert denied.unreachable
    assert not denied.allows("https://example.com/")
    assert denied.allows("https://example.com/robots.txt")
    assert denied.line_for("https://example.com/") == denied.reason == reason


def test_the_body_of_an_error_is_never_parsed():
    gone = rules_from_result(result(410, b"User-agent: *\nDisallow: /"), TOKEN)
    assert gone == allow_all("no robots.txt: status 410")
    assert gone.allows("https://example.com/x")


def test_a_file_over_the_limit_is_used_up_to_its_last_whole_line():
    line = b"Disallow: /padding-of-a-rule-that-is-long\n"
    body = b"User-agent: *\nDisallow: /x\n" + line * (MAX_ROBOTS_BYTES // len(line)) + b"Disallow: /last\n"
    read = rules_from_result(result(200, body, truncated=True), TOKEN)
    assert not read.allows("https://example.com/x")
    assert not read.allows("https://example.com/padding-of-a-rule-that-is-long")
    assert read.allows("https://example.com/last")
    assert read.allows("https://example.com/padd")
    assert "512000 bytes" in read.problems[0]


def test_at_least_500_kib_are_read():
    body = b"User-agent: *\n" + b"#" * (MAX_ROBOTS_BYTES - 30) + b"\nDisallow: /x\n"
    assert len(body) <= MAX_ROBOTS_BYTES
    assert not parse_robots(body, TOKEN).allows("https://example.com/x")


def test_a_cached_copy_serves_only_while_the_file_is_unreachable():
    cached, fetched = rules("User-agent: *\nDisallow: /a"), rules("User-agent: *\nDisallow: /b")
    assert rules_or_cached(deny_all("down"), cached) is cached
    assert rules_or_cached(fetched, cached) is fetched
    assert rules_or_cached(deny_all("down"), None).unreachable


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/a*b", "/axxb", True),
        ("/a*b", "/axx", False),
        ("/a*b$", "/axbxb", True),
        ("/a*b$", "/axbx", False),
        ("/ab$", "/ab", True),
        ("/ab$", "/abc", False),
        ("/ab$", "/ab?x", False),
        ("/*$", "/anything", True),
        ("*.php", "/x/index.php?a", True),
        ("/*a*a$", "/a", False),  # one octet cannot serve two pieces
        ("/*a*a$", "/aa", True),
        ("/a$b", "/a$b", True),  # only a final $ is the end
        ("/a%24", "/a$", True),
        ("/a%24", "/a", False),
        ("/a%2Ab", "/a*b", True),
        ("/a%2Ab", "/axb", False),
        ("/%7euser", "/~user", True),
        ("/~user", "/%7Euser", True),
        ("/a%2fb", "/a%2Fb", True),
        ("/a%2fb", "/a/b", False),
        ("/k\u00f6nyv", "/k%C3%B6nyv", True),
        ("/k%c3%b6nyv", "/k\u00f6nyv", True),
        ("/a b", "/a%20b", True),
        ("/100%", "/100%", True),
        ("/A", "/a", False),
        ("/a?b=", "/a?b=c", True),
        ("foo", "/foo", False),
        ("http://example.com/a", "/a", False),
    ],
)
def test_patterns_match_as_rfc_9309_has_it(pattern, path, matches):
    assert allowed(f"User-agent: *\nDisallow: {pattern}", path) is not matches


def test_a_pattern_in_another_encoding_matches_its_own_bytes():
    body = "User-agent: *\nDisallow: /caf\xe9".encode("latin-1")
    assert not parse_robots(body, TOKEN).allows("https://example.com/caf%E9")
    assert parse_robots(body, TOKEN).allows("https://example.com/caf%C3%A9")


@pytest.mark.parametrize(
    ("text", "path", "verdict"),
    [
        ("Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/x", True),
        ("Disallow: /a\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/c/x", False),
        ("Disallow: /a\nAllow: /a", "/a", True),  # a tie is allowed
        ("Disallow: /a*\nAllow: /a", "/ab", False),  # the wildcard is an octet too
        ("Disallow:", "/a", True),
        ("Disallow: /\nAllow:", "/a", False),
    ],
)
def test_the_most_octets_win_and_empty_rules_are_none(text, path, verdict):
    assert allowed("User-agent: *\n" + text, path) is verdict


GROUPS = """
User-agent: otherbot
User-agent: Arborist-Crawler/2.0
Crawl-delay: 7
Disallow: /a

User-agent: *
Disallow: /

Sitemap: https://example.com/s.xml

User-agent: ARBORIST-CRAWLER # again
Disallow: /b
Crawl-delay: 9
"""


def test_groups_of_one_token_are_merged_and_outrank_the_group_for_all():
    read = rules(GROUPS)
    assert [read.allows(f"https://example.com/{path}") for path in "abc"] == [False, False, True]
    assert read.crawl_delay == 7.0
    assert not rules(GROUPS, "somebot").allows("https://example.com/c")
    assert rules(GROUPS, "somebot").crawl_delay is None


def test_agents_with_only_a_delay_share_the_rules_that_follow():
    text = f"User-agent: {TOKEN}\nCrawl-delay: 5\nUser-agent: otherbot\nDisallow: /x"
    assert not allowed(text, "/x")


def test_a_longer_or_shorter_name_is_another_crawler():
    text = "User-agent: arborist\nUser-agent: arborist-crawler-image\nDisallow: /"
    assert allowed(text, "/x")


@pytest.mark.parametrize("ending", ["\n", "\r", "\r\n", "\n\n\n"])
def test_lines_end_as_the_rfc_has_it(ending):
    assert not allowed(ending.join(["\ufeffUSER-AGENT : *\t# all", "\t disallow:\t/x  # no", ""]), "/x")


@pytest.mark.parametrize("mark", ["\v", "\f", "\x85", "\u2028", "\u2029", "\x1c"])
def test_lines_end_nowhere_else(mark):
    assert allowed(f"User-agent: *\nDisallow: /a{mark}Disallow: /b", "/b")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("10", 10.0), ("0.5", 0.5), ("0,5", 0.5), (".5", 0.5), ("0", 0.0), ("10<BR>", 10.0), ("86400", 86_400.0),
        ("9" * 400, sys.float_info.max), ("-1", None), ("nan", None), ("inf", None), ("soon", None), ("", None),
    ],
)  # fmt: skip
def test_a_delay_is_finite_and_never_negative(value, seconds):
    assert rules(f"User-agent: *\nCrawl-delay: {value}").crawl_delay == seconds


def test_sitemap_lines_belong_to_no_group_and_keep_their_case():
    text = "SITEMAP:https://example.com/Maps/A.XML\nUser-agent: otherbot\nSitemap: /b.xml\nsite-map: https://example.com/Maps/A.XML"
    assert rules(text).sitemaps == ("https://example.com/Maps/A.XML",)
    read = parse_robots(text.encode(), TOKEN, base_url=ROBOTS_URL)
    assert read.sitemaps == ("https://example.com/Maps/A.XML", "https://example.com/b.xml")


def test_problems_name_line_text_and_fault():
    text = "Disallow: /early\nUser-agent *\nDisalow: /x\nDisallow: x\nfoo: bar\nHost: e\nCrawl-delay: x\nSitemap: a\n"
    assert rules(text).problems == (
        "line 1: Disallow: /early: stands before any User-agent line",
        "line 2: User-agent *: no colon after the key",
        "line 3: Disalow: /x: misspelt, read as disallow",
        "line 4: Disallow: x: never matches: a path begins with a slash",
        "line 5: foo: bar: unknown record",
        "line 7: Crawl-delay: x: no number of seconds",
        "line 8: Sitemap: a: not an absolute http(s) address",
    )


def test_a_page_served_as_robots_txt_has_bounded_problems_and_no_rules():
    read = rules("<html>\n" + "<p>Disallow nothing here\n" * 10_000)
    assert len(read.problems) == MAX_PROBLEMS
    assert read.rules == ()


def test_the_line_that_decided_can_be_shown():
    read = rules("User-agent: *\n\nDisallow: /x # secret")
    assert read.line_for("https://example.com/x/y") == "line 3: Disallow: /x"
    assert read.line_for("https://example.com/z") is None
    assert read.line_for("https://example.com/robots.txt") is None


def test_a_hostile_pattern_costs_no_more_than_a_pass_over_the_path():
    stars = rules("User-agent: *\nDisallow: /" + "a*" * 50_000 + "b")
    assert stars.allows("https://example.com/" + "a" * 8_000)
    many = rules("User-agent: *\nDisallow: /" + "*" * 400_000 + "x")
    assert many.allows("https://example.com/" + "a" * 8_000)
    assert not many.allows("https://example.com/" + "a" * 8_000 + "x")


def matches_slowly(pattern, path):
    """The definition of §2.2.3 as recursion, kept as an oracle."""
    if pattern in ("", "$"):
        return not pattern or not path
    if pattern[0] == "*":
        return any(matches_slowly(pattern[1:], path[cut:]) for cut in range(len(path) + 1))
    return bool(path) and pattern[0] == path[0] and matches_slowly(pattern[1:], path[1:])


@given(st.text("ab/*", max_size=8), st.booleans(), st.text("ab/", max_size=8))
def test_matching_agrees_with_the_definition(pattern, has_end, path):
    pattern = "/" + pattern + ("$" if has_end else "")
    assert allowed(f"User-agent: *\nDisallow: {pattern}", "/" + path) is not matches_slowly(pattern, "/" + path)


@given(st.binary(max_size=300), st.text(max_size=20))
def test_no_body_and_no_path_makes_it_raise(body, path):
    read = parse_robots(b"User-agent: *\n" + body, TOKEN)
    url = "https://example.com/" + path
    assert isinstance(read.allows(url), bool)
    for text in (*read.problems, *read.sitemaps, read.line_for(url) or ""):
        text.encode("utf-8")  # nothing that a store could not write


@given(
    st.lists(
        st.sampled_from(["User-agent: *", "User-agent: a", "Disallow: /x", "Allow: /x/y", "Foo: 1", ""]), max_size=9
    )
)
def test_blank_lines_comments_and_unknown_records_change_nothing(lines):
    noisy = [extra for line in lines for extra in (line, "", "# c", "Unknown: /x")]
    for path in ("/", "/x", "/x/y/z"):
        assert allowed("\n".join(lines), path) is allowed("\n".join(noisy), path)
