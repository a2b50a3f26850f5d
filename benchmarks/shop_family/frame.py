"""What stands on every page of a shop: head, header, menu, footer; made once a shop."""

from collections.abc import Iterable
from html import escape

from benchmarks.shop_family.shop import LOGIN, Kind, Shop, Spot

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
        sign_in = f'<a rel="nofollow" href="{self._login(back)}">{theme.tongue.sign_in}</a>'
        visitor = f'<div class="{theme.name("visitor")}">{sign_in}</div>' if shop.nav_heavy else ""
        return (
            f'<!doctype html>\n<html lang="{theme.tongue.code}">\n<head><meta charset="utf-8">\n'
            f"<title>{escape(title)} | {escape(self._brand)}</title>\n"
            f'<link rel="canonical" href="{canonical}">{head}</head>\n<body{name}>\n{visitor}{self._before}\n'
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
        return f"{self.shop.catalogue.brands[0]} & {self.shop.catalogue.brands[1]}"

    def _login(self, back: str) -> str:
        path = escape(self.shop.path(Spot(Kind.DESK, LOGIN)))
        return f"{path}{'&amp;' if '?' in path else '?'}return={back.replace('?', '%3F').replace('&amp;', '%26')}"

    def _header(self) -> str:
        shop, theme = self.shop, self.shop.theme
        desks = self.links(((Spot(Kind.DESK, number), name) for number, name in enumerate(theme.tongue.desks)), "tools")
        menu = self._mega_menu() if shop.nav_heavy else self._flat_menu()
        tag = theme.menu_tag if theme.marks_parts else "div"
        role = ' role="navigation"' if theme.marks_parts and tag == "div" else ""
        header = "header" if theme.marks_parts else "div"
        logo = self.link(Spot(Kind.HOME), self._brand, "logo")
        return (
            f'<{header} class="{theme.name("site-header")}">{logo}\n{desks}\n'
            f'<{tag}{role} class="{theme.name("main-menu")}">{menu}</{tag}></{header}>'
        )

    def _flat_menu(self) -> str:
        tongue = self.shop.theme.tongue
        top = [(Spot(Kind.CATEGORY, each.number), each.name) for each in self.shop.catalogue.departments]
        return self.links([*top, (Spot(Kind.BRANDS), tongue.brands), (Spot(Kind.BLOG), tongue.stories)], "menu")

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
        return f"{''.join(columns)}<div>{brands}</div>{self.link(Spot(Kind.BLOG), self.shop.theme.tongue.stories)}"

    def _footer(self) -> str:
        theme = self.shop.theme
        info = list(enumerate(theme.tongue.information))[: None if self.shop.nav_heavy else _FOOTER_INFO]
        tag = "footer" if theme.marks_parts else "div"
        links = self.links(((Spot(Kind.INFO, number), name) for number, name in info), "footer-links")
        outside = '<a href="https://social.example/shop">Follow us</a>'
        return f'<{tag} class="{theme.name("site-footer")}">{links}{outside}<p>{theme.tongue.taxes}</p></{tag}>'
