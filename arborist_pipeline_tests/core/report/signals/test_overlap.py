from arborist_pipeline.core.report.overlap import ClusterMember, OverlapCluster, OverlapKind
from arborist_pipeline.core.report.signals.overlap import find_overlaps

SITE = "https://shop.example"


def cluster(kind, *members):
    return OverlapCluster(kind=kind, leader=f"{SITE}/z", members=members, leaf=b"\x07" * 32, passage="Our oak grows")


def test_a_near_cluster_is_one_warning_under_its_leader_with_shares_and_passage(make_snapshot):
    near = cluster(OverlapKind.NEAR, ClusterMember(f"{SITE}/a", 0.9), ClusterMember(f"{SITE}/b", 0.8))
    (finding,) = find_overlaps(make_snapshot(overlaps=(near,)))
    assert (finding.signal, finding.url, finding.severity) == ("near_duplicate", f"{SITE}/z", "warning")
    assert finding.details["urls"] == [f"{SITE}/a", f"{SITE}/b", f"{SITE}/z"]
    assert finding.details["shares"] == {f"{SITE}/a": 0.9, f"{SITE}/b": 0.8}
    assert finding.details["passage"] == "Our oak grows"


def test_near_duplicates_with_one_canonical_are_a_notice(make_snapshot, make_page):
    near = cluster(OverlapKind.NEAR, ClusterMember(f"{SITE}/a", 0.9))
    pages = make_page("/z"), make_page("/a", canonical_url=f"{SITE}/z")
    (finding,) = find_overlaps(make_snapshot(*pages, overlaps=(near,)))
    assert finding.severity == "notice"


def test_a_partial_cluster_is_a_notice_that_says_how_much_is_shared(make_snapshot):
    partial = cluster(OverlapKind.PARTIAL, ClusterMember(f"{SITE}/a", 0.45))
    (finding,) = find_overlaps(make_snapshot(overlaps=(partial,)))
    assert (finding.signal, finding.severity) == ("partial_overlap", "notice")
    assert finding.message.startswith("1 other page shares passages with this page (45% of its text).")


def test_no_clusters_give_no_findings(make_snapshot):
    assert list(find_overlaps(make_snapshot())) == []
