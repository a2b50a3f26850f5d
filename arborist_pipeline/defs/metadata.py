"""Core values as metadata that people read in the UI, without secrets that addresses may have.

Fetched text goes into table cells, which are shown as text.
"""

from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import dagster as dg

from arborist_pipeline.core.crawl.records import CrawledPage, CrawlSummary, Tier
from arborist_pipeline.core.ports import Put
from arborist_pipeline.core.prompt import ModelCall
from arborist_pipeline.core.report.finding import Certainty, Severity
from arborist_pipeline.core.report.product_curve import build_curve, draw_curve
from arborist_pipeline.core.report.render import render_markdown
from arborist_pipeline.core.report.report import WebmasterReport
from arborist_pipeline.core.web.freshness import Freshness
from arborist_pipeline.core.web.url import redact
from arborist_pipeline.defs.progress import SAMPLE_ROWS, CheckProgress, CrawlProgress
from arborist_pipeline.workflows.model_tier import ModelTier

_MEANINGS = {  # of columns, as "Show schema" tells them
    "tier": "What put pages where they came: regex, the shape of the address; platform, the addresses of the shop's "
            "software; learned, what pages of the kind turned out to be; llm, a model's word; order, discovery; seed.",
    "outcome": "How the request ended.",
    "kind": "What the page is for, by its content.",
    "order": "Its number among the run's page requests.",
    "source": "Where on the pages it was read.",
    "fields": "Values in all that were read there.",
    "share": "Of all products, those that have the field.",
}  # fmt: skip

Metadata = dict[str, dg.MetadataValue[Any] | str | int | float]
_Cell = str | int | float | bool | None
_MAX_CELL = 200


def crawl_metadata(summary: CrawlSummary, progress: CrawlProgress) -> Metadata:
    """Return what a crawl did: counts, how requests ended, what put pages first and found products, the first pages."""
    curve = build_curve(progress.found)
    first = sorted(progress.sample, key=lambda page: page.order or 0)
    tiers = ((str(tier), count, curve.by_tier.get(Tier(tier), 0)) for tier, count in _ordered(summary.by_tier))
    return {
        "dagster/row_count": summary.pages,
        "crawl_id": summary.crawl_id,
        "pages": summary.pages,
        "products": summary.products,
        "first_60_products": progress.first_products,
        "first_product_at": _optional(summary.first_product_at),
        **({"products_over_pages": _picture("products found against pages", draw_curve(curve))} if curve.spans else {}),
        "unfetched": summary.unfetched,
        "stopped_by": str(summary.stopped_by),
        **({"reason": redact(summary.reason)} if summary.reason else {}),
        "needs_rendering": summary.needs_rendering,
        **_question_metadata(summary.llm_call),
        "outcomes": _count_table("outcome", summary.by_outcome),
        "tiers": _table(("tier", "pages", "products"), tiers),
        "requests": _count_table("request", summary.requests),
        **({"links_left_out": _count_table("why", summary.rejected)} if summary.rejected else {}),
        "first_pages": _table(("order", "kind", "tier", "outcome", "url", "title"), map(_page_row, first)),
    }


def document_metadata(puts: Counter[Put], documents: Sequence[tuple[str, bytes]], sample: int = 20) -> Metadata:
    """Return what ingesting did, how many documents are current, and the roots of the first."""
    rows = ((root.hex()[:16], uri) for uri, root in documents[:sample])
    return {
        "dagster/row_count": len(documents),
        "new": puts[Put.NEW],
        "unchanged": puts[Put.UNCHANGED],
        "superseded": puts[Put.SUPERSEDED],
        "emptied": puts[Put.EMPTIED],
        "gone": puts[Put.GONE],
        "documents": _table(("root", "url"), rows),
    }


def product_metadata(
    puts: Counter[Put],
    products: Iterable[Mapping[str, Any]],
    price_changes: Sequence[Mapping[str, Any]],
    tier: ModelTier,
) -> Metadata:
    """Return what extraction did, how complete the catalogue is and by what, a sample of it, and what changed in price.

    Each field's share is a number of its own, so that the asset's plots draw it over the runs.
    """
    total = 0
    filled: Counter[str] = Counter()
    sources: dict[str, Counter[str]] = {}
    rows: list[tuple[_Cell, ...]] = []
    for product in products:
        total += 1
        filled.update(name for name in FILL_FIELDS if product.get(name) not in (None, "", []))
        _count_sources(product.get("sources") or {}, sources)
        if len(rows) < 20:
            rows.append(tuple(product[name] for name in _PRODUCT_COLUMNS))
    moved = [change for change in price_changes if change["price"] != change["old_price"]]
    shares = {name: round(filled[name] / total, 3) if total else 0.0 for name in FILL_FIELDS}
    return {
        "dagster/row_count": total,
        "products": total,
        "with_price": filled["price"],
        **{f"share_with_{name}": share for name, share in shares.items()},
        "new": puts[Put.NEW],
        "changed": puts[Put.SUPERSEDED],
        "unchanged": puts[Put.UNCHANGED],
        "gone": puts[Put.GONE],
        "price_changes": len(moved),
        "fill": _table(("field", "products", "share"), ((name, filled[name], shares[name]) for name in FILL_FIELDS)),
        "by_source": _table(("source", *_SOURCE_COLUMNS), _source_rows(sources)),
        **({"changed_prices": _table(_CHANGE_COLUMNS, map(_change_row, moved[:20]))} if moved else {}),
        "sample": _table(_PRODUCT_COLUMNS, rows),
        **_model_metadata(tier),
    }


FILL_FIELDS = (
    "price", "currency", "availability", "brand", "sku", "gtin", "handle", "description", "category", "images",
    "variants",
)  # fmt: skip
_PRODUCT_COLUMNS = ("name", "price", "currency", "availability", "url")
_CHANGE_COLUMNS = ("old_price", "price", "currency", "variant", "url")
_SOURCE_COLUMNS = ("products", "names", "prices", "fields")


def _count_sources(sources: Mapping[str, Mapping[str, Any]], counts: dict[str, Counter[str]]) -> None:
    """Count a product for each tier that gave it something, and what that was."""
    by_tier: dict[str, set[str]] = {}
    for name, source in sources.items():
        by_tier.setdefault(source["tier"], set()).add(name)
    for tier, names in by_tier.items():
        counts.setdefault(tier, Counter()).update(
            products=1, names=int("name" in names), prices=int("price" in names), fields=len(names)
        )


def _source_rows(counts: Mapping[str, Counter[str]]) -> Iterable[tuple[_Cell, ...]]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1]["products"], item[0]))
    return ((tier, *(count[name] for name in _SOURCE_COLUMNS)) for tier, count in ordered)


def _question_metadata(call: ModelCall | None) -> Metadata:
    """Return what the one question about links took and came to."""
    if call is None:
        return {"llm_calls": 0, "llm_tokens": 0}
    reason = call.answer.get("reason")
    return {
        "llm_calls": 1,
        "llm_tokens": (call.prompt_tokens or 0) + (call.completion_tokens or 0),
        **({} if call.cost is None else {"llm_cost": float(call.cost)}),
        "llm_outcome": redact(f"{call.outcome}: {reason}" if reason else str(call.outcome)),
    }


def _model_metadata(tier: ModelTier) -> Metadata:
    """Return what was asked of a model, and what of it reached the catalogue; most runs ask nothing."""
    return {
        "llm_calls": tier.outcomes.total(),
        "llm_tokens": tier.tokens.total(),
        **({} if tier.cost is None else {"llm_cost": float(tier.cost)}),
        **({"llm_outcomes": _count_table("outcome", tier.outcomes)} if tier.outcomes else {}),
        **({"llm_filled": _count_table("field", tier.filled)} if tier.filled else {}),
    }


def check_metadata(counts: Counter[Freshness], progress: CheckProgress) -> Metadata:
    """Return how many pages got which verdict, and the first that are not fresh."""
    rows = ((str(verdict.freshness), verdict.reason, url) for url, verdict in progress.sample)
    return {
        "dagster/row_count": counts.total(),
        **{str(freshness): counts[freshness] for freshness in Freshness},
        "not_fresh": _table(("verdict", "reason", "url"), rows),
    }


def report_metadata(report: WebmasterReport, paths: Mapping[str, Path]) -> Metadata:
    """Return how many findings of each signal and how sure they are, the report's head, and where its files are."""
    certainties = Counter(finding.certainty for finding in report.findings)
    severities = Counter(finding.severity for finding in report.findings)
    rows = (
        (finding.signal, str(finding.severity), str(finding.certainty), finding.url, finding.message)
        for finding in report.findings[:SAMPLE_ROWS]
    )
    return {
        "dagster/row_count": len(report.findings),
        "findings": dg.MetadataValue.json({name: count for name, count in report.summary.items() if count}),
        "complete": report.complete,
        "unfetched": report.unfetched,
        **{str(certainty): certainties[certainty] for certainty in Certainty},
        **{str(severity): severities[severity] for severity in Severity},
        # its text is escaped there
        "summary": dg.MetadataValue.md(redact(render_markdown(report).partition("\n## ")[0])),
        "first_findings": _table(("signal", "severity", "certainty", "url", "message"), rows),
        "report": dg.MetadataValue.path(str(paths["md"])),
        **{f"report_{form}": dg.MetadataValue.path(str(path)) for form, path in paths.items() if form != "md"},
    }


def _change_row(change: Mapping[str, Any]) -> tuple[_Cell, ...]:
    return tuple(change[name] for name in _CHANGE_COLUMNS)


def _page_row(page: CrawledPage) -> tuple[_Cell, ...]:
    kind = None if page.kind is None else str(page.kind)
    return page.order, kind, str(page.priority.tier), str(page.outcome), page.url, page.title


def _count_table(name: str, counts: Mapping[str, int]) -> dg.MetadataValue[Any]:
    return _table((name, "count"), ((str(key), count) for key, count in _ordered(counts)))


def _ordered(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return counts, the largest first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _picture(what: str, svg: str) -> dg.MetadataValue[Any]:
    """Return an SVG as an image, which runs nothing and asks nobody for anything."""
    return dg.MetadataValue.md(f"![{what}](data:image/svg+xml;base64,{b64encode(svg.encode()).decode()})")


def _table(columns: Sequence[str], rows: Iterable[Sequence[_Cell]]) -> dg.MetadataValue[Any]:
    records = [dg.TableRecord(dict(zip(columns, map(_cell, row), strict=True))) for row in rows]
    kinds = {column: _column_type(record.data[column] for record in records) for column in columns}
    schema = dg.TableSchema(
        columns=[dg.TableColumn(column, kinds[column], description=_MEANINGS.get(column)) for column in columns]
    )
    return dg.MetadataValue.table(records=records, schema=schema)


def _cell(value: _Cell) -> _Cell:
    value = redact(value) if isinstance(value, str) else value
    if isinstance(value, str) and len(value) > _MAX_CELL:
        return value[: _MAX_CELL - 1] + "…"
    return value


def _column_type(values: Iterable[_Cell]) -> str:
    return "int" if {type(value) for value in values} == {int} else "string"


def _optional(value: int | None) -> dg.MetadataValue[Any] | int:
    return dg.MetadataValue.null() if value is None else value
