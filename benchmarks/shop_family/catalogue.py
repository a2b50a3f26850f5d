"""What a shop of the family has: goods, categories in two levels, brands, posts. The same for the same seed, anywhere.

Dice are seeded with text: `random.Random` takes SHA-512 of it, whatever PYTHONHASHSEED says.
"""

import base64
import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from random import Random

from benchmarks.shop_family import words

GOODS = 1_000
POSTS = 300
BRANDS = 30
COLOURS = 6
_DEPARTMENTS, _SUBS = 10, 11
_FIRST_ID = 1_000  # numbers have four digits, so that their count of digits tells nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Good:
    """One product: `category` is where it is at home, `places` all categories that list it; `id` is its number."""

    number: int
    id: int
    code: str
    slug: str
    name: str
    price: Decimal
    brand: int
    colour: str
    category: int
    places: tuple[int, ...]
    related: tuple[int, ...]

    @property
    def year(self) -> int:
        """The year in which it came."""
        return 2019 + self.id % 7

    @property
    def month(self) -> int:
        """The month of it, from 1."""
        return 1 + self.id // 7 % 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A department (`parent` None) or what lies in one; `goods` in the order in which it lists them."""

    number: int
    id: int
    code: str
    slug: str
    name: str
    parent: int | None
    children: tuple[int, ...]
    goods: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A story of the shop's blog."""

    number: int
    id: int
    code: str
    slug: str
    title: str
    tags: tuple[int, ...]
    year: int
    month: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All that a shop has. `brands` are names; `brand_goods` has what each makes."""

    goods: tuple[Good, ...]
    categories: tuple[Category, ...]
    posts: tuple[Post, ...]
    brands: tuple[str, ...]
    brand_goods: tuple[tuple[int, ...], ...]
    colours: tuple[str, ...]

    @property
    def departments(self) -> Iterator[Category]:
        """The upper level."""
        return (each for each in self.categories if each.parent is None)


def dice_of(*names: object) -> Random:
    """Return dice of their own for each thing that is drawn."""
    return Random(":".join(map(str, names)))  # noqa: S311  # it makes shops


def code_of(*names: object) -> str:
    """Return eight hexadecimal digits that stand for something."""
    return hashlib.sha256(":".join(map(str, names)).encode()).hexdigest()[:8]


def opaque_of(code: str) -> str:
    """Return eleven characters that stand for a thing's code, as URL-safe base64 has them (RFC 4648 §5)."""
    return base64.urlsafe_b64encode(hashlib.sha256(code.encode()).digest()[:8]).decode().rstrip("=")


def build_catalogue(seed: str, *, shares_words: bool) -> Catalogue:
    """Build a catalogue; with `shares_words` posts are named by the words of goods."""
    dice = dice_of(seed, "catalogue")
    ids = iter(dice.sample(range(_FIRST_ID, 10 * _FIRST_ID), GOODS + POSTS + 2 * _DEPARTMENTS * (_SUBS + 1)))
    taken: set[str] = set()
    tree, nouns = _draw_tree(dice, taken)
    places = _draw_places(dice, tree)
    at_home: dict[int, list[int]] = defaultdict(list)
    for number, (home, *_) in enumerate(places):
        at_home[home].append(number)
    brands = tuple(dice.sample(words.BRANDS, BRANDS))
    colours = tuple(dice.sample(words.COLOURS, COLOURS))
    goods = tuple(
        _build_good(dice, number, next(ids), seed=seed, noun=nouns[places[number][0]], places=places[number],
                    colours=colours, taken=taken, related=_draw_related(dice, number, places[number], at_home))
        for number in range(GOODS)
    )  # fmt: skip
    categories = _build_categories(dice, seed, tree, goods, ids)
    made_by = tuple(tuple(each.number for each in goods if each.brand == brand) for brand in range(BRANDS))
    posts = tuple(
        _build_post(dice, number, next(ids), seed=seed, title=title, taken=taken)
        for number, title in enumerate(_draw_titles(dice, nouns, shares_words=shares_words))
    )
    return Catalogue(goods=goods, categories=categories, posts=posts, brands=brands, brand_goods=made_by,
                     colours=colours)  # fmt: skip


def _draw_tree(dice: Random, taken: set[str]) -> tuple[list[tuple[str, int | None]], dict[int, str]]:
    """Return the categories as pairs of name and parent, departments first, and the noun of each lower one."""
    chosen = dice.sample(words.DEPARTMENTS, _DEPARTMENTS)
    tree: list[tuple[str, int | None]] = [(name, None) for name, _ in chosen]
    nouns: dict[int, str] = {}
    for parent, (_, all_nouns) in enumerate(chosen):
        for noun in dice.sample(all_nouns, _SUBS):
            nouns[len(tree)] = noun
            tree.append((words.plural_of(noun).capitalize(), parent))
    taken.update(words.slug_of(name) for name, _ in tree)
    return tree, nouns


def _draw_places(dice: Random, tree: list[tuple[str, int | None]]) -> list[tuple[int, ...]]:
    """Return the lower categories of each good: one that is its home, and some of the same department."""
    lower = [number for number, (_, parent) in enumerate(tree) if parent is not None]
    found = []
    for number in range(GOODS):
        home = lower[number % len(lower)]
        near = [each for each in lower if tree[each][1] == tree[home][1] and each != home]
        found.append((home, *dice.sample(near, dice.choice((0, 1, 1, 2, 2)))))
    return found


def _draw_related(
    dice: Random, number: int, home: tuple[int, ...], at_home: Mapping[int, list[int]]
) -> tuple[int, ...]:
    """Return goods that are shown beside one: of the categories that it is in, and two of anywhere."""
    near = [other for place in home for other in at_home[place] if other != number]
    anywhere = [other for other in dice.sample(range(GOODS), 3) if other != number]
    return tuple(dict.fromkeys((*dice.sample(near, min(4, len(near))), *anywhere[:2])))


def _build_good(
    dice: Random, number: int, ident: int, *, seed: str, noun: str, places: tuple[int, ...],
    colours: tuple[str, ...], taken: set[str], related: tuple[int, ...],
) -> Good:  # fmt: skip
    name, slug = _draw_name(dice, noun, taken)
    return Good(number=number, id=ident, code=code_of(seed, "good", number), slug=slug, name=name,
                price=Decimal(dice.randrange(400, 24_000)) / 100, brand=dice.randrange(BRANDS),
                colour=dice.choice(colours), category=places[0], places=places, related=related)  # fmt: skip


def _draw_name(dice: Random, noun: str, taken: set[str]) -> tuple[str, str]:
    for _ in count():
        name = f"{dice.choice(words.ADJECTIVES)} {dice.choice(words.MATERIALS)} {noun}".title()
        slug = words.slug_of(name)
        if slug not in taken:
            taken.add(slug)
            break
    return name, slug


def _build_categories(
    dice: Random, seed: str, tree: list[tuple[str, int | None]], goods: tuple[Good, ...], ids: Iterator[int]
) -> tuple[Category, ...]:
    found = []
    for number, (name, parent) in enumerate(tree):
        children = tuple(other for other, (_, above) in enumerate(tree) if above == number)
        listed = [each.number for each in goods if number in each.places or each.category in children]
        dice.shuffle(listed)
        found.append(Category(number=number, id=next(ids), code=code_of(seed, "category", number),
                              slug=words.slug_of(name), name=name, parent=parent, children=children,
                              goods=tuple(listed)))  # fmt: skip
    return tuple(found)


def _draw_titles(dice: Random, nouns: dict[int, str], *, shares_words: bool) -> list[str]:
    if shares_words:
        every = sorted(nouns.values())
        return [f"{dice.choice(words.ADJECTIVES)} {dice.choice(words.MATERIALS)} {dice.choice(every)}".title()
                for _ in range(POSTS)]  # fmt: skip
    pairs = [(story, topic) for story in words.STORIES for topic in words.TOPICS]
    return [story.format(topic=topic) for story, topic in dice.sample(pairs, POSTS)]


def _build_post(dice: Random, number: int, ident: int, *, seed: str, title: str, taken: set[str]) -> Post:
    slug = words.slug_of(title)
    while slug in taken:
        title, slug = f"{title} Revisited", f"{slug}-revisited"
    taken.add(slug)
    return Post(number=number, id=ident, code=code_of(seed, "post", number), slug=slug, title=title,
                tags=tuple(sorted(dice.sample(range(len(words.TAGS)), 2))), year=dice.randrange(2019, 2026),
                month=dice.randrange(1, 13))  # fmt: skip
