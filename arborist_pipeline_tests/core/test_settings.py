"""The settings of the environment: their defaults, and what is said of wrong ones."""

import pytest

from arborist_pipeline import __version__
from arborist_pipeline.core.errors import ConfigError
from arborist_pipeline.core.settings import read_settings


def read(store=None, **environment):
    return read_settings(environment, user_home="/home/ada", store=store)


def test_nothing_set_is_enough():
    settings = read()
    assert settings.home == "/home/ada/.arborist"
    assert settings.store == "/home/ada/.arborist/crawl/web.db"
    assert settings.textbooks == "/home/ada/.arborist/crawl/textbooks"
    assert settings.dagster_home == "/home/ada/.arborist/dagster"
    assert settings.site_lists == ("sites.yaml", "/home/ada/.arborist/sites.yaml")
    assert settings.user_agent.split(" ")[0] == f"arborist-crawler/{__version__}"
    assert (settings.chromium, settings.llm_model, settings.allow_private) == (None, None, False)
    assert (settings.max_pages, settings.fallback_after_pages) == (60, 3)


def test_all_that_is_written_lies_below_the_home():
    settings = read(ARBORIST_HOME="/srv/arborist")
    places = (settings.store, settings.textbooks, settings.dagster_home, settings.reports, settings.site_lists[1])
    assert all(place.startswith("/srv/arborist/") for place in places)


@pytest.mark.parametrize(("name", "value", "field", "expected"), [
    ("ARBORIST_DB", "postgresql+psycopg://h/w", "store", "postgresql+psycopg://h/w"),
    ("DAGSTER_HOME", "/d", "dagster_home", "/d"),
    ("ARBORIST_SITES", "/etc/sites.yaml", "site_lists", ("/etc/sites.yaml",)),
    ("ARBORIST_USER_AGENT", "shop-bot/2 (+https://a.example)", "user_agent", "shop-bot/2 (+https://a.example)"),
    ("ARBORIST_CHROMIUM", "/usr/bin/chromium", "chromium", "/usr/bin/chromium"),
    ("ARBORIST_LLM_MODEL", "small-1", "llm_model", "small-1"),
    ("ARBORIST_ALLOW_PRIVATE", "1", "allow_private", True),
    ("ARBORIST_ALLOW_PRIVATE", "yes", "allow_private", True),
    ("ARBORIST_ALLOW_PRIVATE", "0", "allow_private", False),
    ("ARBORIST_ALLOW_PRIVATE", "", "allow_private", False),
    ("CRAWL_MAX_PAGES", "0", "max_pages", 0),
    ("CRAWL_MAX_PAGES", " 7 ", "max_pages", 7),
    ("CRAWL_PRODUCT_FALLBACK_AFTER_PAGES", "5", "fallback_after_pages", 5),
])  # fmt: skip
def test_each_variable_sets_its_own(name, value, field, expected):
    assert getattr(read(**{name: value}), field) == expected


@pytest.mark.parametrize("name", [
    "ARBORIST_HOME", "ARBORIST_DB", "DAGSTER_HOME", "ARBORIST_SITES", "ARBORIST_USER_AGENT", "ARBORIST_CHROMIUM",
    "ARBORIST_LLM_MODEL", "CRAWL_MAX_PAGES",
])  # fmt: skip
def test_an_empty_variable_is_as_one_that_is_not_set(name):
    assert read(**{name: ""}) == read()


def test_the_command_line_is_above_the_environment():
    assert read(store="mine.db", ARBORIST_DB="theirs.db").store == "mine.db"


@pytest.mark.parametrize(("name", "value", "mend"), [
    ("ARBORIST_ALLOW_PRIVATE", "maybe", "use 1 or 0"),
    ("CRAWL_MAX_PAGES", "many", "use a whole number"),
    ("CRAWL_MAX_PAGES", "-1", "use a whole number"),
    ("CRAWL_MAX_PAGES", "1.5", "use a whole number"),
    ("CRAWL_PRODUCT_FALLBACK_AFTER_PAGES", "x", "use a whole number"),
    ("ARBORIST_USER_AGENT", "bot2/1", "letters, '-' and '_'"),
    ("ARBORIST_USER_AGENT", "(compatible)", "letters, '-' and '_'"),
    ("ARBORIST_USER_AGENT", "bot/1\r\nX-Evil: 1", "letters, '-' and '_'"),
])  # fmt: skip
def test_a_wrong_value_names_its_variable_and_the_mend(name, value, mend):
    with pytest.raises(ConfigError) as caught:
        read(**{name: value})
    assert str(caught.value).startswith(f"{name}=")
    assert mend in str(caught.value)
