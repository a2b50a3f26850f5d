"""Traits of a page that need no look at what stands where: its address, its mark-up, its class names, its prose.

Walls and soft 404s are judged first: they wear what they hide.
"""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.nodes import first, iterate_nodes, types_of
from arborist_pipeline.core.products.text import fold_text
from arborist_pipeline.core.products.verdict import Trait, Verdict
from arborist_pipeline.core.web.page import PageKind

_ARTICLES = frozenset(
    "newsarticle blogposting recipe review reportagenewsarticle techarticle howto criticreview".split()
)
_LISTS = frozenset("collectionpage itemlist searchresultspage offercatalog".split())
_TOP = frozenset(("@graph", "mainentity", "mainentityofpage"))
_PRODUCT_PATH = re.compile(
    r"/(?:products?|p|item|itm|dp|pdp?|produkte?|produit|producto|prodotto|termek|artikel)/[^/]{3,}"
)
_DATED_PATH = re.compile(r"/(?:19|20)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-]|$)")
_STORY_PATH = re.compile(
    r"/(?:blog|news|articles?|magazin[e]?|stor(?:y|ies)|posts?|journal|recipes?|rezepte?|guides?|reviews?)/[^/]{8,}"
)
_DESK_PATH = re.compile(
    r"/(?:cart|basket|checkout|log-?in|sign-?in|register|account|my-?account|wish-?list|contact|about(?:-us)?|search"
    r"|warenkorb|koszyk|kosik|customer|order|404|agb|impressum|privacy|terms|returns|shipping|faq|help)"
    r"(?:[./]|$)",
)
_REVIEWS_PATH = re.compile(r"/[^/]+/(?:reviews?|ratings?|bewertungen|avis|opinie)(?:/(?:add|new|write|\d+))?/?$")
_PRODUCT_CLASS = re.compile(
    r"single-product|product-(?:page|template|view|detail)|productdetail|catalog-product-view|template-product"
    r"|page-product|pdp|item-?page|product[_-]info|type-product|product_page"
)
_LISTING_CLASS = re.compile(
    r"category|archive|collection|catalog(?!-product)|product-?list|listing|search-?result|tax-product|plp|page-products"
)
_ARTICLE_CLASS = re.compile(r"single-post|post-template|article|blog|postid|news")
_HOME_CLASS = re.compile(
    r"(?:^|\s)(?:home|home-?page|is-home|page-home|template-index|cms-home|cms-index-index|front-page)(?:\s|$)"
)
_DESK_CLASS = re.compile(
    r"woocommerce-(?:cart|checkout|account)|customer-account|login|checkout|error-?404|cms-page|page-id"
)
_TONGUES = frozenset(
    """ar at au be bg br ca ch cn cs cz da de dk el en es et eu fi fr gb gr he hr hu id ie il in is it ja jp ko kr lt lv
    mx nb nl no pl pt ro rs ru se sg sk sl sr sv th tr tw ua uk us vi za zh nz""".split()
)
MIN_PROSE_PIECE = 80


def judge_address(evidence: Evidence) -> Verdict | None:
    """Return the verdict that an address makes alone: pages of reviews, and the home page; else None."""
    parts = urlsplit(evidence.page.url)
    reviews = _REVIEWS_PATH.search(parts.path.lower())
    if reviews:
        return Verdict(kind=PageKind.OTHER, reason=f"address of reviews: {reviews[0]!r}")
    if _is_home_path(parts.path.lower()) and not parts.query:
        return Verdict(kind=PageKind.HOME, reason="address of a home page")
    return None


def outward_traits(evidence: Evidence) -> Iterator[Trait]:
    """Yield the traits of address, mark-up, class names and prose, those of products in mark-up left out."""
    yield from _address_traits(evidence)
    yield from _markup_traits(evidence)
    yield from _class_traits(evidence)
    yield from _prose_traits(evidence)


def find_wall(text: str) -> str | None:
    """Return what a title or heading says where it is that of a bot wall or of a page that is not there; else None."""
    lowered = text.lower()[:200]
    for words, reason in ((lexicon.BOT_WALL, "bot wall"), (lexicon.NOT_FOUND, "soft 404")):
        match = words.search(lowered)
        if match:
            return f"{reason}: {match[0]!r}"
    return None


def _address_traits(evidence: Evidence) -> Iterator[Trait]:
    parts = urlsplit(evidence.page.url)
    path = parts.path.lower()
    canonical = evidence.page.canonical_url
    if canonical is not None and urlsplit(canonical).path == "/" and not urlsplit(canonical).query:
        yield PageKind.HOME, 2.0, "canonical address is the home page"
    if _DESK_PATH.search(path):
        yield PageKind.OTHER, 9.0, "address of a shop's desk or of reviews"
    if _PRODUCT_PATH.search(path):
        yield PageKind.PRODUCT, 1.0, "product-shaped address"
    if _DATED_PATH.search(path):
        yield PageKind.ARTICLE, 2.5, "dated address"
    elif _STORY_PATH.search(path):
        yield PageKind.ARTICLE, 1.5, "address of a story"


def _is_home_path(path: str) -> bool:
    name = path.strip("/")
    if name in ("", "home") or re.fullmatch(r"(?:index|default|home)\.\w{3,4}", name):
        return True
    return re.fullmatch(r"[a-z]{2}(?:[-_/][a-z]{2})?", name) is not None and name[:2] in _TONGUES


def _markup_traits(evidence: Evidence) -> Iterator[Trait]:
    kind = (evidence.scan.meta("og:type") or "").lower()
    if kind.rsplit(":", 1)[-1] in ("product", "product.item"):
        yield PageKind.PRODUCT, 1.5, "og:type product"
    elif kind in ("article", "blog", "news"):
        published = bool(evidence.scan.meta("article:published_time", "article:author", "article:section"))
        yield PageKind.ARTICLE, 2.0 if published else 0.5, "og:type article"
    elif kind in ("product.group", "product:group"):
        yield PageKind.LISTING, 2.0, "og:type product.group"
    types = _types(evidence)
    if types & _ARTICLES or ("article" in types and evidence.scan.meta("article:published_time")):
        yield PageKind.ARTICLE, 3.0, "marked up as an article"
    if types & _LISTS:
        yield PageKind.LISTING, 1.5, "marked up as a list"
    if _named_products(evidence) >= 3:
        yield PageKind.LISTING, 2.5, "marked up as several products"


def _named_products(evidence: Evidence) -> int:
    nodes = [*evidence.linked_products, *evidence.item_products]
    return len({fold_text(first(node, "name")).lower() for node in nodes[:200]})


def _types(evidence: Evidence) -> frozenset[str]:
    found: set[str] = set()
    for node, path in iterate_nodes(list(evidence.linked)):
        if not path or path[-1] in _TOP:
            found |= types_of(node)
    for item in evidence.items[:500]:
        found |= types_of(item) - {"review"}  # reviews of a product often stand beside it
    return frozenset(found)


def _class_traits(evidence: Evidence) -> Iterator[Trait]:
    names = evidence.scan.body_class[:2000]
    if _PRODUCT_CLASS.search(names):
        yield PageKind.PRODUCT, 2.0, "body class of a product page"
    elif _LISTING_CLASS.search(names):
        yield PageKind.LISTING, 1.5, "body class of a list"
    if _HOME_CLASS.search(names):
        yield PageKind.HOME, 4.0, "body class of a home page"
    if _ARTICLE_CLASS.search(names):
        yield PageKind.ARTICLE, 1.0, "body class of an article"
    if _DESK_CLASS.search(names):
        yield PageKind.OTHER, 1.5, "body class of a shop's desk"


def _prose_traits(evidence: Evidence) -> Iterator[Trait]:
    scan = evidence.scan
    prose = sum(size for size in map(len, scan.texts) if size >= MIN_PROSE_PIECE)
    if prose >= 1500:
        yield PageKind.ARTICLE, min(prose / 3000, 2.0), f"{prose} characters of prose"
    if scan.meta("article:published_time", "datepublished", "date", "pubdate", "dc.date.issued"):
        yield PageKind.ARTICLE, 1.5, "a date of publication"
    if scan.meta("author", "article:author", "byl"):
        yield PageKind.ARTICLE, 0.5, "an author"
