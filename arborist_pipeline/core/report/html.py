"""The report as one HTML page: no script, no request, styles inside. Whatever came from the site is escaped.

A policy in the page's head forbids what a slip in escaping could try: nothing is loaded and nothing runs.
"""

from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby

from arborist_pipeline.core.report.controls import mask_controls
from arborist_pipeline.core.report.finding import SIGNAL_NAMES, Certainty, Finding, Severity, timestamp
from arborist_pipeline.core.report.report import WebmasterReport, state_of_walk

SHOWN_FINDINGS = 500
SHOWN_URLS = 50
_HEADINGS = {signal.name: signal.heading for signal in SIGNAL_NAMES}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
:root { color-scheme: light dark; --ink: #1c2321; --soft: #5d6b66; --paper: #fbfaf7; --card: #fff; --line: #e2e0d8;
  --leaf: #2f6f4f; --error: #b3261e; --warning: #8a5a00; --notice: #3a5f8a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6e0; --soft: #a3aea9; --paper: #161a18; --card: #1e2421;
  --line: #333b37; --leaf: #7fc29d; --error: #ff8a80; --warning: #f0b95b; --notice: #8fbbe8; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { margin: 0 0 .25rem; font-size: 1.9rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2.75rem 0 .75rem; font-size: 1.25rem; border-bottom: 2px solid var(--leaf); padding-bottom: .3rem; }
h2 small { color: var(--soft); font-weight: 400; }
a { color: var(--leaf); overflow-wrap: anywhere; }
.soft, dt, caption { color: var(--soft); }
.overview { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr));
  margin-top: 1.75rem; align-items: start; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
caption { text-align: left; padding-bottom: .4rem; }
th, td { padding: .35rem .7rem; border-top: 1px solid var(--line); text-align: left; font-weight: 400; }
td.count { text-align: right; font-variant-numeric: tabular-nums; width: 5rem; }
tr.none { color: var(--soft); }
.bar { display: block; height: .8rem; min-width: 2px; background: var(--leaf); border-radius: 2px; }
article { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--line);
  padding: .8rem 1rem; margin: 0 0 .75rem; break-inside: avoid; }
article.error { border-left-color: var(--error); } article.warning { border-left-color: var(--warning); }
article.notice { border-left-color: var(--notice); }
article p { margin: .3rem 0 0; }
.tag { font-size: .8rem; font-weight: 600; margin-right: .5rem; }
.tag.error { color: var(--error); } .tag.warning { color: var(--warning); } .tag.notice { color: var(--notice); }
details { margin-top: .5rem; } summary { cursor: pointer; color: var(--soft); }
ul, ol { margin: .4rem 0 0; padding-left: 1.4rem; } q { color: var(--soft); }
blockquote { margin: .5rem 0 0; padding-left: .8rem; border-left: 2px solid var(--line); color: var(--soft);
  white-space: pre-line; overflow-wrap: anywhere; }
"""


def render_html(report: WebmasterReport) -> str:
    """Return a whole page; up to 500 findings of a signal are shown, JSON and CSV have all."""
    title = escape(f"Webmaster report: {report.site}")
    groups = [(signal, list(group)) for signal, group in groupby(report.findings, key=lambda finding: finding.signal)]
    return mask_controls(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{_head(report)}\n"
        f'<div class="overview">\n{_summary(report)}\n{_histogram(report.details)}\n</div>\n'
        f"{''.join(_section(signal, findings) for signal, findings in groups)}"
        "</main>\n</body>\n</html>\n"
    )


def _head(report: WebmasterReport) -> str:
    made = timestamp(report.generated_at)
    return (
        f"<h1>{escape(report.site)}</h1>\n"
        f'<p class="soft">Webmaster report of <time datetime="{made}">{made}</time> · '
        f"{report.details.get('pages', 0):,} pages read from {_link(report.seed_url)}</p>\n"
        f"<p>{escape(state_of_walk(report))}</p>"
    )


def _summary(report: WebmasterReport) -> str:
    rows = "\n".join(
        f'<tr><th scope="row"><a href="#{signal}">{_HEADINGS[signal]}</a></th><td class="count">{count:,}</td></tr>'
        if count
        else f'<tr class="none"><th scope="row">{_HEADINGS[signal]}</th><td class="count">0</td></tr>'
        for signal, count in report.summary.items()
    )
    return f"<table>\n<caption>Findings by signal</caption>\n{rows}\n</table>"


def _histogram(details: Mapping[str, object]) -> str:
    counts = details.get("depth_histogram")
    bars = dict(counts) if isinstance(counts, Mapping) else {}
    if details.get("unreached"):
        bars["no path"] = details["unreached"]
    if not bars:
        return ""
    most = max(bars.values())
    rows = "\n".join(
        f'<tr><th scope="row">{escape(str(clicks))}</th><td class="count">{pages:,}</td>'
        f'<td><span class="bar" style="width:{100 * pages / most:.1f}%"></span></td></tr>'
        for clicks, pages in bars.items()
    )
    return f"<table>\n<caption>Pages by clicks from the start page</caption>\n{rows}\n</table>"


def _section(signal: str, findings: list[Finding]) -> str:
    left_out = len(findings) - SHOWN_FINDINGS
    more = f'<p class="soft">… and {left_out:,} more; JSON and CSV have all.</p>\n' if left_out > 0 else ""
    articles = "".join(map(_article, findings[:SHOWN_FINDINGS]))
    return f'<h2 id="{signal}">{_HEADINGS[signal]} <small>{len(findings):,}</small></h2>\n{articles}{more}'


def _article(finding: Finding) -> str:
    certainty = " (candidate)" if finding.certainty is Certainty.CANDIDATE else ""
    severity: Severity = finding.severity
    return (
        f'<article class="{severity}">\n<span class="tag {severity}">{severity}{certainty}</span>{_link(finding.url)}\n'
        f"<p>{escape(finding.message)}</p>\n{_sources(finding)}{_addresses(finding)}{_passage(finding)}</article>\n"
    )


def _sources(finding: Finding) -> str:
    if not finding.sources:
        return ""
    total = finding.details.get("source_count", len(finding.sources))
    items = (
        f"{_link(source.url)}{f' <q>{escape(source.anchor)}</q>' if source.anchor else ''}"
        for source in finding.sources
    )
    opened = len(finding.sources) <= 3
    return _folded(f"Linked from {total:,} {'page' if total == 1 else 'pages'}", items, total, opened=opened)


def _addresses(finding: Finding) -> str:
    parts = []
    for key, label in (("hops", "The way"), ("path", "The shortest path"), ("urls", "The addresses")):
        urls = finding.details.get(key)
        if isinstance(urls, list | tuple) and urls:
            shown = map(_link, urls[:SHOWN_URLS])
            total = finding.details.get("count", len(urls)) if key == "urls" else len(urls)
            parts.append(_folded(label, shown, total, opened=len(urls) <= 5, ordered=key != "urls"))
    return "".join(parts)


def _passage(finding: Finding) -> str:
    passage = finding.details.get("passage")
    return f"<blockquote>{escape(str(passage))}</blockquote>\n" if passage else ""


def _folded(label: str, items: Iterable[str], total: int, *, opened: bool, ordered: bool = False) -> str:
    shown = list(items)
    tag = "ol" if ordered else "ul"
    more = f'<li class="soft">and {total - len(shown):,} more</li>' if total > len(shown) else ""
    inside = "".join(f"<li>{item}</li>" for item in shown)
    return f"<details{' open' if opened else ''}><summary>{label}</summary><{tag}>{inside}{more}</{tag}></details>\n"


def _link(url: str) -> str:
    """Return a link for a web address; anything else (an href that is none, another scheme) stays plain text."""
    text = escape(url)
    if not url.startswith(("http://", "https://")):
        return text
    return f'<a href="{text}" rel="noreferrer nofollow">{text}</a>'
