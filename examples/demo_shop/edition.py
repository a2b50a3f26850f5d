"""All documents of the shop in one phase, keyed by path and query."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from examples.demo_shop.articles import INFO_PAGES, POSTS, UNLINKED_INFO_PAGE, UNLINKED_POST
from examples.demo_shop.catalogue import Catalogue, build_catalogue, with_price
from examples.demo_shop.dice import Dice
from examples.demo_shop.faults import DUPLICATES, FEED, PDF, REDIRECT_CHAIN, REDIRECT_STATUSES, Plan, is_forbidden
from examples.demo_shop.house_pages import (
    cheapest_page,
    collection_page,
    home_page,
    info_page,
    journal_page,
    journal_page_count,
    notice_page,
    post_page,
)
from examples.demo_shop.markup import image_paths
from examples.demo_shop.media import (
    detail_picture,
    journal_feed,
    product_picture,
    robots_txt,
    sitemap_xml,
    size_guide_pdf,
)
from examples.demo_shop.product_pages import product_page
from examples.demo_shop.truth import Change, Truth, build_truth, link_truth

HTML = "text/html; charset=utf-8"
_FIRST_DAY = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)
_CHANGE_DAY = datetime(2025, 12, 1, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One answer of the shop, origin markers not yet filled in; `location` is set exactly for redirects."""

    body: bytes
    media_type: str = HTML
    status: int = 200
    location: str | None = None
    modified: datetime = _FIRST_DAY


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The shop in one phase: its documents, the page for what is not there, and the truth about them."""

    documents: Mapping[str, Document]
    missing: Document
    truth: Truth


def first_edition(dice: Dice, catalogue: Catalogue, plan: Plan) -> Edition:
    """Return the shop as it opens."""
    documents = {
        target: replace(document, modified=_FIRST_DAY + timedelta(minutes=dice.number(target, 0, 400_000)))
        for target, document in _documents(dice, catalogue, plan, rewritten=False).items()
    }
    return _edition(catalogue, plan, documents, None)


def second_edition(dice: Dice, catalogue: Catalogue, plan: Plan, first: Edition) -> Edition:
    """Return the shop after its change. What stayed the same keeps its date."""
    items = tuple(
        with_price(item, plan.new_price) if item == plan.repriced else item
        for item in catalogue.items
        if item != plan.removed
    )
    changed_catalogue = build_catalogue(items)
    documents: dict[str, Document] = {}
    for target, document in _documents(dice, changed_catalogue, plan, rewritten=True).items():
        before = first.documents[target]
        documents[target] = before if before.body == document.body else replace(document, modified=_CHANGE_DAY)
    change = Change(
        repriced=plan.repriced.path,
        price_before=plan.repriced.price,
        price_after=plan.new_price,
        rewritten=plan.rewritten,
        removed=plan.removed.path,
        broken=(link_truth(plan.removed_mention),),
        touched=tuple(target for target in _pages(documents) if documents[target].body != first.documents[target].body),
    )
    return _edition(changed_catalogue, plan, documents, change)


def _edition(catalogue: Catalogue, plan: Plan, documents: dict[str, Document], change: Change | None) -> Edition:
    pages = _pages(documents)
    listed = tuple((target, documents[target].modified) for target in pages if "?" not in target)
    newest = max(document.modified for document in documents.values())
    documents["/sitemap.xml"] = Document(
        body=sitemap_xml(listed).encode(), media_type="application/xml", modified=newest
    )
    missing = notice_page(catalogue, "Nothing Here", "This page is not on any of our shelves.")
    return Edition(
        documents=documents,
        missing=Document(body=missing.encode(), status=404),
        truth=build_truth(catalogue, plan, pages, change),
    )


def _pages(documents: Mapping[str, Document]) -> tuple[str, ...]:
    return tuple(
        target
        for target, document in documents.items()
        if document.media_type == HTML and document.status == 200 and not is_forbidden(target)
    )


def _documents(dice: Dice, catalogue: Catalogue, plan: Plan, *, rewritten: bool) -> dict[str, Document]:
    html = {
        **_shelf_pages(dice, catalogue, plan),
        **{item.path: product_page(catalogue, item) for item in catalogue.items},
        **_house_pages(dice, catalogue, plan, rewritten=rewritten),
        **_private_pages(catalogue),
    }
    documents = {target: Document(body=text.encode()) for target, text in html.items()}
    for item in catalogue.items:
        drawing, detail = image_paths(item)
        documents[drawing] = Document(body=product_picture(dice, item).encode(), media_type="image/svg+xml")
        documents[detail] = Document(body=detail_picture(dice, item), media_type="image/png")
    for place, status in enumerate(REDIRECT_STATUSES):
        documents[REDIRECT_CHAIN[place]] = Document(body=b"", status=status, location=REDIRECT_CHAIN[place + 1])
    documents[FEED] = Document(body=journal_feed(dice).encode(), media_type="application/rss+xml")
    documents[PDF] = Document(body=size_guide_pdf(), media_type="application/pdf")
    documents["/robots.txt"] = Document(body=robots_txt().encode(), media_type="text/plain; charset=utf-8")
    return documents


def _shelf_pages(dice: Dice, catalogue: Catalogue, plan: Plan) -> dict[str, str]:
    pages = {"/": home_page(dice, catalogue)}
    for shelf in catalogue.collections:
        for number in range(1, shelf.page_count + 1):
            target = shelf.path if number == 1 else f"{shelf.path}?page={number}"
            pages[target] = collection_page(dice, catalogue, plan, shelf, number)
    return pages


def _house_pages(dice: Dice, catalogue: Catalogue, plan: Plan, *, rewritten: bool) -> dict[str, str]:
    pages = {
        "/blog" if number == 1 else f"/blog?page={number}": journal_page(dice, catalogue, number)
        for number in range(1, journal_page_count() + 1)
    }
    for post in (*POSTS, UNLINKED_POST):
        is_new_text = rewritten and post.path == plan.rewritten
        pages[post.path] = post_page(dice, catalogue, plan, post, rewritten=is_new_text)
    for info in (*INFO_PAGES, UNLINKED_INFO_PAGE):
        pages[info.path] = info_page(dice, catalogue, plan, info)
    first, second = DUPLICATES
    pages[second] = pages[first]
    return pages


def _private_pages(catalogue: Catalogue) -> dict[str, str]:
    return {
        "/account/": notice_page(catalogue, "Your Account", "There are no accounts in a made-up shop."),
        "/search": notice_page(catalogue, "Search", "Nobody has written down where things are."),
        "/cart": notice_page(catalogue, "Basket", "Your basket is empty, and will stay so: nothing here is for sale."),
        "/collections/everything?sort_by=price-ascending": cheapest_page(catalogue),
    }
