"""What is wrong with the shop on purpose, and what will change: a plan that pages and truth are both made from."""

import re
from dataclasses import dataclass
from decimal import Decimal

from examples.demo_shop.articles import POSTS, UNLINKED_INFO_PAGE, UNLINKED_POST
from examples.demo_shop.catalogue import PAGE_SIZE, Catalogue, Item, Look

FORBIDDEN_RULES = ("/account/", "/search", "/cart", "/*sort_by=")
FORBIDDEN_LINKS = ("/account/", "/search", "/cart", "/collections/everything?sort_by=price-ascending")
ORPHANS = (UNLINKED_INFO_PAGE.path, UNLINKED_POST.path)
DUPLICATES = ("/pages/delivery", "/pages/postage-and-packing")
REDIRECT_CHAIN = ("/pages/harvest-sale", "/pages/autumn-sale", "/sale", "/collections/offers")
REDIRECT_STATUSES = (301, 302, 301)
THIN = "/pages/opening-hours"
UNTITLED = "/pages/gift-wrapping"
FEED = "/blog/feed.xml"
PDF = "/files/size-guide.pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A link inside the text of a page: the sentence has a gap {link} for it. Paths are root-relative."""

    source: str
    sentence: str
    target: str
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The mentions of all pages, the broken ones among them, and the three things that `Shop.change` will do."""

    mentions: tuple[Mention, ...]
    broken: tuple[Mention, ...]
    tracking: Mention
    removed: Item
    removed_mention: Mention
    repriced: Item
    new_price: Decimal
    rewritten: str


BROKEN = (
    Mention(source=POSTS[0].path, sentence="The one in the picture was sold in 2019; its page, the {link}, is missed.",
            target="/products/marlstone-copper-kettle", anchor="Marlstone Copper Kettle"),
    Mention(source="/pages/returns", sentence="If you still own a printer, the {link} saves the clerk some time.",
            target="/pages/returns-form", anchor="returns form"),
    Mention(source="/collections/offers", sentence="The {link} come back when the nights draw in.",
            target="/collections/winter-hampers", anchor="winter hampers"),
)  # fmt: skip

_HOUSE_MENTIONS = (
    *BROKEN,
    Mention(source=POSTS[1].path, sentence="It all began with the {link}, and it has not quite ended.",
            target=REDIRECT_CHAIN[0], anchor="harvest sale of the first year"),
    Mention(source="/pages/questions", sentence="What a parcel costs is on the page about {link}.",
            target=DUPLICATES[1], anchor="postage and packing"),
    Mention(source="/pages/size-guide", sentence="There is a {link} to print and keep in a drawer.",
            target=PDF, anchor="size guide as PDF"),
    Mention(source="/collections/everything", sentence="Or see the same shelves {link}.",
            target=FORBIDDEN_LINKS[3], anchor="cheapest first"),
)  # fmt: skip


def build_plan(catalogue: Catalogue) -> Plan:
    """Choose the goods that the plan needs. The first shop of a seed decides; a changed shop keeps the plan."""
    goods = catalogue.items
    removed = next(item for item in reversed(goods) if item.look is Look.GRAPH and _leaves_no_gap(catalogue, item))
    repriced = next(item for item in goods if _may_be_repriced(item) and item.department != removed.department)
    others = [item for item in goods if item not in (removed, repriced)]
    tracked = others[len(others) // 2]
    tracking = Mention(
        source=POSTS[2].path,
        sentence="Half of the letters were about the {link}, and all of those were kind.",
        target=f"{tracked.path}?utm_source=letter&utm_medium=email",
        anchor=tracked.name,
    )
    removed_mention = Mention(
        source=POSTS[3].path,
        sentence="The third is the {link}, which has been further than any of us.",
        target=removed.path,
        anchor=removed.name,
    )
    asides = tuple(_aside(post.path, others[(number * 13 + 5) % len(others)]) for number, post in enumerate(POSTS[4:]))
    return Plan(
        mentions=(*_HOUSE_MENTIONS, tracking, removed_mention, *asides),
        broken=BROKEN,
        tracking=tracking,
        removed=removed,
        removed_mention=removed_mention,
        repriced=repriced,
        new_price=(repriced.price * Decimal("0.9")).quantize(Decimal("0.01")),
        rewritten=POSTS[6].path,
    )


def is_forbidden(target: str) -> bool:
    """Whether the shop's robots.txt forbids a path and query (RFC 9309 §2.2.2: prefixes, `*` for anything)."""
    return any(re.match(re.escape(rule).replace(r"\*", ".*"), target) for rule in FORBIDDEN_RULES)


def _aside(source: str, item: Item) -> Mention:
    return Mention(
        source=source,
        sentence=f"For the record, there was a {{link}} on the table, and {item.brand} made it.",
        target=item.path,
        anchor=item.name,
    )


def _leaves_no_gap(catalogue: Catalogue, item: Item) -> bool:
    """Whether every listing keeps all its pages when the item goes, so that nothing else vanishes with it."""
    counts = [len(shelf.items) for shelf in catalogue.collections if item in shelf.items]
    return item.availability == "InStock" and all(count % PAGE_SIZE != 1 for count in counts)


def _may_be_repriced(item: Item) -> bool:
    single = len(item.variants) == 1 and item.regular_price is None
    return single and item.look is Look.THEME and item.availability == "InStock" and Decimal(30) < item.price
