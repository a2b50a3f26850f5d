"""What is true of the shop: the answers that a crawl, an extraction and a report of it are held against.

Addresses are root-relative: path, and query where there is one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from examples.demo_shop.catalogue import CURRENCY, Catalogue, Item, Look, Variant
from examples.demo_shop.faults import (
    DUPLICATES,
    FEED,
    FORBIDDEN_LINKS,
    ORPHANS,
    PDF,
    REDIRECT_CHAIN,
    THIN,
    UNTITLED,
    Mention,
    Plan,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantTruth:
    """One choice of a product. What no page shows (numbers of a page without mark-up) is None."""

    title: str
    options: Mapping[str, str]
    sku: str | None
    gtin: str | None
    price: Decimal
    regular_price: Decimal | None
    availability: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductTruth:
    """A product; prices and stock are those of its default variant. `variants` is empty where there is no choice.

    `look` says how the page is written: theme, group, graph (all JSON-LD) or plain (no mark-up). `marked_up` is its
    short form.
    """

    path: str
    handle: str
    name: str
    brand: str
    sku: str | None
    gtin: str | None
    price: Decimal
    regular_price: Decimal | None
    currency: str
    availability: str
    look: str
    variants: tuple[VariantTruth, ...]

    @property
    def marked_up(self) -> bool:
        """Whether the page has structured data."""
        return self.look != Look.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkTruth:
    """One link: the page it stands on, where it leads, and its anchor text."""

    source: str
    target: str
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What the shop's second phase changed.

    `touched` lists every page whose bytes differ, the repriced and the rewritten one among them: a price stands in
    listings too, and listings close the gap that the removed product leaves.
    """

    repriced: str
    price_before: Decimal
    price_after: Decimal
    rewritten: str
    removed: str
    broken: tuple[LinkTruth, ...]
    touched: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """All that is known of the shop in its present phase.

    `pages` are the HTML pages that answer 200 and that robots.txt allows, orphans included. `redirect_chain` holds
    every address of the chain, the linked one first, the page that answers last. `tracking` is the one link with
    tracking parameters. `changed` is None in the first phase.
    """

    pages: tuple[str, ...]
    products: Mapping[str, ProductTruth]
    collections: tuple[str, ...]
    orphans: tuple[str, ...]
    duplicates: tuple[str, ...]
    broken: tuple[LinkTruth, ...]
    redirect_chain: tuple[str, ...]
    redirect_link: LinkTruth
    tracking: LinkTruth
    thin: str
    untitled: str
    forbidden: tuple[str, ...]
    feed: str
    pdf: str
    changed: Change | None

    @property
    def page_count(self) -> int:
        """How many pages there are."""
        return len(self.pages)


def build_truth(catalogue: Catalogue, plan: Plan, pages: tuple[str, ...], changed: Change | None) -> Truth:
    """Return the truth of a shop with these goods, faults and pages."""
    lost = changed.broken if changed else ()
    return Truth(
        pages=pages,
        products=MappingProxyType({item.path: product_truth(item) for item in catalogue.items}),
        collections=tuple(shelf.path for shelf in catalogue.collections),
        orphans=ORPHANS,
        duplicates=DUPLICATES,
        broken=(*map(link_truth, plan.broken), *lost),
        redirect_chain=REDIRECT_CHAIN,
        redirect_link=next(link_truth(each) for each in plan.mentions if each.target == REDIRECT_CHAIN[0]),
        tracking=link_truth(plan.tracking),
        thin=THIN,
        untitled=UNTITLED,
        forbidden=FORBIDDEN_LINKS,
        feed=FEED,
        pdf=PDF,
        changed=changed,
    )


def product_truth(item: Item) -> ProductTruth:
    """Return what can be known of a product from its page."""
    shows_numbers = item.look is not Look.PLAIN
    default = item.variants[0]
    return ProductTruth(
        path=item.path,
        handle=item.handle,
        name=item.name,
        brand=item.brand,
        sku=default.sku if shows_numbers else None,
        gtin=default.gtin if shows_numbers else None,
        price=item.price,
        regular_price=item.regular_price,
        currency=CURRENCY,
        availability=item.availability,
        look=item.look.value,
        variants=tuple(_variant_truth(each, shows_numbers=shows_numbers) for each in item.variants if each.options),
    )


def link_truth(mention: Mention) -> LinkTruth:
    """Return a mention as the link that a reader finds."""
    return LinkTruth(source=mention.source, target=mention.target, anchor=mention.anchor)


def _variant_truth(variant: Variant, *, shows_numbers: bool) -> VariantTruth:
    return VariantTruth(
        title=variant.title,
        options=MappingProxyType(dict(variant.options)),
        sku=variant.sku if shows_numbers else None,
        gtin=variant.gtin if shows_numbers else None,
        price=variant.price,
        regular_price=variant.regular_price,
        availability=variant.availability,
    )
