"""Thin and untitled pages: little text of their own, or no title to show in results and tabs."""

from collections.abc import Iterator

from arborist_pipeline.core.crawl.records import Outcome
from arborist_pipeline.core.report.finding import Certainty, Finding, Severity, timestamp
from arborist_pipeline.core.report.snapshot import READ_OUTCOMES, PageFacts, SiteSnapshot
from arborist_pipeline.core.web.page import PageKind

THIN_CHARACTERS = 600
"""About 100 English words without navigation, header and footer."""
CHARACTERS_A_WORD = 6


def find_thin_pages(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `thin_page` for each page with little text, an `untitled_page` for each without a title.

    A product page with product data is not thin: its facts are its content. Errors, redirects and pages that nobody
    could read have no text of their own and are neither; nor is a page that sends its visitors on.
    """
    for page in snapshot.pages.values():
        if page.hop is not None:
            continue
        is_read = page.outcome in READ_OUTCOMES
        if page.outcome is Outcome.EMPTY or (is_read and _has_little_text(page)):
            yield _thin(page)
        if is_read and not (page.title or "").strip():
            yield Finding(
                signal="untitled_page",
                url=page.url,
                severity=Severity.WARNING,
                certainty=_certainty(page),
                message="This page has no title. Give it one that says in a few words what is on it.",
                evidence={"title": page.title, "fetched_at": timestamp(page.fetched_at)},
            )


def _has_little_text(page: PageFacts) -> bool:
    if page.main_characters is None or page.has_product:
        return False
    return page.main_characters < THIN_CHARACTERS


def _thin(page: PageFacts) -> Finding:
    characters = page.main_characters if page.outcome is not Outcome.EMPTY else 0
    is_overview = page.kind in (PageKind.HOME, PageKind.LISTING)
    words = (characters or 0) // CHARACTERS_A_WORD
    if page.needs_rendering:
        message = (
            "Without scripts this page shows hardly any text. "
            "Send its text in the HTML, so that search engines and crawlers can read it."
        )
    elif characters:
        message = (
            f"This page has about {words} words of its own beside navigation, header and footer. "
            "Say more on it, merge it with another page, or keep it out of the index."
        )
    else:
        message = "This page has no text. Fill it, redirect it to a page that helps, or answer with status 404."
    return Finding(
        signal="thin_page",
        url=page.url,
        severity=Severity.NOTICE if characters and (is_overview or page.noindex) else Severity.WARNING,
        certainty=_certainty(page),
        message=message,
        details={"characters": characters, "words": words, "kind": page.kind},
        evidence={"outcome": page.outcome, "fetched_at": timestamp(page.fetched_at)},
    )


def _certainty(page: PageFacts) -> Certainty:
    """What a browser would draw may have text and title; we saw the HTML only."""
    return Certainty.CANDIDATE if page.needs_rendering else Certainty.CERTAIN
