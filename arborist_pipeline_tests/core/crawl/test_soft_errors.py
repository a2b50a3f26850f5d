"""Pages for addresses that do not exist, answered with status 200."""

from dataclasses import replace

import pytest

from arborist_pipeline.core.crawl.policy import CrawlPolicy
from arborist_pipeline.core.crawl.reading import read_exchange
from arborist_pipeline.core.crawl.records import CrawlRequest, Outcome, Priority, Site, Tier
from arborist_pipeline.core.crawl.soft_errors import SoftErrors, as_soft_error, probe_url
from arborist_pipeline.core.web.url import canonicalize
from arborist_pipeline_tests.core.crawl.conftest import SEED, at
from arborist_pipeline_tests.support.builders import make_result

SITE = Site(key="shop", seed_url=SEED)
NOWHERE = "<title>Shop</title><p>Nothing lives at this address.</p>"


def read(path, body, *, status=200, ingest=True):
    request = CrawlRequest(url=at(path), depth=1, parent=SEED, anchor="", priority=Priority(Tier.ORDER, 0.0, ""))
    result = replace(make_result(body, status=status), requested_url=at(path))
    return read_exchange(request, result, order=1, site=SITE, policy=CrawlPolicy(ingest=ingest))


@pytest.mark.parametrize("ingest", [True, False])
def test_two_addresses_with_one_text_are_reason_to_ask_and_then_all_such_pages_are_known(ingest):
    errors = SoftErrors()
    assert not errors.suspects(read("/", "<p>Welcome", ingest=ingest))
    assert not errors.suspects(read("/old", NOWHERE, ingest=ingest))
    assert not errors.suspects(read("/old", NOWHERE, ingest=ingest))
    assert errors.suspects(read("/older", NOWHERE, ingest=ingest))
    earlier = errors.learn(read("/no-such-page", NOWHERE, ingest=ingest), seed=SEED)
    assert (earlier.url, earlier.document_root is not None) == (at("/old"), ingest)
    assert (earlier.body, earlier.links) == (None, None)
    assert errors.is_one(read("/oldest", NOWHERE, ingest=ingest), seed=SEED)
    assert not errors.is_one(read("/new", "<p>Alive", ingest=ingest), seed=SEED)
    assert not errors.suspects(read("/oldest", NOWHERE, ingest=ingest))


@pytest.mark.parametrize("title", ["404 Not Found", "Page not found - Shop", "Seite nicht gefunden",
                                   "Page introuvable", "Página no encontrada", "Pagina niet gevonden",
                                   "Az oldal nem található"])  # fmt: skip
def test_a_title_that_speaks_of_an_error_is_reason_enough(title):
    assert SoftErrors().suspects(read("/old", f"<title>{title}</title><p>Sorry."))


@pytest.mark.parametrize("title", ["Peugeot 404 parts", "Foundry", "Error bars explained", "Kettle 4040"])
def test_a_title_that_does_not_costs_nothing_but_a_question(title):
    errors = SoftErrors()
    page = read("/kettle", f"<title>{title}</title><p>Of a kind.")
    if errors.suspects(page):
        errors.learn(read("/no-such-page", "gone", status=404), seed=SEED)
    assert not errors.is_one(page, seed=SEED)


@pytest.mark.parametrize("answer", [None, {"body": "gone", "status": 404}, {"body": ""}, {"body": "<p></p>"}])
def test_a_site_that_says_so_by_status_or_shows_nothing_has_no_such_page(answer):
    errors = SoftErrors()
    shown = None if answer is None else read("/no-such-page", **answer)
    assert errors.learn(shown, seed=SEED) is None
    assert errors.is_settled
    assert not errors.is_one(read("/x", NOWHERE), seed=SEED)


def test_no_more_than_some_texts_are_remembered(monkeypatch):
    monkeypatch.setattr("arborist_pipeline.core.crawl.soft_errors.MAX_TEXTS", 2)
    errors = SoftErrors()
    for name in "abcb":
        assert errors.suspects(read(f"/{name}", f"<p>{name}")) is False
    assert not errors.suspects(read("/c2", "<p>c"))
    assert errors.suspects(read("/b2", "<p>b"))


def test_a_site_that_answers_everything_with_its_start_page_has_none_either():
    errors = SoftErrors()
    errors.suspects(read("/", NOWHERE))
    assert errors.suspects(read("/index.html", NOWHERE))
    assert errors.learn(read("/no-such-page", NOWHERE), seed=SEED) is None
    assert not errors.is_one(read("/index.html", NOWHERE), seed=SEED)


def test_a_page_that_names_another_as_canonical_is_a_variant_and_no_error():
    errors = SoftErrors()
    errors.suspects(read("/lamp", NOWHERE))
    assert not errors.suspects(read("/lamp?view=2", f'<link rel="canonical" href="/lamp">{NOWHERE}'))


@pytest.mark.parametrize(("path", "start", "end"), [
    ("/gone/3.html", "/gone/no-such-page-", ".html"),
    ("/shop/item.php?id=3", "/shop/no-such-page-", ".php"),
    ("/lamp", "/no-such-page-", ""),
    ("/a/b/", "/a/b/no-such-page-", ""),
])  # fmt: skip
def test_the_address_that_cannot_exist_stands_beside_the_suspect(path, start, end):
    url = probe_url(at(path))
    assert url.startswith(f"https://shop.example{start}")
    assert url.endswith(end)
    assert url == probe_url(at(path)) == canonicalize(url)
    assert "?" not in url


def test_nothing_is_made_of_a_soft_error():
    live = read("/old", f'{NOWHERE}<a href="/x">x</a>')
    page = as_soft_error(live).page
    assert live.document is not None
    assert as_soft_error(live).document is None
    assert (page.outcome, page.status, page.body, page.links, page.document_root) == (
        Outcome.SOFT_404, 200, None, None, None,
    )  # fmt: skip
    assert page.reason.startswith("soft 404")
