"""sites.yaml on disk: edited by the line, so that what a person wrote stays."""

import pytest

from arborist_pipeline.adapters.site_list_file import SiteListFile
from arborist_pipeline.core.errors import ConfigError, InvalidUrl

WRITTEN = """\
# our shops
defaults: {max_pages: 9}   # small

sites:
  # the first one
  - key: a
    seed_url: https://a.example/   # keep
    mode: fast

  # the second one
  - seed_url: https://b.example/
    depth: 3
  # the third one
  - seed_url: https://c.example/
# the end
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sites.yaml"


@pytest.fixture
def written(path):
    path.write_text(WRITTEN)
    return SiteListFile((str(path),))


def test_the_first_place_that_exists_counts(tmp_path):
    (tmp_path / "second.yaml").write_text("sites: []\n")
    found = SiteListFile((str(tmp_path / "first.yaml"), str(tmp_path / "second.yaml")))
    assert (found.exists, found.path.name) == (True, "second.yaml")
    assert SiteListFile((str(tmp_path / "x.yaml"), str(tmp_path / "y.yaml"))).path.name == "x.yaml"


def test_the_list_is_read_with_the_budget_for_sites_that_name_none(path, written):
    assert [(site.key, site.max_pages) for site in written.load()] == [("a", 9), ("b.example", 9), ("c.example", 9)]
    path.write_text("sites: [{seed_url: https://a.example}]")
    assert SiteListFile((str(path),), max_pages=3).load()[0].max_pages == 3


@pytest.mark.parametrize(("content", "said"), [
    (b"sites: \xff", "is not UTF-8 text"), (b"sites: {", "not YAML"), (b"", "the file is empty"),
])  # fmt: skip
def test_a_file_that_cannot_be_used_is_named(path, content, said):
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=said) as caught:
        SiteListFile((str(path),)).load()
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_says_how_to_make_one(path):
    with pytest.raises(ConfigError, match=r"there is no site list at .*arborist sites add URL"):
        SiteListFile((str(path),)).load()


def test_a_folder_is_no_site_list(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        SiteListFile((str(tmp_path),)).load()


class TestAdd:
    def test_the_first_site_makes_the_file_and_its_folder(self, tmp_path):
        listed = SiteListFile((str(tmp_path / "new" / "sites.yaml"),))
        site = listed.add("https://shop.example")
        assert (site.key, site.seed_url) == ("shop.example", "https://shop.example/")
        assert listed.path.read_text() == "sites:\n  - key: shop.example\n    seed_url: https://shop.example/\n"
        assert listed.load() == (site,)

    def test_an_entry_comes_last_and_all_else_stays(self, written):
        written.add("https://d.example/")
        assert written.path.read_text() == WRITTEN.replace(
            "# the end\n", "  - key: d.example\n    seed_url: https://d.example/\n# the end\n"
        )

    def test_it_is_indented_as_the_others_are(self, path):
        path.write_text("sites:\n- seed_url: https://a.example\n")
        SiteListFile((str(path),)).add("https://b.example")
        assert path.read_text().endswith("\n- key: b.example\n  seed_url: https://b.example/\n")

    def test_settings_that_follow_the_list_stay_behind_it(self, path):
        path.write_text("sites:\n  - seed_url: https://a.example\n\ndefaults: {depth: 3}\n")
        site = SiteListFile((str(path),)).add("https://b.example")
        assert site.depth == 3
        assert path.read_text().endswith("\ndefaults: {depth: 3}\n")

    @pytest.mark.parametrize("empty", ["sites: []\n", "sites:  [] # none yet\n", "sites:\n", "", "\n\n",
                                       "sites:\n  - seed_url: https://a.example"])  # fmt: skip
    def test_it_works_on_lists_of_every_length(self, path, empty):
        path.write_text(empty)
        listed = SiteListFile((str(path),))
        listed.add("https://b.example")
        assert listed.load()[-1].key == "b.example"

    @pytest.mark.parametrize("url", ["http://no/", "http://127.0.0.1:8000/", "http://[::1]/", "http://7.example/"])
    def test_a_key_that_yaml_would_take_for_something_else_is_still_text(self, path, url):
        site = SiteListFile((str(path),)).add(url)
        assert SiteListFile((str(path),)).load() == (site,)

    def test_key_and_settings_may_be_given(self, path):
        site = SiteListFile((str(path),)).add(
            "https://b.example", key="books", settings={"max_pages": 4, "mode": "fast"}
        )
        assert (site.key, site.max_pages, site.mode) == ("books", 4, "fast")

    @pytest.mark.parametrize(("url", "error"), [
        ("https://a.example/again", ConfigError), ("b.example", InvalidUrl), ("mailto:a@b.example", InvalidUrl),
        ("http:///x", ConfigError), ("https://me:pw@b.example/", ConfigError), ("https://b.example/#x", ConfigError),
    ])  # fmt: skip
    def test_what_cannot_be_added_changes_nothing(self, written, url, error):
        with pytest.raises(error) as caught:
            written.add(url)
        assert "pw" not in str(caught.value)
        assert written.path.read_text() == WRITTEN

    def test_a_list_in_brackets_is_left_to_its_writer(self, path):
        path.write_text("sites: [{seed_url: https://a.example}]\n")
        with pytest.raises(ConfigError, match="edit it by hand"):
            SiteListFile((str(path),)).add("https://b.example")
        assert path.read_text() == "sites: [{seed_url: https://a.example}]\n"

    def test_a_folder_that_cannot_be_written_is_named(self, tmp_path):
        (tmp_path / "file").touch()
        with pytest.raises(ConfigError, match="cannot be written"):
            SiteListFile((str(tmp_path / "file" / "sites.yaml"),)).add("https://b.example")


class TestRemove:
    def test_an_entry_goes_and_what_is_said_about_the_others_stays(self, written):
        assert written.remove("a").seed_url == "https://a.example/"
        assert written.path.read_text() == WRITTEN.replace(
            "  - key: a\n    seed_url: https://a.example/   # keep\n    mode: fast\n", ""
        )

    def test_the_last_entry_goes_without_what_follows_the_list(self, written):
        written.remove("c.example")
        assert written.path.read_text() == WRITTEN.replace("  - seed_url: https://c.example/\n", "")

    def test_the_only_entry_leaves_an_empty_list_with_the_defaults_and_room_for_another(self, path):
        path.write_text("defaults: {depth: 3}  # near\nsites:\n  - seed_url: https://a.example\n")
        listed = SiteListFile((str(path),))
        listed.remove("a.example")
        assert path.read_text() == "defaults: {depth: 3}  # near\nsites: []\n"
        assert listed.add("https://b.example").depth == 3
        assert [site.key for site in listed.load()] == ["b.example"]

    def test_all_may_be_removed_in_any_order(self, written):
        for key in ("b.example", "c.example", "a"):
            written.remove(key)
        assert written.load() == ()

    def test_an_unknown_key_is_told_which_there_are(self, written):
        with pytest.raises(ConfigError, match=r"no site with the key 'x'; it has: a, b\.example, c\.example"):
            written.remove("x")
        assert written.path.read_text() == WRITTEN

    def test_a_list_in_brackets_is_left_to_its_writer(self, path):
        path.write_text("sites: [{seed_url: https://a.example}, {seed_url: https://b.example}]\n")
        with pytest.raises(ConfigError, match="edit it by hand"):
            SiteListFile((str(path),)).remove("a.example")
