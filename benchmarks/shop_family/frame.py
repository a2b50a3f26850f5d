"""What stands on every page of a shop: head, header, menu, footer; made once a shop."""

from collections.abc import Iterable
from html import escape

from benchmarks.shop_family import words
from benchmarks.shop_family.shop import DESKS, Kind, Shop, Spot

_FOOTER_INFO = 14


class Frame:
    """The frame of a shop's pages.

    Large menus name every category and every brand; flat shops name the departments and leave the rest to their pages.
    """

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self._before = self._header()
        self._after = self._footer()

    def page(self, spot: Spot, *, title: str, main: str, head: str = "", kind: str) -> bytes:
        """Return a whole page; `kind` is what its body is named after, where the theme names bodies."""
        shop, theme = self.shop, self.shop.theme
        name = f' class="{kind}"' if theme.names_body else ""
        canonical = f"{shop.origin}{escape(shop.path(spot._replace(place=-1)))}"
        back = escape(shop.path(spot))
        sign_in = f'<a rel="nofollow" href="{self._login(back)}">Sign in</a>'
        visitor = f'<div class="{theme.name("visitor")}">{sign_in}</div>' if shop.nav_heavy else ""
        return (
            f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)} | {self._brand}'
            f'</title>\n<link rel="canonical" href="{canonical}">{head}</head>\n<body{name}>\n{visitor}{self._before}\n'
            f'<{theme.main_tag} id="content">\n{main}\n</{theme.main_tag}>\n{self._after}\n</body></html>\n'
        ).encode()

    def link(self, spot: Spot, text: str, name: str = "") -> str:
        """Return an anchor to a page."""
        named = f' class="{self.shop.theme.name(name)}"' if name else ""
        return f'<a{named} href="{escape(self.shop.path(spot))}">{escape(text)}</a>'

    def links(self, spots: Iterable[tuple[Spot, str]], name: str) -> str:
        """Return a list of anchors."""
        items = "".join(f"<li>{self.link(spot, text)}</li>" for spot, text in spots)
        return f'<ul class="{self.shop.theme.name(name)}">{items}</ul>'

    @property
    def _brand(self) -> str:
        return f"{self.shop.catalogue.brands[0]} &amp; {self.shop.catalogue.brands[1]}"

    def _login(self, back: str) -> str:
        path = escape(self.shop.path(Spot(Kind.DESK, DESKS.index("login"))))
        return f"{path}{'&amp;' if '?' in path else '?'}return={back.replace('?', '%3F').replace('&amp;', '%26')}"

    def _header(self) -> str:
        shop, theme = self.shop, self.shop.theme
        desks = self.links(((Spot(Kind.DESK, number), name.capitalize()) for number, name in enumerate(DESKS)), "tools")
        menu = self._mega_menu() if shop.nav_heavy else self._flat_menu()
        role = ' role="navigation"' if theme.menu_tag == "div" else ""
        return (
            f'<header class="{theme.name("site-header")}">{self.link(Spot(Kind.HOME), shop.name, "logo")}\n{desks}\n'
            f'<{theme.menu_tag}{role} class="{theme.name("main-menu")}">{menu}</{theme.menu_tag}></header>'
        )

    def _flat_menu(self) -> str:
        top = [(Spot(Kind.CATEGORY, each.number), each.name) for each in self.shop.catalogue.departments]
        return self.links([*top, (Spot(Kind.BRANDS), "Brands"), (Spot(Kind.BLOG), "Stories")], "menu")

    def _mega_menu(self) -> str:
        catalogue = self.shop.catalogue
        columns = []
        for top in catalogue.departments:
            below = ((Spot(Kind.CATEGORY, child), catalogue.categories[child].name) for child in top.children)
            columns.append(f"<div>{self.link(Spot(Kind.CATEGORY, top.number), top.name)}{self.links(below, 'submenu')}"
                           "</div>")  # fmt: skip
        brands = self.links(
            ((Spot(Kind.BRAND, number), name) for number, name in enumerate(catalogue.brands)), "submenu"
        )
        return f"{''.join(columns)}<div>{brands}</div>{self.link(Spot(Kind.BLOG), 'Stories')}"

    def _footer(self) -> str:
        shop = self.shop
        info = list(enumerate(words.INFORMATION))[: len(words.INFORMATION) if shop.nav_heavy else _FOOTER_INFO]
        links = self.links(((Spot(Kind.INFO, number), name) for number, name in info), "footer-links")
        outside = '<a href="https://social.example/shop">Follow us</a>'
        return f'<footer class="{shop.theme.name("site-footer")}">{links}{outside}<p>Prices include tax.</p></footer>'
