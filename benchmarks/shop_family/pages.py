"""The pages of a shop as mark-up: lists, products, posts and the rest. A page is made when it is asked for."""

import json
from collections.abc import Callable, Iterable, Mapping
from html import escape
from random import Random

from benchmarks.shop_family import words
from benchmarks.shop_family.catalogue import Good, dice_of
from benchmarks.shop_family.frame import Frame
from benchmarks.shop_family.shop import DESKS, ORDERS, POSTS_A_PAGE, Kind, Shop, Spot
from benchmarks.shop_family.themes import Told

_FEATURED = 8
_NEAR = 3  # numbers of pages that a list's pagination names before and after its own


class Pages:
    """Makes a shop's pages."""

    def __init__(self, shop: Shop) -> None:
        self.shop, self.theme, self.catalogue = shop, shop.theme, shop.catalogue
        self.frame = Frame(shop)
        self._made: Mapping[Kind, Callable[[Spot, Random], bytes]] = {
            Kind.HOME: self._home, Kind.GOOD: self._good, Kind.CATEGORY: self._category, Kind.LISTING: self._category,
            Kind.BRAND: self._category, Kind.BRANDS: self._brands, Kind.BLOG: self._blog, Kind.TAG: self._blog,
            Kind.POST: self._post, Kind.INFO: self._info, Kind.DESK: self._desk,
        }  # fmt: skip

    def make(self, spot: Spot) -> bytes:
        """Return the body of a page, the same each time."""
        return self._made[spot.kind](spot, dice_of(self.shop.key, *spot))

    # -- cards

    def _card(self, good: Good, place: int, *, in_list: bool = True) -> str:
        theme = self.theme
        path = escape(self.shop.path(Spot(Kind.GOOD, good.number, place=place)))
        picture = (f'<img src="/media/{good.code}.jpg" alt="{escape(good.name)}" width="240" height="240">'
                   if theme.shows_pictures else "")  # fmt: skip
        price = (f'<span class="{theme.name("price")}">{theme.currency}{good.price}</span>'
                 if theme.shows_prices else "")  # fmt: skip
        tempting = (
            f'<a rel="nofollow" href="/wishlist/add/{good.id}">Save</a>'
            f'<a rel="nofollow" href="/compare/add/{good.id}">Compare</a>'
        )
        return self._framed("card", path, good.name, picture, price, tempting if theme.tempts and in_list else "")

    def _framed(self, name: str, path: str, title: str, picture: str, below: str, last: str) -> str:
        theme = self.theme
        tag = theme.title_tag
        text = escape(title)
        if theme.wraps_links:
            headed = f"<{tag}>{text}</{tag}>" if tag else f"<span>{text}</span>"
            inner = f'<a href="{path}">{picture}{headed}</a>{below}{last}'
        else:
            anchor = f'<a href="{path}">{text}</a>'
            headed = f"<{tag}>{anchor}</{tag}>" if tag else anchor
            inner = f'{f"""<a href="{path}">{picture}</a>""" if picture else ""}{headed}{below}{last}'
        return f'<{theme.card_tag} class="{theme.name(name)}">{inner}</{theme.card_tag}>'

    def _grid(self, cards: Iterable[str], name: str) -> str:
        tag = "ul" if self.theme.card_tag == "li" else "div"
        return f'<{tag} class="{self.theme.name(name)}">\n{chr(10).join(cards)}\n</{tag}>'

    def _teaser(self, number: int) -> str:
        post = self.catalogue.posts[number]
        picture = (
            f'<img src="/media/{post.code}.jpg" alt="" width="240" height="240">' if self.theme.shows_pictures else ""
        )
        below = f'<span class="{self.theme.name("meta")}">{post.year}</span>'
        return self._framed(self.theme.teaser, escape(self.shop.path(Spot(Kind.POST, number))), post.title, picture,
                            below, "")  # fmt: skip

    # -- pages

    def _home(self, spot: Spot, dice: Random) -> bytes:
        tiles = self.frame.links(
            ((Spot(Kind.CATEGORY, each.number), f"Shop {each.name.lower()}") for each in self.catalogue.departments),
            "tiles",
        )
        main = f"<h1>Welcome</h1><p>{words.build_paragraph(dice, 1)}</p>{tiles}"
        if self.shop.nav_heavy:
            goods = dice.sample(self.catalogue.goods, _FEATURED)
            main += f"<h2>Best sellers</h2>{self._grid((self._card(each, -1) for each in goods), 'grid')}"
        else:
            brands = ((Spot(Kind.BRAND, number), name) for number, name in enumerate(self.catalogue.brands))
            main += f"<h2>Our brands</h2>{self.frame.links(brands, 'tiles')}"
        main += f"<h2>From our stories</h2>{self._grid(map(self._teaser, range(12)), 'stories')}"
        return self.frame.page(spot, title="Home", main=main, kind="home")

    def _category(self, spot: Spot, dice: Random) -> bytes:
        shop, catalogue = self.shop, self.catalogue
        is_brand = spot.kind is Kind.BRAND
        name = catalogue.brands[spot.number] if is_brand else catalogue.categories[spot.number].name
        title = f"{name}{f', {spot.choice}' if spot.choice else ''}{f', page {spot.page}' if spot.page > 1 else ''}"
        main = f"{self._crumbs(self._trail(spot), name)}<h1>{escape(title)}</h1><p>{words.build_paragraph(dice, 1)}</p>"
        children = () if is_brand else catalogue.categories[spot.number].children
        if children and spot.page == 1 and not spot.choice and spot.kind is Kind.CATEGORY:
            tiles = ((Spot(Kind.CATEGORY, child), catalogue.categories[child].name) for child in children)
            main += self.frame.links(tiles, "tiles")
        elif shop.scheme.hides_goods and spot.kind is Kind.CATEGORY:
            main += f"<p>{words.build_paragraph(dice, 2)}</p>" + self.frame.link(
                Spot(Kind.LISTING, spot.number), f"View all {name.lower()}", "more"
            )
        if shop.lists_goods(spot):
            main += self._list(spot)
        return self.frame.page(spot, title=title, main=main, kind="category", head=self._list_data(spot))

    def _list(self, spot: Spot) -> str:
        shop = self.shop
        listed = shop.listed(spot)
        first = (spot.page - 1) * self.theme.per_page
        place = spot.number if shop.scheme.in_category and self._has_places(spot) else -1
        cards = (self._card(self.catalogue.goods[each], place) for each in listed[first : first + self.theme.per_page])
        plain = spot._replace(page=1)
        side = ""
        if spot.kind is not Kind.BRAND:
            facets = ((plain._replace(choice=each), each.capitalize()) for each in self.catalogue.colours)
            orders = ((plain._replace(choice=each), f"By {each}") for each in ORDERS)
            side = (f'<aside class="{self.theme.name("filters")}"><h4>Colour</h4>{self.frame.links(facets, "facets")}'
                    f"{self.frame.links(orders, 'orders')}</aside>")  # fmt: skip
        options = "".join(f'<option value="{each}">{each}</option>' for each in ORDERS)
        sorting = f'<select name="sort" id="sort-by">{options}</select>'
        return f"{side}{sorting}{self._grid(cards, 'grid')}{self._pager(spot)}"

    def _has_places(self, spot: Spot) -> bool:
        return spot.kind is Kind.CATEGORY and self.catalogue.categories[spot.number].parent is not None

    def _pager(self, spot: Spot) -> str:
        last = self.shop.page_count(spot)
        if last == 1:
            return ""
        near = [page for page in range(1, last + 1) if page in (1, last) or abs(page - spot.page) <= _NEAR]
        links = "".join(self.frame.link(spot._replace(page=page), str(page)) if page != spot.page else f"<b>{page}</b>"
                        for page in near)  # fmt: skip
        after = self.frame.link(spot._replace(page=spot.page + 1), "Next", "next") if spot.page < last else ""
        return f'<div class="{self.theme.name("pagination")}">{links}{after}</div>'

    def _trail(self, spot: Spot) -> list[tuple[Spot, str]]:
        trail = [(Spot(Kind.HOME), "Home")]
        if spot.kind in (Kind.CATEGORY, Kind.LISTING):
            parent = self.catalogue.categories[spot.number].parent
            if parent is not None:
                trail.append((Spot(Kind.CATEGORY, parent), self.catalogue.categories[parent].name))
        return trail

    def _crumbs(self, trail: list[tuple[Spot, str]], here: str) -> str:
        steps = "".join(f"<li>{self.frame.link(spot, text)}</li>" for spot, text in trail)
        return f'<ol class="{self.theme.name("breadcrumb")}">{steps}<li>{escape(here)}</li></ol>'

    def _good(self, spot: Spot, dice: Random) -> bytes:
        good, theme = self.catalogue.goods[spot.number], self.theme
        home = self.catalogue.categories[good.category if spot.place < 0 else spot.place]
        trail = [*self._trail(Spot(Kind.CATEGORY, home.number)), (Spot(Kind.CATEGORY, home.number), home.name)]
        brand = self.catalogue.brands[good.brand]
        told = words.build_description(dice, good.name, good.colour)
        gallery = "".join(
            f'<img src="/media/{good.code}-{number}.jpg" alt="{escape(good.name)}">' for number in range(3)
        )
        tempting = (
            f'<a rel="nofollow" href="/wishlist/add/{good.id}">Add to wish list</a> '
            f'<a href="/tell-a-friend?about={good.id}">Tell a friend</a>'
        )
        junk = tempting if self.shop.nav_heavy else ""
        main = (
            f"{self._crumbs(trail, good.name)}\n<div {self._item('itemscope itemtype=', 'https://schema.org/Product')} "
            f'class="{theme.name("product")}"><div class="{theme.name("gallery")}">{gallery}</div>\n'
            f"<h1{self._prop('name')}>{escape(good.name)}</h1>\n"
            f"<p>{self.frame.link(Spot(Kind.BRAND, good.brand), brand)}</p>"
            f"\n{self._price(good)}\n<p>In stock</p><p>Article number: {good.code.upper()}</p>\n"
            f'<form action="/cart/add" method="post"><input type="hidden" name="id" value="{good.id}">'
            f'<input type="number" name="quantity" value="1">'
            f'<button type="submit" name="add">Add to cart</button></form>'
            f"\n<div{self._prop('description')}><p>{escape(told)}</p></div>{junk}</div>\n"
        )
        if self.shop.related:
            cards = (self._card(self.catalogue.goods[each], -1, in_list=False) for each in good.related)
            main += f"<section><h2>You may also like</h2>{self._grid(cards, 'grid')}</section>"
        return self.frame.page(spot, title=good.name, main=main, kind="product-page", head=self._good_data(good, told))

    def _price(self, good: Good) -> str:
        shown = f"{self.theme.currency}{good.price}"
        name = self.theme.name("price")
        if self.theme.told is not Told.MICRODATA:
            return f'<p class="{name}">{shown}</p>'
        code = {"£": "GBP", "$": "USD", "€": "EUR"}[self.theme.currency]
        return (
            f'<p class="{name}" itemprop="offers" itemscope itemtype="https://schema.org/Offer">{shown}'
            f'<meta itemprop="price" content="{good.price}"><meta itemprop="priceCurrency" content="{code}">'
            f'<link itemprop="availability" href="https://schema.org/InStock"></p>'
        )

    def _prop(self, name: str) -> str:
        return f' itemprop="{name}"' if self.theme.told is Told.MICRODATA else ""

    def _item(self, start: str, kind: str) -> str:
        return f'{start}"{kind}"' if self.theme.told is Told.MICRODATA else ""

    def _good_data(self, good: Good, told: str) -> str:
        code = {"£": "GBP", "$": "USD", "€": "EUR"}[self.theme.currency]
        if self.theme.told is Told.OPEN_GRAPH:
            return (
                f'<meta property="og:type" content="product"><meta property="og:title" content="{escape(good.name)}">'
                f'<meta property="product:price:amount" content="{good.price}">'
                f'<meta property="product:price:currency" content="{code}">'
            )
        if self.theme.told is not Told.LINKED_DATA:
            return ""
        offer = {"@type": "Offer", "price": str(good.price), "priceCurrency": code,
                 "availability": "https://schema.org/InStock"}  # fmt: skip
        data = {"@context": "https://schema.org", "@type": "Product", "name": good.name, "sku": good.code.upper(),
                "description": told, "offers": offer}  # fmt: skip
        return f'<script type="application/ld+json">{json.dumps(data)}</script>'

    def _list_data(self, spot: Spot) -> str:
        """Return what lists tell machines, where the name of their body does not say it."""
        if not self.shop.lists_goods(spot) or self.theme.names_body:
            return ""
        data = {"@context": "https://schema.org", "@type": "CollectionPage", "name": "Our range"}
        return f'<script type="application/ld+json">{json.dumps(data)}</script>'

    def _brands(self, spot: Spot, dice: Random) -> bytes:
        brands = ((Spot(Kind.BRAND, number), name) for number, name in enumerate(self.catalogue.brands))
        main = f"<h1>Brands</h1><p>{words.build_paragraph(dice, 1)}</p>{self.frame.links(brands, 'tiles')}"
        return self.frame.page(spot, title="Brands", main=main, kind="page")

    def _blog(self, spot: Spot, dice: Random) -> bytes:
        if spot.kind is Kind.TAG:
            numbers = [post.number for post in self.catalogue.posts if spot.number in post.tags]
            name = words.TAGS[spot.number].capitalize()
        else:
            numbers = list(
                range((spot.page - 1) * POSTS_A_PAGE, min(spot.page * POSTS_A_PAGE, len(self.catalogue.posts)))
            )
            name = f"Stories, page {spot.page}" if spot.page > 1 else "Stories"
        tags = self.frame.links(((Spot(Kind.TAG, number), tag) for number, tag in enumerate(words.TAGS)), "tags")
        pager = self._pager(spot) if spot.kind is Kind.BLOG else ""
        grid = self._grid(map(self._teaser, numbers), "stories")
        main = f"<h1>{name}</h1><p>{words.build_paragraph(dice, 1)}</p>{grid}{pager}{tags}"
        return self.frame.page(spot, title=name, main=main, kind="blog-list")

    def _post(self, spot: Spot, dice: Random) -> bytes:
        post = self.catalogue.posts[spot.number]
        day = f"{post.year}-{post.month:02}-14"
        prose = "".join(f"<p>{words.build_paragraph(dice, 4)}</p>" for _ in range(6))
        tags = self.frame.links(((Spot(Kind.TAG, number), words.TAGS[number]) for number in post.tags), "tags")
        others = dice.sample(range(len(self.catalogue.posts)), 4)
        near = [number for number in (post.number - 1, post.number + 1) if 0 <= number < len(self.catalogue.posts)]
        steps = self.frame.links(
            ((Spot(Kind.POST, number), self.catalogue.posts[number].title) for number in near), "steps"
        )
        shop_it = ""
        if self.theme.sends_readers and dice.random() < 0.5:
            goods = dice.sample(self.catalogue.goods, 2)
            links = self.frame.links(((Spot(Kind.GOOD, each.number), each.name) for each in goods), "mentions")
            shop_it = f"<p>Mentioned in this story:</p>{links}"
        main = (
            f"{self._crumbs([(Spot(Kind.HOME), 'Home'), (Spot(Kind.BLOG), 'Stories')], post.title)}<article><h1>"
            f'{escape(post.title)}</h1><time datetime="{day}">{post.month:02}/{post.year}</time>'
            f"{prose}{shop_it}{tags}</article>{steps}<h2>Read next</h2>"
            f"{self._grid(map(self._teaser, others), 'stories')}"
        )
        head = (f'<meta property="og:type" content="article"><meta property="article:published_time" '
                f'content="{day}"><meta name="author" content="The shop">')  # fmt: skip
        return self.frame.page(spot, title=post.title, main=main, kind="article-page", head=head)

    def _info(self, spot: Spot, dice: Random) -> bytes:
        name = words.INFORMATION[spot.number]
        prose = "".join(f"<p>{words.build_paragraph(dice, 2)}</p>" for _ in range(3))
        return self.frame.page(spot, title=name, main=f"<h1>{name}</h1>{prose}", kind="page")

    def _desk(self, spot: Spot, dice: Random) -> bytes:
        name = DESKS[spot.number].capitalize()
        main = f'<h1>{name}</h1><form action="#" method="post"><input name="q"><button>Go on</button></form>'
        return self.frame.page(spot, title=name, main=f"{main}<p>{words.build_paragraph(dice, 1)}</p>", kind="page")
