import re
from dataclasses import replace

from lxml import html

from arborist_pipeline.core.report.html import SHOWN_FINDINGS, render_html

ALLOWED = set(
    """html head meta title style body main h1 h2 small p time a div table caption tbody tr th td span article details
    summary ul ol li q blockquote""".split()
)


def parse(report):
    return html.document_fromstring(render_html(report))


def test_hostile_text_makes_no_element_attribute_or_address_of_its_own(report):
    tree = parse(report)
    assert {element.tag for element in tree.iter() if isinstance(element.tag, str)} <= ALLOWED
    attributes = {name for element in tree.iter() for name in element.attrib}
    assert not any(name.startswith("on") for name in attributes)
    assert all(re.match(r"#\w+$|https?://", address) for address in tree.xpath("//@href"))
    assert not tree.xpath("//@src")


def test_hostile_text_is_shown_as_it_was_written(report, hostile):
    tree = parse(report)
    assert tree.xpath("string(//q)") == hostile
    assert tree.xpath("string(//blockquote)") == hostile
    assert tree.findtext(".//h1") == f"shop {hostile}"


def test_nothing_is_loaded_and_nothing_may_run(report):
    text = render_html(report)
    (policy,) = parse(report).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy.startswith("default-src 'none'")
    assert "@import" not in text
    assert "url(" not in text


def test_the_summary_has_every_signal_with_its_count_and_a_link_where_there_are_findings(report):
    tree = parse(report)
    rows = {
        row.xpath("string(th)"): row.xpath("string(td)")
        for row in tree.xpath("//table[caption='Findings by signal']//tr")
    }
    assert rows["Broken links"] == "1"
    assert rows["Orphan pages"] == "0"
    assert set(tree.xpath("//table//@href")) == {f"#{section}" for section in tree.xpath("//h2/@id")}


def test_the_histogram_scales_its_bars_to_the_longest(report):
    bars = parse(report).xpath("//*[@class='bar']/@style")
    assert bars == ["width:0.0%", "width:100.0%", "width:0.1%"]


def test_a_finding_shows_severity_certainty_sources_and_how_many_there_are(report):
    first, _, chain, _ = parse(report).xpath("//article")
    assert first.get("class") == "error"
    assert first.xpath("string(.//summary)") == "Linked from 120 pages"
    assert first.xpath("string(.//li[last()])") == "and 118 more"
    assert "candidate" in chain.xpath("string(span)")
    assert [item.text_content() for item in chain.xpath(".//ol/li")] == report.findings[2].details["hops"]


def test_more_findings_than_are_shown_are_counted(report):
    many = replace(report, findings=(report.findings[0],) * (SHOWN_FINDINGS + 7))
    tree = parse(many)
    assert len(tree.xpath("//article")) == SHOWN_FINDINGS
    assert "and 7 more" in tree.text_content()


def test_a_report_without_findings_or_pages_is_a_page_too(report):
    empty = replace(report, findings=(), details={}, complete=True, unfetched=0)
    assert "The walk was exhausted" in parse(empty).text_content()


def test_equal_reports_give_equal_pages(report):
    assert render_html(report) == render_html(replace(report))
