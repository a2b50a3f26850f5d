"""How tests of this room make a page: text and address in, a parsed page or its reading out."""

from collections.abc import Callable

import pytest

from arborist_pipeline.core.products.evidence import Evidence, gather_evidence
from arborist_pipeline.core.products.extract import Reading, read_page
from arborist_pipeline.core.web.page import Page, parse_body
from arborist_pipeline.core.web.url import canonicalize

ADDRESS = "https://ware.example/goods/white-mug"


def build_page(html: str, url: str = ADDRESS) -> Page:
    return parse_body(
        html.encode("utf-8", "replace"), url=canonicalize(url), headers={"content-type": "text/html; charset=utf-8"}
    )


@pytest.fixture(scope="session")
def page_of() -> Callable[..., Page]:
    """A page from its text."""
    return build_page


@pytest.fixture(scope="session")
def evidence_of() -> Callable[..., Evidence]:
    """The evidence of a page from its text."""
    return lambda html, url=ADDRESS: gather_evidence(build_page(html, url))


@pytest.fixture(scope="session")
def read() -> Callable[..., Reading]:
    """The reading of a page from its text."""
    return lambda html, url=ADDRESS: read_page(build_page(html, url))
