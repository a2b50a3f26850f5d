"""What several pages of a shop are made of: cards, lists of cards, pagination, the way back, currencies."""

from collections.abc import Iterable
from decimal import Decimal
from html import escape

from benchmarks.shop_family.catalogue import Good, code_of
from benchmarks.shop_family.frame import Frame
from benchmarks.shop_family.shop import Kind, Shop, Spot

_NEAR = 3  # numbers of pages that a list's pagination names before and after its own


class Cards:
    """Makes the parts of a shop's pages in the way of its theme."""

    def __init__(self, shop: Shop, frame: Frame) -> None:
        self.shop, self.theme, self.catalogue, self.frame = shop, shop.theme, shop.catalogue, frame
        self.tongue = shop.theme.tongue

    def card(self, good: Good, *, place: int = -1, in_list: bool = True) -> str:
        """Return a product as lists show it; with `place` its link is the one within that category."""
        theme = self.theme
        price = (
            f'<span class="{theme.name("price")}">{self.tongue.amount(good.price)}</span>' if theme.shows_prices else ""
        )
        tempting = (
            f'<a rel="nofollow" href="/wishlist/add/{good.id}">{self.tongue.save}</a>'
            f'<a rel="nofollow" href="/compare/add/{good.id}">{self.tongue.compare}</a>'
        )
        below = price + (tempting if theme.tempts and in_list else "")
        return self._framed("card", Spot(Kind.GOOD, good.number, place=place), good.name, code=good.code, below=below)

    def teaser(self, number: int) -> str:
        """Return a post as lists show it."""
        post = self.catalogue.posts[number]
        below = f'<span class="{self.theme.name("meta")}">{post.year}</span>'
        if self.shop.scheme.prices_stories and self.theme.shows_prices:
            cheapest = self.tongue.amount(Decimal(post.id % 90 + 9))
            below += f'<span class="{self.theme.name("price")}">{cheapest}</span>'
        return self._framed(self.theme.teaser, Spot(Kind.POST, number), post.title, code=post.code, below=below)

    def goods(self, numbers: Iterable[int], *, place: int = -1, in_list: bool = True) -> str:
        """Return a list of products."""
        return self._grid(
            (self.card(self.catalogue.goods[each], place=place, in_list=in_list) for each in numbers), "grid"
        )

    def stories(self, numbers: Iterable[int]) -> str:
        """Return a list of posts."""
        return self._grid(map(self.teaser, numbers), self.theme.stories)

    def tiles(self, spots: Iterable[tuple[Spot, str]]) -> str:
        """Return what leads to several lists from the middle of a page."""
        if not self.theme.shares_tiles:
            return self.frame.links(spots, "tiles")
        tiles = (self._framed("card", spot, text, code=code_of(*spot), below="") for spot, text in spots)
        return self._grid(tiles, "grid")

    def pager(self, spot: Spot) -> str:
        """Return the links to the other pages of a list."""
        last = self.shop.page_count(spot)
        if last == 1:
            return ""
        after = (
            self.frame.link(spot._replace(page=spot.page + 1), self.tongue.after, "next") if spot.page < last else ""
        )
        if self.shop.scheme.loads_more:
            return f"<p>{after}</p>"
        near = [page for page in range(1, last + 1) if page in (1, last) or abs(page - spot.page) <= _NEAR]
        links = "".join(self.frame.link(spot._replace(page=page), str(page)) if page != spot.page else f"<b>{page}</b>"
                        for page in near)  # fmt: skip
        return f'<div class="{self.theme.name("pagination")}">{links}{after}</div>'

    def trail(self, spot: Spot, here: str) -> str:
        """Return the way from the home page to what lies in a category or in the blog; the page itself is no link."""
        steps = [(Spot(Kind.HOME), self.tongue.home)]
        if spot.kind is Kind.BLOG:
            steps.append((spot, self.tongue.stories))
        elif spot.kind is Kind.CATEGORY:
            category = self.catalogue.categories[spot.number]
            above = [] if category.parent is None else [self.catalogue.categories[category.parent]]
            steps += [(Spot(Kind.CATEGORY, each.number), each.name) for each in (*above, category) if each.name != here]
        links = "".join(f"<li>{self.frame.link(each, text)}</li>" for each, text in steps)
        return f'<ol class="{self.theme.name("breadcrumb")}">{links}<li>{escape(here)}</li></ol>'

    def _framed(self, name: str, spot: Spot, title: str, *, code: str, below: str) -> str:
        theme = self.theme
        tag, path, text = theme.title_tag, escape(self.shop.path(spot)), escape(title)
        picture = f'<img src="/media/{code}.jpg" alt="{text}" width="240" height="240">' if theme.shows_pictures else ""
        if theme.wraps_links:
            inner = (
                f'<a href="{path}">{picture}{f"<{tag}>{text}</{tag}>" if tag else f"<span>{text}</span>"}</a>{below}'
            )
        else:
            anchor = f'<a href="{path}">{text}</a>'
            pictured = f'<a href="{path}">{picture}</a>' if picture else ""
            inner = f"{pictured}{f'<{tag}>{anchor}</{tag}>' if tag else anchor}{below}"
        return f'<{theme.card_tag} class="{theme.name(name)}">{inner}</{theme.card_tag}>'

    def _grid(self, cards: Iterable[str], name: str) -> str:
        tag = "ul" if self.theme.card_tag == "li" else "div"
        return f'<{tag} class="{self.theme.name(name)}">\n{chr(10).join(cards)}\n</{tag}>'
