import asyncio
import gzip

import pytest

from arborist_pipeline.core.crawl.records import Mode, Site
from arborist_pipeline.core.web.fetch import FailureKind
from arborist_pipeline.workflows.sitemaps import MAX_FILES, MAX_INDEX_DEPTH, read_sitemap
from arborist_pipeline.workflows.visits import Visitor
from arborist_pipeline_tests.support.answers import AnswerFetcher
from arborist_pipeline_tests.support.clock import ManualClock

SEED = "https://shop.example/"
ROBOTS = SEED + "robots.txt"
DEFAULT = SEED + "sitemap.xml"
XML = {"content-type": "application/xml"}


def urlset(*paths):
    urls = "".join(f"<url><loc>{SEED}{path}</loc></url>" for path in paths)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


def index(*urls):
    files = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{files}</sitemapindex>'


def read(answers, sitemap=None):
    fetcher = AnswerFetcher(answers)
    site = Site(key="shop", seed_url=SEED, mode=Mode.FAST)
    visitor = Visitor(site, fetcher, ManualClock(), seed=SEED)
    reading = asyncio.run(read_sitemap(SEED, visitor=visitor, sitemap=sitemap))
    paths = None if reading.entries is None else [entry.url.removeprefix(SEED) for entry in reading.entries]
    return paths, reading.problems, fetcher.asked


def test_a_sitemap_that_is_given_comes_before_those_that_robots_txt_names():
    answers = {ROBOTS: f"Sitemap: {SEED}named.xml", SEED + "given.xml": urlset("a"), SEED + "named.xml": urlset("b")}
    paths, problems, asked = read(answers, sitemap=SEED + "given.xml")
    assert (paths, problems) == (["a"], ())
    assert f"GET {SEED}named.xml" not in asked


def test_all_sitemaps_that_robots_txt_names_are_read_and_the_default_is_not_guessed():
    answers = {
        ROBOTS: f"Sitemap: {SEED}one.xml\nSitemap: {SEED}two.xml\nSitemap: {SEED}one.xml",
        SEED + "one.xml": urlset("a"),
        SEED + "two.xml": urlset("b", "a"),
    }
    paths, _, asked = read(answers)
    assert paths == ["a", "b"]
    assert asked == [f"GET {ROBOTS}", f"GET {SEED}one.xml", f"GET {SEED}two.xml"]


def test_without_any_name_the_default_address_is_tried():
    assert read({DEFAULT: urlset("a")})[0] == ["a"]


@pytest.mark.parametrize(
    "answer",
    [404, 500, FailureKind.TIMEOUT, "<!doctype html><title>Not found</title>", "", {"body": b"", "status": 204}],
)
def test_a_default_that_is_none_leaves_the_sitemap_unknown_with_a_notice(answer):
    paths, problems, _ = read({DEFAULT: answer})
    assert paths is None
    assert [(problem.url, problem.is_serious) for problem in problems] == [(DEFAULT, False)]


@pytest.mark.parametrize("answer", [404, FailureKind.DNS, "<html><p>Sorry"])
def test_a_named_file_that_is_no_sitemap_is_a_serious_problem(answer):
    paths, problems, _ = read({ROBOTS: f"Sitemap: {SEED}map.xml", SEED + "map.xml": answer})
    assert paths is None
    assert [(problem.url, problem.is_serious) for problem in problems] == [(SEED + "map.xml", True)]


def test_an_index_is_followed_and_each_file_asked_for_once_even_by_itself():
    answers = {DEFAULT: index(DEFAULT, SEED + "child.xml", SEED + "child.xml"), SEED + "child.xml": urlset("a")}
    paths, _, asked = read(answers)
    assert paths == ["a"]
    assert asked.count(f"GET {SEED}child.xml") == asked.count(f"GET {DEFAULT}") == 1


def test_nesting_deeper_than_three_is_reported_and_not_read():
    answers = {SEED + f"{n}.xml": index(SEED + f"{n + 1}.xml") for n in range(6)}
    paths, problems, asked = read(answers, sitemap=SEED + "0.xml")
    assert paths is None
    assert asked == [f"GET {ROBOTS}", *(f"GET {SEED}{n}.xml" for n in range(MAX_INDEX_DEPTH))]
    assert [problem.url for problem in problems] == [f"{SEED}{MAX_INDEX_DEPTH}.xml"]


def test_more_files_than_the_cap_are_reported_and_not_read():
    children = [f"{SEED}{n}.xml" for n in range(MAX_FILES + 10)]
    answers = {DEFAULT: index(*children)} | {url: urlset(f"p{n}") for n, url in enumerate(children)}
    paths, problems, asked = read(answers)
    assert len(paths) == MAX_FILES - 1
    assert len([line for line in asked if line.endswith(".xml")]) == MAX_FILES
    assert "were not read" in problems[-1].message


def test_one_child_that_fails_is_a_problem_and_the_others_still_count():
    answers = {
        DEFAULT: index(SEED + "good.xml", SEED + "bad.xml"),
        SEED + "good.xml": urlset("a"),
        SEED + "bad.xml": 500,
    }
    paths, problems, _ = read(answers)
    assert paths == ["a"]
    assert [(problem.url, problem.is_serious) for problem in problems] == [(SEED + "bad.xml", True)]


def test_a_sitemap_that_robots_txt_forbids_is_not_asked_for():
    paths, problems, asked = read({ROBOTS: "User-agent: *\nDisallow: /sitemap", DEFAULT: urlset("a")})
    assert paths is None
    assert asked == [f"GET {ROBOTS}"]
    assert "robots.txt forbids" in problems[0].message


def test_redirects_are_followed_under_robots_txt_and_not_for_ever():
    moved = {DEFAULT: (301, "/real.xml"), SEED + "real.xml": urlset("a")}
    assert read(moved)[0] == ["a"]
    assert read(moved | {ROBOTS: "User-agent: *\nDisallow: /real"})[0] is None
    paths, problems, asked = read({DEFAULT: (302, DEFAULT)})
    assert (paths, asked.count(f"GET {DEFAULT}")) == (None, 6)
    assert "redirects more than" in problems[0].message


def test_a_compressed_file_is_read_by_its_first_bytes_whatever_its_type():
    body = {"body": gzip.compress(urlset("a").encode()), "headers": {"content-type": "text/html"}}
    assert read({SEED + "map": body}, sitemap=SEED + "map")[0] == ["a"]


def test_faults_of_a_readable_file_are_notices_with_its_address():
    broken = urlset("a").replace("</urlset>", "")
    paths, problems, _ = read({DEFAULT: broken})
    assert paths == ["a"]
    assert [(problem.url, problem.is_serious) for problem in problems] == [(DEFAULT, False)]
    assert "not well-formed" in problems[0].message


def test_an_entry_keeps_the_file_it_stands_in_and_its_date():
    body = urlset("a").replace("</loc>", "</loc><lastmod>2026-01-02</lastmod>")
    visitor = Visitor(
        Site(key="s", seed_url=SEED, mode=Mode.FAST), AnswerFetcher({DEFAULT: body}), ManualClock(), seed=SEED
    )
    (entry,) = asyncio.run(read_sitemap(SEED, visitor=visitor, sitemap=None)).entries
    assert entry == (SEED + "a", DEFAULT, "2026-01-02", None)
