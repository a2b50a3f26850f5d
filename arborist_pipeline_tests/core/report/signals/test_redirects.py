from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.signals.redirects import find_redirect_problems
from arborist_pipeline.core.report.snapshot import MAX_HOPS, Inlinks, LinkSource

SITE = "https://shop.example"
LINKED = Inlinks(1, (LinkSource(f"{SITE}/", "Go"),))


def redirects(make_page, **targets):
    return [
        make_page(f"/{name}", Outcome.REDIRECT, status=301, redirect_to=target if ":" in target else SITE + target)
        for name, target in targets.items()
    ]


def found(snapshot):
    return [(finding.signal, finding.url.removeprefix(SITE)) for finding in find_redirect_problems(snapshot)]


def test_one_hop_is_no_chain(make_snapshot, make_page):
    assert found(make_snapshot(*redirects(make_page, a="/"))) == []


def test_one_hop_that_pages_link_to_is_a_link_to_correct(make_snapshot, make_page):
    snapshot = make_snapshot(*redirects(make_page, a="/"), inlinks={f"{SITE}/a": LINKED})
    (finding,) = find_redirect_problems(snapshot)
    assert (finding.signal, finding.url) == ("redirected_link", f"{SITE}/a")
    assert (finding.sources, finding.details["final_url"]) == (LINKED.sources, f"{SITE}/")


def test_two_hops_are_a_chain_with_every_hop_and_the_pages_linking_in(make_snapshot, make_page):
    snapshot = make_snapshot(*redirects(make_page, a="/b", b="/"), inlinks={f"{SITE}/a": LINKED})
    (finding,) = find_redirect_problems(snapshot)
    assert (finding.signal, finding.url) == ("redirect_chain", f"{SITE}/a")
    assert finding.details["hops"] == [f"{SITE}/a", f"{SITE}/b", f"{SITE}/"]
    assert finding.sources == LINKED.sources


def test_the_middle_of_a_chain_is_its_own_finding_only_where_pages_link_there(make_snapshot, make_page):
    pages = redirects(make_page, a="/b", b="/c", c="/")
    assert found(make_snapshot(*pages)) == [("redirect_chain", "/a")]
    linked = make_snapshot(*pages, inlinks={f"{SITE}/b": LINKED})
    assert found(linked) == [("redirect_chain", "/a"), ("redirect_chain", "/b")]


def test_a_circle_is_one_loop_with_its_entries_and_all_who_link_to_it(make_snapshot, make_page):
    snapshot = make_snapshot(
        *redirects(make_page, way="/x", x="/y", y="/x"),
        inlinks={f"{SITE}/way": LINKED, f"{SITE}/y": Inlinks(1, (LinkSource(f"{SITE}/p", "y"),))},
    )
    (finding,) = find_redirect_problems(snapshot)
    assert (finding.signal, finding.url, finding.severity) == ("redirect_loop", f"{SITE}/x", "error")
    assert finding.details["hops"] == [f"{SITE}/x", f"{SITE}/y", f"{SITE}/x"]
    assert finding.details["entries"] == [f"{SITE}/way"]
    assert [source.url for source in finding.sources] == [f"{SITE}/", f"{SITE}/p"]


def test_a_redirect_to_itself_is_a_loop_of_one_hop(make_snapshot, make_page):
    (finding,) = find_redirect_problems(make_snapshot(*redirects(make_page, me="/me")))
    assert (finding.signal, finding.details["hop_count"]) == ("redirect_loop", 1)


def test_a_redirect_that_never_ends_is_one_error(make_snapshot, make_page):
    steps = redirects(make_page, **{f"s{n}": f"/s{n + 1}" for n in range(MAX_HOPS + 20)})
    (finding,) = find_redirect_problems(make_snapshot(*steps))
    assert (finding.signal, finding.url, finding.severity) == ("redirect_chain", f"{SITE}/s0", "error")
    assert finding.details["hop_count"] == MAX_HOPS


def test_a_redirect_to_another_host_is_a_notice_and_is_not_followed(make_snapshot, make_page):
    snapshot = make_snapshot(*redirects(make_page, out="https://partner.example/offer"))
    assert found(snapshot) == [("redirect_off_site", "/out")]


def test_from_http_to_https_of_one_host_is_within_the_site(make_snapshot, make_page):
    plain = make_page("/", Outcome.REDIRECT, status=301, redirect_to=f"{SITE}/")._replace(url="http://shop.example/")
    assert found(make_snapshot(plain)) == []


def test_a_refresh_is_a_hop_like_any_other(make_snapshot, make_page):
    pages = [
        make_page("/a", Outcome.OK, redirect_to=f"{SITE}/b"),
        make_page("/b", Outcome.REDIRECT, status=301, redirect_to=f"{SITE}/c"),
        make_page("/c"),
        make_page("/x", Outcome.OK, redirect_to=f"{SITE}/y"),
        make_page("/y", Outcome.NOT_MODIFIED, redirect_to=f"{SITE}/x"),
        make_page("/dead", Outcome.HTTP_ERROR, status=404, redirect_to=f"{SITE}/c"),
    ]
    found = {finding.signal: finding for finding in find_redirect_problems(make_snapshot(*pages))}
    assert found.keys() == {"redirect_chain", "redirect_loop"}
    assert found["redirect_chain"].details["hops"] == [f"{SITE}/a", f"{SITE}/b", f"{SITE}/c"]
    assert found["redirect_loop"].url == f"{SITE}/x"
