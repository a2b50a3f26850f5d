"""What a page is for, from the page alone: one product, a listing, an article, a home page, or something else.

Every trait of a page speaks for a kind with some points, by how seldom it stands on pages of another kind; the kind
with most points wins, and below a floor it is OTHER. Walls and soft 404s are judged first: they wear what they hide.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import urlsplit

from arborist_pipeline.core.products import lexicon
from arborist_pipeline.core.products.evidence import Evidence
from arborist_pipeline.core.products.nodes import first, iterate_nodes, types_of
from arborist_pipeline.core.products.scan import OUTSIDE, Zone
from arborist_pipeline.core.products.sightings import make_of
from arborist_pipeline.core.products.text import fold_text, is_alike
from arborist_pipeline.core.products.tier import Draft
from arborist_pipeline.core.web.page import PageKind

_FLOOR: Mapping[PageKind, float] = {
    PageKind.PRODUCT: 4.0,
    PageKind.LISTING: 2.5,
    PageKind.ARTICLE: 2.25,
    PageKind.HOME: 3.0,
}
_LEAD = 1.5
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
_SORTS = re.compile(r"sort|order-?by|items?-?per-?page|results?-?per|pagesize|show-?per")
MIN_PROSE_PIECE = 80
MAX_CLOSED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The kind of a page and the reason, in a few words."""

    kind: PageKind
    reason: str


Trait = tuple[PageKind, float, str]


def judge_kind(evidence: Evidence, drafts: Sequence[Draft]) -> Verdict:
    """Return the kind of a page; total."""
    refused = _wall(evidence) or _reviews_address(evidence)
    if refused:
        return Verdict(kind=PageKind.OTHER, reason=refused)
    parts = urlsplit(evidence.page.url)
    if _is_home_path(parts.path.lower()) and not parts.query:
        return Verdict(kind=PageKind.HOME, reason="address of a home page")
    traits = [
        *_address_traits(evidence),
        *_markup_traits(evidence, drafts),
        *_sight_traits(evidence, drafts),
        *_class_traits(evidence),
        *_prose_traits(evidence),
    ]
    points = dict.fromkeys(PageKind, 0.0)
    for each, worth, _ in traits:
        points[each] += worth
    kind = _strongest(points)
    return Verdict(kind=kind, reason=_reason(kind, traits))


def _strongest(points: Mapping[PageKind, float]) -> PageKind:
    """Return the kind with most points above its floor; the product is given a lead over kinds that its page has too.

    A product page shows related goods and prose; hardly any other page shows one price, one number and one control.
    """
    leads = {kind: worth + (_LEAD if kind is PageKind.PRODUCT else 0.0) for kind, worth in points.items()}
    able = [kind for kind, worth in points.items() if worth >= _FLOOR.get(kind, 0.0)]
    return max(able, key=lambda kind: leads[kind], default=PageKind.OTHER)


def _reason(kind: PageKind, traits: Sequence[Trait]) -> str:
    speaking = sorted((trait for trait in traits if trait[0] is kind and trait[1] > 0), key=lambda trait: -trait[1])
    return "; ".join(text for _, _, text in speaking[:3]) or "nothing speaks for a product, list or article"


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


def _markup_traits(evidence: Evidence, drafts: Sequence[Draft]) -> Iterator[Trait]:
    for draft in drafts:
        if draft.certain and draft.tier != "visible":
            rich = draft.price or draft.variants or draft.low_price
            yield (
                PageKind.PRODUCT,
                4.0 if rich else 2.5 if draft.availability or draft.sku else 1.0,
                f"{draft.tier} names one product",
            )
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


def _sight_traits(evidence: Evidence, drafts: Sequence[Draft]) -> Iterator[Trait]:
    view = evidence.view
    visible = next((draft for draft in drafts if draft.tier == "visible"), None)
    cards = [each.at for each in view.sightings if each.in_card and not each.zone & OUTSIDE and each.is_plain]
    early = [at for at in cards if view.start <= at < view.related_at]
    buy = [placed.at for placed in view.buy if view.start - 40 <= placed.at < min(view.related_at, view.start + 300)]
    own = [each.at for each in view.sightings if not each.in_card and not each.zone & OUTSIDE and each.at >= view.start]
    is_first = bool(own) and (not early or own[0] < early[0])
    if visible is not None:
        yield from _subject_traits(evidence, visible, is_first=is_first)
    closed = [placed.at for placed in view.closed if view.start <= placed.at < min(view.related_at, view.start + 300)]
    if buy:
        yield PageKind.PRODUCT, 2.0, "a control that buys"
    elif 1 <= len(closed) <= MAX_CLOSED:
        yield PageKind.PRODUCT, 2.0, "a control that says it is sold out"
        buy = closed
    if len(early) >= 3:
        worth = 1.0 if is_first and buy and buy[0] < early[0] + 5 else 3.0 + min(len(early) / 12, 1.5)
        yield PageKind.LISTING, worth, f"{len(early)} priced cards of other goods"
    elif len(cards) >= 4:
        yield PageKind.LISTING, 3.0 if len(cards) >= 8 and not buy else 0.5, "priced cards of other goods"
    pictures = _picture_links(evidence)
    if pictures >= 6 and not buy:
        yield PageKind.LISTING, 1.5, f"{pictures} pictures of one make that lead elsewhere"
    repeated = _repeated_controls(evidence)
    if repeated >= 3:
        yield PageKind.LISTING, 3.0, f"{repeated} controls that buy, each with a price"
        yield PageKind.PRODUCT, -3.0, "several goods can be bought"
    if any(
        _SORTS.search(f"{each.element.get('name')} {each.element.get('id')}".lower())
        for each in evidence.scan.tagged("select")
    ):
        yield PageKind.LISTING, 1.5, "a control that sorts"


def _subject_traits(evidence: Evidence, visible: Draft, *, is_first: bool) -> Iterator[Trait]:
    """Traits of a page that shows one thing for sale: price, stock, article number and brand by its heading."""
    view = evidence.view
    if visible.price is not None and is_first:
        near = any(
            0 <= each.at - view.start <= 12 and each.money.amount == visible.price.value for each in view.sightings
        )
        yield PageKind.PRODUCT, 2.5 if near else 2.0, "a price by the heading"
    if visible.sku or visible.gtin or visible.mpn:
        yield PageKind.PRODUCT, 1.0, "an article number"
    if visible.availability is not None:
        yield PageKind.PRODUCT, 1.5 if visible.availability.where.startswith("stock") else 0.5, "stock in words"
    if visible.brand is not None and not visible.brand.raw.lower().startswith("by "):
        yield PageKind.PRODUCT, 0.5, "a brand"
    if visible.images is not None and visible.images.where.endswith("[alt=name]"):
        yield PageKind.PRODUCT, 0.5, "a picture of that name"
    if visible.category is not None and visible.category.raw.endswith(view.name):
        yield PageKind.PRODUCT, 0.5, "the trail ends in the name"
    if view.heading is not None and evidence.page.title and is_alike(view.name, evidence.page.title):
        yield PageKind.PRODUCT, 0.5, "heading and title agree"


def _picture_links(evidence: Evidence) -> int:
    """Count the pictures of the largest set of one make in the main part that are links to other pages."""
    scan, view = evidence.scan, evidence.view
    makes: Counter[str] = Counter()
    for placed in scan.tagged("img"):
        zone = scan.zone(placed.element)
        if zone & Zone.LINKED and not zone & OUTSIDE and placed.at >= view.start:
            makes[make_of(placed.element)] += 1
    return max(makes.values(), default=0)


def _repeated_controls(evidence: Evidence) -> int:
    """Count the controls of one make that buy, each with a price of its own before it."""
    view = evidence.view
    places: dict[str, list[int]] = {}
    for placed in (*view.buy, *view.card_buy):
        if view.start <= placed.at < view.related_at:
            places.setdefault(make_of(placed.element), []).append(placed.at)
    prices = [each.at for each in view.sightings if not each.zone & OUTSIDE and each.money.amount]
    best = 0
    for found in places.values():
        steps = pairwise([view.start, *found])
        best = max(best, sum(any(start < at <= stop for at in prices) for start, stop in steps))
    return best


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
    prose = sum(len(piece.text) for piece in scan.texts if len(piece.text) >= MIN_PROSE_PIECE)
    if prose >= 1500:
        yield PageKind.ARTICLE, min(prose / 3000, 2.0), f"{prose} characters of prose"
    if scan.meta("article:published_time", "datepublished", "date", "pubdate", "dc.date.issued"):
        yield PageKind.ARTICLE, 1.5, "a date of publication"
    if scan.meta("author", "article:author", "byl"):
        yield PageKind.ARTICLE, 0.5, "an author"


def _reviews_address(evidence: Evidence) -> str | None:
    match = _REVIEWS_PATH.search(urlsplit(evidence.page.url).path.lower())
    return f"address of reviews: {match[0]!r}" if match else None


def _wall(evidence: Evidence) -> str | None:
    title = (evidence.page.title or "").lower()[:200]
    heading = evidence.view.name.lower()[:200]
    for words, reason in ((lexicon.BOT_WALL, "bot wall"), (lexicon.NOT_FOUND, "soft 404")):
        for text in (title, heading):
            match = words.search(text)
            if match:
                return f"{reason}: {match[0]!r}"
    return None
