"""sites.yaml: what it may say, and where a person is sent who wrote it wrong."""

import re
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arborist_pipeline.core.crawl.records import (
    BodyRetention,
    Discovery,
    Mode,
    Render,
    Retention,
    Site,
    SiteType,
)
from arborist_pipeline.core.crawl.site_list import parse_site_list, site_from_config, site_key_for, site_to_config
from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.web.url import canonicalize

SHOP = canonicalize("https://shop.example/")


def parse(text, **options):
    return parse_site_list(textwrap.dedent(text), source="sites.yaml", **options)


def complaint(text):
    with pytest.raises(ConfigError) as caught:
        parse(text)
    return str(caught.value)


class TestGood:
    def test_one_url_is_enough(self):
        assert parse("sites: [{seed_url: https://shop.example}]") == (Site(key="shop.example", seed_url=SHOP),)

    def test_every_setting_is_read(self):
        text = """
            sites:
              - key: shop-1
                seed_url: https://shop.example/
                mode: fast
                concurrency: 6
                max_pages: 0
                max_minutes: 1.5
                depth: 0
                stop_below: 0.05
                render: never
                discovery: links+sitemap
                sitemap: https://shop.example/map.xml
                kind: textbook
                author: Ines Marlow
                tenant: acme
                llm: false
                include: [/shop/]
                exclude: [/x, "/y*z$"]
                retention: {bodies: all, crawls: 1}
            """
        assert parse(text) == (
            Site(key="shop-1", seed_url=SHOP, mode=Mode.FAST, concurrency=6, max_pages=0, max_minutes=1.5, depth=0,
                 stop_below=0.05, render=Render.NEVER, discovery=Discovery.LINKS_AND_SITEMAP,
                 sitemap=canonicalize("https://shop.example/map.xml"), kind=SiteType.TEXTBOOK, author="Ines Marlow",
                 tenant="acme", llm=False, include=("/shop/",), exclude=("/x", "/y*z$"),
                 retention=Retention(bodies=BodyRetention.ALL, crawls=1)),
        )  # fmt: skip

    def test_what_is_not_said_is_as_the_contract_has_it(self):
        (site,) = parse("sites: [{seed_url: https://shop.example}]")
        assert (site.mode, site.concurrency, site.max_pages, site.max_minutes, site.depth) == (
            "polite",
            None,
            60,
            180,
            20,
        )
        assert (site.render, site.discovery, site.kind, site.llm) == ("auto", "links", "shop", True)
        assert (site.retention.bodies, site.retention.crawls) == ("changed", 30)

    def test_defaults_hold_for_sites_that_do_not_say_otherwise(self):
        text = """
            defaults: {mode: fast, max_pages: 5, retention: {crawls: 3}}
            sites:
              - seed_url: https://a.example
              - {seed_url: https://b.example, mode: polite}
            """
        one, two = parse(text)
        assert (one.mode, one.max_pages, one.retention.crawls) == ("fast", 5, 3)
        assert (two.mode, two.max_pages) == ("polite", 5)

    def test_the_budget_of_the_environment_is_below_that_of_the_file(self):
        assert parse("sites: [{seed_url: https://a.example}]", max_pages=7)[0].max_pages == 7
        assert (
            parse("{defaults: {max_pages: 9}, sites: [{seed_url: https://a.example}]}", max_pages=7)[0].max_pages == 9
        )

    @pytest.mark.parametrize("key", ["concurrency", "sitemap", "author", "tenant"])
    def test_what_may_be_absent_may_be_null(self, key):
        assert parse(f"sites: [{{seed_url: https://shop.example, {key}: null}}]")[0].key == "shop.example"

    def test_an_empty_list_is_a_list(self):
        assert parse("sites: []") == ()

    def test_order_is_kept(self):
        text = "sites: [{seed_url: https://z.example}, {seed_url: https://a.example}]"
        assert [site.key for site in parse(text)] == ["z.example", "a.example"]


class TestBad:
    """Each complaint has the file, the line, the key, and what to write instead."""

    @pytest.mark.parametrize(("setting", "mend"), [
        ("mode: quick", "must be one of polite, fast"),
        ("mode: [fast]", "must be one of polite, fast"),
        ("concurrency: 0", "whole number of at least 1"),
        ("concurrency: many", "whole number of at least 1"),
        ("max_pages: -1", "whole number of at least 0"),
        ("max_pages: 2.5", "whole number of at least 0"),
        ("max_pages: yes", "whole number of at least 0"),
        ("max_pages: null", "whole number of at least 0"),
        ("max_minutes: 0", "number of minutes above 0"),
        ("max_minutes: .nan", "number of minutes above 0"),
        ("max_minutes: .inf", "number of minutes above 0"),
        ("depth: -3", "whole number of at least 0"),
        ("stop_below: 5", "a share from 0 (never) to 1"),
        ("stop_below: .nan", "a share from 0 (never) to 1"),
        ("stop_below: true", "a share from 0 (never) to 1"),
        ("render: sometimes", "must be one of never, auto, always"),
        ("discovery: sitemap", "must be one of links, links+sitemap"),
        ("sitemap: /sitemap.xml", "write it with https:// in front"),
        ("kind: blog", "must be one of shop, content, textbook"),
        ("author: 7", "must be text"),
        ("tenant: ' '", "must be text"),
        ("llm: maybe", "must be true or false"),
        ("include: /shop/", "must be a list of URL patterns such as ['/shop/']"),
        ("exclude: [1]", "must be a list of URL patterns"),
        ("exclude: ['']", "must be a list of URL patterns"),
        ("retention: changed", "must be a mapping with the keys bodies and crawls"),
        ("retention: {body: all}", "must be a mapping with the keys bodies and crawls"),
        ("retention: {bodies: some}", "must be one of latest, changed, all"),
        ("retention: {crawls: 0}", "whole number of at least 1"),
        ("key: a/b", "letters, digits, '.', '_' and '-'"),
        ("key: ..", "letters, digits, '.', '_' and '-'"),
        ("key: ''", "letters, digits, '.', '_' and '-'"),
        ("key: 7", "must be text"),
        ("max_page: 3", "did you mean 'max_pages'?"),
        ("colour: red", "known keys: key, seed_url, mode"),
        ("1: x", "unknown key"),
    ])  # fmt: skip
    @pytest.mark.parametrize("place", ["site", "defaults"])
    def test_a_wrong_setting_is_named_with_its_line(self, setting, mend, place):
        key = setting.split(":")[0]
        if place == "site":
            said = complaint(f"sites:\n  - seed_url: https://shop.example\n    depth2: 1\n    {setting}\n".replace(
                "    depth2: 1\n", "    # a remark\n"))  # fmt: skip
            line = 4
        else:
            said = complaint(f"defaults:\n  {setting}\nsites:\n  - seed_url: https://shop.example\n")
            line = 2
            mend = "belongs to one site" if key == "key" else mend
        assert said.startswith(f"sites.yaml, line {line}, key {key!r}: ")
        assert mend in said

    @pytest.mark.parametrize("url", ["shop.example", "ftp://shop.example", "''", "7", "[a]", "null"])
    def test_an_address_that_is_none_is_named(self, url):
        said = complaint(f"sites:\n  - key: a\n    seed_url: {url}\n")
        assert re.match(r"sites\.yaml, line 3, key 'seed_url': not an absolute http\(s\) URL.*https:// in front", said)

    @pytest.mark.parametrize(("setting", "key"), [
        ("seed_url: http:///shop.example", "seed_url"), ("include: [shop/]", "include"), ("depth: 9999999999", "depth"),
    ])  # fmt: skip
    def test_what_cannot_be_meant_is_refused_with_its_line_and_what_the_store_has_is_not(self, setting, key):
        said = complaint(
            f"sites:\n  - key: a\n{'' if key == 'seed_url' else '    seed_url: https://a.example'}\n    {setting}\n"
        )
        assert said.startswith(f"sites.yaml, line 4, key {key!r}: ")
        stored = {"key": "a", "seed_url": SHOP, "include": ["shop/"], "depth": 9_999_999_999}
        assert site_from_config(stored).include == ("shop/",)

    @pytest.mark.parametrize(("text", "said"), [
        ("", "sites.yaml: the file is empty; add a site with: arborist sites add URL"),
        ("# nothing\n", "the file is empty"),
        ("- a\n", "line 1: expected the keys 'sites' and 'defaults', found a list"),
        ("just words\n", "found a single value"),
        ("sites: {a: b}\n", "line 1, key 'sites': must be a list of entries such as"),
        ("\nsites:\n", "line 2, key 'sites': must be a list"),
        ("defaults: {depth: 1}\n", "key 'sites': must be a list"),
        ("sites: []\nsite: []\n", "line 2, key 'site': unknown key; only 'defaults' and 'sites' stand at the top"),
        ("sites: [a, b]\n", "key 'sites': each entry is a mapping with at least seed_url, found a single value"),
        ("sites:\n  - key: a\n", "line 2, key 'seed_url': missing; each site names the address"),
        ("sites: [\n", "line 2: this is not YAML"),
        ("sites:\n\t- a\n", "line 2: this is not YAML"),
        ("a: 1\n---\nb: 2\n", "this is not YAML"),
        ("sites: [{seed_url: !!python/object:os.system x}]\n", "unreadable"),
        ("sites:\n  - {seed_url: https://a.example, depth: 1, depth: 2}\n", "line 2, key 'depth': stands twice"),
        ("sites:\n  - {? [a] : b}\n", "line 2, key 'a list': a key is a single word"),
        ("defaults: 3\nsites: []\n", "expected keys and values"),
        ("sites: &a [*a]\n", "line 1"),
    ])  # fmt: skip
    def test_a_file_of_another_shape_is_told_what_shape_it_has(self, text, said):
        assert said in complaint(text)

    @pytest.mark.parametrize(("one", "two"), [
        ("https://shop.example", "https://shop.example/other"), ("http://shop.example", "https://shop.example"),
        ("http://shop.example:80", "https://SHOP.example:443"),
    ])  # fmt: skip
    def test_two_entries_of_one_site_are_refused_with_both_lines(self, one, two):
        said = complaint(f"sites:\n  - {{key: a, seed_url: '{one}'}}\n  - {{key: b, seed_url: '{two}'}}\n")
        assert said == "sites.yaml, line 3, key 'seed_url': the same site as the entry at line 2; keep one of the two"

    def test_ports_make_sites(self):
        assert len(parse("sites: [{seed_url: 'http://a.example:8000'}, {seed_url: 'http://a.example:8001'}]")) == 2

    def test_two_entries_of_one_key_are_refused_with_both_lines(self):
        said = complaint(
            "sites:\n  - {key: a, seed_url: https://a.example}\n  - {key: a, seed_url: https://b.example}\n"
        )
        assert said == "sites.yaml, line 3, key 'key': 'a' is also the key of the entry at line 2; rename one"

    @given(st.text(max_size=200))
    def test_no_text_brings_it_down(self, text):
        for written in (text, f"sites:\n{text}", f"sites:\n  - seed_url: https://a.example\n    {text}"):
            try:
                parse_site_list(written, source="sites.yaml")
            except ConfigError as error:
                assert str(error).startswith("sites.yaml")  # noqa: PT017  # either outcome is right


class TestKeys:
    @pytest.mark.parametrize(("url", "key"), [
        ("https://shop.example/", "shop.example"), ("http://shop.example:8000/x", "shop.example-8000"),
        ("https://shop.example:443/", "shop.example"), ("http://127.0.0.1:9/", "127.0.0.1-9"),
        ("http://[::1]:8080/", "__1-8080"), ("https://bücher.example/", "xn--bcher-kva.example"),
    ])  # fmt: skip
    def test_the_default_key_is_the_host_and_the_port_where_it_is_another(self, url, key):
        assert site_key_for(canonicalize(url)) == key

    def test_a_site_goes_through_its_config_and_comes_back(self):
        site = Site(key="a", seed_url=SHOP, include=("/a",), retention=Retention(crawls=2), sitemap=SHOP)
        assert site_from_config(site_to_config(site)) == site

    def test_a_config_that_is_wrong_names_its_key(self):
        with pytest.raises(ConfigError, match=r"^depth: must be a whole number"):
            site_from_config({"seed_url": SHOP, "depth": -1})
