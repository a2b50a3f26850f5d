"""Redirects: links to moved addresses, chains of two hops and more, loops, ways off the site (RFC 9110 §15.4).

A refresh that sends visitors on before they could read is a hop like any other.
"""

from collections.abc import Iterator

from arborist_pipeline.core.report.finding import Finding, Severity
from arborist_pipeline.core.report.snapshot import MAX_HOPS, Inlinks, PageFacts, RedirectTrail, SiteSnapshot
from arborist_pipeline.core.web.url import same_site

CHAIN_HOPS = 2
NO_LINKS = Inlinks(0, ())


def find_redirect_problems(snapshot: SiteSnapshot) -> Iterator[Finding]:
    """Yield a `redirect_chain` an entry, a `redirect_loop` a circle, one of the others an address.

    The entry of a chain is an address that pages link to, or that no other redirect leads to.
    """
    redirecting = [page for page in snapshot.pages.values() if page.hop is not None]
    targets = {page.hop for page in redirecting}
    loops: dict[frozenset[str], list[RedirectTrail]] = {}
    for page in redirecting:
        trail = snapshot.trail(page.url)
        if trail.is_loop:
            circle = trail.urls[trail.urls.index(trail.urls[-1]) :]
            loops.setdefault(frozenset(circle), []).append(trail)
            continue
        is_entry = page.url in snapshot.inlinks or page.url not in targets
        leaves = page.redirect_to is not None and not same_site(page.url, page.redirect_to)
        if leaves:
            yield _off_site(snapshot, page)
        if trail.hops >= CHAIN_HOPS and is_entry:
            yield _chain(snapshot, trail)
        elif page.url in snapshot.inlinks and not leaves and not snapshot.is_broken(page.url):
            yield _linked(snapshot, page)
    for circle_urls, trails in loops.items():
        yield _loop(snapshot, min(circle_urls), trails)


def _chain(snapshot: SiteSnapshot, trail: RedirectTrail) -> Finding:
    inlinks = snapshot.inlinks.get(trail.urls[0], NO_LINKS)
    is_endless = trail.hops >= MAX_HOPS
    final = trail.urls[-1]
    advice = (
        "It does not seem to end. Redirect to a page that exists."
        if is_endless
        else f"Redirect straight to {final}, and link there."
    )
    return Finding(
        signal="redirect_chain",
        url=trail.urls[0],
        severity=Severity.ERROR if is_endless else Severity.WARNING,
        message=f"Visitors are sent on {trail.hops} times from here. {advice}",
        sources=inlinks.sources,
        details={
            "hops": list(trail.urls),
            "hop_count": trail.hops,
            "final_url": final,
            "source_count": inlinks.total,
        },
        evidence={"statuses": [page.status for url in trail.urls if (page := snapshot.pages.get(url))]},
    )


def _linked(snapshot: SiteSnapshot, page: PageFacts) -> Finding:
    inlinks = snapshot.inlinks[page.url]
    return Finding(
        signal="redirected_link",
        url=page.url,
        severity=Severity.NOTICE,
        message=f"Pages link here, and visitors are sent on to {page.redirect_to}. Link there directly.",
        sources=inlinks.sources,
        details={"final_url": page.redirect_to, "source_count": inlinks.total},
        evidence={"status": page.status},
    )


def _loop(snapshot: SiteSnapshot, first: str, trails: list[RedirectTrail]) -> Finding:
    circle = snapshot.trail(first).urls
    entries = sorted({trail.urls[0] for trail in trails} - set(circle))
    linked = [snapshot.inlinks[url] for url in (*circle[:-1], *entries) if url in snapshot.inlinks]
    return Finding(
        signal="redirect_loop",
        url=first,
        severity=Severity.ERROR,
        message=(
            "Redirects lead from here in a circle, so no visitor ever arrives. "
            "Let one of these addresses show a page, or redirect to one that does."
        ),
        sources=tuple(sorted({source for inlinks in linked for source in inlinks.sources})),
        details={
            "hops": list(circle),
            "hop_count": len(circle) - 1,
            "entries": entries,
            "source_count": sum(inlinks.total for inlinks in linked),
        },
        evidence={"statuses": [page.status for url in circle[:-1] if (page := snapshot.pages.get(url))]},
    )


def _off_site(snapshot: SiteSnapshot, page: PageFacts) -> Finding:
    inlinks = snapshot.inlinks.get(page.url, NO_LINKS)
    return Finding(
        signal="redirect_off_site",
        url=page.url,
        severity=Severity.NOTICE,
        message=(
            f"This address of the site sends visitors to another host ({page.redirect_to}). "
            "If that is meant, link there directly; if not, correct the redirect."
        ),
        sources=inlinks.sources,
        details={"final_url": page.redirect_to, "source_count": inlinks.total},
        evidence={"status": page.status},
    )
