"""The check of document_store passes on a sound store, and names the page whose text was damaged."""

from sqlalchemy import text

from arborist_pipeline_tests.defs.runs import crawl_config


def check_of(result):
    assert result.success
    (said,) = result.get_asset_check_evaluations()
    assert said.check_name == "every_root_is_that_of_what_is_stored"
    return said


def test_the_check_passes_until_a_text_is_damaged_and_then_names_the_page(home, run, shop):
    home.list_sites(shop=shop.url())
    run.assets("seed_sites")
    run.assets("crawled_pages", key="shop", run_config=crawl_config(full=True))
    said = check_of(run.assets("document_store", key="shop"))
    assert said.passed
    assert said.metadata["damages"].value == 0
    with home.store() as store, store.engine.begin() as connection:
        assert connection.execute(text("UPDATE chunks SET text = 'x' WHERE text LIKE '%things for kitchens%'")).rowcount
    said = check_of(run.assets("document_store", key="shop"))
    assert not said.passed
    assert {each["url"] for each in said.metadata["damaged"].value} == {shop.url("/about")}
