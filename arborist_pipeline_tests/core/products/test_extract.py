"""The reader as a whole: total on any page, and as good on real pages as it has been."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arborist_pipeline.core.products.extract import extract_product, read_page
from arborist_pipeline.core.products.product import to_json
from arborist_pipeline.core.web.page import PageKind, parse_body
from arborist_pipeline.core.web.url import canonicalize

PAGES = sorted((Path(__file__).resolve().parents[2] / "fixtures" / "pages").glob("*/page.html"))
ADDRESS = canonicalize("https://ware.example/p/mutant-lamp")
CIRCLE = """<script type="application/ld+json">
{"@id": "#a", "@type": "Product", "name": "A", "isVariantOf": {"@id": "#a"}, "hasVariant": [{"@id": "#a"}]}
</script>"""
CUTS = (
    "",
    "<",
    ">",
    '"',
    "'",
    "&quot;",
    "}",
    "]",
    "<div itemscope itemprop=offers>",
    "</script>",
    "<h1>",
    "\x00",
    "$",
    "99999999999999999999",
)


def read_text(text: str):
    return read_page(parse_body(text.encode("utf-8", "replace"), url=ADDRESS, headers={"content-type": "text/html"}))


@given(st.sampled_from(PAGES), st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_no_mutation_of_a_page_makes_the_reader_fail(path: Path, data: st.DataObject) -> None:
    text = path.read_text("utf-8")
    for _ in range(data.draw(st.integers(1, 6))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 60)))
        text = text[:start] + data.draw(st.sampled_from(CUTS)) + text[end:]
    reading = read_text(text)
    assert (reading.product is not None) == (reading.kind is PageKind.PRODUCT)
    assert reading.reason
    json.dumps(to_json(reading.product))


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert read_text(text).reason


@pytest.mark.parametrize(
    "text",
    [
        "<div itemscope itemtype=x/Product>" * 3_000,
        "<span class=price>$1</span>" * 4_000,
        "<a href=/x class=btn>buy now</a>" * 3_000,
        '<script type="application/ld+json">' + '{"@type":"Product","offers":[' * 2_000 + "</script>",
        '<script>var a = {"price":' + "[" * 20_000 + "</script>",
        "<p>" + "9" * 50_000 + " $</p>",
        "<h1>" + "word " * 20_000 + "</h1>",
        "<table>" + "<tr><th>SKU</th><td>1</td></tr>" * 5_000,
        CIRCLE,
    ],
    ids=["scopes", "prices", "buttons", "nested-json", "nested-literal", "digits", "heading", "rows", "circle"],
)
def test_hostile_pages_are_read_within_bounds(text: str) -> None:
    assert read_text(text).reason


def test_the_product_is_that_of_the_reading() -> None:
    page = parse_body(PAGES[0].read_bytes(), url=ADDRESS, headers={})
    assert extract_product(page) == read_page(page).product


def predictions(folder: Path, manifest: Path, out: Path) -> Path:
    with out.open("w", encoding="utf-8") as lines:
        for line in manifest.read_text("utf-8").splitlines():
            record = json.loads(line)
            body = (folder / record["file"]).read_bytes()
            body = gzip.decompress(body) if record["file"].endswith(".gz") else body
            url = canonicalize(record["url"] or "https://unknown.invalid/" + Path(record["file"]).name.split(".")[0])
            headers = {"content-type": f"text/html; charset={record['charset']}"}
            reading = read_page(parse_body(body, url=url, headers=headers))
            product = to_json(reading.product) if reading.product else None
            lines.write(json.dumps({"file": record["file"], "kind": reading.kind.value, "product": product}) + "\n")
    return out


def score(corpus: Path, *arguments: str) -> dict[str, object]:
    command = [sys.executable, str(corpus / "score.py"), *arguments, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def out_of_stock(manifest: Path, read: Path) -> tuple[int, int, int]:
    """How many pages are rightly said to be out of stock, how many are said to be, how many are."""
    records = [json.loads(line) for line in manifest.read_text("utf-8").splitlines()]
    truths = {each["file"]: (each["truth"] or {})["availability"] for each in records
              if "availability" in (each["truth"] or {})}  # fmt: skip
    lines = [json.loads(line) for line in read.read_text("utf-8").splitlines()]
    judged = [(truths[each["file"]], (each["product"] or {}).get("availability")) for each in lines
              if each["file"] in truths]  # fmt: skip
    pairs = [(truth == "OutOfStock", said == "OutOfStock") for truth, said in judged]
    return sum(map(all, pairs)), sum(said for _, said in pairs), sum(truth for truth, _ in pairs)


@pytest.mark.shared
def test_real_pages_are_read_as_well_as_they_have_been(shared: Path, tmp_path: Path) -> None:
    corpus = shared / "corpus"
    read = predictions(corpus, corpus / "manifest.jsonl", tmp_path / "pages.jsonl")
    found = score(corpus, str(read))
    reached = {name: field["f1"] for name, field in found["fields"].items()}
    floors = {
        "name": 0.975,
        "price": 0.955,
        "currency": 0.97,
        "availability": 0.965,
        "brand": 0.92,
        "sku": 0.935,
        "gtin": 0.88,
        "description": 0.89,
        "images": 0.98,
        "handle": 0.98,
        "rating": 0.97,
    }
    assert {name: round(reached[name], 3) for name, floor in floors.items() if reached[name] < floor} == {}
    assert found["page"]["f1"] >= 0.97
    assert found["kind_accuracy"] >= 0.93
    assert found["variants"]["mean_f1"] >= 0.95
    assert found["variants"]["none_right"] == 1.0
    right, said, true = out_of_stock(corpus / "manifest.jsonl", read)
    sold_out = 2 * right / (said + true)
    print(f"OutOfStock alone: {right} right of {said} said and {true} true, F1 {sold_out:.3f}")
    assert sold_out >= 0.9


@pytest.mark.shared
def test_every_malformed_snippet_is_read(shared: Path, tmp_path: Path) -> None:
    corpus = shared / "corpus"
    manifest = corpus / "malformed" / "manifest.jsonl"
    found = score(corpus, str(predictions(corpus, manifest, tmp_path / "snippets.jsonl")), "--malformed")
    assert found["passed"] == found["snippets"] == 34
