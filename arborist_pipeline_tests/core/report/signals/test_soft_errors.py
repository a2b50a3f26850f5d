from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.signals.broken_links import find_broken_links
from arborist_pipeline.core.report.signals.orphans import find_orphans
from arborist_pipeline.core.report.signals.sitemaps import find_sitemap_problems
from arborist_pipeline.core.report.signals.soft_errors import find_soft_errors
from arborist_pipeline.core.report.signals.thin_pages import find_thin_pages
from arborist_pipeline.core.report.snapshot import Inlinks, LinkSource

SITE = "https://shop.example"


def test_a_missing_page_that_answers_well_is_a_soft_404_with_those_who_link_there(make_snapshot, make_page):
    linked, listed = (make_page(path, Outcome.SOFT_404, is_gone=True) for path in ("/gone", "/old"))
    inlinks = {f"{SITE}/gone": Inlinks(1, (LinkSource(f"{SITE}/", "Lamp"),))}
    found = list(find_soft_errors(make_snapshot(linked, listed, make_page("/live"), inlinks=inlinks)))
    assert [(finding.url, finding.severity, finding.details["status"]) for finding in found] == [
        (f"{SITE}/gone", "error", 200), (f"{SITE}/old", "warning", 200),
    ]  # fmt: skip
    assert found[0].sources == (LinkSource(f"{SITE}/", "Lamp"),)
    assert "404" in found[0].message


def test_it_is_nothing_else_but_a_fault_of_the_sitemap_that_lists_it(make_snapshot, make_page, listed):
    missing = make_page("/gone", Outcome.SOFT_404, is_gone=True, title=None, main_characters=0)
    snapshot = make_snapshot(missing, inlinks={f"{SITE}/gone": Inlinks(1, ())}, sitemap=listed("/gone"))
    for signal in (find_broken_links, find_thin_pages, find_orphans):
        assert not list(signal(snapshot))
    (fault,) = find_sitemap_problems(snapshot)
    assert "does not exist" in fault.message
