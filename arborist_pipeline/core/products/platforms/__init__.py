"""Readers of what shop platforms put into their pages, best first. A new platform is a new file and a line here."""

from arborist_pipeline.core.products.tier import Tier

PLATFORMS: tuple[Tier, ...] = ()
