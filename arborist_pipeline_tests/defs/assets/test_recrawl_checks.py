"""recrawl_checks asks by HEAD whether stored pages still hold, and fetches none."""

import pytest

from arborist_pipeline_tests.defs.runs import metadata_of, product_page
from arborist_pipeline_tests.support.site_server import Reply


@pytest.fixture
def check(home, run, shop):
    """Check the little shop after it was crawled."""
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")
    assert run.assets("crawled_pages", key="shop").success
    shop.requests.clear()

    def check(**config):
        result = run.job("recrawl_check", "shop", run_config={"ops": {"recrawl_checks": {"config": config}}})
        assert result.success
        return metadata_of(result, "recrawl_checks")

    return check


VERDICTS = ("fresh", "stale", "gone", "moved", "blocked", "unknown")


def test_a_site_that_has_not_changed_is_fresh_and_no_page_is_fetched(check, shop):
    said = check()
    assert [said[name] for name in VERDICTS] == [4, 0, 0, 0, 0, 0]
    assert (said["dagster/row_count"], said["not_fresh"]) == (4, [])
    assert {request.method for request in shop.requests if request.path != "/robots.txt"} == {"HEAD"}


def test_what_changed_is_stale_and_what_is_gone_is_gone(check, shop):
    shop.routes["/products/pan"] = product_page("Iron pan", "35.00")
    shop.routes["/about"] = Reply(status=410)
    said = check()
    assert [said[name] for name in VERDICTS] == [2, 1, 1, 0, 0, 0]
    assert {(row["verdict"], row["url"]) for row in said["not_fresh"]} == {
        ("stale", shop.url("/products/pan")), ("gone", shop.url("/about")),
    }  # fmt: skip


def test_a_limit_checks_the_longest_unchecked_first(check, shop):
    assert check(limit=1)["dagster/row_count"] == 1
    assert check(limit=3)["dagster/row_count"] == 3
    asked = [request.path for request in shop.requests if request.method == "HEAD"]
    assert sorted(asked) == ["/", "/about", "/products/pan", "/products/pot"]
