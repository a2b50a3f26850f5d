"""What a page is for, from the page alone: one product, a listing, an article, a home page, or something else."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.nodes import iterate_nodes, types_of
from arborist_pipeline.core.products.tier import Draft
from arborist_pipeline.core.web.page import PageKind

_ARTICLES = frozenset("article newsarticle blogposting recipe review reportagenewsarticle techarticle howto".split())
_LISTS = frozenset("collectionpage itemlist searchresultspage offercatalog".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The kind of a page and the reason, in a few words."""

    kind: PageKind
    reason: str


def judge_kind(evidence: Evidence, drafts: Sequence[Draft]) -> Verdict:
    """Return the kind of a page; total. Walls and soft 404s come first, since they wear what they stand in for."""
    blocked = _is_wall(evidence)
    if blocked:
        return Verdict(kind=PageKind.OTHER, reason=blocked)
    if _is_home(evidence):
        return Verdict(kind=PageKind.HOME, reason="address of the home page")
    types = _types(evidence)
    product = _product_reason(evidence, drafts, types)
    if product:
        return Verdict(kind=PageKind.PRODUCT, reason=product)
    if evidence.view.cards >= 4:
        return Verdict(kind=PageKind.LISTING, reason=f"{evidence.view.cards} priced cards of other goods")
    og_type = (evidence.scan.meta("og:type") or "").lower()
    if types & _ARTICLES or og_type == "article":
        return Verdict(kind=PageKind.ARTICLE, reason="marked up as an article")
    if types & _LISTS or len(evidence.linked_products) + len(evidence.item_products) >= 3:
        return Verdict(kind=PageKind.LISTING, reason="marked up as a list")
    return Verdict(kind=PageKind.OTHER, reason="no product, list or article in sight")


def _product_reason(evidence: Evidence, drafts: Sequence[Draft], types: frozenset[str]) -> str | None:
    by_tier = {draft.tier: draft for draft in drafts}
    og_type = (evidence.scan.meta("og:type") or "").lower()
    marked = [draft for draft in drafts if draft.certain and draft.tier != "visible"]
    if types & _ARTICLES and og_type != "product" and not evidence.view.buy:
        return None
    for draft in marked:
        if draft.price or draft.availability or draft.variants or (draft.sku and evidence.view.buy):
            return f"{draft.tier} names one product"
    visible = by_tier.get("visible")
    if visible is None or og_type == "article":
        return None
    if visible.certain and not (evidence.view.cards >= 8 and not _has_close_price(evidence)):
        return "a heading, a price and a control that buys"
    if og_type.endswith("product") and (visible.price or evidence.view.buy):
        return "og:type product and a price or a control that buys"
    return None


def _has_close_price(evidence: Evidence) -> bool:
    heading = evidence.view.heading
    return heading is not None and any(
        not each.in_card and 0 <= each.at - heading.at <= 60 for each in evidence.view.sightings
    )


def _types(evidence: Evidence) -> frozenset[str]:
    found: set[str] = set()
    for node, path in iterate_nodes([*evidence.linked, *evidence.items]):
        if not path or path[-1] in ("@graph", "mainentity", "itemlistelement"):
            found |= types_of(node)
    return frozenset(found)


def _is_wall(evidence: Evidence) -> str | None:
    title = (evidence.page.title or "").lower()[:200]
    heading = evidence.view.name.lower()[:200]
    for words, reason in ((lexicon.BOT_WALL, "bot wall"), (lexicon.NOT_FOUND, "soft 404")):
        for text in (title, heading):
            match = words.search(text)
            if match:
                return f"{reason}: {match[0]!r}"
    return None


def _is_home(evidence: Evidence) -> bool:
    parts = urlsplit(evidence.page.url)
    path = parts.path.strip("/").lower()
    if parts.query or not _is_home_path(path):
        canonical = evidence.page.canonical_url
        return canonical is not None and not urlsplit(canonical).query and urlsplit(canonical).path in ("", "/")
    return True


def _is_home_path(path: str) -> bool:
    return path in ("", "index.html", "index.php", "index.htm", "home", "default.aspx", "index.jsp") or (
        len(path) in (2, 5) and path[:2].isalpha() and (len(path) == 2 or path[2] in "-_/")
    )
