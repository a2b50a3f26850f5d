"""The pages of a shop as mark-up. A page is made when it is asked for, and is the same each time."""

import json
from collections.abc import Callable, Mapping
from html import escape
from random import Random

from benchmarks.shop_family import words
from benchmarks.shop_family.cards import Cards
from benchmarks.shop_family.catalogue import dice_of
from benchmarks.shop_family.frame import Frame
from benchmarks.shop_family.product_pages import ProductPages
from benchmarks.shop_family.shop import ORDERS, POSTS_A_PAGE, Kind, Shop, Spot

_FEATURED = 8
_NEWEST = 12
_LIST_DATA = json.dumps({"@context": "https://schema.org", "@type": "CollectionPage", "name": "Our range"})


class Pages:
    """Makes a shop's pages."""

    def __init__(self, shop: Shop) -> None:
        self.shop, self.theme, self.catalogue, self.tongue = shop, shop.theme, shop.catalogue, shop.theme.tongue
        self.frame = Frame(shop)
        self.cards = Cards(shop, self.frame)
        self._products = ProductPages(shop, self.cards)
        self._made: Mapping[Kind, Callable[[Spot, Random], bytes]] = {
            Kind.HOME: self._home, Kind.CATEGORY: self._category, Kind.LISTING: self._category,
            Kind.BRAND: self._category, Kind.BRANDS: self._brands, Kind.BLOG: self._blog, Kind.TAG: self._blog,
            Kind.POST: self._post, Kind.INFO: self._info, Kind.DESK: self._desk,
        }  # fmt: skip

    def make(self, spot: Spot) -> bytes:
        """Return the body of a page."""
        if spot.kind is Kind.GOOD:
            return self._products.make(spot)
        return self._made[spot.kind](spot, dice_of(self.shop.key, *spot))

    def _home(self, spot: Spot, dice: Random) -> bytes:
        tops = (
            (Spot(Kind.CATEGORY, each.number), self.tongue.shop_for.format(name=each.name))
            for each in self.catalogue.departments
        )
        stories = f"<h2>{self.tongue.newest_stories}</h2>{self.cards.stories(range(_NEWEST))}"
        goods = ""
        if self.theme.features_goods:
            chosen = dice.sample(range(len(self.catalogue.goods)), _FEATURED)
            goods = f"<h2>{self.tongue.best_sellers}</h2>{self.cards.goods(chosen)}"
        rest = (
            f"{goods}{stories}"
            if self.shop.nav_heavy
            else f"<h2>{self.tongue.our_brands}</h2>{self._brand_tiles()}{stories}{goods}"
        )
        main = f"<h1>{self.tongue.welcome}</h1><p>{words.build_paragraph(dice, 1)}</p>{self.cards.tiles(tops)}{rest}"
        return self.frame.page(spot, title=self.tongue.home, main=main, kind="home")

    def _category(self, spot: Spot, dice: Random) -> bytes:
        shop, catalogue = self.shop, self.catalogue
        is_brand = spot.kind is Kind.BRAND
        name = catalogue.brands[spot.number] if is_brand else catalogue.categories[spot.number].name
        page = f", {self.tongue.page} {spot.page}" if spot.page > 1 else ""
        title = f"{name}{f', {spot.choice}' if spot.choice else ''}{page}"
        above = Spot(Kind.HOME) if is_brand else Spot(Kind.CATEGORY, spot.number)
        main = f"{self.cards.trail(above, name)}<h1>{escape(title)}</h1><p>{words.build_paragraph(dice, 1)}</p>"
        children = () if is_brand else catalogue.categories[spot.number].children
        is_first = spot.kind is Kind.CATEGORY and spot.page == 1 and not spot.choice
        if children and is_first:
            tiles = ((Spot(Kind.CATEGORY, child), catalogue.categories[child].name) for child in children)
            main += self.cards.tiles(tiles)
        elif shop.scheme.by_brand and is_first:
            brands = sorted({catalogue.goods[each].brand for each in catalogue.categories[spot.number].goods})
            main += self.cards.tiles((Spot(Kind.BRAND, each), catalogue.brands[each]) for each in brands)
        elif shop.scheme.hides_goods and is_first:
            more = self.frame.link(Spot(Kind.LISTING, spot.number), self.tongue.view_all.format(name=name), "more")
            main += f"<p>{words.build_paragraph(dice, 2)}</p>{more}"
        if not shop.lists_goods(spot):
            return self.frame.page(spot, title=title, main=main, kind="category")
        data = "" if self.theme.names_body else f'<script type="application/ld+json">{_LIST_DATA}</script>'
        return self.frame.page(spot, title=title, main=main + self._list(spot), kind="category", head=data)

    def _list(self, spot: Spot) -> str:
        first = (spot.page - 1) * self.theme.per_page
        listed = self.shop.listed(spot)[first : first + self.theme.per_page]
        is_lower = spot.kind is Kind.CATEGORY and self.catalogue.categories[spot.number].parent is not None
        cards = self.cards.goods(listed, place=spot.number if is_lower and self.shop.scheme.in_category else -1)
        filters = "" if spot.kind is Kind.BRAND else self._filters(spot)
        options = "".join(f'<option value="{each}">{each}</option>' for each in ORDERS)
        shown = f'<select name="sort" id="sort-by">{options}</select>{cards}{self.cards.pager(spot)}'
        return f"{filters}{shown}" if self.theme.filters_first else f"{shown}{filters}"

    def _filters(self, spot: Spot) -> str:
        plain = spot._replace(page=1)
        colours = ((plain._replace(choice=each), each.capitalize()) for each in self.shop.colours_of(spot.number))
        orders = ((plain._replace(choice=each), self.tongue.order_by.format(name=each)) for each in ORDERS)
        links = f"{self.frame.links(colours, 'facets')}{self.frame.links(orders, 'orders')}"
        return f'<aside class="{self.theme.name("filters")}"><h4>{self.tongue.colour}</h4>{links}</aside>'

    def _brands(self, spot: Spot, dice: Random) -> bytes:
        main = f"<h1>{self.tongue.brands}</h1><p>{words.build_paragraph(dice, 1)}</p>{self._brand_tiles()}"
        return self.frame.page(spot, title=self.tongue.brands, main=main, kind="page")

    def _brand_tiles(self) -> str:
        brands = ((Spot(Kind.BRAND, number), name) for number, name in enumerate(self.catalogue.brands))
        return self.cards.tiles(brands)

    def _blog(self, spot: Spot, dice: Random) -> bytes:
        posts = [post.number for post in self.catalogue.posts if spot.kind is Kind.BLOG or spot.number in post.tags]
        name = self.tongue.stories if spot.kind is Kind.BLOG else words.TAGS[spot.number].capitalize()
        pager = ""
        if spot.kind is Kind.BLOG:
            posts = posts[(spot.page - 1) * POSTS_A_PAGE : spot.page * POSTS_A_PAGE]
            pager = self.cards.pager(spot)
        title = f"{name}, {self.tongue.page} {spot.page}" if spot.page > 1 else name
        tags = self.frame.links(((Spot(Kind.TAG, number), tag) for number, tag in enumerate(words.TAGS)), "tags")
        main = f"<h1>{title}</h1><p>{words.build_paragraph(dice, 1)}</p>{self.cards.stories(posts)}{pager}{tags}"
        return self.frame.page(spot, title=title, main=main, kind="blog-list")

    def _post(self, spot: Spot, dice: Random) -> bytes:
        posts = self.catalogue.posts
        post = posts[spot.number]
        day = f"{post.year}-{post.month:02}-14"
        prose = "".join(f"<p>{words.build_paragraph(dice, 4)}</p>" for _ in range(6))
        tags = self.frame.links(((Spot(Kind.TAG, number), words.TAGS[number]) for number in post.tags), "tags")
        near = [number for number in (post.number - 1, post.number + 1) if 0 <= number < len(posts)]
        steps = self.frame.links(((Spot(Kind.POST, number), posts[number].title) for number in near), "steps")
        main = (
            f"{self.cards.trail(Spot(Kind.BLOG), post.title)}<article><h1>{escape(post.title)}</h1>"
            f'<time datetime="{day}">{post.month:02}/{post.year}</time>{prose}{self._mentions(dice)}{tags}</article>'
            f"{steps}<h2>{self.tongue.read_next}</h2>{self.cards.stories(dice.sample(range(len(posts)), 4))}"
        )
        head = (f'<meta property="og:type" content="article"><meta property="article:published_time" '
                f'content="{day}"><meta name="author" content="The shop">')  # fmt: skip
        return self.frame.page(spot, title=post.title, main=main, kind="article-page", head=head)

    def _mentions(self, dice: Random) -> str:
        if not self.theme.sends_readers or dice.random() < 0.5:
            return ""
        goods = dice.sample(self.catalogue.goods, 2)
        links = self.frame.links(((Spot(Kind.GOOD, each.number), each.name) for each in goods), "mentions")
        return f"<p>{self.tongue.mentioned}</p>{links}"

    def _info(self, spot: Spot, dice: Random) -> bytes:
        name = self.tongue.information[spot.number]
        prose = "".join(f"<p>{words.build_paragraph(dice, 2)}</p>" for _ in range(3))
        return self.frame.page(spot, title=name, main=f"<h1>{name}</h1>{prose}", kind="page")

    def _desk(self, spot: Spot, dice: Random) -> bytes:
        name = self.tongue.desks[spot.number]
        main = f'<h1>{name}</h1><form action="#" method="post"><input name="q"><button>Go on</button></form>'
        return self.frame.page(spot, title=name, main=f"{main}<p>{words.build_paragraph(dice, 1)}</p>", kind="page")
