"""The goods and the collections they stand in: what is true of the shop, before any page is written."""

from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from itertools import product as combinations

from examples.demo_shop.dice import Dice
from examples.demo_shop.goods import BRANDS, DEPARTMENTS, LINES, OPTION_VALUES, Department, Kind
from examples.demo_shop.prose import GOODS, paragraphs

CURRENCY = "GBP"
PAGE_SIZE = 6
_SALE_CUTS = (Decimal("0.75"), Decimal("0.8"), Decimal("0.85"), Decimal("0.6"))
_STOCK = ("InStock",) * 13 + ("OutOfStock", "BackOrder", "PreOrder")


class Look(StrEnum):
    """How a product's page is written."""

    THEME = "theme"  # a shop theme: JSON-LD with a list of offers, product data as JSON, Open Graph
    GROUP = "group"  # JSON-LD ProductGroup with hasVariant
    GRAPH = "graph"  # JSON-LD graph: page, breadcrumbs, product with a price specification
    PLAIN = "plain"  # written by hand, no mark-up at all: what can be known is what can be seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One choice of a product; `options` are (name, value) pairs in the product's order of options."""

    number: int
    title: str
    options: tuple[tuple[str, str], ...]
    sku: str
    gtin: str
    price: Decimal
    regular_price: Decimal | None
    availability: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A product as the shop keeps it. `variants` has one entry at least, the default first."""

    number: int
    handle: str
    path: str
    name: str
    noun: str
    brand: str
    look: Look
    department: str
    kind: str
    description: tuple[str, ...]
    option_names: tuple[str, ...]
    variants: tuple[Variant, ...]
    rating: tuple[Decimal, int] | None
    is_new: bool
    is_gift: bool

    @property
    def price(self) -> Decimal:
        """What a buyer pays for the default variant."""
        return self.variants[0].price

    @property
    def regular_price(self) -> Decimal | None:
        """The struck-through price of the default variant, None where it is not on sale."""
        return self.variants[0].regular_price

    @property
    def availability(self) -> str:
        """The schema.org name for the default variant's stock."""
        return self.variants[0].availability


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A listing page. A department's own page lists its sub-collections (`children`) and no goods."""

    path: str
    title: str
    parent: str | None
    items: tuple[Item, ...] = ()
    children: tuple[str, ...] = ()

    @property
    def page_count(self) -> int:
        """How many pages the listing has; 1 at least."""
        return max(1, -(-len(self.items) // PAGE_SIZE))


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All goods and collections, in the order of the menu."""

    items: tuple[Item, ...]
    collections: tuple[Collection, ...]

    def related(self, item: Item) -> tuple[Item, ...]:
        """Return four others of the same department, the nearest in the catalogue first."""
        others = [other for other in self.items if other.department == item.department and other != item]
        return tuple(sorted(others, key=lambda other: (abs(other.number - item.number), other.number))[:4])


def slug(text: str) -> str:
    """Return a text as it stands in a path."""
    letters = "".join(letter if letter.isalnum() else "-" for letter in text.lower().replace("&", "and"))
    return "-".join(part for part in letters.split("-") if part)


def build_items(dice: Dice) -> tuple[Item, ...]:
    """Return the goods: four of each kind, each kind in all four looks."""
    kinds = [(department, kind) for department in DEPARTMENTS for kind in department.kinds]
    return tuple(
        _item(dice, department, kind, place, kind_number * 4 + place)
        for kind_number, (department, kind) in enumerate(kinds)
        for place in range(4)
    )


def build_catalogue(items: tuple[Item, ...]) -> Catalogue:
    """Return the collections that these goods fill."""
    collections: list[Collection] = []
    for department in DEPARTMENTS:
        collections += _department_collections(department, items)
    collections += [
        Collection(path="/collections/everything", title="Everything", parent=None, items=items),
        Collection(path="/collections/offers", title="All Offers", parent=None,
                   items=tuple(item for item in items if item.regular_price)),
        Collection(path="/collections/new-in", title="New In", parent=None,
                   items=tuple(item for item in items if item.is_new)),
    ]  # fmt: skip
    return Catalogue(items=items, collections=tuple(collections))


def with_price(item: Item, price: Decimal) -> Item:
    """Return the item at another price, all its variants with it."""
    return replace(item, variants=tuple(replace(variant, price=price) for variant in item.variants))


def gtin13(number: int) -> str:
    """Return a GTIN-13 under 952, the prefix that GS1 keeps for examples, with its check digit."""
    body = f"952{number:09d}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return f"{body}{-total % 10}"


def _department_collections(department: Department, items: tuple[Item, ...]) -> list[Collection]:
    base = slug(department.title)
    path = f"/collections/{base}"
    own = tuple(item for item in items if item.department == department.title)
    shelves = [(f"{path}-all", f"All {department.title}", own)]
    shelves += [
        (f"/collections/{slug(kind.title)}", kind.title, tuple(item for item in own if item.kind == kind.title))
        for kind in department.kinds
    ]
    shelves += [
        (f"{path}-new", f"New in {department.title}", tuple(item for item in own if item.is_new)),
        (f"{path}-offers", f"{department.title} Offers", tuple(item for item in own if item.regular_price)),
        (f"{path}-gifts", f"{department.title} Gifts", tuple(item for item in own if item.is_gift)),
        (f"{path}-ready", f"{department.title} Ready to Send",
         tuple(item for item in own if item.availability == "InStock")),
    ]  # fmt: skip
    children = [Collection(path=path_, title=title, parent=path, items=goods) for path_, title, goods in shelves]
    top = Collection(path=path, title=department.title, parent=None, children=tuple(child.path for child in children))
    return [top, *children]


def _item(dice: Dice, department: Department, kind: Kind, place: int, number: int) -> Item:
    ask = f"item/{number}"
    noun = kind.nouns[place]
    material = dice.pick(f"{ask}/material", kind.materials)
    line = LINES[(dice.roll("lines") + number * 7) % len(LINES)]
    name = f"{line} {material} {noun}"
    look = tuple(Look)[(number // 4 + place) % 4]
    by_hand = look is Look.PLAIN and number % 8 < 4
    variants = _variants(dice, kind, look, number)
    return Item(
        number=number,
        handle=slug(name),
        path=f"/{'goods' if by_hand else 'products'}/{slug(name)}",
        name=name,
        noun=noun,
        brand=dice.pick(f"{ask}/brand", BRANDS),
        look=look,
        department=department.title,
        kind=kind.title,
        description=paragraphs(dice, ask, GOODS, 3, thing_name=noun.lower(), material_name=material),
        option_names=tuple(option for option, _ in variants[0].options),
        variants=variants,
        rating=_rating(dice, ask) if look is not Look.PLAIN and dice.chance(f"{ask}/rated", 2) else None,
        is_new=number % 4 == 1 or dice.chance(f"{ask}/new", 5),
        is_gift=number % 4 == 2 or dice.chance(f"{ask}/gift", 4),
    )


def _rating(dice: Dice, ask: str) -> tuple[Decimal, int]:
    return Decimal(dice.number(f"{ask}/stars", 36, 50)) / 10, dice.number(f"{ask}/votes", 3, 240)


def _variants(dice: Dice, kind: Kind, look: Look, number: int) -> tuple[Variant, ...]:
    ask = f"item/{number}"
    names = kind.options if look is not Look.GRAPH else ()
    if look is Look.GROUP and not names:
        names = ("Colour",)
    elif look is Look.PLAIN:
        names = names[:1]
    values = [dice.sample(f"{ask}/{name}", OPTION_VALUES[name], 3 if len(names) == 1 else 2) for name in names]
    ordered = [
        sorted(chosen, key=OPTION_VALUES[name].index) for name, chosen in zip(names, values, strict=True)
    ]  # small before large
    price = Decimal(dice.number(f"{ask}/price", kind.low, kind.high)) - dice.pick(
        f"{ask}/pence", (Decimal("0.00"), Decimal("0.05"), Decimal("0.50"))
    )
    cut = dice.pick(f"{ask}/cut", _SALE_CUTS) if number % 8 == 3 or dice.chance(f"{ask}/sale", 6) else None
    stock = dice.pick(f"{ask}/stock", _STOCK)
    step = price * Decimal("0.2") if names and names[0] in ("Size", "Length") and look is not Look.PLAIN else Decimal(0)
    made: list[Variant] = []
    for place, combination in enumerate(combinations(*ordered)):
        options = tuple(zip(names, combination, strict=True))
        full = _pounds(price + step * ordered[0].index(combination[0]) if names else price)
        gone = place and stock == "InStock" and look is not Look.PLAIN and dice.chance(f"{ask}/gone/{place}", 6)
        made.append(
            Variant(
                number=40_000 + number * 10 + place,
                title=" / ".join(combination),
                options=options,
                sku=f"FH-{number:04d}" + (f"-{place + 1}" if names else ""),
                gtin=gtin13(100_000 + number * 10 + place),
                price=_pounds(full * cut) if cut else full,
                regular_price=full if cut else None,
                availability="OutOfStock" if gone else stock,
            )
        )
    return tuple(made)


def _pounds(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"))
