"""arborist validate: local shops that pass and fail for every reason, and lists that are wrong."""

import json
import signal
import sqlite3
import time
from collections import Counter

import pytest

from arborist_pipeline.cli.validate import STOREFRONTS
from arborist_pipeline.core.crawl.records import Mode
from arborist_pipeline.core.crawl.site_list import parse_site_list
from arborist_pipeline_tests.cli.conftest import REPOSITORY
from arborist_pipeline_tests.cli.small_shop import PRODUCT, lines, shop
from arborist_pipeline_tests.cli.test_sites import BAD_LISTS
from arborist_pipeline_tests.support.site_server import Gate, LocalSite, Reply, html
from arborist_pipeline_tests.support.theme_shop import HEAD
from examples.demo_shop.serve import serve_shop
from examples.demo_shop.shop import build_shop

HOSTS = """cordori.com.au www.gymshark.com kith.com www.allbirds.com bombas.com www.fashionnova.com
athleticbrewing.com www.skullcandy.com www.hollisterco.com""".split()
WALL = Reply(status=403, body=html("Just a moment...").encode())


def write_list(folder, *entries, **defaults):
    """A list whose sites are asked fast, one at a time."""
    place = folder / "storefronts.yaml"
    place.write_text(json.dumps({"defaults": {"mode": "fast", "concurrency": 1, **defaults}, "sites": list(entries)}))
    return place


def no_shop():
    return {"/": html("Home", links=["/about"]), "/about": html("About", "<p>We mend lamps.</p>")}


def late_shop():
    """A shop whose only product is the third page."""
    product = html("Desk lamp", "<h1>Desk lamp</h1><p>EUR 19.90</p><button>Add to cart</button>", head=PRODUCT)
    return {"/": html("Home", links=["/range"]), "/range": html("Range", links=["/lamp"]), "/lamp": product}


def themed_shop():
    return {path: page.replace("</head>", f"{HEAD}</head>") if path != "/robots.txt" else page
            for path, page in shop().items()}  # fmt: skip


def test_every_site_is_told_with_what_it_came_to_and_why(arborist, tmp_path, home):
    with LocalSite({}) as gone:
        pass  # nobody listens there any more
    with (
        LocalSite(themed_shop()) as good,
        LocalSite(no_shop()) as none,
        LocalSite(late_shop()) as late,
        LocalSite({"/robots.txt": "User-agent: *\nDisallow: /\n", **no_shop()}) as closed,
        LocalSite({"/": WALL}, missing=WALL) as walled,
    ):
        sites = {"good": good, "none": none, "late": late, "closed": closed, "walled": walled, "gone": gone}
        entries = [{"key": key, "seed_url": site.url()} for key, site in sites.items()]
        entries[2]["max_pages"] = 3
        listed = write_list(tmp_path, *entries)
        result = arborist("validate", listed, "--json")
        shown = arborist("validate", listed)
    *trials, last = lines(result.stdout)
    told = {trial["key"]: trial for trial in trials}
    assert {key: trial["verdict"] for key, trial in told.items()} == {
        "good": "passed", "none": "no_product", "late": "too_late", "closed": "blocked", "walled": "blocked",
        "gone": "unreachable",
    }  # fmt: skip
    assert last == {"summary": {"sites": 6, "passed": 1, "failed": 5, "untried": 0}}
    assert (result.exit_code, shown.exit_code) == (1, 1)
    lamp = told["good"]
    assert (lamp["products"], lamp["first_product_at"], lamp["first_product_url"]) == (1, 2, good.url("/products/lamp"))
    assert (lamp["platform"], lamp["tiers"], lamp["budget"], lamp["spent_budget"]) == (
        "shopify", {"regex": 1.0}, 60, False
    )  # fmt: skip
    assert (told["none"]["platform"], told["late"]["spent_budget"], told["late"]["first_product_at"]) == (None, True, 3)
    reasons = {"none": "no product on 2 pages", "late": "the last of 3 pages", "closed": "robots.txt forbids",
               "walled": "status 403", "gone": "cannot be reached"}  # fmt: skip
    for key, words in reasons.items():
        assert words in told[key]["reason"]
        assert any(line.startswith(f"{key}: ") and words in line for line in shown.stdout.splitlines())
    assert "1 of 6 sites passed" in shown.stdout
    row = next(line for line in shown.stdout.splitlines() if line.startswith("good ")).split()
    assert row == ["good", "passed", str(lamp["pages"]), "1", "2", "60", "shopify", "regex", "100%"]
    assert closed.targets == ["/robots.txt"] * 2
    assert not home.exists()  # the trial's store is gone with it


def test_all_sites_good_ends_with_0(arborist, tmp_path):
    with LocalSite(shop()) as one, LocalSite(late_shop()) as other:
        result = arborist("validate", write_list(tmp_path, *({"seed_url": site.url()} for site in (one, other))))
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "2 of 2 sites passed"


def test_the_demo_shop_passes_well_within_its_budget(arborist, tmp_path):
    with serve_shop(build_shop()) as server:
        result = arborist("validate", write_list(tmp_path, {"seed_url": server.url}), "--json")
    trial, _ = lines(result.stdout)
    assert (result.exit_code, trial["verdict"], trial["pages"]) == (0, "passed", 60)
    assert trial["first_product_at"] <= 10
    assert trial["products"] >= 20
    assert sum(trial["tiers"].values()) == pytest.approx(1.0, abs=0.01)


def test_a_named_store_keeps_what_was_crawled_and_its_own_settings_of_a_site(arborist, tmp_path):
    store = tmp_path / "trial.db"
    with LocalSite(shop()) as site:
        arborist("--db", store, "crawl", "--seed-url", site.url("/about"), "--author", "Marlow")
        result = arborist(
            "--db", store, "validate", write_list(tmp_path, {"key": "mine", "seed_url": site.url()}), "--json"
        )
    with sqlite3.connect(store) as connection:
        kept = connection.execute("SELECT key, config FROM sites").fetchall()
        names = connection.execute("SELECT name FROM products WHERE is_current").fetchall()
    connection.close()
    assert result.exit_code == 0
    assert lines(result.stdout)[0]["key"] == kept[0][0] == site.url().split("/")[2].replace(":", "-")
    assert [(json.loads(config)["author"], json.loads(config)["mode"]) for _, config in kept] == [("Marlow", "polite")]
    assert names == [("Desk lamp",)]


def test_a_key_that_the_named_store_has_for_another_host_is_refused(arborist, tmp_path):
    store = tmp_path / "trial.db"
    with LocalSite(shop()) as one, LocalSite(shop()) as other:
        for site in (one, other):
            result = arborist("--db", store, "validate", write_list(tmp_path, {"key": "a", "seed_url": site.url()}))
    assert (result.exit_code, result.stdout, other.requests) == (2, "", [])
    assert "another key" in result.stderr


@pytest.mark.parametrize(("text", "words"), [case[1:] for case in BAD_LISTS], ids=[case[0] for case in BAD_LISTS])
def test_a_wrong_list_is_one_error_and_nothing_is_asked(arborist, tmp_path, text, words, home):
    listed = tmp_path / "shops.yaml"
    listed.write_text(text)
    result = arborist("validate", listed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 1
    assert all(word in result.stderr for word in ("shops.yaml", *words))
    assert not home.exists()


@pytest.mark.parametrize(
    ("name", "words"), [("not-there.yaml", "does not exist"), (".", "is a directory"), ("none.yaml", "no sites")]
)
def test_a_list_that_is_not_there_or_names_nothing_is_wrong_use(arborist, tmp_path, name, words):
    (tmp_path / "none.yaml").write_text("sites: []\n")
    result = arborist("validate", tmp_path / name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_after_a_signal_what_was_tried_is_told_and_the_rest_is_said_to_be_untried(process, tmp_path):
    def hold(_):
        gate.wait()
        return html("Home")

    with LocalSite(shop()) as one, LocalSite({"/": hold}) as slow, LocalSite(shop()) as last, Gate() as gate:
        running = process("validate", write_list(tmp_path, *({"seed_url": site.url()} for site in (one, slow, last))))
        while "/" not in slow.targets:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        said, _ = running.communicate()
    assert running.returncode == 1
    assert Counter(word for word in said.split() if word in ("passed", "broken_off")) == {"passed": 1, "broken_off": 1}
    assert said.splitlines()[-1] == "1 of 3 sites passed, 1 were not tried"
    assert last.requests == []


def test_the_list_that_comes_with_the_program_names_nine_storefronts_to_be_asked_politely():
    sites = parse_site_list(STOREFRONTS.read_text(encoding="utf-8"), source="storefronts.yaml")
    assert [site.key for site in sites] == HOSTS
    assert {(site.mode, site.max_pages) for site in sites} == {(Mode.POLITE, 60)}
    assert "storefronts.yaml" in (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")


def test_without_a_file_the_shipped_list_is_tried(arborist, tmp_path, monkeypatch):
    with LocalSite(shop()) as site:
        monkeypatch.setattr(
            "arborist_pipeline.cli.validate.STOREFRONTS", write_list(tmp_path, {"seed_url": site.url()})
        )
        assert arborist("validate").stdout.splitlines()[-1] == "1 of 1 sites passed"
