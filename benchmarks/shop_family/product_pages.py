"""The page of one product: name, price, what buys it, related goods, and what machines are told."""

import json
from html import escape

from benchmarks.shop_family import words
from benchmarks.shop_family.cards import Cards
from benchmarks.shop_family.catalogue import Good, dice_of
from benchmarks.shop_family.shop import Kind, Shop, Spot
from benchmarks.shop_family.themes import Told
from benchmarks.shop_family.tongues import currency_of


class ProductPages:
    """Makes a shop's product pages."""

    def __init__(self, shop: Shop, cards: Cards) -> None:
        self.shop, self.theme, self.catalogue = shop, shop.theme, shop.catalogue
        self.cards, self.frame = cards, cards.frame

    def make(self, spot: Spot) -> bytes:
        """Return the page of a product, at its own address or within a category."""
        good, name, tongue = self.catalogue.goods[spot.number], self.theme.name, self.theme.tongue
        told = words.build_description(dice_of(self.shop.key, "told", good.number), good.name, good.colour)
        home = Spot(Kind.CATEGORY, good.category if spot.place < 0 else spot.place)
        gallery = "".join(
            f'<img src="/media/{good.code}-{number}.jpg" alt="{escape(good.name)}">' for number in range(3)
        )
        scope = ' itemscope itemtype="https://schema.org/Product"' if self.theme.told is Told.MICRODATA else ""
        main = (
            f'{self.cards.trail(home, good.name)}\n<div class="{name("product")}"{scope}>'
            f'<div class="{name("gallery")}">{gallery}</div>\n<h1{self._property("name")}>{escape(good.name)}</h1>\n'
            f"<p>{self.frame.link(Spot(Kind.BRAND, good.brand), self.catalogue.brands[good.brand])}</p>\n"
            f"{self._price(good)}\n<p>{tongue.in_stock}</p><p>{tongue.article_number}: {good.code.upper()}</p>\n"
            f"{self._form(good)}\n<div{self._property('description')}><p>{escape(told)}</p></div></div>\n{self._related(good)}"
        )
        return self.frame.page(spot, title=good.name, main=main, kind="product-page", head=self._data(good, told))

    def _form(self, good: Good) -> str:
        tempting = (
            f'<a rel="nofollow" href="/wishlist/add/{good.id}">{self.theme.tongue.save}</a> '
            f'<a href="/tell-a-friend?about={good.id}">{self.theme.tongue.tell_a_friend}</a>'
        )
        return (
            f'<form action="/cart/add" method="post"><input type="hidden" name="id" value="{good.id}">'
            f'<input type="number" name="quantity" value="1">'
            f'<button type="submit" name="add">{self.theme.tongue.add_to_cart}</button>'
            f"</form>{tempting if self.shop.nav_heavy else ''}"
        )

    def _related(self, good: Good) -> str:
        if not self.shop.related:
            return ""
        return f"<section><h2>{self.theme.tongue.related}</h2>{self.cards.goods(good.related, in_list=False)}</section>"

    def _price(self, good: Good) -> str:
        shown, name = self.theme.tongue.amount(good.price), self.theme.name("price")
        if self.theme.told is not Told.MICRODATA:
            return f'<p class="{name}">{shown}</p>'
        return (
            f'<p class="{name}" itemprop="offers" itemscope itemtype="https://schema.org/Offer">{shown}'
            f'<meta itemprop="price" content="{good.price}">'
            f'<meta itemprop="priceCurrency" content="{currency_of(self.theme.tongue)}">'
            f'<link itemprop="availability" href="https://schema.org/InStock"></p>'
        )

    def _property(self, name: str) -> str:
        return f' itemprop="{name}"' if self.theme.told is Told.MICRODATA else ""

    def _data(self, good: Good, told: str) -> str:
        code = currency_of(self.theme.tongue)
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
