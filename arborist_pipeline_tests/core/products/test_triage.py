"""Pages that are ruled out before a close look: never one that a close look would have taken."""

import gzip
import json
from pathlib import Path

import pytest

from arborist_pipeline.core.products.evidence import gather_evidence
from arborist_pipeline.core.products.kind import judge_kind
from arborist_pipeline.core.products.platforms import PLATFORMS
from arborist_pipeline.core.products.scan import scan_page
from arborist_pipeline.core.products.tiers import TIERS
from arborist_pipeline.core.products.triage import rule_out_product, shows_currency
from arborist_pipeline.core.web.page import PageKind, parse_body
from arborist_pipeline.core.web.url import canonicalize

GOLDEN = sorted((Path(__file__).resolve().parents[2] / "fixtures" / "pages").glob("*/page.html"))
PROSE = "<p>" + "We walked the length of the quay and wrote down what we saw there before noon. " * 30 + "</p>"


@pytest.mark.parametrize(
    ("html", "path", "kind"),
    [
        ("<h1>SELECT</h1>" + PROSE, "/sql-select.html", "other"),
        ("<h1>A walk</h1>" + PROSE, "/blog/2024/05/a-walk", "article"),
        ("<h1>A walk</h1><pre>foo(<code>$1</code>)</pre>", "/x", "other"),
        ("<h1>About</h1><form action=/search><input name=q><button>Go</button></form>", "/x", "other"),
        ("<h1>Ware</h1>", "/", "home"),
        ("<h1>Page not found</h1>", "/x", None),
        ("<h1>Mug</h1><p>$5</p>", "/x", None),
        ("<h1>Mug</h1><p><b>5</b><i>€</i></p>", "/x", None),
        ("<h1>Mug</h1><p class=price>5</p>", "/x", None),
        ("<h1>Mug</h1><button>Add to basket</button>", "/x", None),
        ("<h1>Mug</h1><button>Sold out</button>", "/x", None),
        ("<h1>Mug</h1>", "/products/white-mug", None),
        ("<h1>Mug</h1><p class=availability>Sold out</p>", "/x", None),
        ("<h1>Mug</h1><script>var a = {'price': '123456789012345', 'sku': 1234567}</script>", "/x", None),
        ('<h1>Mug</h1><meta property="og:type" content="product">', "/x", None),
        ('<h1>Mug</h1><script type="application/ld+json">{"@type": "Product", "name": "Mug"}</script>', "/x", None),
        ("<h1>Mugs</h1><select name=sort></select>" + "<a href=/m><img src=/m.jpg></a>" * 6, "/x", None),
    ],
)
def test_a_page_is_ruled_out_by_what_it_has_not(evidence_of, html, path, kind):
    verdict = rule_out_product(evidence_of(html, "https://ware.example" + path))
    assert (verdict and verdict.kind.value) == kind


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ("<p>$5</p>", True),
        ("<p>5 zł</p>", True),
        ("<p>EUR</p><p>5</p>", True),
        ("<p>5</p>", False),
        ("<p>All 5 of them</p>", False),
        ("<p>$ and more</p>", False),
        ("<p>" + "long " * 30 + "$5</p>", False),
        ("<code>$5</code>", False),
        ("", False),
    ],
)
def test_a_currency_beside_a_number_is_seen_in_short_texts(page_of, html, shown):
    assert shows_currency(scan_page(page_of(html))) is shown


def looked_at_closely(page):
    evidence = gather_evidence(page)
    return judge_kind(evidence, [draft for read in (*PLATFORMS, *TIERS) if (draft := read(evidence)) is not None])


def differences(pages):
    """Pages that are ruled out although a close look says otherwise."""
    for name, page in pages:
        early = rule_out_product(gather_evidence(page))
        if early is not None and early != looked_at_closely(page):
            yield name, early


def test_a_verdict_without_a_close_look_is_that_of_one_on_golden_pages():
    pages = [(path.parent.name, parse_body(path.read_bytes(), url=canonicalize(f"https://ware.example{address}"),
                                           headers={}))
             for path in GOLDEN for address in ("/x", "/blog/2024/05/x", "/products/x-y")]  # fmt: skip
    assert list(differences(pages)) == []


def page_of_record(corpus, record):
    body = (corpus / record["file"]).read_bytes()
    body = gzip.decompress(body) if record["file"].endswith(".gz") else body
    headers = {"content-type": f"text/html; charset={record['charset']}"}
    return parse_body(body, url=canonicalize(record["url"] or "https://unknown.invalid/x"), headers=headers)


@pytest.mark.shared
def test_a_verdict_without_a_close_look_is_that_of_one_on_real_pages(shared):
    corpus = shared / "corpus"
    records = [json.loads(line) for line in (corpus / "manifest.jsonl").read_text("utf-8").splitlines()]
    others = [record for record in records if record["kind"] not in ("product", "listing")]
    pages = [(record["file"], page_of_record(corpus, record)) for record in others]
    assert len(pages) >= 20
    assert [name for name, early in differences(pages) if early.kind is not PageKind.HOME] == []
