"""seed_sites brings the list into the store and into the partitions, and takes nothing away that is in use."""

import dagster as dg

from arborist_pipeline.defs.partitions import existing_keys
from arborist_pipeline_tests.defs.runs import failure_of, metadata_of


def active(home):
    with home.store(read_only=True) as store:
        return [site.key for site in store.sites.load_sites()]


def test_listed_sites_become_rows_and_keys(home, run, instance):
    home.list_sites(b="https://b.example/", a="https://a.example/")
    said = metadata_of(run.assets("seed_sites"), "seed_sites")
    assert active(home) == ["a", "b"]
    assert existing_keys(instance) == ["b", "a"]
    assert (said["dagster/row_count"], said["added"], said["partitions_added"]) == (2, ["a", "b"], ["b", "a"])


def test_a_second_time_changes_nothing(home, run, instance):
    home.list_sites(a="https://a.example/")
    first, second = run.assets("seed_sites"), run.assets("seed_sites")
    assert version_of(first) == version_of(second)
    said = metadata_of(second, "seed_sites")
    assert [said[name] for name in ("added", "retired", "partitions_added", "partitions_deleted")] == [[], [], [], []]
    assert existing_keys(instance) == ["a"]


def test_a_site_that_left_the_list_is_retired_with_its_history_and_loses_its_key(home, run, instance):
    home.list_sites(a="https://a.example/", b="https://b.example/")
    run.assets("seed_sites")
    home.list_sites(b="https://b.example/")
    said = metadata_of(run.assets("seed_sites"), "seed_sites")
    assert (said["retired"], said["partitions_deleted"]) == (["a"], ["a"])
    assert existing_keys(instance) == ["b"]
    with home.store(read_only=True) as store:
        assert store.sites.load_site("a").key == "a"


def test_another_list_takes_no_site_and_no_key_of_the_first(home, run, instance, monkeypatch):
    home.list_sites(a="https://a.example/")
    run.assets("seed_sites")
    first, home.sites_file = home.sites_file, home.folder / "other.yaml"
    home.list_sites(b="https://b.example/")
    monkeypatch.setenv("ARBORIST_SITES", str(home.sites_file))
    said = metadata_of(run.assets("seed_sites"), "seed_sites")
    assert (said["retired"], said["partitions_deleted"]) == ([], [])
    assert (active(home), existing_keys(instance)) == (["a", "b"], ["a", "b"])
    home.sites_file = first
    assert home.adapters.keys_of_other_lists() == ("b",)


def test_a_site_that_moved_to_another_host_says_so(home, run):
    home.list_sites(a="https://a.example/")
    run.assets("seed_sites")
    home.list_sites(a="https://b.example/")
    assert metadata_of(run.assets("seed_sites"), "seed_sites")["moved"] == [
        "a: https://a.example/ to https://b.example/"
    ]


def test_a_key_waits_for_its_runs(home, run, instance):
    home.list_sites(a="https://a.example/", b="https://b.example/")
    run.assets("seed_sites")
    instance.add_run(dg.DagsterRun(job_name="catalog_refresh", run_id="one", tags={"dagster/partition": "a"}))
    home.list_sites(b="https://b.example/")
    said = metadata_of(run.assets("seed_sites"), "seed_sites")
    assert (said["retired"], said["partitions_kept_for_their_runs"]) == (["a"], ["a"])
    assert existing_keys(instance) == ["a", "b"]


def test_a_list_that_cannot_be_read_fails_with_the_mend_and_writes_nothing(home, run, instance):
    home.sites_file.write_text("sites:\n  - {seed_url: 'https://a.example/', max_page: 3}\n")
    reason = failure_of(run.assets("seed_sites"))
    assert "sites.yaml, line 2, key 'max_page': unknown key; did you mean 'max_pages'?" in reason
    assert existing_keys(instance) == []
    assert not (home.folder / "crawl").exists()


def test_a_textbook_has_a_database_of_its_own_and_is_no_partition(home, run, instance):
    home.sites_file.write_text("sites:\n  - {seed_url: 'https://book.example/', kind: textbook}\n"
                               "  - {key: a, seed_url: 'https://a.example/'}\n")  # fmt: skip
    run.assets("seed_sites")
    assert (active(home), existing_keys(instance)) == (["a"], ["a"])


def version_of(result):
    (event,) = result.get_asset_materialization_events()
    return event.materialization.tags["dagster/data_version"]
