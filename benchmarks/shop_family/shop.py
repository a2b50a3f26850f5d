"""A shop of the family: which pages it has, at which addresses, and what each is."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from benchmarks.shop_family import words
from benchmarks.shop_family.catalogue import Catalogue, Category, Good, build_catalogue, code_of, opaque_of
from benchmarks.shop_family.schemes import SCHEMES, append
from benchmarks.shop_family.themes import draw_theme, strip_theme

ORDERS = ("price", "name", "newest")
DESKS = 6
LOGIN = 2
POSTS_A_PAGE = 10


class Kind(StrEnum):
    """What a page of a shop is."""

    HOME = "home"
    GOOD = "good"
    CATEGORY = "category"
    LISTING = "listing"  # what a category leads to where it shows no goods itself
    BRAND = "brand"
    BRANDS = "brands"
    BLOG = "blog"
    TAG = "tag"
    POST = "post"
    INFO = "info"
    DESK = "desk"


class Spot(NamedTuple):
    """One page: its kind, which of them, the number of the list's page, what narrows or orders it.

    `place` is the category within which a good is shown, -1 for none.
    """

    kind: Kind
    number: int = 0
    page: int = 1
    choice: str = ""
    place: int = -1


class Shop:
    """One shop: a scheme, a theme, a catalogue; with or without related goods, with a large menu or flat, bare or not.

    `spots` has each page by its path; addresses that lead nowhere (`is_junk`) are none of them.
    """

    def __init__(self, scheme: str, seed: int, *, related: bool, nav_heavy: bool, is_bare: bool = False) -> None:
        self.name = f"{scheme}/{seed}/{'related' if related else 'alone'}/{'mega' if nav_heavy else 'flat'}"
        self.scheme_name, self.seed, self.related, self.nav_heavy = scheme, seed, related, nav_heavy
        self.scheme = SCHEMES[scheme]
        self.key = f"{scheme}:{seed}"
        theme = draw_theme(f"{self.key}:{nav_heavy}:{related}", nav_heavy=nav_heavy)
        self.theme = strip_theme(theme) if is_bare else theme
        self.catalogue: Catalogue = build_catalogue(self.key, shares_words=self.scheme.shares_words)
        self.origin = f"https://{scheme}-{seed}.example"
        self._pages = self.scheme.pages[seed % len(self.scheme.pages)]
        self.spots: dict[str, Spot] = {}
        for spot in self._all_spots():
            path = self.path(spot)
            if path in self.spots:
                raise RuntimeError(f"{self.name}: {path} would be both {self.spots[path]} and {spot}")
            self.spots[path] = spot

    def good_at(self, path: str) -> int | None:
        """Return the number of the product that a page sells, None for any other page."""
        spot = self.spots.get(path)
        return spot.number if spot is not None and spot.kind is Kind.GOOD else None

    def path(self, spot: Spot) -> str:
        """Return the path and query of a page."""
        scheme, catalogue = self.scheme, self.catalogue
        match spot.kind:
            case Kind.HOME:
                return "/"
            case Kind.GOOD:
                return self._good_path(catalogue.goods[spot.number], spot.place)
            case Kind.CATEGORY:
                base = self._category_path(catalogue.categories[spot.number])
            case Kind.LISTING:
                base = scheme.listing.format(slug=catalogue.categories[spot.number].slug)
            case Kind.BRAND:
                code = code_of(self.key, "brand", spot.number)
                base = scheme.brand.format(slug=words.slug_of(catalogue.brands[spot.number]), id=spot.number + 11,
                                           code=code, opaque=opaque_of(code))  # fmt: skip
            case Kind.BRANDS:
                return scheme.info.format(slug=words.slug_of(self.theme.tongue.brands), id=9)
            case Kind.BLOG:
                base = scheme.blog
            case Kind.TAG:
                base = scheme.tag.format(slug=words.TAGS[spot.number])
            case Kind.POST:
                post = catalogue.posts[spot.number]
                return scheme.post.format(slug=post.slug, id=post.id, code=post.code, opaque=opaque_of(post.code),
                                          year=post.year, month=f"{post.month:02}")  # fmt: skip
            case Kind.INFO:
                return scheme.info.format(
                    slug=words.slug_of(self.theme.tongue.information[spot.number]), id=spot.number + 10
                )
            case Kind.DESK:
                return scheme.desk.format(slug=words.slug_of(self.theme.tongue.desks[spot.number]))
        return self._narrowed(base, spot)

    def listed(self, spot: Spot) -> tuple[int, ...]:
        """Return the goods of a list, all its pages together, in its order."""
        if spot.kind is Kind.BRAND:
            return self.catalogue.brand_goods[spot.number]
        goods = self.catalogue.categories[spot.number].goods
        if spot.choice in self.catalogue.colours:
            return tuple(each for each in goods if self.catalogue.goods[each].colour == spot.choice)
        if spot.choice == "price":
            return tuple(sorted(goods, key=lambda each: (self.catalogue.goods[each].price, each)))
        if spot.choice == "name":
            return tuple(sorted(goods, key=lambda each: (self.catalogue.goods[each].name, each)))
        return tuple(sorted(goods, reverse=True)) if spot.choice == "newest" else goods

    def colours_of(self, category: int) -> tuple[str, ...]:
        """Return the colours that a category can be narrowed to: those that leave a choice."""
        spot = Spot(Kind.CATEGORY, category)
        return tuple(each for each in self.catalogue.colours if len(self.listed(spot._replace(choice=each))) > 1)

    def lists_goods(self, spot: Spot) -> bool:
        """Whether a page of a category or brand shows goods."""
        if spot.kind is Kind.CATEGORY:
            is_upper = self.catalogue.categories[spot.number].parent is None
            return not (self.scheme.hides_goods or self.scheme.by_brand) and (
                self.theme.lists_in_departments or not is_upper
            )
        return spot.kind in (Kind.LISTING, Kind.BRAND)

    def page_count(self, spot: Spot) -> int:
        """Return how many pages a list has."""
        if spot.kind is Kind.BLOG:
            return -(-len(self.catalogue.posts) // POSTS_A_PAGE)
        return max(1, -(-len(self.listed(spot)) // self.theme.per_page)) if self.lists_goods(spot) else 1

    # -- inside

    def _good_path(self, good: Good, place: int) -> str:
        home = self.catalogue.categories[good.category if place < 0 else place]
        parent = self.catalogue.categories[home.parent or 0]
        form = self.scheme.good if place < 0 else self.scheme.in_category
        return form.format(slug=good.slug, id=good.id, code=good.code, opaque=opaque_of(good.code), sub=home.slug,
                           dept=parent.slug, sub_id=home.id, dept_id=parent.id, year=good.year,
                           month=f"{good.month:02}")  # fmt: skip

    def _category_path(self, category: Category) -> str:
        form = self.scheme.department if category.parent is None else self.scheme.sub
        parent = self.catalogue.categories[category.parent or 0]
        return form.format(slug=category.slug, id=category.id, code=category.code, opaque=opaque_of(category.code),
                           dept=parent.slug, dept_id=parent.id)  # fmt: skip

    def _narrowed(self, base: str, spot: Spot) -> str:
        if spot.choice:
            form = self.scheme.order if spot.choice in ORDERS else self.scheme.colour
            base = append(base, form, value=spot.choice)
        return append(base, self._pages, n=spot.page) if spot.page > 1 else base

    def _all_spots(self) -> Iterator[Spot]:
        yield Spot(Kind.HOME)
        for good in self.catalogue.goods:
            yield Spot(Kind.GOOD, good.number)
            if self.scheme.in_category:
                yield from (Spot(Kind.GOOD, good.number, place=place) for place in good.places)
        for category in self.catalogue.categories:
            yield from self._list_spots(category)
        for brand in range(len(self.catalogue.brands)):
            yield from self._paged(Spot(Kind.BRAND, brand))
        yield Spot(Kind.BRANDS)
        yield from self._paged(Spot(Kind.BLOG))
        yield from (Spot(Kind.TAG, number) for number in range(len(words.TAGS)))
        yield from (Spot(Kind.POST, post.number) for post in self.catalogue.posts)
        yield from (Spot(Kind.INFO, number) for number in range(len(self.theme.tongue.information)))
        yield from (Spot(Kind.DESK, number) for number in range(DESKS))

    def _list_spots(self, category: Category) -> Iterator[Spot]:
        spot = Spot(Kind.CATEGORY, category.number)
        if self.scheme.hides_goods:
            yield spot
            if category.parent is None:
                return
            spot = Spot(Kind.LISTING, category.number)
        yield from self._paged(spot)
        if self.lists_goods(spot):
            for choice in (*self.colours_of(category.number), *ORDERS):
                yield from self._paged(spot._replace(choice=choice))

    def _paged(self, spot: Spot) -> Iterator[Spot]:
        yield from (spot._replace(page=page) for page in range(1, self.page_count(spot) + 1))
