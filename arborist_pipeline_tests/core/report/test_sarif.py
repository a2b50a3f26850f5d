from dataclasses import replace

import pytest

from arborist_pipeline.core.report.sarif import to_sarif


@pytest.fixture
def run(report):
    log = to_sarif(report)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    return log["runs"][0]


def test_every_result_names_a_rule_by_id_and_place(run):
    rules = run["tool"]["driver"]["rules"]
    assert len(run["results"]) == 4
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])


def test_levels_are_those_of_the_standard_and_need_the_default_kind(run):
    assert [result["level"] for result in run["results"]] == ["error", "warning", "warning", "note"]
    assert all("kind" not in result for result in run["results"])


def test_sources_are_related_locations_with_their_anchor_texts(run, hostile):
    related = run["results"][0]["relatedLocations"]
    assert [item["message"]["text"] for item in related] == [hostile, "links here"]
    assert [item["id"] for item in related] == [1, 2]


def test_addresses_are_uris_and_an_href_that_is_none_is_escaped_whole(run):
    uris = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert uris[0] == "https://shop.example/dead"
    assert uris[1] == "javascript%3Aalert%284%29%2F%2Fhttp%3A%2F%2F%5B%22%3Cb%3E"


def test_the_same_fault_of_the_same_address_has_one_fingerprint_whatever_the_message(report):
    first = report.findings[0]
    variants = (first, replace(first, message="other", sources=()), replace(first, url=first.url + "2"))
    results = to_sarif(replace(report, findings=variants))["runs"][0]["results"]
    one, same, other = (result["partialFingerprints"]["arboristFinding/v1"] for result in results)
    assert one == same != other


def test_the_run_says_how_much_of_the_site_was_seen(run):
    assert run["properties"]["unfetched"] == 1_234
    assert run["properties"]["complete"] is False
    assert run["invocations"][0]["endTimeUtc"] == "2026-01-15T12:00:00Z"
