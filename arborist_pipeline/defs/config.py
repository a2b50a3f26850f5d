"""Run config: what a run may override, each field with a description for the launchpad."""

from typing import Literal

import dagster as dg
from pydantic import Field

from arborist_pipeline.core.crawl.policy import CrawlPolicy, Walk, build_policy
from arborist_pipeline.core.crawl.records import Mode, Render, Site
from arborist_pipeline.core.errors import ConfigError, InvalidUrl
from arborist_pipeline.core.web.url import Url, canonicalize, same_site
from arborist_pipeline.workflows.model_tier import MAX_CALLS


class CrawlConfig(dg.Config):
    """Overrides of a site's settings for one crawl; all optional."""

    max_pages: int | None = Field(default=None, ge=0, description="Page requests of this run; 0: no cap.")
    depth: int | None = Field(default=None, ge=0, description="Link hops from the seed.")
    mode: Literal["site", "polite", "fast"] = Field(
        default="site", description="polite: one request at a time and a pause between; fast: neither; site: its own."
    )
    render: Literal["site", "never", "auto", "always"] = Field(
        default="site", description="When Chromium may render a page; site: as the site has it."
    )
    urls: list[str] = Field(default=[], description="Fetch only these pages of the site.")
    resume: bool = Field(default=False, description="Go on where the last crawl was stopped, under its number.")
    full: bool = Field(default=False, description="Ask for known pages again before they are due.")

    def to_policy(self, site: Site, seed: Url, *, cpus: int) -> CrawlPolicy:
        """Combine the site's settings with these. Raises ConfigError for a URL that is none, or none of the site."""
        return build_policy(
            site,
            cpus=cpus,
            mode=None if self.mode == "site" else Mode(self.mode),
            max_pages=self.max_pages,
            max_depth=self.depth,
            render=None if self.render == "site" else Render(self.render),
            only=tuple(dict.fromkeys(_page_of(text, seed) for text in self.urls)),
            full=self.full,
            walk=Walk.RESUME if self.resume else Walk.NIGHTLY,
        )


class ReadingConfig(dg.Config):
    """How stored pages are read."""

    again: bool = Field(default=False, description="Read every stored page again, not only what is new.")


class ProductReadingConfig(ReadingConfig):
    """How stored pages are read for products, and whether a model may be asked about what they leave open."""

    ask_model: bool = Field(
        default=True, description="Ask the configured model; false: only what it told before counts, without network."
    )
    max_model_calls: int = Field(default=MAX_CALLS, ge=0, description="Calls to the model at most, one a template.")


class RecheckConfig(dg.Config):
    """How many stored pages are asked about."""

    limit: int = Field(default=500, ge=0, description="Pages at most, the longest unchecked first; 0: all.")


def _page_of(text: str, seed: Url) -> Url:
    try:
        url = canonicalize(text)
    except InvalidUrl as error:
        raise ConfigError(f"urls: {error}; write it with https:// in front") from error
    if not same_site(url, seed):
        raise ConfigError(f"urls: {url} is no page of {seed}; leave it out, or run the site that it belongs to")
    return url
