"""What is looked for in a site, one file a signal. A new signal is a file here, its names in `finding`, and a line."""

from arborist_pipeline.core.report.finding import Signal
from arborist_pipeline.core.report.signals.blocked_pages import find_blocked_pages
from arborist_pipeline.core.report.signals.broken_links import find_broken_links
from arborist_pipeline.core.report.signals.canonicals import find_canonical_problems
from arborist_pipeline.core.report.signals.depth import find_deep_pages
from arborist_pipeline.core.report.signals.descriptions import find_shared_descriptions
from arborist_pipeline.core.report.signals.duplicates import find_duplicates
from arborist_pipeline.core.report.signals.orphans import find_orphans
from arborist_pipeline.core.report.signals.overlap import find_overlaps
from arborist_pipeline.core.report.signals.redirects import find_redirect_problems
from arborist_pipeline.core.report.signals.robots import find_robots_problems
from arborist_pipeline.core.report.signals.sitemaps import find_sitemap_problems
from arborist_pipeline.core.report.signals.soft_errors import find_soft_errors
from arborist_pipeline.core.report.signals.thin_pages import find_thin_pages
from arborist_pipeline.core.report.signals.traps import find_traps

SIGNALS: tuple[Signal, ...] = (
    find_broken_links,
    find_soft_errors,
    find_redirect_problems,
    find_blocked_pages,
    find_robots_problems,
    find_sitemap_problems,
    find_orphans,
    find_canonical_problems,
    find_duplicates,
    find_overlaps,
    find_shared_descriptions,
    find_traps,
    find_deep_pages,
    find_thin_pages,
)
