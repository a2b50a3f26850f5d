"""What the mark-up of a shop is like: which elements, which class names, what a card shows, what machines are told."""

from dataclasses import dataclass
from enum import StrEnum

from benchmarks.shop_family.catalogue import code_of, dice_of


class Told(StrEnum):
    """What a product page tells machines."""

    NOTHING = "nothing"
    LINKED_DATA = "json-ld"
    MICRODATA = "microdata"
    OPEN_GRAPH = "open-graph"


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """One look. `is_hashed`: class names are made by a build tool and say nothing.

    `shares_cards`: teasers of posts have the mark-up of product cards, picture and all. `lists_in_departments`: the
    upper categories list goods too. `title_tag` is the heading in a card, "" for none. `tempts`: product cards have
    links to wish lists and comparisons, one a product.
    """

    is_hashed: bool
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
    currency: str
    lists_in_departments: bool
    tempts: bool
    wraps_links: bool
    sends_readers: bool
    salt: str

    def name(self, plain: str) -> str:
        """Return the class name that this theme has for what others name plainly."""
        return f"css-{code_of(self.salt, plain)[:6]}" if self.is_hashed else plain

    @property
    def teaser(self) -> str:
        """The name of what shows a post in a list."""
        return "card" if self.shares_cards else "post-teaser"


def draw_theme(seed: str, *, nav_heavy: bool) -> Theme:
    """Draw a theme; shops whose menus are large have most of what else leads nowhere."""
    dice = dice_of(seed, "theme")
    return Theme(
        is_hashed=dice.random() < 0.3,
        shares_cards=dice.random() < 0.5,
        shows_prices=dice.random() < 0.6,
        shows_pictures=dice.random() < 0.8,
        told=dice.choice(tuple(Told)),
        per_page=dice.choice((12, 16, 20)),
        card_tag=dice.choice(("li", "div", "article")),
        title_tag=dice.choice(("h3", "h2", "")),
        main_tag=dice.choice(("main", "div")),
        menu_tag=dice.choice(("nav", "div")),
        names_body=dice.random() < 0.5,
        currency=dice.choice("£$€"),
        lists_in_departments=dice.random() < 0.7,
        tempts=nav_heavy and dice.random() < 0.7,
        wraps_links=dice.random() < 0.5,
        sends_readers=dice.random() < 0.3,
        salt=seed,
    )
