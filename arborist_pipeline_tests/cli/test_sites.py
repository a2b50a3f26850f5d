"""arborist sites: the list read, edited and checked; a wrong list is one error, and nothing is written."""

import json
import re

import pytest

from arborist_pipeline_tests.support.site_server import LocalSite, Reply, html, redirect

BAD_LISTS = [
    ("empty", "", ("the file is empty",)),
    ("not YAML", "sites: [\n", ("line", "not YAML")),
    ("a tab", "sites:\n\t- seed_url: https://a.example/\n", ("line 2", "not YAML")),
    ("a list", "- https://a.example/\n", ("line 1", "'sites'")),
    ("no list", "sites: https://a.example/\n", ("must be a list",)),
    ("an unknown key", "sites:\n  - seed_url: https://a.example/\n    dept: 3\n", ("line 3", "dept", "depth")),
    ("an unknown key above", "site: []\n", ("line 1", "site")),
    ("no seed", "sites:\n  - key: a\n", ("line 2", "seed_url")),
    ("a bad URL", "sites:\n  - seed_url: a.example\n", ("line 2", "seed_url")),
    ("a bad value", "sites:\n  - seed_url: https://a.example/\n    depth: many\n", ("line 3", "depth")),
    (
        "twin keys",
        "sites:\n  - {key: a, seed_url: https://a.example/}\n  - {key: a, seed_url: https://b.example/}\n",
        ("line 3", "key"),
    ),
    (
        "twin sites",
        "sites:\n  - {key: a, seed_url: https://a.example/}\n  - {key: b, seed_url: http://a.example/x}\n",
        ("line 3", "same site"),
    ),
]


@pytest.mark.parametrize(("text", "words"), [case[1:] for case in BAD_LISTS], ids=[case[0] for case in BAD_LISTS])
def test_a_wrong_list_is_one_error_that_names_place_and_mend(arborist, text, words, tmp_path):
    (tmp_path / "sites.yaml").write_text(text)
    result = arborist("sites", "list")
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert all(word in result.stderr for word in ("sites.yaml", *words))


@pytest.mark.parametrize("text", [case[1] for case in BAD_LISTS[1:]], ids=[case[0] for case in BAD_LISTS[1:]])
@pytest.mark.parametrize("command", [("check",), ("add", "https://new.example/"), ("remove", "a")])
def test_with_a_wrong_list_nothing_is_asked_or_written(arborist, tmp_path, home, text, command):
    listed = tmp_path / "sites.yaml"
    listed.write_text(text)
    result = arborist("sites", *command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert listed.read_text() == text
    assert not home.exists()


def test_an_empty_list_may_be_added_to(arborist, tmp_path):
    (tmp_path / "sites.yaml").write_text("")
    assert arborist("sites", "add", "https://new.example/").stdout == "new.example\n"
    assert "new.example" in arborist("sites", "list").stdout


@pytest.mark.parametrize("command", [("list",), ("check",), ("remove", "a")])
def test_a_list_that_is_not_there_is_said_with_the_mend(arborist, command):
    result = arborist("sites", *command)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "sites add URL" in result.stderr


def test_bytes_that_are_no_text_are_no_list(arborist, tmp_path):
    (tmp_path / "sites.yaml").write_bytes(b"sites: \xff\xfe")
    result = arborist("sites", "list")
    assert result.exit_code == 2
    assert "UTF-8" in result.stderr


def test_sites_are_added_listed_and_removed(arborist, tmp_path):
    assert arborist("sites", "add", "https://shop.example:8443/a").stdout == "shop.example-8443\n"
    assert arborist("sites", "add", "https://b.example").stdout == "b.example\n"
    listed = arborist("sites", "list").stdout.splitlines()
    assert [line.split()[:2] for line in listed] == [
        ["KEY", "SEED"],
        ["shop.example-8443", "https://shop.example:8443/a"],
        ["b.example", "https://b.example/"],
    ]
    assert arborist("sites", "remove", "b.example").exit_code == 0
    assert [json.loads(line)["key"] for line in arborist("sites", "list", "--json").stdout.splitlines()] == [
        "shop.example-8443"
    ]
    assert "shop.example" in (tmp_path / "sites.yaml").read_text()


def test_a_list_elsewhere_is_named_by_the_environment(arborist, tmp_path, monkeypatch):
    monkeypatch.setenv("ARBORIST_SITES", str(tmp_path / "mine.yaml"))
    arborist("sites", "add", "https://a.example/")
    assert (tmp_path / "mine.yaml").exists()
    assert not (tmp_path / "sites.yaml").exists()


@pytest.mark.parametrize("url", ["a.example", "ftp://a.example/", "", "http:///x", "https://a.example/#b"])
def test_what_is_no_url_is_not_added(arborist, tmp_path, url):
    result = arborist("sites", "add", url)
    assert result.exit_code == 2
    assert re.search(r"write .*https?://", result.stderr)
    assert not (tmp_path / "sites.yaml").exists()


def test_what_will_not_do_what_it_seems_to_is_told_where_sites_are_listed_or_checked(arborist, tmp_path):
    with LocalSite({"/": html("x")}) as site:
        write_list(tmp_path, {"key": "a", "seed_url": site.url(), "render": "always"})
        for command in ("list", "check"):
            result = arborist("sites", command)
            assert result.exit_code == 0
            assert "a: render: always is not built yet" in result.stderr
    added = arborist("sites", "add", "https://b.example/?api_key=hunter2")
    assert added.exit_code == 0
    assert "looks like a secret" in added.stderr
    assert "hunter2" not in added.stderr


def test_an_unknown_key_is_not_removed(arborist):
    arborist("sites", "add", "https://a.example/")
    result = arborist("sites", "remove", "b")
    assert result.exit_code == 2
    assert "a.example" in result.stderr


def write_list(tmp_path, *entries):
    (tmp_path / "sites.yaml").write_text("sites:\n" + "".join(f"  - {json.dumps(entry)}\n" for entry in entries))


def test_check_says_what_a_night_does_and_how_long_it_takes(arborist, tmp_path, home):
    robots = "User-agent: *\nCrawl-delay: 3\n"
    with (
        LocalSite({"/": html("Home", links=["/a"]), "/robots.txt": robots}) as slow,
        LocalSite({"/": html("x")}) as fast,
    ):
        write_list(
            tmp_path,
            {"key": "slow", "seed_url": slow.url(), "max_pages": 1200},
            {"key": "uncapped", "seed_url": fast.url(), "max_pages": 0, "max_minutes": 30},
        )
        result = arborist("sites", "check", "--json")
        assert slow.targets == ["/robots.txt", "/"]
    assert result.exit_code == 0
    first, second, last = (json.loads(line) for line in result.stdout.splitlines())
    assert (first["key"], first["delay_seconds"], first["pages"], first["hours"]) == ("slow", 3.0, 1200, 1.04)
    assert (second["delay_seconds"], second["hours"]) == (2.0, 0.53)
    assert last == {"summary": {"sites": 2, "failed": 0, "hours": 1.57}}
    assert not home.exists()


def test_check_ends_with_1_where_a_site_cannot_be_crawled(arborist, tmp_path):
    with LocalSite({"/": html("x")}) as good, LocalSite({"/": Reply(status=404)}) as bad:
        write_list(tmp_path, {"key": "good", "seed_url": good.url()}, {"key": "bad", "seed_url": bad.url()})
        result = arborist("sites", "check")
    assert result.exit_code == 1
    assert "404" in next(line for line in result.stdout.splitlines() if line.startswith("bad "))
    assert "2 sites, 1 failing" in result.stdout


def test_check_does_not_ask_what_robots_forbids(arborist, tmp_path):
    with LocalSite({"/": html("x"), "/robots.txt": "User-agent: *\nDisallow: /"}) as site:
        write_list(tmp_path, {"key": "a", "seed_url": site.url()})
        result = arborist("sites", "check")
        assert site.targets == ["/robots.txt"]
    assert result.exit_code == 1
    assert "Disallow: /" in result.stdout


def test_check_names_the_address_where_the_seed_leads_elsewhere(arborist, tmp_path):
    with LocalSite({"/": redirect("http://elsewhere.invalid/")}) as site:
        write_list(tmp_path, {"key": "a", "seed_url": site.url()})
        result = arborist("sites", "check")
    assert result.exit_code == 1
    assert "http://elsewhere.invalid/" in result.stdout
