"""Golden pages: a case is a folder with the page, what it says and what must be read from it."""

import json
from pathlib import Path

import pytest

from arborist_pipeline.core.products.extract import read_page
from arborist_pipeline.core.products.product import to_json
from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.url import canonicalize

PAGES = Path(__file__).resolve().parents[2] / "fixtures" / "pages"
CASES = sorted(path.parent for path in PAGES.glob("*/expected.json"))


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_a_golden_page_reads_as_expected(folder: Path) -> None:
    meta = json.loads((folder / "meta.json").read_text("utf-8"))
    expected = json.loads((folder / "expected.json").read_text("utf-8"))
    headers = {"content-type": "text/html; charset=utf-8"}
    reading = read_page(parse_body((folder / "page.html").read_bytes(), url=canonicalize(meta["url"]), headers=headers))
    assert reading.kind.value == expected["kind"], reading.reason
    product = to_json(reading.product) if reading.product else None
    if product is not None and expected["product"] is not None:
        product = {key: value for key, value in product.items() if key in expected["product"]}
    assert product == expected["product"], meta["says"]


def test_golden_pages_are_there() -> None:
    assert len(CASES) >= 30
