"""The demo shop in both phases, and all pages of the first one as the core reads them."""

import pytest

from arborist_pipeline.core.web.page import parse_body
from arborist_pipeline.core.web.url import canonicalize
from examples.demo_shop.shop import build_shop

ORIGIN = "http://shop.test"
HEADERS = {"Host": "shop.test"}


@pytest.fixture(scope="session")
def shop():
    return build_shop()


@pytest.fixture(scope="session")
def changed_shop():
    shop = build_shop()
    shop.change()
    return shop


@pytest.fixture(scope="session")
def read():
    """Ask a shop for a target and parse what comes."""

    def read_page(shop, target):
        answer = shop.response("GET", target, HEADERS)
        return parse_body(answer.body, url=canonicalize(ORIGIN + target), headers=answer.headers)

    return read_page


@pytest.fixture(scope="session")
def pages(shop, read):
    return {target: read(shop, target) for target in shop.truth.pages}
