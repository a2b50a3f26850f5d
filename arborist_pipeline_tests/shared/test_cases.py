"""Faults that people reported against crawlers, held to the server's own log and to what the store and report say."""

from collections.abc import Callable

import pytest

from arborist_pipeline.core.crawl.records import Outcome, StoppedBy
from arborist_pipeline_tests.shared.conftest import CASES_FILE, Run, load_cases

pytestmark = pytest.mark.shared

CASES = {case["id"]: case for case in load_cases()}
ABSENT = pytest.mark.skip(reason=f"no crawl cases at {CASES_FILE}: set ARBORIST_SHARED to the folder that has them")


def parametrize(*ids: str):
    wanted = ids or tuple(CASES)
    return pytest.mark.parametrize("case_id", wanted if CASES else [pytest.param("", marks=ABSENT)])


def having(fact: str):
    return parametrize(*[case_id for case_id, case in CASES.items() if fact in case.get("facts", {})])


@parametrize()
def test_the_server_saw_what_was_right(cases, case_id):
    run = cases[case_id]
    assert run.verdict == [], run.said


@parametrize()
def test_every_request_and_the_crawl_end_with_an_outcome_and_a_reason(cases, case_id):
    run = cases[case_id]
    assert run.summary["reason"]
    assert StoppedBy(run.summary["stopped_by"])
    assert all(Outcome(page["outcome"]) and page["reason"] for page in run.pages)
    stored = run.rows("SELECT outcome, reason FROM pages")
    assert len(stored) == len(run.pages)
    assert all(reason for _, reason in stored)
    asked = [page["order"] for page in run.pages if page["order"] is not None]
    assert asked == list(range(1, run.summary["pages"] + 1))


@parametrize()
def test_a_crawl_fails_only_where_it_could_not_begin(cases, case_id):
    run = cases[case_id]
    assert run.exit_code == (1 if case_id == "robots-503" else 0), run.said


# -- facts, by the name that the cases give them


def holds_documents(run: Run, count: int) -> None:
    assert run.rows("SELECT count(*) FROM current_documents") == [(count,)]


def holds_uris(run: Run, endings: list[str]) -> None:
    uris = [uri for (uri,) in run.rows("SELECT document_uri FROM current_documents")]
    assert all(any(uri.endswith(ending) for uri in uris) for ending in endings)
    assert not any("#" in uri for uri in uris)


def holds_duplicates(run: Run, groups: list[list[str]]) -> None:
    found = run.found("exact_duplicate", "main_duplicate")
    assert [sorted(map(run.path, finding["details"]["urls"])) for finding in found] == groups


def lists_redirects(run: Run, paths: list[str]) -> None:
    met = {run.path(url) for finding in run.found("redirect_loop", "redirect_chain")
           for url in [finding["url"], *finding["details"]["hops"]]}  # fmt: skip
    assert met >= set(paths)


def lists_sitemap_redirects(run: Run, paths: list[str]) -> None:
    found = [finding for finding in run.found("sitemap_error") if "redirects to" in finding["message"]]
    assert [run.path(finding["url"]) for finding in found] == paths


def lists_sitemap_urls(run: Run, paths: list[str]) -> None:
    """What is listed is reached or an orphan; nothing else is."""
    reached = {run.path(page["url"]) for page in run.pages}
    assert sorted({*run.paths("orphan"), *(reached & set(paths))}) == sorted(paths)


REPORTED = {
    "robots.txt unreachable (503); host not crawled": ("robots_problem", ("unreachable", "503")),
    "sitemap is not well-formed": ("sitemap_error", ("fault",)),
}


def says_in_report(run: Run, what: str) -> None:
    signal, words = REPORTED[what]
    assert any(all(word in finding["message"] for word in words) for finding in run.found(signal))


def shows_title(run: Run, title: str) -> None:
    assert title in [page["title"] for page in run.pages]


def contains_text(run: Run, what: str | list[str]) -> None:
    text = run.text()
    assert all(mark in text for mark in ([what] if isinstance(what, str) else what))


def contains_text_or_nothing(run: Run, what: list[str]) -> None:
    path, mark = what
    assert run.text(path) == "" or mark in run.text(path)


def contains_texts(run: Run, by_path: dict[str, str]) -> None:
    assert all(mark in run.text(path) for path, mark in by_path.items())


def lacks_text(run: Run, words: str) -> None:
    assert words not in run.text()


def does_not_store(run: Run, paths: list[str]) -> None:
    for path in paths:
        assert run.text(path) == ""
        assert run.rows("SELECT body_sha256 FROM frontier WHERE url = ?", run.base.rstrip("/") + path) == [(None,)]


def is_quiet_after_429(run: Run, _: str) -> None:
    first = next(entry["t"] for entry in run.log if entry["status"] == 429)
    late = [entry["t"] - first for entry in run.log if entry["t"] > first]
    assert not [seconds for seconds in late if 0.5 < seconds < 2.9]


def lists_once(run: Run, path: str) -> None:
    assert sum(run.path(page["url"]) == path for page in run.pages) == 1
    assert run.paths("broken_link").count(path) <= 1


def sells(run: Run, expected: dict) -> None:
    (product,) = run.products().values()
    assert {name: product[name] and " ".join(product[name].split()) for name in expected} == {
        name: " ".join(value.split()) for name, value in expected.items()
    }


def sells_variants(run: Run, expected: list[dict]) -> None:
    (product,) = run.products().values()
    found = [{"sku": each["sku"], "price": each["price"], "currency": product["currency"]}
             for each in product["variants"]]  # fmt: skip
    assert sorted(found, key=str) == sorted(expected, key=str)


def sells_for(run: Run, expected: str | dict[str, str]) -> None:
    prices = {path: product["price"] or product["low_price"] for path, product in run.products().items()}
    if isinstance(expected, str):
        assert list(prices.values()) == [expected]
    else:
        assert prices == expected


FACTS: dict[str, Callable[[Run, object], None]] = {
    "documents": holds_documents,
    "documents_after_restart": holds_documents,
    "document_uris_end_with": holds_uris,
    "duplicates": holds_duplicates,
    "redirect_problems": lists_redirects,
    "sitemap_redirects": lists_sitemap_redirects,
    "sitemap_urls": lists_sitemap_urls,
    "report": says_in_report,
    "title": shows_title,
    "document_text_contains": contains_text,
    "document_text_contains_or_absent": contains_text_or_nothing,
    "text_contains": contains_texts,
    "text_lacks": lacks_text,
    "not_stored": does_not_store,
    "not_stored_as_text": does_not_store,
    "requests_within_3s_of_429": is_quiet_after_429,
    "report_lists_once": lists_once,
    "product": sells,
    "variants": sells_variants,
    "price": sells_for,
    "malformed_links": lambda run, hrefs: same([each["url"] for each in run.found("malformed_link")], hrefs),
    "broken_links": lambda run, paths: same(run.paths("broken_link"), paths),
    "orphans": lambda run, paths: same(run.paths("orphan"), paths),
    "redirects_leaving_host": lambda run, paths: same(run.paths("redirect_off_site"), paths),
    "thin": lambda run, paths: same(list(set(run.paths("thin_page")) & set(paths)), paths),
    "soft_404": lambda run, paths: same(run.paths("soft_404"), paths),
    "canonical_problems": lambda run, paths: same(run.paths("canonical_problem"), paths),
    "distinct_products": lambda run, skus: same([each["sku"] for each in run.products().values()], skus),
    "is_from_price": lambda run, _: same([each["low_price"] is not None for each in run.products().values()], [True]),
}
# What only a second visit shows: the tests below.
LATER = {"recheck", "recheck_twice", "second_recheck_sends", "versions_after_phase_2", "max_rss_growth_mb"}
# What speaks of schedules, sensors and runs; tests of `defs` have it.
OF_DAGSTER = {"second_request_launches_a_run", "keys_match", "tick_seconds_below"}


def same(found: list, expected: list) -> None:
    assert sorted(found) == sorted(expected)


def facts_of_cases():
    for case_id, case in CASES.items():
        for fact in case.get("facts", {}):
            if fact in FACTS:
                yield pytest.param(case_id, fact)


@pytest.mark.parametrize(("case_id", "fact"), [*facts_of_cases()] or [pytest.param("", "", marks=ABSENT)])
def test_the_store_and_the_report_say_what_is_so(cases, case_id, fact):
    FACTS[fact](cases[case_id], CASES[case_id]["facts"][fact])


@pytest.mark.skipif(not CASES, reason="no crawl cases")
def test_every_fact_of_the_cases_is_held_somewhere():
    named = {name for case in CASES.values() for name in case.get("facts", {})}
    assert named <= {*FACTS, *LATER, *OF_DAGSTER}


# -- second visits


def verdicts(run: Run, path: str) -> list[str]:
    return [line["verdict"] for check in run.checks for line in check if run.path(line["url"]) == path]


@parametrize("cond-etag-per-coding")
def test_a_page_is_fresh_by_its_own_tag_and_stale_once_it_changed(cases, case_id):
    run = cases[case_id]
    cases.recheck(run)
    cases.move(run, 2)
    cases.recheck(run)
    assert verdicts(run, "/item.html") == ["fresh", "stale"]


@parametrize("cond-304-bare")
def test_a_bare_304_forgets_nothing(cases, case_id):
    run = cases[case_id]
    stored = run.text("/item.html")
    cases.recheck(run)
    cases.recheck(run)
    assert verdicts(run, "/item.html") == ["fresh", "fresh"]
    last = [entry for entry in cases.ask("log", case_id)[case_id] if entry["target"] == "/item.html"][-1]
    assert last["headers"]["if-none-match"] == '"k1"'
    cases.crawl(run)
    assert run.text("/item.html") == stored != ""


@parametrize("head-405")
def test_a_server_without_head_is_asked_by_get(cases, case_id):
    run = cases[case_id]
    cases.recheck(run)
    assert (verdicts(run, "/item.html"), verdicts(run, "/other.html")) == (["fresh"], ["fresh"])


@parametrize("store-whitespace-only")
def test_a_page_laid_out_anew_is_no_new_version(cases, case_id):
    run = cases[case_id]
    cases.move(run, 2)
    cases.crawl(run)
    uri = run.base.rstrip("/") + "/a.html"
    assert run.rows("SELECT count(*) FROM documents WHERE document_uri = ?", uri) == [(1,)]


@parametrize("store-empty-pages")
def test_a_full_page_that_turns_empty_supersedes_nothing(cases, case_id):
    run = cases[case_id]
    before = run.text("/full.html")
    cases.move(run, 2)
    cases.crawl(run)
    assert {run.path(page["url"]): page["outcome"] for page in run.pages}["/full.html"] == "empty"
    assert run.text("/full.html") == before != ""


@parametrize("dagster-run-key-after-failure")
def test_a_site_that_is_well_again_is_crawled_again(cases, case_id):
    run = cases[case_id]
    cases.move(run, 2)
    cases.crawl(run)
    assert run.summary["by_outcome"] == {"ok": 3}
    assert len(run.products()) == 2


@parametrize("bomb-gzip")
def test_a_bomb_is_cut_in_bounded_memory(cases, case_id):
    run = cases[case_id]
    quiet = Run({"id": "help", "entry": "/"}, run.base, run.home / "quiet")
    cases.command(quiet, "crawl", "--seed-url", run.base, "--fast", "--depth", 0)
    growth = run.peak_bytes - quiet.peak_bytes
    assert growth < CASES[case_id]["facts"]["max_rss_growth_mb"] * 1_000_000
    assert {run.path(page["url"]): page["outcome"] for page in run.pages}["/bomb.html"] == "too_large"
