"""The settings of contract §1, read from an environment that the caller hands in. Paths are plain strings here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from arborist_pipeline import __version__
from arborist_pipeline.core.errors import ConfigError

_PRODUCT_TOKEN = re.compile(r"^[A-Za-z_-]+(?:/|\s|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where things lie and what is switched on. `site_lists` are tried in order; the first that exists counts."""

    home: str
    store: str
    textbooks: str
    dagster_home: str
    reports: str
    site_lists: tuple[str, ...]
    user_agent: str
    chromium: str | None
    llm_model: str | None
    allow_private: bool
    max_pages: int
    fallback_after_pages: int


def read_settings(environment: Mapping[str, str], *, user_home: str, store: str | None = None) -> Settings:
    """Read the settings; `store` overrides ARBORIST_DB. Raises ConfigError naming the variable and what it takes."""
    home = environment.get("ARBORIST_HOME") or f"{user_home}/.arborist"
    listed = environment.get("ARBORIST_SITES")
    return Settings(
        home=home,
        store=store or environment.get("ARBORIST_DB") or f"{home}/crawl/web.db",
        textbooks=f"{home}/crawl/textbooks",
        dagster_home=environment.get("DAGSTER_HOME") or f"{home}/dagster",
        reports=f"{home}/reports",
        site_lists=(listed,) if listed else ("sites.yaml", f"{home}/sites.yaml"),
        user_agent=_user_agent(environment),
        chromium=environment.get("ARBORIST_CHROMIUM") or None,
        llm_model=environment.get("ARBORIST_LLM_MODEL") or None,
        allow_private=_flag(environment, "ARBORIST_ALLOW_PRIVATE"),
        max_pages=_whole(environment, "CRAWL_MAX_PAGES", 60),
        fallback_after_pages=_whole(environment, "CRAWL_PRODUCT_FALLBACK_AFTER_PAGES", 3),
    )


def _user_agent(environment: Mapping[str, str]) -> str:
    agent = environment.get("ARBORIST_USER_AGENT") or f"arborist-crawler/{__version__}"
    if not _PRODUCT_TOKEN.match(agent) or not agent.isprintable():
        raise ConfigError(f"ARBORIST_USER_AGENT={agent!r}: it must begin with a product token of letters, '-' and '_' "
                          "(RFC 9309), such as arborist-crawler/1.0 (+https://example.com/bot)")  # fmt: skip
    return agent


def _flag(environment: Mapping[str, str], name: str) -> bool:
    value = environment.get(name, "0").strip().lower()
    if value not in ("0", "1", "", "true", "false", "yes", "no"):
        raise ConfigError(f"{name}={value!r}: use 1 or 0")
    return value in ("1", "true", "yes")


def _whole(environment: Mapping[str, str], name: str, default: int) -> int:
    value = environment.get(name, "").strip()
    if not value:
        return default
    if not value.isdecimal():
        raise ConfigError(f"{name}={value!r}: use a whole number of 0 or more")
    return int(value)
