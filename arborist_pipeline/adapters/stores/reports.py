"""The ReportStore over SQL: the snapshot that a report is built from, the sitemap's entries, the findings."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, RowMapping, delete, insert, select

from arborist_pipeline.adapters.stores.engine import reading, writing
from arborist_pipeline.adapters.stores.schema import findings, sitemap_urls, sites
from arborist_pipeline.adapters.stores.sites import site_id_of
from arborist_pipeline.adapters.stores.snapshots import read_snapshot
from arborist_pipeline.core.report.finding import Certainty, Finding, Severity
from arborist_pipeline.core.report.snapshot import LinkSource, SitemapUrl, SiteSnapshot
from arborist_pipeline.core.web.url import Url


class SqlReportStore:
    """Snapshots, sitemap entries and findings."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def seed_url(self, site_key: str) -> Url:
        """Return where the site's crawl starts: the listed seed, or where it was found to answer."""
        with reading(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            return Url(connection.execute(select(sites.c.seed_url).where(sites.c.id == site_id)).scalar_one())

    def load_snapshot(self, site_key: str, sitemap: Iterable[SitemapUrl] | None = None) -> SiteSnapshot:
        """Read what is known of a site; only SELECTs. `sitemap` stands in for the stored entries where it is given."""
        with reading(self._engine) as connection:
            return read_snapshot(connection, site_id_of(connection, site_key), site_key, sitemap)

    def put_sitemap_urls(self, site_key: str, entries: Sequence[SitemapUrl], now: datetime) -> None:
        """Replace what the site's sitemap lists; of an address that is listed twice the first is kept."""
        first = {entry.url: entry for entry in reversed(entries)}
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            connection.execute(delete(sitemap_urls).where(sitemap_urls.c.site_id == site_id))
            rows = [{"url": entry.url, "sitemap": entry.sitemap, "lastmod": entry.lastmod, "site_id": site_id,
                     "seen_at": now} for entry in first.values()]  # fmt: skip
            if rows:
                connection.execute(insert(sitemap_urls), rows)

    def replace_findings(self, site_key: str, crawl_id: int | None, found: Sequence[Finding], now: datetime) -> None:
        """Store the findings of a crawl in the place of earlier ones of the same crawl; those of others stay."""
        with writing(self._engine) as connection:
            site_id = site_id_of(connection, site_key)
            connection.execute(
                delete(findings).where(
                    findings.c.site_id == site_id, findings.c.crawl_id.is_not_distinct_from(crawl_id)
                )
            )
            rows = [_finding_values(finding) | {"site_id": site_id, "crawl_id": crawl_id, "generated_at": now}
                    for finding in found]  # fmt: skip
            if rows:
                connection.execute(insert(findings), rows)

    def load_findings(self, site_key: str, crawl_id: int | None) -> tuple[Finding, ...]:
        """Return the findings stored for a crawl, in the order of the report."""
        with reading(self._engine) as connection:
            query = select(findings).where(
                findings.c.site_id == site_id_of(connection, site_key),
                findings.c.crawl_id.is_not_distinct_from(crawl_id),
            )
            return tuple(finding_of(row) for row in connection.execute(query.order_by(findings.c.id)).mappings())


def _finding_values(finding: Finding) -> dict[str, Any]:
    return {
        "signal": finding.signal, "url": finding.url, "severity": finding.severity, "certainty": finding.certainty,
        "message": finding.message, "sources": [source._asdict() for source in finding.sources],
        "details": dict(finding.details), "evidence": dict(finding.evidence),
    }  # fmt: skip


def finding_of(row: RowMapping) -> Finding:
    """Return a row of `findings` as the report has it."""
    return Finding(
        signal=row["signal"],
        url=row["url"],
        severity=Severity(row["severity"]),
        certainty=Certainty(row["certainty"]),
        message=row["message"],
        sources=tuple(LinkSource(**source) for source in row["sources"]),
        details=row["details"],
        evidence=row["evidence"],
    )
