"""What the mark-up of a shop is like: which elements, which class names, what a card shows, what machines are told."""

from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from benchmarks.shop_family.catalogue import code_of, dice_of
from benchmarks.shop_family.tongues import TONGUES, Tongue

_NAMES = {
    "card": ("product-card", "card", "grid__item", "product-item", "product", "tile", "item"),
    "grid": ("grid", "product-grid", "products", "items", "row", "product-list"),
    "post-teaser": ("post-teaser", "article-card", "story", "entry", "blog-item"),
    "stories": ("stories", "posts", "articles", "blog-list", "entries"),
    "price": ("price", "money", "product-price", "amount", "price-box"),
    "pagination": ("pagination", "pager", "pages", "paging"),
    "breadcrumb": ("breadcrumb", "breadcrumbs", "crumbs", "trail"),
    "filters": ("filters", "facets", "sidebar", "narrow-by", "layered"),
    "main-menu": ("main-menu", "nav", "site-nav", "menu", "navbar"),
    "site-footer": ("site-footer", "footer", "page-footer", "bottom"),
    "product": ("product-detail", "product-main", "product-info", "detail", "summary"),
}


class Told(StrEnum):
    """What a product page tells machines."""

    NOTHING = "nothing"
    LINKED_DATA = "json-ld"
    MICRODATA = "microdata"
    OPEN_GRAPH = "open-graph"


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One look.

    `shares_cards`: teasers of posts have the mark-up of product cards, picture and all. `lists_in_departments`: the
    upper categories list goods too. `features_goods`: the home page shows some. `title_tag` is the heading in a card,
    "" for none. `wraps_links`: one link is around all that a card shows. `tempts`: product cards have links to wish
    lists and comparisons, one a product. `sends_readers`: posts mention goods. `marks_parts`: menu, header and footer
    are elements of these names. `shares_tiles`: what leads to categories and brands has the mark-up of product cards
    too. `names` are class names.
    """

    names: dict[str, str]
    shares_cards: bool
    shows_prices: bool
    shows_pictures: bool
    told: Told
    per_page: int
    card_tag: str
    title_tag: str
    main_tag: str
    menu_tag: str
    names_body: bool
    tongue: Tongue
    lists_in_departments: bool
    features_goods: bool
    filters_first: bool
    tempts: bool
    wraps_links: bool
    sends_readers: bool
    marks_parts: bool
    shares_tiles: bool
    salt: str

    def name(self, plain: str) -> str:
        """Return the class name that this theme has for a thing."""
        return (
            self.names[plain]
            if plain in self.names
            else f"css-{code_of(self.salt, plain)[:6]}"
            if not self.names
            else plain
        )

    @property
    def teaser(self) -> str:
        """The name of what shows a post in a list."""
        return "card" if self.shares_cards else "post-teaser"

    @property
    def stories(self) -> str:
        """The name of a list of posts."""
        return "grid" if self.shares_cards else "stories"


def draw_theme(seed: str, *, nav_heavy: bool) -> Theme:
    """Draw a theme; shops whose menus are large have most of what else leads nowhere."""
    dice = dice_of(seed, "theme")
    return Theme(
        names=_draw_names(dice),
        shares_cards=dice.random() < 0.5,
        shows_prices=dice.random() < 0.6,
        shows_pictures=dice.random() < 0.7,
        told=dice.choice(tuple(Told)),
        per_page=dice.choice((12, 16, 20)),
        card_tag=dice.choice(("li", "div", "article")),
        title_tag=dice.choice(("h3", "h2", "")),
        main_tag=dice.choice(("main", "div")),
        menu_tag=dice.choice(("nav", "div")),
        names_body=dice.random() < 0.5,
        tongue=dice.choice(TONGUES),
        lists_in_departments=dice.random() < 0.7,
        features_goods=dice.random() < 0.6,
        filters_first=dice.random() < 0.6,
        tempts=nav_heavy and dice.random() < 0.7,
        wraps_links=dice.random() < 0.5,
        sends_readers=dice.random() < 0.3,
        marks_parts=dice.random() < 0.7,
        shares_tiles=dice.random() < 0.4,
        salt=seed,
    )


def strip_theme(theme: Theme) -> Theme:
    """Return a look that tells nothing: what leads to products, posts and lists is one bare link in a list of links."""
    return replace(theme, names={}, shares_cards=True, shares_tiles=True, shows_prices=False, shows_pictures=False,
                   card_tag="li", title_tag="", main_tag="div", menu_tag="div", names_body=False, wraps_links=False,
                   marks_parts=False, features_goods=False)  # fmt: skip


def _draw_names(dice: Random) -> dict[str, str]:
    """Draw class names; in some shops a build tool makes them and they say nothing: then none is here."""
    names = {plain: dice.choice(names) for plain, names in _NAMES.items()}
    return names if dice.random() < 0.7 else {}
